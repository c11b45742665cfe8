// The effects of SoX in the ladder srb, and others of its settings, beside what SoX 14.4.2 made of the same sounds: of speech where ../shared
// is, else of a sound that is made here, by the SoX of this machine.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { Clip } from '../../audio/clip.ts';
import type { JsonObject } from '../../base/json.ts';
import { createRandom } from '../../base/random.ts';
import { flac } from '../../decoders/flac/flac.ts';
import { applySteps } from '../apply-steps.ts';
import { chorus } from '../chorus/chorus.ts';
import { clipPeaks } from '../clip-peaks/clip-peaks.ts';
import type { Perturbation } from '../contract.ts';
import { echo } from '../echo/echo.ts';
import { gain } from '../gain/gain.ts';
import { srb } from '../ladders/srb.ts';
import { phaser } from '../phaser/phaser.ts';
import { resolveScenario } from '../scenarios.ts';
import { shelf } from '../shelf/shelf.ts';
import { sincFilter } from '../sinc-filter/sinc-filter.ts';
import { tremolo } from '../tremolo/tremolo.ts';

const shared = new URL('../../../../shared/', import.meta.url);
const hasShared = existsSync(new URL('golden/sox', shared));
const hasSox = /v14\.4\.2/.test(spawnSync('sox', ['--version'], { encoding: 'utf8' }).stdout ?? '');
const skip = !hasShared && !hasSox && 'neither ../shared nor SoX 14.4.2 is here';

const members = [chorus, clipPeaks, echo, gain, phaser, shelf, sincFilter, tremolo] as unknown as Perturbation[];
const bank = new Map(members.map((member) => [member.name, member]));

interface Fingerprint {
  readonly input: string;
  readonly effect: string;
  readonly samples: number;
  readonly rms_db: number;
  readonly at_full_scale: number;
  readonly output_16_bit?: string;
  readonly first_64_x32768?: readonly number[];
  readonly '64_from_middle_floor(n/2)_x32768'?: readonly number[];
}

interface Fingerprints {
  readonly inputs: Readonly<Record<string, { readonly file: string }>>;
  readonly results: readonly Fingerprint[];
}

const load = async (path: string): Promise<Clip> => flac.decode(readFileSync(new URL(path, shared)), path);

const applied = async (clip: Clip, steps: readonly (readonly [Perturbation, JsonObject])[]) =>
  (
    await applySteps(
      clip,
      steps.map(([{ name }, parameters]) => ({ perturbation: name, parameters })),
      {
        ready: (position) => ({ perturbation: steps[position]![0], prepared: null }),
        randomFor: createRandom,
      },
    )
  ).clip;

const ofScenario = (clip: Clip, name: string) =>
  applied(
    clip,
    // The sounds have the rate of the ladder already.
    resolveScenario(name, [srb])[0]!
      .steps.filter(({ perturbation }) => perturbation !== 'sample-rate')
      .map(({ perturbation, parameters }) => [bank.get(perturbation)!, parameters] as const),
  );

/** What the SoX of this machine makes of a clip: whole numbers of 32 bits on the way, as it always has. */
function bySox({ samples, sampleRate }: Clip, effect: string): Float32Array {
  const format = ['-t', 'raw', '-e', 'floating-point', '-b', '32', '-c', '1'];
  const { stdout } = spawnSync(
    'sox',
    ['-D', ...format, '-r', `${sampleRate}`, '-', ...format, '-', ...effect.split(' ')],
    {
      input: samples,
      maxBuffer: 2 ** 26,
    },
  );
  return new Float32Array(Uint8Array.from(stdout).buffer);
}

/** A second and a half: a sweep over noise, with a silence in it. */
function madeSound(loudness: number): Clip {
  const random = createRandom({ sox: loudness });
  const samples = Float32Array.from({ length: 24_000 }, (_, n) => {
    if (n >= 15_000 && n < 17_000) return 0;
    const sweep = 0.6 * Math.sin(2 * Math.PI * 60 * 0.3 * Math.exp(n / 16_000 / 0.3));
    return Math.round(32_768 * loudness * (sweep + 0.3 * random.normal())) / 32_768;
  });
  return { samples, sampleRate: 16_000 };
}

async function compareWithSox(changed: Clip, clip: Clip, effect: string): Promise<void> {
  const theirs = bySox(clip, effect);
  assert.ok(theirs.length > 0, effect);
  assert.equal(changed.samples.length, theirs.length, effect);
  const difference = furthest(changed.samples, theirs);
  assert.ok(difference <= 1.01, `${effect}: ${difference} steps`);
}

