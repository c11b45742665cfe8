import { createConvolver } from '../../audio/convolve.ts';
import { keepRecent } from '../../audio/recently-used.ts';

const taps = 255;

/**
 * The part of a sound above a share of its band, without delay: a high-pass of 255 taps under a Hamming window, forward and
 * backward, as scipy's `firwin(255, share, pass_zero=False)` and `filtfilt` make it but for the ends.
 *
 * @param share where the band begins, as a share of half the sample rate, 0 to 1
 */
export function highBand(samples: Float32Array, share: number): Float32Array {
  return convolverFor(share).convolve(samples, taps - 1, samples.length);
}

const convolverFor = keepRecent(
  4,
  (share: number) => `${share}`,
  (share) => {
    const once = highPass(share);
    const twice = new Float64Array(2 * taps - 1);
    for (let first = 0; first < taps; first++) {
      for (let second = 0; second < taps; second++) twice[first + second]! += once[first]! * once[second]!;
    }
    return createConvolver(twice);
  },
);

/** Gain 1 at half the sample rate. */
function highPass(share: number): Float64Array {
  const middle = (taps - 1) / 2;
  const response = Float64Array.from({ length: taps }, (_, n) => {
    const angle = Math.PI * (n - middle);
    const ideal = n === middle ? 1 - share : -Math.sin(share * angle) / angle;
    return ideal * (0.54 - 0.46 * Math.cos((2 * Math.PI * n) / (taps - 1)));
  });
  const gain = response.reduce((sum, value, n) => sum + value * ((n - middle) % 2 === 0 ? 1 : -1), 0);
  return response.map((value) => value / gain);
}
