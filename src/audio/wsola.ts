import { createLikenessSearch, type LikenessSearch } from './likeness-search.ts';
import { keepRecent } from './recently-used.ts';

const shiftSeconds = 0.01;

/** A sound at another speed, and how far it goes. */
export interface WsolaResult {
  readonly samples: Float32Array;
  /** Where the last piece ends, after and before: what follows is silent, up to the end of each. */
  readonly endOut: number;
  readonly endIn: number;
}

/**
 * Another tempo by WSOLA as SR-MT made it (Wang, Ben, Zhang, MET'22, section 3; the class is that of sprocket 0.18, whose
 * authors are Kobayashi and Toda): pieces of 10 ms, faded over whole under a symmetric Hann window. Each piece is looked
 * for within 10 ms around its nominal place, by the largest product of what would follow and what is there, both under the
 * window and neither normalised. Its habits are kept: the nominal step is cut to whole samples, samples 10 to 20 ms of the
 * sound are never heard, and the last few pieces are silent.
 *
 * @param rate above 1 is faster; the length becomes length / rate, cut
 */
export function wsola(samples: Float32Array, sampleRate: number, rate: number): WsolaResult {
  const shift = Math.floor(sampleRate * shiftSeconds);
  const frame = 2 * shift;
  const step = Math.floor(shift * rate);
  const { search, window } = toolsFor(shift);
  const length = samples.length;
  const output = new Float32Array(Math.floor(length / rate));
  output.set(samples.subarray(0, Math.min(shift, output.length)));
  let written = shift;
  let current = frame;
  let nominal = current + step;
  while (length > nominal + frame) {
    // The window counts twice: once for each side. A piece near the end is followed by silence.
    const following = Math.min(frame, length - current);
    for (let n = 0; n < frame; n++) {
      search.template[n] = n < following ? samples[current + n]! * window[n]! * window[n]! : 0;
    }
    const place = nominal - frame + search.largestProduct(samples, nominal - frame);
    const end = Math.min(shift, output.length - written);
    for (let n = 0; n < end; n++) {
      output[written + n] = samples[current + n]! * window[shift + n]! + samples[place + n]! * window[n]!;
    }
    written += shift;
    current = place + shift;
    nominal += step;
  }
  return { samples: output, endOut: Math.min(written, output.length), endIn: Math.min(current, length) };
}

/** Samples that a sound must have for a single piece to be found. */
export function shortestWsolaSamples(sampleRate: number, rate: number): number {
  const shift = Math.floor(sampleRate * shiftSeconds);
  return 4 * shift + Math.floor(shift * rate) + 1;
}

const toolsFor = keepRecent(
  4,
  (shift: number) => `${shift}`,
  (shift): { search: LikenessSearch; window: Float64Array } => ({
    search: createLikenessSearch(2 * shift, 2 * shift + 1),
    window: Float64Array.from(
      { length: 2 * shift },
      (_, n) => 0.5 - 0.5 * Math.cos((2 * Math.PI * n) / (2 * shift - 1)),
    ),
  }),
);
