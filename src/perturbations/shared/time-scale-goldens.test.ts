// Tempo, pitch, speed and rates beside what SoX, torchaudio and four other programs made of the same sounds. Where ../shared is absent, the
// SoX of this machine makes it of sounds that are made here.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { Clip } from '../../audio/clip.ts';
import { createRealFft } from '../../audio/real-fft.ts';
import { resample } from '../../audio/resample.ts';
import { createRandom } from '../../base/random.ts';
import { flac } from '../../decoders/flac/flac.ts';
import { acousticGoldens, goldenSpeech } from '../../decoders/testing/acoustic-goldens.ts';
import { pitchShift } from '../pitch-shift/pitch-shift.ts';
import { resampleRate } from '../resample-rate/resample-rate.ts';
import { speed } from '../speed/speed.ts';
import { tempo } from '../tempo/tempo.ts';

const shared = new URL('../../../../shared/', import.meta.url);
const skip = !existsSync(new URL('golden/timescale', shared)) && '../shared/golden is not beside the repository';
const installed = spawnSync('sox', ['--version'], { encoding: 'utf8' });
const skipSox = skip && !/v14\.4\.2/.test(installed.stdout ?? '') && 'neither ../shared nor SoX 14.4.2 is here';
const skipPeers = skip && (skipSox || (!hasFfmpeg() && 'neither ../shared nor ffmpeg with rubberband is here'));
const services = { random: createRandom(1) };

function hasFfmpeg(): boolean {
  const { stdout } = spawnSync('ffmpeg', ['-hide_banner', '-filters'], { encoding: 'utf8' });
  return / atempo .* rubberband /s.test(stdout ?? '');
}

interface Fingerprint {
  readonly samples: number;
  readonly rms_db: number;
  readonly bands_db: readonly number[];
  readonly first_64_x32768?: readonly number[];
  readonly '64_from_middle_floor(n/2)_x32768'?: readonly number[];
}

const json = (path: string) => JSON.parse(readFileSync(new URL(path, shared), 'utf8'));
const load = (path: string) => flac.decode(readFileSync(new URL(path, shared)), path);

function rmsDb(samples: Float32Array): number {
  return 10 * Math.log10(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length);
}

/** The largest difference, in steps of 16 bits, from the samples of a fingerprint, which are rounded (half a step). */
function steps(samples: Float32Array, fingerprint: Fingerprint): number {
  const middle = Math.floor(samples.length / 2);
  const distances = (expected: readonly number[], start: number) =>
    expected.map((step, n) => Math.abs(step - samples[start + n]! * 32768));
  return Math.max(
    ...distances(fingerprint.first_64_x32768!, 0),
    ...distances(fingerprint['64_from_middle_floor(n/2)_x32768']!, middle),
  );
}

/** Where a band begins. */
function bandEdgeHz(band: number, sampleRate: number): number {
  const highest = 2595 * Math.log10(1 + sampleRate / 2 / 700);
  return 700 * (10 ** ((band * highest) / 24 / 2595) - 1);
}

/** Levels of 24 mel bands, as golden/sox/make.py defines them. */
function bandLevels({ samples, sampleRate }: Clip): number[] {
  const size = 512;
  const fft = createRealFft(size);
  const power = new Float64Array(fft.bins);
  const frame = new Float64Array(size);
  const [re, im] = [new Float64Array(fft.bins), new Float64Array(fft.bins)];
  const frames = 1 + Math.floor((samples.length - size) / 256);
  for (let index = 0; index < frames; index++) {
    for (let n = 0; n < size; n++) {
      frame[n] = samples[256 * index + n]! * (0.5 - 0.5 * Math.cos((2 * Math.PI * n) / size));
    }
    fft.forward(frame, re, im);
    for (let k = 0; k < fft.bins; k++) power[k]! += (re[k]! ** 2 + im[k]! ** 2) / frames;
  }
  const edge = (band: number) => (band === 24 ? sampleRate : bandEdgeHz(band, sampleRate));
  return Array.from({ length: 24 }, (_, band) => {
    const inside = power.filter((_, k) => {
      const hz = (k * sampleRate) / size;
      return hz >= edge(band) && hz < edge(band + 1);
    });
    return 10 * Math.log10(inside.reduce((sum, value) => sum + value, 0) + 1e-20);
  });
}

/** Mean difference of the bands, those far below the loudest left out. */
function bandDistance(found: readonly number[], expected: readonly number[]): number {
  const loudest = Math.max(...expected);
  const heard = expected.map((level, band) => ({ level, band })).filter(({ level }) => level > loudest - 60);
  return heard.reduce((sum, { level, band }) => sum + Math.abs(level - found[band]!), 0) / heard.length;
}

