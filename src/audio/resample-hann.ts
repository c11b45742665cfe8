import type { Clip } from './clip.ts';
import { createPolyphaseFilter } from './polyphase.ts';
import { keepRecent } from './recently-used.ts';

/** Zero crossings of the sinc function on either side, and where it is cut off as a share of half the lower rate. */
const crossings = 6;
const rolloff = 0.99;

/**
 * The clip at another rate by a short filter, as torchaudio's `Resample` makes it with its defaults (`sinc_interp_hann`,
 * `lowpass_filter_width` 6, `rolloff` 0.99; torchaudio/functional/functional.py): about 6 dB down at half the lower rate,
 * and what lies above is heard, mirrored, some 20 dB down close to it. `resample` is better in every way; this one is for
 * results that are to be compared with those made with torchaudio. The length is rounded up.
 *
 * @param sampleRate a whole number; that of the clip too
 * @example resampleHann({ samples, sampleRate: 16000 }, 8000)
 */
export function resampleHann(clip: Clip, sampleRate: number): Clip {
  if (sampleRate === clip.sampleRate) return clip;
  const divisor = greatestCommonDivisor(sampleRate, clip.sampleRate);
  const ratio = { up: sampleRate / divisor, down: clip.sampleRate / divisor };
  const length = Math.ceil((clip.samples.length * ratio.up) / ratio.down);
  return { samples: filterFor(ratio)(clip.samples, length), sampleRate };
}

/** A row of weights for each place between samples that occurs. */
const filterFor = keepRecent(
  8,
  ({ up, down }: { up: number; down: number }) => `${up}/${down}`,
  ({ up, down }) => {
    const cutoff = Math.min(up, down) * rolloff;
    const reach = (crossings * down) / cutoff;
    const taps = 4 * Math.ceil((Math.floor(2 * reach) + 1) / 4);
    const weights = new Float32Array(up * taps);
    const starts = new Int32Array(up);
    for (let row = 0; row < up; row++) {
      const place = (row * down) / up;
      const start = Math.ceil(place - reach);
      starts[row] = start;
      for (let tap = 0; tap < taps; tap++) {
        const crossing = ((start + tap - place) / down) * cutoff;
        if (Math.abs(crossing) >= crossings) continue;
        const window = Math.cos((Math.PI * crossing) / crossings / 2) ** 2;
        const angle = Math.PI * crossing;
        weights[row * taps + tap] = (angle === 0 ? 1 : Math.sin(angle) / angle) * window * (cutoff / down);
      }
    }
    return createPolyphaseFilter({ up, down, weights, taps, starts });
  },
);

function greatestCommonDivisor(first: number, second: number): number {
  return second === 0 ? first : greatestCommonDivisor(second, first % second);
}
