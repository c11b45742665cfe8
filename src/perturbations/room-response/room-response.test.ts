import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Clip } from '../../audio/clip.ts';
import { rms } from '../../audio/levels.ts';
import { createRandom } from '../../base/random.ts';
import { acousticGoldens, goldenSound, goldenSpeech } from '../../decoders/testing/acoustic-goldens.ts';
import { originalTime } from '../apply-steps.ts';
import { collectionInMemory, onlySounds, type SoundInMemory } from '../shared/chosen-sounds.ts';
import { roomResponse } from './room-response.ts';

const random = createRandom('speech');
const speech: Clip = { samples: Float32Array.from({ length: 2000 }, () => 0.1 * random.normal()), sampleRate: 16000 };
const response = (values: readonly number[], sampleRate = 16000) => ({
  samples: Float32Array.from(values),
  sampleRate,
});

async function play(sounds: readonly SoundInMemory[], changes: object, clip = speech, seed = 1) {
  const parameters = { ...roomResponse.example, ...changes };
  const { assets } = await roomResponse.prepare!(parameters, onlySounds(collectionInMemory('rooms', sounds)));
  return roomResponse.apply(clip, parameters, { random: createRandom(seed), assets });
}
const plain = { normalize: 'none', align: 'none', keepTail: true };
const near = (found: Float32Array, expected: (n: number) => number, tolerance = 1e-6) => {
  for (const [n, value] of found.entries()) assert.ok(Math.abs(value - expected(n)) < tolerance, `${n}: ${value}`);
};

test('The convolution is the sum over the response, with its whole tail.', async () => {
  const room = [{ name: 'r', clip: response([0.5, 0, -0.25, 0.125]) }];
  const { clip } = await play(room, plain);
  assert.equal(clip.samples.length, 2003);
  const x = (n: number) => speech.samples[n] ?? 0;
  near(clip.samples, (n) => 0.5 * x(n) - 0.25 * x(n - 2) + 0.125 * x(n - 3));
});

test('Preset: a delayed pulse changes nothing, since times count from the direct sound and the level stays.', async () => {
  const late = response([...new Array(300).fill(0), 0.01, ...new Array(50).fill(0)]);
  const { clip, timeMap, facts } = await play([{ name: 'r', clip: late }], {});
  near(clip.samples, (n) => speech.samples[n]!, 1e-5);
  assert.equal(timeMap, undefined);
  assert.ok(Math.abs(Number(facts.gain) - 100) < 0.01);
});

test('Unaligned, the time map tells the delay; a tail belongs to the end.', async () => {
  const late = response([...new Array(160).fill(0), 1, ...new Array(319).fill(1e-3)]);
  const { clip, timeMap } = await play([{ name: 'r', clip: late }], { ...plain, normalize: 'l2' });
  assert.equal(clip.samples.length, 2000 + 479);
  const end = 2000 / 16000;
  for (const [heard, original] of [
    [0, 0],
    [0.01, 0],
    [0.06, 0.05],
    [end + 0.01, end],
    [clip.samples.length / 16000, end],
  ] as const) {
    assert.ok(Math.abs(originalTime(timeMap!, heard) - original) < 1e-9, String(heard));
  }
  const cut = await play([{ name: 'r', clip: late }], { ...plain, keepTail: false });
  assert.equal(cut.clip.samples.length, 2000);
  assert.ok(Math.abs(originalTime(cut.timeMap!, end) - (end - 0.01)) < 1e-9);
});

test('The beginning is dropped before the norm is taken, as Speech Robust Bench does.', async () => {
  const values = [0.9, ...new Array(159).fill(0.1), 0.3, 0.4];
  const srb = { dropSeconds: 0.01, normalize: 'l2', align: 'none', keepTail: true };
  const { clip } = await play([{ name: 'r', clip: response(values) }], srb);
  assert.equal(clip.samples.length, 2001);
  near(clip.samples, (n) => 0.6 * (speech.samples[n] ?? 0) + 0.8 * (speech.samples[n - 1] ?? 0));
});

test('Responses longer than the clip, and of other rates, and an empty clip.', async () => {
  const noise = createRandom(8);
  const long = Array.from({ length: 40000 }, (_, n) => noise.normal() * Math.exp(-n / 4000));
  for (const rate of [8000, 16000, 48000]) {
    const { clip } = await play([{ name: 'r', clip: response(long, rate) }], {});
    assert.equal(clip.samples.length, 2000);
    assert.ok(Math.abs(rms(clip.samples) / rms(speech.samples) - 1) < 1e-5);
    assert.ok(clip.samples.every(Number.isFinite));
  }
  const nothing = { samples: new Float32Array(0), sampleRate: 16000 };
  assert.equal((await play([{ name: 'r', clip: response(long) }], plain, nothing)).clip.samples.length, 0);
});

