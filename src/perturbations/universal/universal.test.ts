import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { Clip } from '../../audio/clip.ts';
import type { JsonObject } from '../../base/json.ts';
import { createRandom } from '../../base/random.ts';
import { fittedAssets, toneCorpus, toneModel } from '../../session/testing/tone-speakers.ts';
import type { AssetServices, AttackedRecognizer } from '../contract.ts';
import { whiteNoise } from '../white-noise/white-noise.ts';
import { universal } from './universal.ts';

const folder = mkdtempSync(join(tmpdir(), 'earwitness-universal-'));
after(() => rmSync(folder, { recursive: true }));
const random = createRandom('unused');
const fitSpeakers = ['s0', 's1'];

const parametersOf = (changed: JsonObject = {}) =>
  universal.parameters.parse({ source: 'tones', snrDb: 10, fitSpeakers, lengthSeconds: 0.2, epochs: 3, ...changed });
const prepared = (assets: AssetServices, changed: JsonObject = {}) => universal.prepare!(parametersOf(changed), assets);
const attack = async (
  assets: AssetServices,
  clip: Clip,
  changed: JsonObject = {},
  speaker: string | undefined = 's2',
) =>
  universal.apply(clip, parametersOf(changed), { random, speaker, assets: (await prepared(assets, changed)).assets });

/** A loss that is a sum along one direction, over and over: the best sound that long is that direction. */
function linear(length: number): { readonly recognizer: AttackedRecognizer; readonly direction: Float64Array } {
  const drawn = createRandom('direction');
  const direction = Float64Array.from({ length }, () => drawn.normal());
  const gradient = async (samples: Float32Array) => {
    const slopes = samples.map((_, n) => direction[n % length]!);
    return { loss: samples.reduce((sum, sample, n) => sum + sample * slopes[n]!, 0), gradient: slopes };
  };
  const recognizer: AttackedRecognizer = {
    identity: { linear: length },
    gradient: async () => ({ sampleRate: 16_000, loss: gradient, agreement: async () => null, async close() {} }),
    // The greater the loss, the fewer letters are written; never so few that the clip counts as fooled.
    recognize: async ({ samples }) => {
      const { loss } = await gradient(samples);
      return { text: 'a'.repeat(1000 - Math.round(Math.max(0, Math.min(600, loss / 4)))) };
    },
  };
  return { recognizer, direction };
}
const cosine = (one: ArrayLike<number>, other: ArrayLike<number>) => {
  let [product, first, second] = [0, 0, 0];
  for (let n = 0; n < one.length; n++) {
    product += one[n]! * other[n]!;
    first += one[n]! ** 2;
    second += other[n]! ** 2;
  }
  return product / Math.sqrt(first * second);
};

test('the ratio of energies is the one asked for, of any length and rate, and the sound begins again where it ends', async () => {
  const { recognizer } = linear(800);
  const assets = fittedAssets(recognizer);
  for (const [snrDb, seconds] of [
    [40, 0.03],
    [20, 1.3],
    [-5, 0.7],
  ] as const) {
    const samples = Float32Array.from({ length: seconds * 16_000 }, (_, n) => 0.3 * Math.sin(n / 7));
    const before = samples.slice();
    const { clip, facts } = await attack(assets, { samples, sampleRate: 16_000 }, { snrDb, lengthSeconds: 0.05 });
    const added = clip.samples.map((value, n) => value - before[n]!);
    const energy = (values: Float32Array) => values.reduce((sum, value) => sum + value ** 2, 0);
    const achieved = 10 * Math.log10(energy(before) / energy(added));
    assert.ok(Math.abs(achieved - snrDb) < 0.01, `${achieved}`);
    assert.ok(Math.abs(Number(facts.achievedSnrDb) - snrDb) < 0.01);
    for (let n = 800; n < added.length; n++) assert.ok(Math.abs(added[n]! - added[n - 800]!) < 1e-5);
  }
  const telephone = { samples: Float32Array.from({ length: 4000 }, (_, n) => 0.3 * Math.sin(n / 7)), sampleRate: 8000 };
  assert.equal((await attack(assets, telephone, { lengthSeconds: 0.05 })).clip.sampleRate, 16_000);
});

test('mended: the sound turns to where the loss grows, also where clips are longer than it; all ratios share one fit', async () => {
  const { recognizer, direction } = linear(3200);
  let gradients = 0;
  const { loss } = await recognizer.gradient();
  const counting = {
    ...recognizer,
    gradient: async () => ({
      ...(await recognizer.gradient()),
      loss: (...asked: Parameters<typeof loss>) => {
        gradients++;
        return loss(...asked);
      },
    }),
  };
  const assets = fittedAssets(counting);
  const sound = async (changed: JsonObject) => (await prepared(assets, { epochs: 8, ...changed })).assets.sound();
  const [loud, faint] = [await sound({ snrDb: 0 }), await sound({ snrDb: 30 })];
  assert.ok(cosine(loud.samples, direction) > 0.95, `${cosine(loud.samples, direction)}`);
  assert.equal(faint, loud);
  // Four clips, eight epochs, three steps each.
  assert.equal(gradients, 96);
});

