import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { createRandom } from '../base/random.ts';
import {
  type ChannelChoice,
  type ChannelFacts,
  chosenChannel,
  createChannelMeter,
  describeChannels,
} from './channels.ts';

const sampleRate = 16_000;
const length = 4 * sampleRate;

/** Something like speech: syllables of noise through a filter that falls by 6 dB an octave, at about -25 dBFS. */
function voice(seed: number): Float32Array {
  const random = createRandom({ seed, use: 'a voice' });
  const samples = new Float32Array(length);
  let last = 0;
  let loud = false;
  for (let n = 0; n < length; n++) {
    if (n % 3200 === 0) loud = random.integer(3) > 0;
    last = 0.9 * last + 0.025 * random.normal();
    samples[n] = loud ? last : last / 100;
  }
  return samples;
}

const [anna, ben] = [voice(1), voice(2)];
const of = (samples: Float32Array, factor: number) => samples.map((sample) => factor * sample);
const sum = (one: Float32Array, other: Float32Array) => one.map((sample, n) => sample + other[n]!);
const silence = () => new Float32Array(length);
const rms = (samples: Float32Array) => Math.sqrt(samples.reduce((all, sample) => all + sample * sample, 0) / length);

function noise(level: number, seed: number): Float32Array {
  const random = createRandom({ seed, use: 'noise' });
  return Float32Array.from({ length }, () => level * random.normal());
}

/** From a converter of its own: noise so far below the voice. */
const converted = (samples: Float32Array, snrDb: number, seed: number) =>
  sum(samples, noise(rms(samples) * 10 ** (-snrDb / 20), seed));

const delayed = (samples: Float32Array, by: number) => Float32Array.from({ length }, (_, n) => samples[n - by] ?? 0);

function factsOf(channels: readonly Float32Array[], rate = sampleRate, block = 5000): ChannelFacts {
  const meter = createChannelMeter();
  for (let from = 0; from < channels[0]!.length; from += block) {
    meter.add(
      channels.map((samples) => samples.subarray(from, from + block)),
      rate,
    );
  }
  return meter.facts();
}

const hum = Float32Array.from({ length }, (_, n) => 0.1 + 0.2 * Math.sin((2 * Math.PI * 50 * n) / sampleRate));

// What is right follows from how each is made.
const made: readonly [what: string, channels: readonly Float32Array[], relation: ChannelFacts['relation']][] = [
  ['one channel', [anna], 'equal'],
  ['one sound twice', [anna, anna], 'equal'],
  ['copies that are not the same array', [anna, anna.slice()], 'equal'],
  ['eight copies', Array.from({ length: 8 }, () => anna), 'equal'],
  ['a balance of 6 dB', [anna, of(anna, 0.5)], 'alike'],
  ['converters of their own, 40 dB', [converted(anna, 40, 1), of(converted(anna, 40, 2), 0.9)], 'alike'],
  ['converters of their own, 20 dB', [converted(anna, 20, 1), converted(anna, 20, 2)], 'alike'],
  ['eight converters, 30 dB', Array.from({ length: 8 }, (_, n) => converted(anna, 30, n)), 'alike'],
  ['nothing', [silence(), silence()], 'equal'],
  ['dither alone', [noise(2 ** -16, 1), noise(2 ** -16, 2)], 'alike'],
  ['a channel with nothing', [anna, silence()], 'alike'],
  ['a channel with a constant', [anna, silence().fill(0.1)], 'alike'],
  ['a channel with dither', [anna, noise(2 ** -16, 1)], 'alike'],
  ['two people', [anna, ben], 'unlike'],
  ['two people of whom one is quiet', [anna, of(ben, 0.03)], 'unlike'],
  ['two people with crosstalk of 6 dB', [sum(anna, of(ben, 0.5)), sum(ben, of(anna, 0.5))], 'unlike'],
  ['two people on lines with the same hum', [sum(of(anna, 0.5), hum), sum(of(ben, 0.5), hum)], 'unlike'],
  ['one of two heard in both', [anna, sum(anna, ben)], 'unlike'],
  ['opposite phase', [anna, of(anna, -1)], 'unlike'],
  ['opposite phase, noisy', [converted(anna, 30, 1), of(converted(anna, 30, 2), -1)], 'unlike'],
  ['two phases of four', [anna, of(anna, -1), anna, of(anna, -1)], 'unlike'],
  ['microphones 4 cm apart', [anna, delayed(anna, 2)], 'unlike'],
  ['microphones 35 cm apart', [anna, delayed(anna, 16)], 'unlike'],
  ['a balance of 10 dB', [anna, of(anna, 10 ** -0.5)], 'unlike'],
  ['an input with nothing plugged in', [anna, noise(10 ** (-65 / 20), 1)], 'unlike'],
  ['one of eight, the others of noise', [anna, ...[1, 2, 3, 4, 5, 6, 7].map((n) => noise(0.0005, n))], 'unlike'],
  ['sixteen people', Array.from({ length: 16 }, (_, n) => voice(n)), 'unlike'],
  ['sixteen converters', Array.from({ length: 16 }, (_, n) => converted(anna, 30, n)), 'alike'],
];
for (const [what, channels, relation] of made) {
  test(`${what}: ${relation}`, () => {
    assert.equal(factsOf(channels).relation, relation);
    assert.equal(factsOf(channels, sampleRate, length).relation, relation, 'in one block');
  });
}