test('Classes are quarters of the range of reverberation times, known or measured, or of SRMR.', async () => {
  const known = [0.2, 0.35, 0.5, 0.7, 1].map((rt60Seconds, n) => ({
    name: String(rt60Seconds),
    clip: response([1]),
    facts: { rt60Seconds, srmr: 10 - 2 * n },
  }));
  const heard = async (select: object) => {
    const names = new Set<unknown>();
    for (let seed = 0; seed < 20; seed++) names.add((await play(known, { select }, speech, seed)).facts.sound);
    return [...names].sort();
  };
  assert.deepEqual(await heard({ rt60Class: 1 }), ['0.2', '0.35']);
  assert.deepEqual(await heard({ rt60Class: 2 }), ['0.5']);
  assert.deepEqual(await heard({ rt60Class: 4 }), ['1']);
  assert.deepEqual(await heard({ srmrClass: 4 }), ['1']);
  assert.deepEqual(await heard({ srmrClass: 1 }), ['0.2', '0.35']);
  assert.deepEqual(await heard({ srmr: 6 }), ['0.5']);

  const decay = (seconds: number) => {
    const source = createRandom(seconds);
    return response(Array.from({ length: 16000 }, (_, n) => source.normal() * 10 ** ((-3 * n) / 16000 / seconds)));
  };
  const unknown = [0.2, 0.8].map((seconds) => ({ name: String(seconds), clip: decay(seconds) }));
  const { facts } = await play(unknown, { select: { rt60Class: 4 } });
  assert.equal(facts.sound, '0.8');
  assert.ok(Math.abs(Number(facts.rt60Seconds) / 0.8 - 1) < 0.05);
});

test('What cannot be done is one sentence.', async () => {
  const sentence = /^(EarwitnessError|InapplicableStep): room-response: expected .*, but .*; .*/;
  const silent = [{ name: 'silent.wav', clip: response([0, 0, 0]) }];
  await assert.rejects(play(silent, {}), sentence);
  await assert.rejects(play([{ name: 'r', clip: response([1, 0, 0]) }], { dropSeconds: 0.0001 }), sentence);
  await assert.rejects(play([{ name: 'r', clip: response([1]) }], { select: { srmrClass: 1 } }), sentence);
  await assert.rejects(play([{ name: 'r', clip: response([1]) }], { select: { rt60Class: 5 } }), sentence);
  await assert.rejects(play([{ name: 'r', clip: response([1]) }], { select: { rt60Class: 1 } }), sentence);
  const far = response([...new Array(5000).fill(0), 1]);
  await assert.rejects(play([{ name: 'r', clip: far }], { align: 'none' }), sentence);
});

test("Samples and gains are scipy's, in all three forms.", async () => {
  const { speech, rir } = acousticGoldens();
  for (const expected of rir) {
    const clip = await goldenSpeech(speech[expected.speech]);
    const sounds = [{ name: expected.rir, clip: await goldenSound('rir', expected) }];
    const forms = [
      [plain, expected.full],
      [{ normalize: 'none', align: 'peak', keepTail: false }, expected.aligned_to_peak_cut_to_input],
      [{ ...plain, normalize: 'l2', dropSeconds: 0.01 }, expected.srb_first_10ms_dropped_unit_norm_full],
    ] as const;
    for (const [changes, form] of forms) {
      const { clip: heard } = await play(sounds, changes, clip);
      assert.equal(heard.samples.length, form.samples);
      assert.ok(Math.abs(20 * Math.log10(rms(heard.samples)) - form.rms_db) < 1e-3);
      const middle = Math.floor(form.samples / 2);
      for (const [from, key] of [
        [0, 'first_64_x32768'],
        [middle, '64_from_middle_floor(n/2)_x32768'],
      ] as const) {
        for (const [n, value] of form[key].entries()) {
          assert.ok(Math.abs(32768 * heard.samples[from + n]! - value) < 0.55, `${expected.rir} ${from + n}`);
        }
      }
    }
    const { facts } = await play(sounds, {}, clip);
    // Convolved in single precision: 5e-8.
    assert.ok(Math.abs(Number(facts.gain) / expected['aligned_level_matched_gain (rms in / rms out)'] - 1) < 2e-7);
  }
});

test('What was loaded is told: the mean of the class, and whether the files are those of a published collection.', async () => {
  const rooms = [0.2, 0.3, 0.8, 1].map((rt60Seconds, index) => ({
    name: `room${index}.wav`,
    clip: response([1]),
    facts: { rt60Seconds },
  }));
  const loadedOf = async (sounds: readonly SoundInMemory[], select: object) => {
    const services = onlySounds(collectionInMemory('rooms', sounds));
    return (await roomResponse.prepare!({ ...roomResponse.example, select: { ...select } }, services)).loaded!;
  };
  // Classes of .2 s from .2 to 1: two rooms in the first, one in the third and fourth.
  assert.deepEqual(await loadedOf(rooms, { rt60Class: 1 }), {
    collection: 'rooms',
    sounds: 2,
    dataSet: null,
    rooms: { by: 'rt60Seconds', mean: 0.25, least: 0.2, most: 0.3 },
  });
  assert.equal((await loadedOf(rooms, {})).rooms, undefined);
  // MS-SNSD's noise_test has 51 files, called Category_1.wav.
  const called = (count: number, nameOf: (index: number) => string) =>
    Array.from({ length: count }, (_, index) => ({ name: nameOf(index), clip: response([1]) }));
  assert.equal(
    (
      await loadedOf(
        called(51, (index) => `noise_test/Babble_${index}.wav`),
        {},
      )
    ).dataSet,
    'ms-snsd',
  );
  assert.equal(
    (
      await loadedOf(
        called(50, (index) => `Babble_${index}.wav`),
        {},
      )
    ).dataSet,
    null,
  );
  assert.equal(
    (
      await loadedOf(
        called(51, (index) => `babble-${index}.wav`),
        {},
      )
    ).dataSet,
    null,
  );
});