test('srb: the sound goes along the signs of the gradient, no faster and no further than the recipe allows', async () => {
  const { recognizer, direction } = linear(3200);
  const assets = fittedAssets(recognizer);
  const srb = { recipe: 'srb', fitSnrDb: 10, lengthSeconds: 0.2, stepsPerClip: 5 };
  const sound = async (changed: JsonObject) =>
    (await (await prepared(assets, { ...srb, ...changed })).assets.sound()).samples;
  const once = await sound({ epochs: 1 });
  // Of each clip at most .003 stays, although five steps are .005: four clips.
  const most = Math.max(...once.map(Math.abs));
  assert.ok(Math.abs(most - 0.012) < 1e-6, `${most}`);
  assert.ok(once.every((value, n) => Math.sign(value) === Math.sign(direction[n]!)));
  // The mean peak of the clips is half of full scale; 10 dB below it the sound ends.
  const often = await sound({ epochs: 30 });
  const limit = 0.5 / 10 ** 0.5;
  assert.ok(often.every((value) => Math.abs(value) <= limit + 1e-6));
  assert.ok(Math.abs(Math.max(...often.map(Math.abs)) - limit) < 1e-3, `${Math.max(...often.map(Math.abs))}`);
  // Longer than any clip: beyond them nothing was ever added.
  const longer = await sound({ epochs: 1, lengthSeconds: 2 });
  assert.ok(longer.subarray(4 * 3200).every((value) => value === 0));
});

test('speakers whom it was not fitted on are misheard more than in noise of the same ratio; the clips are said', async () => {
  const { recognizer, model, close } = await toneModel(join(folder, 'tones'));
  const corpus = toneCorpus();
  const assets = fittedAssets(recognizer);
  const wrong = { universal: 0, noise: 0, clips: 0 };
  for await (const utterance of corpus.utterances()) {
    const { speaker, reference } = utterance;
    if (fitSpeakers.includes(speaker!)) continue;
    const clip = await corpus.clip(utterance);
    assert.equal(await model.transcribe(clip.samples), reference);
    const { clip: attacked, facts } = await attack(assets, clip, { snrDb: 6, epochs: 6 }, speaker);
    const noisy = whiteNoise.apply(clip, { snrDb: 6 }, { random: createRandom(utterance.id) }).clip;
    wrong.clips++;
    if ((await model.transcribe(attacked.samples)) !== reference) wrong.universal++;
    if ((await model.transcribe(noisy.samples)) !== reference) wrong.noise++;
    const { recipe, speakers, clips, cer } = facts.fit as JsonObject;
    assert.deepEqual([recipe, speakers, clips], ['mended', 2, 4]);
    assert.ok(Number(cer) > 0);
  }
  assert.deepEqual([wrong.universal, wrong.clips], [4, 4]);
  assert.ok(wrong.noise <= 1, `${wrong.noise}`);
  await close();
});

test('a fit that was killed between its steps goes on from there, and the sound is the same in the end', async () => {
  for (const recipe of ['mended', 'srb'] as const) {
    const changed = { recipe, epochs: 2, stepsPerClip: 2 };
    const soundOf = async (name: string, kept: string, failAt?: number) => {
      const { recognizer, asked, close } = await toneModel(join(folder, name), failAt);
      try {
        const { assets } = await prepared(fittedAssets(recognizer, { folder: kept }), changed);
        return { ...(await assets.sound()), asked };
      } finally {
        await close();
      }
    };
    const whole = await soundOf(`${recipe} whole`, join(folder, `${recipe} kept whole`));
    const kept = join(folder, `${recipe} kept`);
    await assert.rejects(soundOf(`${recipe} killed`, kept, 6), /killed/);
    assert.match(readdirSync(join(kept, 'fits')).join(), /^[0-9a-f]{64}\.part$/);
    const rest = await soundOf(`${recipe} rest`, kept);
    assert.deepEqual(rest.samples, whole.samples);
    assert.deepEqual(rest.facts, whole.facts);
    assert.equal(rest.asked.gradients, whole.asked.gradients - 5);
    assert.match(readdirSync(join(kept, 'fits')).join(), /^[0-9a-f]{64}\.fit$/);
    const again = await soundOf(`${recipe} again`, kept);
    assert.deepEqual([again.asked.gradients, again.asked.transcripts], [0, 0]);
    assert.deepEqual(again.samples, whole.samples);
  }
});

test('clips of those it was fitted on, of nobody knows whom, and silence are refused in one sentence', async () => {
  const assets = fittedAssets(linear(800).recognizer);
  const clip = { samples: Float32Array.from({ length: 800 }, (_, n) => Math.sin(n)), sampleRate: 16_000 };
  await assert.rejects(attack(assets, clip, {}, 's0'), {
    code: 'bad-input',
    message:
      'universal: expected a clip of a speaker whom the sound was not fitted on, but it was fitted on clips of this one; ask about the others',
  });
  const services = { random, assets: (await prepared(assets)).assets };
  await assert.rejects(
    async () => universal.apply(clip, parametersOf(), services),
    /but nobody says whose this is; name the speaker in the corpus/,
  );
  await assert.rejects(
    attack(assets, { samples: new Float32Array(80), sampleRate: 16_000 }),
    /universal: expected a clip to change at 10 dB SNR, but it is digital silence/,
  );
  await assert.rejects(
    async () => universal.prepare!(parametersOf(), { sounds: assets.sounds, codec: assets.codec }),
    /universal: expected a config that names the recognizer "tones", but there is none; give one with --config/,
  );
  const { fitting: _, ...withoutRun } = assets;
  await assert.rejects(
    async () => universal.prepare!(parametersOf(), withoutRun),
    /universal: expected clips of a run to fit on, but there are none here; name it in a condition/,
  );
});