/** Hz by the autocorrelation of the middle second, read between samples by a parabola. */
function fundamental({ samples, sampleRate }: Clip): number {
  const middle = samples.length / 2;
  const stretch = samples.subarray(Math.max(0, middle - sampleRate / 2), middle + sampleRate / 2);
  const products = (lag: number) => {
    let sum = 0;
    for (let n = lag; n < stretch.length; n++) sum += stretch[n]! * stretch[n - lag]!;
    return sum / (stretch.length - lag);
  };
  const lags = Array.from({ length: Math.floor(sampleRate / 60) }, (_, lag) =>
    lag < sampleRate / 600 - 1 ? 0 : products(lag),
  );
  const largest = Math.max(...lags);
  // The first lag about as large as the largest: later ones are its multiples.
  let best = lags.findIndex((value) => value > 0.9 * largest);
  while (lags[best + 1]! > lags[best]!) best++;
  const [before, at, after] = [lags[best - 1]!, lags[best]!, lags[best + 1]!];
  return sampleRate / (best + (0.5 * (before - after)) / (before - 2 * at + after));
}

interface OfSox extends Fingerprint {
  readonly input: string;
  readonly effect: string;
  readonly command: string;
}

/** A second and a half each, in steps of 16 bits. */
function madeClips(): Readonly<Record<string, Clip>> {
  const random = createRandom('time scale');
  const clip = (sample: (seconds: number, n: number) => number): Clip => ({
    samples: Float32Array.from({ length: 24_000 }, (_, n) => Math.round(32_768 * sample(n / 16_000, n)) / 32_768),
    sampleRate: 16_000,
  });
  const sine = (hz: number, seconds: number) => Math.sin(2 * Math.PI * hz * seconds);
  return {
    sweep: clip((seconds) => 0.4 * sine(100 + 900 * seconds, seconds)),
    tones: clip((seconds) => 0.2 * (sine(220, seconds) + sine(1310, seconds) + 0.5 * sine(3570, seconds))),
    impulses: clip((_, n) => (n % 4000 === 500 ? 0.9 : 0)),
    'pulse-train': clip((_, n) => (n % 128 === 0 ? 0.8 : 0)),
    syllables: clip((seconds) => {
      const buzz = [1, 2, 3, 4, 5, 6].reduce((sum, k) => sum + sine(140 * k, seconds) / k, 0);
      return 0.2 * Math.sin(10 * seconds) ** 2 * buzz + 0.004 * random.normal();
    }),
  };
}

const settings = [
  ...[1.25, 1.5, 1.75, 2, 0.875, 0.75, 0.625, 0.5].flatMap((factor) => [
    `tempo ${factor} 30`,
    `speed ${factor} rate 16k`,
  ]),
  ...['tempo -s 1.2', 'tempo -m 0.9', 'tempo 1.1'],
  ...[300, 600, 900, 1200].flatMap((cents) => [`pitch ${cents}`, `pitch -${cents}`]),
  ...[12_000, 8000, 4000, 2000].map((rate) => `rate ${rate} rate 16000`),
];

const raw = ['-t', 'raw', '-e', 'floating-point', '-b', '32', '-c', '1'];

/** What SoX makes of a clip now, in 32 bits. */
function throughSox({ samples, sampleRate }: Clip, effect: string): Float32Array {
  const args = ['-D', ...raw, '-r', String(sampleRate), '-', ...raw, '-', ...effect.split(' ')];
  return floats(execFileSync('sox', args, { input: new Uint8Array(samples.buffer), maxBuffer: 2 ** 24 }));
}

function throughFfmpeg({ samples, sampleRate }: Clip, filter: string): Float32Array {
  const format = ['-f', 'f32le', '-ar', String(sampleRate), '-ac', '1'];
  const args = ['-v', 'error', ...format, '-i', '-', '-af', filter, ...format, '-'];
  return floats(execFileSync('ffmpeg', args, { input: new Uint8Array(samples.buffer), maxBuffer: 2 ** 24 }));
}

const floats = (bytes: Buffer) => new Float32Array(Uint8Array.from(bytes).buffer);

