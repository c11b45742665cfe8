import { z } from 'zod';
import type { QualityMeasure } from '../contract.ts';
import { undefinedValues } from '../shared/undefined-values.ts';
import { estimateNoise } from './estimate-noise.ts';

type NoOptions = Record<string, never>;

/** How loud the noise of a recording is, and how far speech stands above it, without a clean clip. */
export const noiseLevel: QualityMeasure<NoOptions> = {
  name: 'noise-level',
  version: 1,
  about: 'Level of the noise in pauses and the signal-to-noise ratio, estimated from the clip alone.',
  values: {
    snrDb: 'Power of speech over that of noise, in decibels',
    noiseDbfs: 'Level of the noise in decibels relative to full scale',
    speechDbfs: 'Level of the speech without the noise in decibels relative to full scale',
  },
  needsClean: false,
  sampleRate: null,
  options: z.strictObject({}),
  async open() {
    return {
      identity: { measure: noiseLevel.name, version: noiseLevel.version },
      async measure(clip) {
        const found = estimateNoise(clip);
        if (found !== null) {
          const { snrDb, noiseDbfs, speechDbfs } = found;
          return { values: { snrDb, noiseDbfs, speechDbfs } };
        }
        return undefinedValues(
          noiseLevel.values,
          'the clip is too short, silent or steady: no speech stands out from pauses',
        );
      },
      async close() {},
    };
  },
};
