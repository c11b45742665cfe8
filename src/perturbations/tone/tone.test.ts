import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRealFft } from '../../audio/real-fft.ts';
import { createRandom } from '../../base/random.ts';
import { tone } from './tone.ts';

const sampleRate = 16000;
const noise = (() => {
  const random = createRandom('noise');
  return { samples: Float32Array.from({ length: 64000 }, () => 0.1 * random.normal()), sampleRate };
})();

/** Mean power of the bins between two frequencies, from 0.5 s to 3.5 s. */
function power(samples: Float32Array, fromHz: number, toHz: number): number {
  const size = 1024;
  const fft = createRealFft(size);
  const [re, im] = [new Float64Array(fft.bins), new Float64Array(fft.bins)];
  let [sum, count] = [0, 0];
  for (let start = 8000; start + size <= 56000; start += size) {
    const frame = Float64Array.from(
      samples.subarray(start, start + size),
      (sample, n) => sample * (0.5 - 0.5 * Math.cos((2 * Math.PI * n) / size)),
    );
    fft.forward(frame, re, im);
    for (let k = Math.ceil((fromHz / sampleRate) * size); k < (toHz / sampleRate) * size; k++) {
      sum += re[k]! ** 2 + im[k]! ** 2;
      count++;
    }
  }
  return sum / count;
}

const decibels = (above: number, below: number) => 10 * Math.log10(above / below);
const apply = (pitchFactor: number, repair: 'lowered' | 'raised' | 'none', clip = noise) =>
  tone.apply(clip, { pitchFactor, repair }, { random: createRandom(1) });

test('a tone is moved by the factor, and the length stays', () => {
  const samples = Float32Array.from({ length: 64000 }, (_, n) => 0.3 * Math.sin((2 * Math.PI * 500 * n) / sampleRate));
  for (const pitchFactor of [0.8, 4 / 3]) {
    const { clip } = apply(pitchFactor, 'none', { samples, sampleRate });
    assert.equal(clip.samples.length, 64000);
    const hz = 500 * pitchFactor;
    const around = power(clip.samples, hz - 40, hz + 40) * 80;
    const all = power(clip.samples, 0, 8000) * 8000;
    assert.ok(around / all > 0.97, `${pitchFactor}: ${around / all}`);
  }
});

test('a lowered pitch leaves the top of the band empty, and the repair fills it to the level it had', () => {
  const before = power(noise.samples, 6800, 7800);
  const bare = apply(0.8, 'none');
  assert.ok(decibels(power(bare.clip.samples, 6800, 7800), before) < -60);
  assert.equal(bare.facts.repaired, false);
  const repaired = apply(0.8, 'lowered');
  assert.ok(Math.abs(decibels(power(repaired.clip.samples, 6800, 7800), before)) < 1);
  assert.equal(repaired.facts.repaired, true);
  // Below where the band ends, nothing is added.
  const [low, lowBare] = [power(repaired.clip.samples, 500, 5800), power(bare.clip.samples, 500, 5800)];
  assert.ok(Math.abs(decibels(low, lowBare)) < 0.05);
});

test('the condition of the paper’s program adds to a raised pitch, which is full already', () => {
  assert.equal(apply(0.8, 'raised').facts.repaired, false);
  const { clip, facts } = apply(4 / 3, 'raised');
  assert.equal(facts.repaired, true);
  const rise = decibels(power(clip.samples, 6500, 7800), power(apply(4 / 3, 'none').clip.samples, 6500, 7800));
  assert.ok(rise > 2 && rise < 5, `${rise}`);
});

test('a sound without room for a piece is a clear sentence, and none stays none', () => {
  const short = { samples: new Float32Array(500).fill(0.1), sampleRate };
  assert.throws(() => apply(0.8, 'none', short), /tone: expected .* but it has 500; /);
  assert.equal(apply(0.8, 'none', { samples: new Float32Array(0), sampleRate }).clip.samples.length, 0);
});
