import type { PocketsphinxOptions } from './options.ts';

/** Beam widths by the library's parameter names. */
export const beamPresets: Readonly<Record<PocketsphinxOptions['beams'], Readonly<Record<string, number>>>> = {
  default: {},
  /**
   * Widths of a decoder tuned for speed: 1e-20 where the library has 1e-48, the other widths narrowed alike, and the
   * limits that CMU's notes on tuning advise for small machines (3000 HMMs and 5 words a frame).
   */
  narrow: {
    '-beam': 1e-20,
    '-pbeam': 1e-20,
    '-wbeam': 1e-12,
    '-lpbeam': 1e-17,
    '-lponlybeam': 1e-12,
    '-fwdflatbeam': 1e-27,
    '-fwdflatwbeam': 1e-12,
    '-maxhmmpf': 3000,
    '-maxwpf': 5,
  },
};