test('A second person who says something for three seconds of a minute is not averaged away, and noise between the words is no person.', () => {
  const repeated = (samples: Float32Array) =>
    Float32Array.from({ length: 15 * length }, (_, n) => samples[n % length]!);
  const call = repeated(anna);
  const second = (level: number) =>
    Float32Array.from({ length: call.length }, (_, n) =>
      n >= 30 * sampleRate && n < 33 * sampleRate ? level * ben[n % length]! : 0,
    );
  const pause = call.map((sample, n) => (n >= 30 * sampleRate && n < 33 * sampleRate ? 0 : sample));
  assert.equal(factsOf([call, sum(call, second(1.4))]).relation, 'unlike', 'over the first');
  assert.equal(factsOf([pause, sum(pause, second(1.4))]).relation, 'unlike', 'while the first is silent');
  assert.equal(factsOf([call, sum(call, second(0.02))]).relation, 'alike', 'a rustle');
  const click = call.map((sample, n) => (n === 20 * sampleRate ? 1 : sample));
  assert.equal(factsOf([call, click]).relation, 'alike', 'a click');
});

test('Where nobody chooses, the mean is taken of what is alike, the live channel where others are empty, and unlike ones are refused.', () => {
  const choose = (channels: readonly Float32Array[], wanted?: ChannelChoice) =>
    chosenChannel(wanted, factsOf(channels), 'call.wav');
  assert.equal(choose([anna]), 'mean');
  assert.equal(choose([anna, anna.slice()]), 'mean');
  assert.equal(choose([converted(anna, 30, 1), converted(anna, 30, 2)]), 'mean');
  const eight = Array.from({ length: 8 }, (_, n) => (n === 2 ? anna : silence()));
  assert.equal(choose(eight), 3, 'and is not 18 dB down');
  assert.equal(choose([silence(), anna, anna, silence()]), 2);
  assert.equal(choose([silence(), silence()]), 'mean');
  for (const wanted of ['mean', 2] as const) assert.equal(choose([anna, ben], wanted), wanted);
  // Of equal channels each is the mean: what was heard of it before is known.
  for (const wanted of ['mean', 1, 2] as const) assert.equal(choose([anna, anna.slice()], wanted), 'mean');
  assert.equal(choose([anna], 1), 'mean');
  assert.throws(
    () => choose([anna], 2),
    /^EarwitnessError: call\.wav: expected a channel 2, but the file has one channel;/,
  );
  assert.throws(() => choose([anna, ben], 3), /expected a channel 3, but the file has 2 channels; choose another/);
  assert.throws(
    () => choose([anna, ben]),
    /^EarwitnessError: call\.wav: expected one sound, but it has 2 channels, unlike from second 0\.0 on \(-\d\d\.\d and -\d\d\.\d dBFS, correlation -?0\.\d\d\); choose with --channels, or channels: in the config: 1, each/,
  );
  const quiet = [1, 2, 3].map((n) => noise(0.0005, n));
  assert.throws(
    () => choose([...quiet, anna, ...quiet, noise(0.0005, 4)]),
    /8 channels, .* config: 4 \(by far the loudest\), each/,
  );
  assert.throws(
    () => choose([silence(), anna, ben]),
    /3 channels, unlike from .* \(nothing, -.* dBFS, .*; choose .*: 2, each/,
  );
});

test('Where channels differ first, and how much, is told to the tenth of a second, of two channels and of twelve.', () => {
  const call = Float32Array.from({ length: 15 * length }, (_, n) => anna[n % length]!);
  const begin = 32.6 * sampleRate;
  const other = (samples: (n: number) => number) => call.map((sample, n) => (n < begin ? sample : samples(n)));
  const loud = noise(0.1, 7);
  for (const copies of [1, 11]) {
    const differ = (samples: (n: number) => number) =>
      factsOf([...Array.from({ length: copies }, () => call), other(samples)]).differ!;
    const unrelated = differ((n) => loud[n % length]!);
    assert.equal(unrelated.startSeconds.toFixed(1), '32.6', `${copies}`);
    assert.ok(Math.abs(unrelated.correlation) < 0.1, `${copies}: ${unrelated.correlation}`);
    // The mean of eleven and one that is opposite is as good as each.
    if (copies > 1) continue;
    const opposite = differ((n) => -call[n]!);
    // In a pause of a syllable or two they cannot differ.
    assert.ok(opposite.startSeconds >= 32.55 && opposite.startSeconds <= 33, `${opposite.startSeconds}`);
    assert.ok(opposite.correlation < -0.999, `${copies}: ${opposite.correlation}`);
  }
  assert.equal(factsOf([anna, anna.slice()]).differ, null);
});

test('Of more than eight channels, too, one that differs for a while in a long file makes them unlike.', () => {
  const call = Float32Array.from({ length: 15 * length }, (_, n) => anna[n % length]!);
  const later = call.map((sample, n) =>
    n >= 30 * sampleRate && n < 33 * sampleRate ? 1.4 * ben[n % length]! : sample,
  );
  const copies = Array.from({ length: 8 }, (_, n) => (n === 0 ? call : call.slice()));
  const facts = factsOf([...copies, later]);
  assert.equal(facts.relation, 'unlike');
  assert.ok(facts.differ!.startSeconds >= 30 && facts.differ!.startSeconds < 31, `${facts.differ!.startSeconds}`);
  assert.equal(factsOf([...copies, call.slice()]).relation, 'equal');
});

test('Channels that cancel each other are called so, and others are not.', () => {
  const cancels = (channels: readonly Float32Array[]) => factsOf(channels).cancel;
  assert.equal(cancels([anna, of(anna, -1)]), true);
  assert.equal(cancels([anna, of(anna, -1), anna, of(anna, -1)]), true);
  assert.equal(cancels([anna, ben]), false);
  assert.equal(cancels([anna, anna]), false);
  assert.equal(cancels([anna, silence()]), false);
  assert.equal(
    describeChannels({
      count: 2,
      relation: 'unlike',
      live: [1, 2],
      levelsDbfs: [-17.04, -17.12],
      cancel: true,
      differ: { startSeconds: 12.4, correlation: -0.001 },
    }),
    '2 channels, unlike from second 12.4 on (-17.0 and -17.1 dBFS, correlation 0.00), that cancel each other when they are mixed',
  );
});

test('What is no number is left to whoever reads it.', () => {
  const broken = anna.slice();
  broken[100] = Number.NaN;
  assert.equal(chosenChannel(undefined, factsOf([anna, broken]), 'x'), 'mean');
});

const codecs: readonly [name: string, ending: string, ...options: string[]][] = [
  ['MP3 at 32 kbit/s', 'mp3', '-b:a', '32k'],
  ['MP3, left and right apart', 'mp3', '-b:a', '64k', '-joint_stereo', '0'],
  ['Opus at 24 kbit/s', 'opus', '-b:a', '24k'],
  ['Vorbis at its lowest', 'ogg', '-c:a', 'libvorbis', '-q:a', '-1'],
  ['AAC at 24 kbit/s', 'm4a', '-b:a', '24k'],
  ['AC-3 at 64 kbit/s', 'ac3', '-b:a', '64k', '-ar', '48000'],
  ['mu-law', 'wav', '-c:a', 'pcm_mulaw', '-ar', '8000'],
  ['ADPCM', 'wav', '-c:a', 'adpcm_ima_wav'],
];
const hasFfmpeg = spawnSync('ffmpeg', ['-version']).status === 0;
for (const [name, ending, ...options] of codecs) {
  test(`${name} makes of two copies channels that are alike, and of two people unlike ones.`, {
    skip: !hasFfmpeg,
  }, () => {
    const folder = mkdtempSync(join(tmpdir(), 'earwitness-channels-'));
    try {
      const coded = (one: Float32Array, other: Float32Array) => {
        const bytes = Float32Array.from({ length: 2 * length }, (_, n) => (n % 2 === 0 ? one : other)[n >> 1]!);
        const [plain, file] = [join(folder, 'plain'), join(folder, `coded.${ending}`)];
        writeFileSync(plain, new Uint8Array(bytes.buffer));
        const raw = ['-f', 'f32le', '-ar', `${sampleRate}`];
        const quiet = ['-v', 'error', '-y'];
        execFileSync('ffmpeg', [...quiet, ...raw, '-ac', '2', '-i', plain, ...options, file]);
        const heard = execFileSync('ffmpeg', [...quiet, '-i', file, ...raw, '-'], { maxBuffer: 2 ** 26 });
        const frames = new Float32Array(new Uint8Array(heard).buffer);
        return factsOf([0, 1].map((side) => frames.filter((_, n) => n % 2 === side))).relation;
      };
      assert.notEqual(coded(anna, anna), 'unlike');
      assert.notEqual(coded(converted(anna, 30, 1), of(converted(anna, 30, 2), 0.8)), 'unlike');
      assert.equal(coded(anna, ben), 'unlike');
      assert.equal(coded(anna, of(anna, -1)), 'unlike');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
}
