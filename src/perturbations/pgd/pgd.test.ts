import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom } from '../../base/random.ts';
import type { LossGradient } from '../../model/attack.ts';
import type { AttackedRecognizer, Checkpoint } from '../contract.ts';
import { pgd } from './pgd.ts';

const sampleRate = 16_000;
const random = createRandom('pgd');
const direction = Float32Array.from({ length: 4000 }, () => random.normal());
const speech = Float32Array.from({ length: 4000 }, (_, n) => 0.3 * Math.sin(n / 7));
const said = { reference: 'yes', language: 'en' };

/** A loss that is a sum along one direction: what makes it greatest within a radius is known on paper, that direction. */
function linear(asked: { text: string; loss: number }[] = []): AttackedRecognizer {
  const gradient: LossGradient = {
    sampleRate,
    async loss(samples, text) {
      const loss = samples.reduce((sum, sample, n) => sum + sample * direction[n]!, 0);
      asked.push({ text, loss });
      return { loss, gradient: direction.slice(0, samples.length) };
    },
    agreement: async () => null,
    async close() {},
  };
  return { identity: { linear: true }, recognize: () => Promise.reject(), gradient: async () => gradient };
}

const parameters = pgd.parameters.parse({ source: 'whisper', snrDb: 20, steps: 30 });
const attack = async (changed: Partial<typeof parameters> = {}, services: { checkpoint?: Checkpoint } = {}) => {
  const asked: { text: string; loss: number }[] = [];
  const { clip, facts } = await pgd.apply(
    { samples: speech, sampleRate },
    { ...parameters, ...changed },
    { random: createRandom('start'), assets: { recognizer: linear(asked), air: null }, said, ...services },
  );
  return { added: clip.samples.map((sample, n) => sample - speech[n]!), facts, asked };
};
const norm = (values: Float32Array) => Math.sqrt(values.reduce((sum, value) => sum + value ** 2, 0));
const cosine = (one: Float32Array, other: Float32Array) =>
  one.reduce((sum, value, n) => sum + value * other[n]!, 0) / norm(one) / norm(other);

test('what is added lies along the gradient, on the radius that the ratio allows and never beyond', async () => {
  for (const snrDb of [40, 30, 20, 10]) {
    const { added, facts } = await attack({ snrDb });
    const achieved = 20 * Math.log10(norm(speech) / norm(added));
    assert.ok(achieved > snrDb - 1e-3 && achieved < snrDb + 0.01, `${achieved} dB of ${snrDb}`);
    assert.ok(Math.abs(achieved - Number(facts.achievedSnrDb)) < 1e-3);
    assert.ok(cosine(added, direction) > 0.999, `${cosine(added, direction)}`);
  }
});

test('a target makes the loss of that text small instead, and samples stay within full scale', async () => {
  const { added, asked } = await attack({ target: 'no', snrDb: -10 });
  assert.ok(cosine(added, direction) < -0.5);
  assert.deepEqual([...new Set(asked.map(({ text }) => text))], ['no']);
  assert.ok(added.every((value, n) => Math.abs(value + speech[n]!) <= 1));
  assert.ok(asked.at(-1)!.loss < asked[0]!.loss);
});

test('one step from the clip itself goes as far as it says; the loss before and after is told', async () => {
  const { added, facts } = await attack({ steps: 1, relativeStep: 0.25, randomStart: false });
  assert.ok(Math.abs(norm(added) / norm(speech) / 0.025 - 1) < 1e-4);
  assert.equal(facts.steps, 1);
  assert.ok(Number(facts.lastLoss) > Number(facts.firstLoss));
});

test('a sound that was stopped between its steps is made on from there, and is the same in the end', async () => {
  const whole = await attack({ steps: 20, keep: 'best' });
  let kept: Float64Array | null = null;
  const checkpoint: Checkpoint = {
    load: async () => kept,
    async save(values) {
      kept = values;
      throw new Error('stopped');
    },
  };
  await assert.rejects(attack({ steps: 20, keep: 'best' }, { checkpoint }), /stopped/);
  const rest = await attack({ steps: 20, keep: 'best' }, { checkpoint: { load: async () => kept, async save() {} } });
  assert.deepEqual(rest.added, whole.added);
  assert.deepEqual(rest.facts, whole.facts);
  assert.ok(rest.asked.length <= whole.asked.length - 5);
});

test('of the best and the last step the one asked for counts', async () => {
  // A loss with its greatest value on the way: steps as long as the radius go back and forth over it.
  const hill: AttackedRecognizer = {
    identity: {},
    recognize: () => Promise.reject(),
    gradient: async () => ({
      sampleRate,
      async loss(samples) {
        const along = samples.reduce((sum, sample, n) => sum + (sample - speech[n]!) * direction[n]!, 0);
        const peak = 0.7 * norm(direction) * norm(speech) * 0.1;
        return { loss: -((along - peak) ** 2), gradient: direction.map((value) => -2 * (along - peak) * value) };
      },
      agreement: async () => null,
      async close() {},
    }),
  };
  const run = async (keep: 'best' | 'last') =>
    (
      await pgd.apply(
        { samples: speech, sampleRate },
        { ...parameters, relativeStep: 1, steps: 9, randomStart: false, keep },
        { random: createRandom(1), assets: { recognizer: hill, air: null }, said },
      )
    ).facts;
  const [best, last] = [await run('best'), await run('last')];
  assert.ok(Number(best.lastLoss) > Number(last.lastLoss), `${best.lastLoss} ${last.lastLoss}`);
});

test('without a reference, of silence, with a loss that is no number and without a config there is one sentence', async () => {
  const run = (samples: Float32Array, reference: string | undefined, loss = 1) =>
    pgd.apply({ samples, sampleRate }, parameters, {
      random: createRandom(1),
      said: { reference, language: 'en' },
      assets: {
        air: null,
        recognizer: {
          identity: {},
          recognize: () => Promise.reject(),
          gradient: async () => ({
            sampleRate,
            loss: async () => ({ loss, gradient: new Float32Array(samples.length).fill(loss) }),
            agreement: async () => null,
            async close() {},
          }),
        },
      },
    });
  await assert.rejects(async () => run(speech, undefined), /expected an utterance whose reference is known/);
  await assert.rejects(async () => run(new Float32Array(10), 'yes'), /it is digital silence/);
  await assert.rejects(
    async () => run(speech, 'yes', Number.NaN),
    /expected a loss and a gradient that are numbers, but on this clip they are not/,
  );
  const services = { sounds: () => Promise.reject(), codec: () => Promise.reject() };
  await assert.rejects(async () => pgd.prepare!(parameters, services), /expected a config that names .*"whisper"/);
});
