import assert from 'node:assert/strict';
import type { JsonObject } from '../../../base/json.ts';
import { createRandom } from '../../../base/random.ts';
import type { PlainPerturbation } from '../../contract.ts';

/** A tone that grows and falls, at the place of 0.5 s loudest. */
export function burst(sampleRate: number): Float32Array {
  return Float32Array.from({ length: sampleRate }, (_, n) => {
    const seconds = n / sampleRate - 0.5;
    return 0.5 * Math.exp(-((seconds / 0.05) ** 2)) * Math.cos(2 * Math.PI * 600 * seconds);
  });
}

/** Asserts that a codec gives a burst back where it was, at every rate, and that it coded at this one. */
export function assertStaysInPlace<Parameters extends JsonObject>(
  codec: PlainPerturbation<Parameters>,
  codedRateHz: number,
): void {
  for (const sampleRate of [8000, 16000, 44100]) {
    const samples = burst(sampleRate);
    const { clip, facts } = codec.apply({ samples, sampleRate }, codec.example, { random: createRandom(1) });
    assert.equal(clip.samples.length, samples.length);
    assert.equal(clip.sampleRate, sampleRate);
    assert.equal(facts.codedRateHz, codedRateHz);
    const likeness = (lag: number) => {
      let sum = 0;
      for (let n = 1000; n < samples.length - 1000; n++) sum += samples[n]! * clip.samples[n + lag]!;
      return sum;
    };
    // A period of the tone is 1.67 ms; the peak of the correlation lies within an eighth of a millisecond of 0.
    const lags = Array.from({ length: 41 }, (_, index) => index - 20);
    const best = lags.reduce((one, other) => (likeness(other) > likeness(one) ? other : one));
    assert.ok(Math.abs(best) / sampleRate <= 0.000125, `${best} samples at ${sampleRate}`);
  }
}
