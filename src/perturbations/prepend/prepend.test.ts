import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { JsonObject } from '../../base/json.ts';
import { createRandom } from '../../base/random.ts';
import { wav2vec2Like } from '../../gradients/testing/networks.ts';
import { encodeModel } from '../../gradients/write-model.ts';
import { fittedAssets, toneCorpus, toneModel } from '../../session/testing/tone-speakers.ts';
import { originalTime } from '../apply-steps.ts';
import type { AttackedRecognizer } from '../contract.ts';
import { prepend } from './prepend.ts';

const folder = mkdtempSync(join(tmpdir(), 'earwitness-prepend-'));
after(() => rmSync(folder, { recursive: true }));
const random = createRandom('unused');
const fitSpeakers = ['s0', 's1'];
const parametersOf = (changed: JsonObject = {}) =>
  prepend.parameters.parse({ source: 'tones', fitSpeakers, epochs: 3, lengthSeconds: 0.1, ...changed });

/** A loss that is a sum along one direction over the beginning of a clip. */
function linear(): { recognizer: AttackedRecognizer; direction: Float64Array; texts: Set<string> } {
  const drawn = createRandom('direction');
  const direction = Float64Array.from({ length: 1600 }, () => drawn.normal());
  const texts = new Set<string>();
  const recognizer: AttackedRecognizer = {
    identity: { linear: 1600 },
    recognize: async () => ({ text: '' }),
    gradient: async () => ({
      sampleRate: 16_000,
      async loss(samples, text) {
        texts.add(text);
        const gradient = samples.map((_, n) => direction[n] ?? 0);
        return { loss: samples.reduce((sum, sample, n) => sum + sample * gradient[n]!, 0), gradient };
      },
      agreement: async () => null,
      async close() {},
    }),
  };
  return { recognizer, direction, texts };
}

test('the sound goes against the gradient of an empty text to its peak, is put before the clip, and times are shifted by it', async () => {
  const { recognizer, direction, texts } = linear();
  const assets = fittedAssets(recognizer);
  const parameters = parametersOf({ peak: 0.03, stepSize: 0.5, epochs: 5 });
  const prepared = await prepend.prepare!(parameters, assets);
  const { samples } = await prepared.assets.sound();
  assert.deepEqual([...texts], ['']);
  assert.equal(samples.length, 1600);
  for (const [n, value] of samples.entries()) assert.ok(Math.abs(value + 0.03 * Math.sign(direction[n]!)) < 1e-6);
  const clip = { samples: Float32Array.from({ length: 8000 }, (_, n) => Math.sin(n)), sampleRate: 16_000 };
  const services = { random, speaker: 's2', assets: prepared.assets };
  const made = await prepend.apply(clip, parameters, services);
  assert.deepEqual(made.clip.samples.subarray(0, 1600), samples);
  assert.deepEqual(made.clip.samples.subarray(1600), clip.samples);
  assert.equal(originalTime(made.timeMap!, 0.05), 0);
  assert.ok(Math.abs(originalTime(made.timeMap!, 0.35) - 0.25) < 1e-12);
  assert.ok(Math.abs(Number(made.facts.levelDbfs) - 20 * Math.log10(0.03)) < 1e-4);
  const { firstLoss, lastLoss } = made.facts.fit as JsonObject;
  assert.ok(Number(lastLoss) < Number(firstLoss));

  const control = await prepend.apply(clip, { ...parameters, control: true }, services);
  const before = control.clip.samples.slice(0, 1600);
  assert.notDeepEqual(before, samples);
  assert.deepEqual(before.toSorted(), samples.toSorted());
  assert.equal(control.facts.levelDbfs, made.facts.levelDbfs);
});

test('a network that listens to all at once comes nearer to writing nothing, of other speakers too', async () => {
  const network = encodeModel(wav2vec2Like({ tokens: 5 }).model);
  const { recognizer, model, close } = await toneModel(join(folder, 'network'), undefined, {
    'onnx/model.onnx': network,
  });
  const parameters = parametersOf({ peak: 0.3, epochs: 4, stepSize: 0.5, lengthSeconds: 0.2 });
  const prepared = await prepend.prepare!(parameters, fittedAssets(recognizer));
  const { facts } = await prepared.assets.sound();
  assert.ok(Number(facts.lastLoss) < Number(facts.firstLoss), JSON.stringify(facts));
  const corpus = toneCorpus();
  for await (const utterance of corpus.utterances()) {
    if (fitSpeakers.includes(utterance.speaker!)) continue;
    const services = { random, speaker: utterance.speaker, assets: prepared.assets };
    const lossOf = async (control: boolean) => {
      const { clip } = await prepend.apply(await corpus.clip(utterance), { ...parameters, control }, services);
      return model.lossOf(clip.samples, '');
    };
    const [attack, control] = [await lossOf(false), await lossOf(true)];
    assert.ok(attack < control - 1, `${utterance.id}: ${attack} ${control}`);
  }
  await close();
});

test('a fit that was killed between its steps goes on from there; a clip of those it was fitted on is refused', async () => {
  const soundOf = async (name: string, kept: string, failAt?: number) => {
    const { recognizer, asked, close } = await toneModel(join(folder, name), failAt);
    try {
      const { assets } = await prepend.prepare!(parametersOf(), fittedAssets(recognizer, { folder: kept }));
      return { ...(await assets.sound()), asked, assets };
    } finally {
      await close();
    }
  };
  const whole = await soundOf('whole', join(folder, 'kept whole'));
  await assert.rejects(soundOf('killed', join(folder, 'kept'), 8), /killed/);
  const rest = await soundOf('rest', join(folder, 'kept'));
  assert.deepEqual(rest.samples, whole.samples);
  assert.deepEqual(rest.facts, whole.facts);
  assert.deepEqual([whole.asked.gradients, rest.asked.gradients], [12, 5]);
  const clip = await toneCorpus().clip({ id: 'u0', language: 'en', attributes: {}, tags: [] });
  await assert.rejects(
    async () => prepend.apply(clip, parametersOf(), { random, speaker: 's1', assets: rest.assets }),
    /prepend: expected a clip of a speaker whom the sound was not fitted on, but it was fitted on clips of this one/,
  );
});