/** Speech Robust Bench's commands, a severity each (its `corruptions` run them through torchaudio's SoX). */
const commands: Readonly<Record<string, readonly string[]>> = {
  echo: [125, 250, 500, 1000].map((ms) => `echo 0.8 0.9 ${ms} 0.3`),
  bass: [20, 30, 40, 50].map((gainDb) => `bass ${gainDb}`),
  treble: [10, 23, 36, 50].map((gainDb) => `treble ${gainDb}`),
  phaser: [0.3, 0.5, 0.7, 0.9].map((decay) => `phaser 0.6 0.8 3 ${decay} 2 -t`),
  chorus: [30, 50, 70, 90].map((ms) => `chorus 0.7 0.9 ${ms} 0.4 0.25 2 -t ${ms + 10} 0.3 0.4 2 -s`),
  tremolo: [50, 66, 83, 100].map((depth) => `tremolo 20 ${depth}`),
  gain: [10, 20, 30, 40].map((factor) => `vol ${factor} amplitude`),
  lowpass: [4000, 2833, 1666, 500].map((hertz) => `sinc 0-${hertz}`),
  highpass: [500, 1333, 2166, 3000].map((hertz) => `sinc ${hertz}`),
};

/** The largest difference in steps of 16 bits. */
function furthest(ours: ArrayLike<number>, theirs: ArrayLike<number>): number {
  let largest = 0;
  for (let n = 0; n < theirs.length; n++) largest = Math.max(largest, Math.abs(ours[n]! - theirs[n]!));
  return largest * 32768;
}

async function compare(changed: Clip, golden: Fingerprint): Promise<void> {
  const name = `${golden.effect} of ${golden.input}`;
  const { samples } = changed;
  assert.equal(samples.length, golden.samples, name);
  const rmsDb = 10 * Math.log10(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length + 1e-20);
  assert.ok(Math.abs(rmsDb - golden.rms_db) < 1e-3, `${name}: ${rmsDb} dB, not ${golden.rms_db} dB`);
  const clipped = samples.reduce((count, sample) => count + (Math.abs(sample) >= 1 - 1e-6 ? 1 : 0), 0);
  assert.ok(Math.abs(clipped - golden.at_full_scale) <= 2, `${name}: ${clipped} samples at full scale`);
  // What stands in the goldens is rounded to steps of 16 bits.
  if (golden.output_16_bit) {
    const theirs = await load(`golden/sox/${golden.output_16_bit}`);
    const difference = furthest(samples, theirs.samples);
    assert.ok(difference <= 1.01, `${name}: ${difference} steps`);
    return;
  }
  const middle = Math.floor(samples.length / 2);
  for (const [start, steps] of [
    [0, golden.first_64_x32768!],
    [middle, golden['64_from_middle_floor(n/2)_x32768']!],
  ] as const) {
    const stretch = samples.subarray(start, start + 64);
    const difference = furthest(
      stretch,
      steps.map((step) => step / 32768),
    );
    assert.ok(difference <= 1.01, `${name} from ${start}: ${difference} steps`);
  }
}

const here = /^srb\/(echo|bass|treble|phaser|chorus|tremolo|gain|lowpass|highpass):/;

test("the ladder's effects give SoX's samples, within a step of 16 bits", { skip }, async () => {
  if (!hasShared) {
    const clip = madeSound(0.05);
    for (const [family, effects] of Object.entries(commands))
      for (const [at, effect] of effects.entries())
        await compareWithSox(await ofScenario(clip, `srb/${family}:${at + 1}`), clip, effect);
    return;
  }
  const { inputs, results } = JSON.parse(
    readFileSync(new URL('golden/sox/fingerprints.json', shared), 'utf8'),
  ) as Fingerprints;
  let compared = 0;
  for (const [input, { file }] of Object.entries(inputs)) {
    const clip = await load(`golden/sox/${file}`);
    for (const golden of results) {
      if (golden.input !== input || !here.test(golden.effect)) continue;
      await compare(await ofScenario(clip, golden.effect), golden);
      compared++;
    }
  }
  assert.equal(compared, 6 * 36);
});

const band = (highPassHz: number, lowPassHz: number) => ({
  highPassHz,
  lowPassHz,
  transitionShare: 0.05,
  attenuationDb: 120,
});
const triangleVoice = {
  delaySeconds: 0.055,
  decay: 0.4,
  frequencyHz: 0.25,
  depthSeconds: 0.002,
  modulation: 'triangle',
};

