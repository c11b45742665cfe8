import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom } from '../../base/random.ts';
import type { Transcript } from '../../model/observation.ts';
import type { AttackedRecognizer, Checkpoint } from '../contract.ts';
import { spsa } from './spsa.ts';

const sampleRate = 16_000;
const random = createRandom('spsa');
const length = 400;
const direction = Float32Array.from({ length }, () => random.normal());
const speech = Float32Array.from({ length }, (_, n) => 0.3 * Math.sin(n / 7));
const norm = (values: ArrayLike<number>) => Math.hypot(...Array.from(values));
const said = { reference: 'abcdefghij klmnopqrst', language: 'en' };

/** Loses one letter more for each so much that a sound lies along one direction, and one less the other way. */
const along = (samples: Float32Array) =>
  samples.reduce((sum, sample, n) => sum + (sample - speech[n]!) * direction[n]!, 0) / norm(direction) / norm(speech);
const lossy = (samples: Float32Array): Transcript => ({
  text: said.reference.slice(0, Math.max(0, Math.min(20, 11 - Math.round(300 * along(samples))))),
});

function heardBy(answer: (samples: Float32Array) => Transcript) {
  const asked: Float32Array[] = [];
  const assets: AttackedRecognizer = {
    identity: {},
    gradient: () => Promise.reject(),
    async recognize({ samples }) {
      asked.push(samples);
      return answer(samples);
    },
  };
  return { asked, assets };
}

const parameters = spsa.parameters.parse({ source: 'closed', snrDb: 20, calls: 201 });
const attack = async (
  changed: Partial<typeof parameters> = {},
  answer: (samples: Float32Array) => Transcript = lossy,
  checkpoint?: Checkpoint,
) => {
  const { asked, assets } = heardBy(answer);
  const { clip, facts } = await spsa.apply(
    { samples: speech, sampleRate },
    { ...parameters, ...changed },
    { random: createRandom('start'), assets, said, ...(checkpoint && { checkpoint }) },
  );
  return { samples: clip.samples, added: clip.samples.map((sample, n) => sample - speech[n]!), facts, asked };
};

test('transcripts alone lead it to where more is misheard, and with a target to where less is', async () => {
  const { facts, asked } = await attack();
  assert.equal(asked.length, 201);
  assert.equal(facts.calls, 201);
  assert.equal(facts.pairs, 100);
  assert.ok(Number(facts.lastLoss) >= Number(facts.firstLoss) + 5, JSON.stringify(facts));
  const towards = await attack({ target: said.reference });
  assert.ok(Number(towards.facts.lastLoss) <= Number(towards.facts.firstLoss) - 5, JSON.stringify(towards.facts));
});

test('it finds more than the worst of as many noises of the same ratio', async () => {
  const { facts, asked } = await attack();
  const noises = asked.map((_, number) => {
    const draw = createRandom({ number });
    const noise = speech.map(() => 2 * draw.next() - 1);
    const scale = norm(speech) / 10 / norm(noise);
    return 21 - lossy(speech.map((sample, n) => sample + scale * noise[n]!)).text.length;
  });
  assert.ok(Number(facts.lastLoss) > Math.max(...noises) + 2, `${facts.lastLoss}, ${Math.max(...noises)}`);
});

test('the number of calls is a hard limit, and every sound that is asked about keeps to the ratio and to full scale', async () => {
  for (const [calls, made] of [
    [3, 3],
    [4, 3],
    [10, 9],
  ] as const) {
    const { facts, asked } = await attack({ calls });
    assert.deepEqual([facts.calls, asked.length], [made, made]);
  }
  for (const snrDb of [40, 10, -10]) {
    const { asked, added, facts } = await attack({ snrDb, calls: 41 });
    for (const samples of asked) {
      const ratio = 20 * Math.log10(norm(speech) / norm(samples.map((sample, n) => sample - speech[n]!)));
      assert.ok(ratio > snrDb - 0.01, `${ratio} dB of ${snrDb}`);
      assert.ok(samples.every((sample) => Math.abs(sample) <= 1));
    }
    assert.ok(Math.abs(Number(facts.achievedSnrDb) - 20 * Math.log10(norm(speech) / norm(added))) < 1e-3);
  }
});

test('where every sound is heard alike it goes nowhere and says that no pair differed; confidences decide between equals', async () => {
  const flat = await attack({ calls: 21 }, () => ({ text: said.reference }));
  assert.deepEqual([flat.facts.pairsThatDiffered, flat.facts.firstLoss, flat.facts.lastLoss], [0, 0, 0]);
  assert.deepEqual(flat.samples, flat.asked[0]);
  const unsure = await attack({ calls: 201 }, (samples) => ({
    text: said.reference,
    words: [{ text: 'abcdefghij', confidence: Math.min(1, Math.max(0, 0.5 - 4 * along(samples))) }],
  }));
  assert.equal(unsure.facts.pairsThatDiffered, 100);
  assert.ok(Number(unsure.facts.lastLoss) > Number(unsure.facts.firstLoss) + 0.05, JSON.stringify(unsure.facts));
  assert.ok(Number(unsure.facts.lastLoss) < 1);
});

test('the loss is the edit distance in letters, however they are written', async () => {
  const lossOf = async (text: string) => (await attack({ calls: 3 }, () => ({ text }))).facts.lastLoss;
  assert.equal(await lossOf('ABCDEFGHIJ, klmnopqrst!'), 0);
  assert.equal(await lossOf('abcdefghij'), 11);
  assert.equal(await lossOf('abdefghxij klmnopqrst'), 2);
  assert.equal(await lossOf(''), 21);
});

test('a text that is reached ends the search before its calls are spent', async () => {
  const { asked } = await attack({ target: 'abcdefghij' }, () => ({ text: 'abcdefghij' }));
  assert.equal(asked.length, 1);
});

test('a sound that was stopped between its steps is made on from there, and is the same in the end', async () => {
  const whole = await attack({ calls: 61 });
  let kept: Float64Array | null = null;
  const stopping: Checkpoint = {
    load: async () => kept,
    async save(values) {
      kept = values;
      throw new Error('stopped');
    },
  };
  await assert.rejects(attack({ calls: 61 }, lossy, stopping), /stopped/);
  const rest = await attack({ calls: 61 }, lossy, { load: async () => kept, async save() {} });
  assert.deepEqual(rest.samples, whole.samples);
  assert.deepEqual(rest.facts, whole.facts);
  assert.equal(rest.asked.length, whole.asked.length - 11);
});

test('without a reference, of silence and without a config there is one sentence', async () => {
  const { assets } = heardBy(lossy);
  const run = async (samples: Float32Array, reference: string | undefined) =>
    spsa.apply({ samples, sampleRate }, parameters, {
      random: createRandom(1),
      assets,
      said: { reference, language: 'en' },
    });
  await assert.rejects(run(speech, undefined), /expected an utterance whose reference is known/);
  await assert.rejects(run(new Float32Array(10), 'yes'), /it is digital silence/);
  const services = { sounds: () => Promise.reject(), codec: () => Promise.reject() };
  await assert.rejects(async () => spsa.prepare!(parameters, services), /expected a config that names .*"closed"/);
});
