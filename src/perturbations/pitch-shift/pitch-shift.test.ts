import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom } from '../../base/random.ts';
import { pitchShift } from './pitch-shift.ts';

const services = { random: createRandom(1) };
/** A cosine: the phase vocoder mirrors the start of the sound, and keeps the phases that it finds there. */
const tone = (hz: number, sampleRate: number) => ({
  samples: Float32Array.from({ length: 2 * sampleRate }, (_, n) => 0.5 * Math.cos((2 * Math.PI * hz * n) / sampleRate)),
  sampleRate,
});

/** Share of the power of the middle second that a tone has. */
function shareOf(samples: Float32Array, hz: number, sampleRate: number): number {
  let [re, im, power] = [0, 0, 0];
  for (let n = sampleRate / 2; n < 1.5 * sampleRate; n++) {
    const window = 0.5 - 0.5 * Math.cos((2 * Math.PI * (n - sampleRate / 2)) / sampleRate);
    re += window * samples[n]! * Math.cos((2 * Math.PI * hz * n) / sampleRate);
    im += window * samples[n]! * Math.sin((2 * Math.PI * hz * n) / sampleRate);
    power += window * samples[n]! ** 2;
  }
  return (re * re + im * im) / (power * (sampleRate / 4));
}

for (const method of ['wsola', 'phase-vocoder'] as const) {
  test(`a tone is moved by the semitones asked for, its level and length kept (${method})`, () => {
    for (const sampleRate of [8000, 16000, 44100]) {
      for (const semitones of [-12, -5, 3, 12]) {
        const clip = tone(500, sampleRate);
        const { samples } = pitchShift.apply(clip, { semitones, method }, services).clip;
        assert.equal(samples.length, clip.samples.length);
        const hz = 500 * 2 ** (semitones / 12);
        const share = shareOf(samples, hz, sampleRate);
        // torchaudio cuts the rate of playing to a whole number, which moves the tone a little.
        assert.ok(share > (method === 'wsola' ? 0.9 : 0.98), `${sampleRate} ${semitones}: ${share}`);
        const middle = samples.subarray(sampleRate / 2, 1.5 * sampleRate);
        const level = Math.sqrt((2 * middle.reduce((sum, sample) => sum + sample * sample, 0)) / middle.length);
        assert.ok(Math.abs(20 * Math.log10(level / 0.5)) < 0.3, `${sampleRate} ${semitones}: ${level}`);
      }
    }
  });
}

test('wsola gives the samples of SoX 14.4.2: sox -D tones.wav -b 32 -e floating-point out.wav pitch 300', () => {
  const samples = Float32Array.from({ length: 24000 }, (_, n) => {
    const sum = [150, 440, 1000, 2500, 5200].reduce(
      (total, hz) => total + 0.08 * Math.sin(2 * Math.PI * hz * (n / 16000)),
      0,
    );
    return Math.round(sum * 32768) / 32768;
  });
  const changed = pitchShift.apply({ samples, sampleRate: 16000 }, { semitones: 3, method: 'wsola' }, services).clip;
  const middle = [-864, 244, -6418, -3229, -4597, -385, 5758, 381, 2409, 707, 840, 7232, 1448, 864, -265, -2129];
  for (const [n, step] of middle.entries()) {
    const found = changed.samples[12000 + n]! * 32768;
    assert.ok(Math.abs(found - step) < 20, `sample ${n}: ${found} ${step}`);
  }
});

test('the phase vocoder refuses what is shorter than half a frame', () => {
  const clip = { samples: new Float32Array(256), sampleRate: 16000 };
  assert.throws(
    () => pitchShift.apply(clip, { semitones: 1, method: 'phase-vocoder' }, services),
    /pitch-shift: expected a clip of at least 257 samples .* but it has 256; /,
  );
  assert.equal(pitchShift.apply(clip, { semitones: 1, method: 'wsola' }, services).clip.samples.length, 256);
});