const others: readonly (readonly [effect: string, Perturbation, JsonObject])[] = (
  [
    ['sinc_300-3400', sincFilter, band(300, 3400)],
    ['sinc_3400-300', sincFilter, band(3400, 300)],
    ['sinc_-L_500', sincFilter, band(500, 0)],
    ['sinc_-a_80_-t_200_1000', sincFilter, { ...band(1000, 0), attenuationDb: 80, transitionShare: 200 / 8000 }],
    ['treble_-10_4000_0.7s', shelf, { side: 'high', gainDb: -10, cornerHz: 4000, slope: 0.7 }],
    ['bass_-12_150_1o', shelf, { side: 'low', gainDb: -12, cornerHz: 150, slope: { octaves: 1 } }],
    ['bass_+6_200_0.8q', shelf, { side: 'low', gainDb: 6, cornerHz: 200, slope: { quality: 0.8 } }],
    ['tremolo_6_40', tremolo, { frequencyHz: 6, depth: 0.4 }],
    ['chorus_0.7_0.9_55_0.4_0.25_2_-t', chorus, { gainIn: 0.7, gainOut: 0.9, voices: [triangleVoice] }],
    [
      'phaser_0.8_0.74_3_0.4_0.5_-s',
      phaser,
      { gainIn: 0.8, gainOut: 0.74, delaySeconds: 0.003, decay: 0.4, frequencyHz: 0.5, modulation: 'sine' },
    ],
    ['vol_0.5', gain, { factor: 0.5 }],
    ['vol_-3dB', gain, { factor: 10 ** (-3 / 20) }],
  ] as const
).map(([effect, member, parameters]) => [effect, member as unknown as Perturbation, parameters as JsonObject]);

test('other settings give the samples of SoX too', { skip }, async () => {
  if (!hasShared) {
    const clip = madeSound(0.2);
    for (const [effect, member, parameters] of others)
      await compareWithSox(await applied(clip, [[member, parameters]]), clip, effect.replaceAll('_', ' '));
    return;
  }
  const { inputs, results } = JSON.parse(
    readFileSync(new URL('golden/sox/fingerprints.json', shared), 'utf8'),
  ) as Fingerprints;
  for (const input of ['speech1', 'sweep']) {
    const clip = await load(`golden/sox/${inputs[input]!.file}`);
    for (const [effect, member, parameters] of others) {
      const golden = results.find((result) => result.input === input && result.effect === `other/${effect}`);
      assert.ok(golden, effect);
      await compare(await applied(clip, [[member, parameters]]), golden);
    }
  }
});

test('the installed SoX makes the same of loud noise at other rates, which clips', {
  skip: !hasSox && 'SoX 14.4.2 is not installed',
}, async () => {
  const chorusVoices = [
    { delaySeconds: 0.05, decay: 0.4, frequencyHz: 0.25, depthSeconds: 0.002, modulation: 'triangle' },
    { delaySeconds: 0.06, decay: 0.32, frequencyHz: 0.4, depthSeconds: 0.0023, modulation: 'triangle' },
    { delaySeconds: 0.04, decay: 0.3, frequencyHz: 0.3, depthSeconds: 0.0013, modulation: 'sox-sine' },
  ];
  const cases: readonly (readonly [string, unknown, JsonObject])[] = [
    ['bass 33 90', shelf, { side: 'low', gainDb: 33, cornerHz: 90, slope: 0.5 }],
    ['treble 17 2500', shelf, { side: 'high', gainDb: 17, cornerHz: 2500, slope: 0.5 }],
    ['sinc 0-1234', sincFilter, band(0, 1234)],
    ['sinc 50', sincFilter, band(50, 0)],
    ['echo 0.6 0.8 37.3 0.45', echo, { gainIn: 0.6, gainOut: 0.8, delaySeconds: 0.0373, decay: 0.45 }],
    ['tremolo 7.3 71', tremolo, { frequencyHz: 7.3, depth: 0.71 }],
    [
      'phaser 0.7 0.9 4.3 0.65 1.3 -s',
      phaser,
      { gainIn: 0.7, gainOut: 0.9, delaySeconds: 0.0043, decay: 0.65, frequencyHz: 1.3, modulation: 'sine' },
    ],
    [
      'chorus 0.5 0.9 50 0.4 0.25 2 -t 60 0.32 0.4 2.3 -t 40 0.3 0.3 1.3 -s',
      chorus,
      { gainIn: 0.5, gainOut: 0.9, voices: chorusVoices },
    ],
  ];
  for (const sampleRate of [8000, 44100]) {
    const random = createRandom({ loud: sampleRate });
    const samples = Float32Array.from({ length: 3 * sampleRate }, () => 1.4 * (random.next() - 0.5));
    for (const [effect, member, parameters] of cases) {
      const theirs = bySox({ samples, sampleRate }, effect);
      const changed = await applied({ samples, sampleRate }, [
        [member as Perturbation, parameters],
        [clipPeaks as unknown as Perturbation, { limit: 1 }],
      ]);
      assert.equal(changed.samples.length, theirs.length, effect);
      const difference = furthest(changed.samples, theirs);
      // Echo and chorus of SoX cut to 24 bits; the sinc filter here rounds to 32-bit floats on the way.
      assert.ok(difference <= 0.1, `${effect} at ${sampleRate}: ${difference} steps`);
    }
  }
});