/** What SoX made, and of what: as stored, or now. */
async function ofSox(): Promise<{ readonly clips: ReadonlyMap<string, Clip>; readonly results: readonly OfSox[] }> {
  if (!skip) {
    const { inputs, results } = json('golden/sox/fingerprints.json');
    const names = Object.keys(inputs);
    const loaded = await Promise.all(names.map((name) => load(`golden/sox/${inputs[name].file}`)));
    return { clips: new Map(names.map((name, place) => [name, loaded[place]!])), results };
  }
  const clips = new Map(Object.entries(madeClips()));
  const results = [...clips].flatMap(([input, clip]) =>
    settings.map((effect): OfSox => {
      const theirs = throughSox(clip, effect);
      const from = (start: number) => [...theirs.subarray(start, start + 64)].map((sample) => sample * 32_768);
      return {
        ...{
          input,
          effect,
          command: `sox IN OUT ${effect}`,
          samples: theirs.length,
          rms_db: rmsDb(theirs),
          bands_db: [],
        },
        first_64_x32768: from(0),
        '64_from_middle_floor(n/2)_x32768': from(Math.floor(theirs.length / 2)),
      };
    }),
  );
  return { clips, results };
}

const general = { profile: 'general', segmentSeconds: null, searchSeconds: null, overlapSeconds: null } as const;

test('tempo gives the samples of SoX, whatever the sound and the profile', { skip: skipSox }, async () => {
  const { clips, results } = await ofSox();
  let compared = 0;
  for (const result of results) {
    const [, option, factor, segmentMs] = /OUT tempo (?:-(\w) )?([\d.]+)(?: (\d+))?$/.exec(result.command) ?? [];
    if (!factor) continue;
    const clip = clips.get(result.input)!;
    const { samples } = tempo.apply(
      clip,
      {
        ...general,
        factor: Number(factor),
        profile: option === 's' ? 'speech' : option === 'm' ? 'music' : 'general',
        segmentSeconds: segmentMs ? Number(segmentMs) / 1000 : null,
      },
      services,
    ).clip;
    const label = `${result.input} ${result.effect}`;
    assert.equal(samples.length, result.samples, label);
    assert.ok(steps(samples, result) < 0.51, `${label}: ${steps(samples, result)} steps`);
    assert.ok(Math.abs(rmsDb(samples) - result.rms_db) < 0.001, label);
    compared++;
  }
  assert.ok(compared >= 50);
});

test('pitch, speed and lower rates have the level of SoX’s within a tenth of a decibel', {
  skip: skipSox,
}, async () => {
  const { clips, results } = await ofSox();
  let compared = 0;
  for (const result of results) {
    const [, effect, value, rate] = /OUT (pitch|speed|rate) ([\d.-]+)(?: rate (\d+))?/.exec(result.command) ?? [];
    if (!effect || (effect === 'rate' && !rate)) continue;
    const clip = clips.get(result.input)!;
    const { samples } =
      effect === 'pitch'
        ? pitchShift.apply(clip, { semitones: Number(value) / 100, method: 'wsola' }, services).clip
        : effect === 'speed'
          ? speed.apply(clip, { factor: Number(value), method: 'kaiser' }, services).clip
          : resampleRate.apply(clip, { factor: Number(value) / 16000, method: 'kaiser' }, services).clip;
    const label = `${result.input} ${result.effect}`;
    assert.ok(Math.abs(samples.length - result.samples) <= 1, label);
    // Impulses and the pulse train have as much above the pass band as below, and SoX's begins to fall .02 later.
    const limit = /impulses|pulse/.test(result.input) ? 0.3 : 0.1;
    assert.ok(Math.abs(rmsDb(samples) - result.rms_db) < limit, `${label}: ${rmsDb(samples)} ${result.rms_db}`);
    compared++;
  }
  assert.ok(compared >= 100);
});

interface OfPeers {
  readonly label: string;
  readonly clip: Clip;
  readonly work: string;
  readonly value: number;
  /** SoX's first. */
  readonly peers: readonly Pick<Fingerprint, 'samples' | 'bands_db'>[];
}

/** What SoX and the others made, of what and how: as stored, or those that are here now. */
async function ofPeers(): Promise<OfPeers[]> {
  if (!skip) {
    const { inputs, work: works } = json('golden/timescale/inputs.json');
    const { results } = json('golden/timescale/timescale.json');
    const clips = await Promise.all(
      (inputs as [string, string][]).map(async ([path, label]) => {
        return { label, clip: await load(path.startsWith('../../') ? path.slice(6) : `golden/${path.slice(3)}`) };
      }),
    );
    return clips.flatMap(({ label, clip }) =>
      (works as [string, number][]).map(([work, value]) => {
        const isOf = (peer: OfPeers & { input: string }) =>
          peer.input === label && peer.work === work && peer.value === value;
        return { label, clip, work, value, peers: results.filter(isOf) };
      }),
    );
  }
  const { 'pulse-train': pulses, syllables } = madeClips();
  const works = [
    ...[1.25, 0.5].map((value) => ['tempo', value] as const),
    ...[3, -6].map((value) => ['pitch', value] as const),
  ];
  return Object.entries({ pulses: pulses!, syllables: syllables! }).flatMap(([label, clip]) =>
    works.map(([work, value]) => {
      const made =
        work === 'tempo'
          ? [throughSox(clip, `tempo ${value} 30`), throughFfmpeg(clip, `atempo=${value}`)]
          : [throughSox(clip, `pitch ${100 * value}`), throughFfmpeg(clip, `rubberband=pitch=${2 ** (value / 12)}`)];
      const peers = made.map((samples) => {
        return { samples: samples.length, bands_db: bandLevels({ samples, sampleRate: clip.sampleRate }) };
      });
      return { label, clip, work, value, peers };
    }),
  );
}

