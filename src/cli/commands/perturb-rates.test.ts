// At which rate a severity is what it says: files of several rates, perturbed by the command and measured as a recognizer hears them that
// works at 16 kHz. What is expected is an argument on paper: sums of tones, whose samples at any rate are known without a resampler.
// `bench/rates` does the same for forty conditions, with another program's measurements.
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import { encodeWav } from '../../audio/encode-wav.ts';
import { sha256 } from '../../base/hash.ts';
import { readWav } from '../../perturbations/perturbations.ts';
import { runCommand, temporaryFolder } from '../testing/run-command.ts';

const heardAtHz = 16_000;
const ratesHz = [8000, 16_000, 44_100];
const seconds = 2;
const amplitude = 0.02;

/** Tones of one amplitude with whole numbers of periods, as far as the rate holds them. */
function tones(hertz: readonly number[], rate: number): Float32Array {
  return Float32Array.from({ length: seconds * rate }, (_, n) =>
    hertz.reduce((sum, one, place) => sum + amplitude * Math.sin((2 * Math.PI * one * n) / rate + place), 0),
  );
}

/** What a command makes of a clip of a rate, at the rate at which it is heard. */
async function perturbed(samples: Float32Array, sampleRate: number, ...how: readonly string[]): Promise<Float32Array> {
  await using folder = await temporaryFolder();
  await writeFile(folder.file('in.wav'), encodeWav({ samples, sampleRate }, { format: 'f32' }));
  const args = ['perturb', 'in.wav', ...how, '-o', 'out.wav', '--float'];
  const { code, stderr } = await runCommand(args, { cwd: folder.path });
  assert.equal(code, 0, stderr);
  const heard = readWav(await readFile(folder.file('out.wav')));
  assert.equal(heard.sampleRate, heardAtHz, how.join(' '));
  return heard.samples;
}

const energy = (samples: Float32Array) => samples.reduce((sum, sample) => sum + sample * sample, 0);

test('white noise has its ratio as it is heard, whatever the rate of the file', async () => {
  const hertz = [300, 700, 1500, 3100];
  const clean = tones(hertz, heardAtHz);
  for (const rate of ratesHz) {
    for (const [scenario, snrDb] of [
      ['srb/gnoise:2', 20],
      ['srb/gnoise:4', 0],
      ['earwitness/gnoise:4', 0],
    ] as const) {
      const heard = await perturbed(tones(hertz, rate), rate, '--scenario', scenario);
      const noise = heard.map((sample, n) => sample - clean[n]!);
      const achieved = 10 * Math.log10(energy(clean) / energy(noise));
      assert.ok(Math.abs(achieved - snrDb) < 0.05, `${scenario} from ${rate} Hz: ${achieved}`);
    }
  }
});

/** Level of a tone against what it was, in decibels, away from the ends. */
function toneDb(samples: Float32Array, hertz: number): number {
  const [from, to] = [heardAtHz / 2, samples.length - heardAtHz / 2];
  let [real, imaginary] = [0, 0];
  for (let n = from; n < to; n++) {
    const phase = (2 * Math.PI * hertz * n) / heardAtHz;
    real += samples[n]! * Math.cos(phase);
    imaginary += samples[n]! * Math.sin(phase);
  }
  return 20 * Math.log10((2 * Math.hypot(real, imaginary)) / (to - from) / amplitude);
}

test('filters and lower rates take away the bands that they are published to, whatever the rate of the file', async () => {
  for (const rate of ratesHz) {
    // A file of 8 kHz has nothing above 4 kHz. No tone lies where the filter of a published program falls off.
    const hertz = [200, 700, 1200, 2600, 3000, 4700, 7200].filter((one) => one < 0.45 * rate);
    for (const [scenario, cornerHz, isKept] of [
      ['srb/resample:1', 6000, 'below'],
      ['srb/resample:2', 4000, 'below'],
      ['srb/resample:3', 2000, 'below'],
      ['earwitness/resample:2', 4000, 'below'],
      ['srb/lowpass:2', 2833, 'below'],
      ['srb/highpass:1', 500, 'above'],
    ] as const) {
      const heard = await perturbed(tones(hertz, rate), rate, '--scenario', scenario);
      for (const one of hertz) {
        const level = toneDb(heard, one);
        const expected = one < cornerHz === (isKept === 'below') ? Math.abs(level) < 1 : level < -30;
        assert.ok(expected, `${scenario} from ${rate} Hz: ${one} Hz at ${level.toFixed(1)} dB`);
      }
    }
  }
});

test('steps of one’s own are made at 16 kHz too, unless they begin with another rate', async () => {
  const gain = { perturbation: 'gain', parameters: { factor: 1 } };
  const heard = await perturbed(tones([1000], 44_100), 44_100, '--steps', JSON.stringify([gain]));
  assert.equal(heard.length, seconds * heardAtHz);
  await using folder = await temporaryFolder();
  await writeFile(
    folder.file('in.wav'),
    encodeWav({ samples: tones([1000], 44_100), sampleRate: 44_100 }, { format: 'f32' }),
  );
  const at8 = [{ perturbation: 'sample-rate', parameters: { rateHz: 8000 } }, gain];
  const args = ['perturb', 'in.wav', '--steps', JSON.stringify(at8), '-o', 'out.wav'];
  const { code, stderr } = await runCommand(args, { cwd: folder.path });
  assert.equal(code, 0, stderr);
  assert.equal(readWav(await readFile(folder.file('out.wav'))).sampleRate, 8000);
});

test('of a file of 16 kHz the samples are those that they were before clips were brought to a rate', async () => {
  // SHA-256 of the files that an earlier version of the command wrote of this clip, which did nothing about rates.
  for (const [scenario, expected] of [
    ['srb/gnoise:3', '5918d67f9931efc52ae3b5edceb4ba23ebfaad54a51f14cb55b6f42c40fafcd9'],
    ['earwitness/treble:2', '2775002226b0b281605cd9aaba871bb4e2a425376d3fb159c25f14c7648358db'],
    ['aequevox/drop:3', '450549939486504e22cdedbd29a3226f83e80d870208d5bc447d68bd89f3f51b'],
  ] as const) {
    const heard = await perturbed(tones([300, 700], heardAtHz), heardAtHz, '--scenario', scenario, '--seed', '7');
    const bytes = encodeWav({ samples: heard, sampleRate: heardAtHz }, { format: 'f32' });
    assert.equal(sha256(bytes), expected, scenario);
  }
});
