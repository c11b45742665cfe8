import type { Clip } from '../../audio/clip.ts';
import { resample } from '../../audio/resample.ts';
import { EarwitnessError } from '../../base/errors.ts';

/** Rates that can be taken to a codec's: from a twelfth of the telephone's to 16 times 48 kHz. */
const slowest = 500;
const fastest = 768_000;

/** The clip at the rate of a codec. The same clip where it has that rate already. */
export function toRate(perturbation: string, clip: Clip, rateHz: number): Clip {
  const { sampleRate } = clip;
  if (!(sampleRate >= slowest && sampleRate <= fastest)) {
    throw new EarwitnessError(
      'bad-input',
      `${perturbation}: expected a clip of ${slowest} to ${fastest} samples per second, but it has ${sampleRate}; resample it first`,
    );
  }
  return resample(clip, rateHz);
}

/**
 * Back from the rate of a codec: the rate and length of the clip that was given, so that times stay what they are.
 *
 * @param coded of the length that `toRate` gave
 */
export function fromRate(coded: Clip, original: Clip): Clip {
  const { samples } = resample(coded, original.sampleRate);
  const { length } = original.samples;
  if (samples.length === length) return { samples, sampleRate: original.sampleRate };
  // Rounded twice, the length may be off by half a sample of the slower rate.
  const fitted = new Float32Array(length);
  fitted.set(samples.subarray(0, length));
  return { samples: fitted, sampleRate: original.sampleRate };
}