test('tempo and pitch lie nearer to SoX than any other program does; F0 is right to half a percent', {
  skip: skipPeers,
}, async () => {
  const all = await ofPeers();
  assert.ok(all.length >= 8);
  for (const { label, clip, work, value, peers } of all) {
    const [sox, ...others] = peers;
    assert.ok(sox && others.length > 0);
    const { clip: changed } =
      work === 'tempo'
        ? tempo.apply(clip, { ...general, factor: value, segmentSeconds: 0.03 }, services)
        : pitchShift.apply(clip, { semitones: value, method: 'wsola' }, services);
    const name = `${label} ${work} ${value}`;
    assert.ok(Math.abs(changed.samples.length - sox.samples) <= 1, name);
    const bands = bandLevels(changed);
    const own = bandDistance(bands, sox.bands_db);
    const least = Math.min(...others.map((peer) => bandDistance(peer.bands_db, sox.bands_db)));
    assert.ok(own < Math.max(0.05, least), `${name}: ${own} dB, the nearest other ${least}`);
    if (!label.includes('pulse')) continue;
    const ratio = fundamental(changed) / fundamental(clip);
    const wanted = work === 'tempo' ? 1 : 2 ** (value / 12);
    assert.ok(Math.abs(ratio / wanted - 1) < 0.005, `${name}: ${ratio}`);
  }
});

test('the methods hann and phase-vocoder give the samples of torchaudio', async () => {
  const { speech, torchaudio } = acousticGoldens('formula/torchaudio.json');
  let compared = 0;
  for (const { speech: name, ...results } of torchaudio) {
    const clip = await goldenSpeech(speech[name]);
    for (const [label, result] of Object.entries<Fingerprint>(results)) {
      const value = Number(/ ([\d.-]+)/.exec(label)![1]);
      const changed = label.startsWith('speed')
        ? speed.apply(clip, { factor: value, method: 'hann' }, services)
        : label.startsWith('resample')
          ? resampleRate.apply(clip, { factor: value, method: 'hann' }, services)
          : label.startsWith('pitch')
            ? pitchShift.apply(clip, { semitones: value, method: 'phase-vocoder' }, services)
            : null;
      if (changed === null) continue;
      const { samples } = changed.clip;
      assert.equal(samples.length, result.samples, label);
      assert.ok(Math.abs(rmsDb(samples) - result.rms_db) < 0.001, label);
      // Of recordings torchaudio added up phases in single precision, and what it gave is rounded.
      const limit = speech[name].formula ? 0.02 : label.startsWith('pitch') ? 1.5 : 0.55;
      assert.ok(steps(samples, result) < limit, `${label}: ${steps(samples, result)} steps`);
      compared++;
    }
  }
  assert.ok(compared >= 18);
});

test('other sample rates have the length of soxr’s, its level, and its bands up to .9 of half the lower rate', async () => {
  const { speech, resample: cases } = acousticGoldens();
  assert.equal(cases.length, 5);
  for (const { speech: name, from, to, soxr_HQ: expected } of cases) {
    const clip = await goldenSpeech(speech[name]);
    assert.equal(clip.sampleRate, from);
    const changed = resample(clip, to);
    assert.ok(Math.abs(changed.samples.length - expected.samples) <= 1, `${to}: ${changed.samples.length}`);
    assert.ok(Math.abs(rmsDb(changed.samples) - expected.rms_db) < 0.02, `${to}: ${rmsDb(changed.samples)}`);
    // Higher up the transitions of the two filters differ.
    const compared = bandLevels(changed).filter((_, band) => bandEdgeHz(band + 1, to) < 0.45 * Math.min(from, to));
    assert.ok(compared.length >= 16);
    for (const [band, level] of compared.entries()) {
      assert.ok(Math.abs(level - expected.bands_db[band]) < 0.01, `${to}, band ${band}: ${level}`);
    }
  }
});
