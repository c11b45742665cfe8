import { z } from 'zod';
import { clippedShare as shareOf } from '../../audio/levels.ts';
import { type QualityMeasure, undefinedValues } from '../contract.ts';

type NoOptions = Record<string, never>;

/** How many samples stand at full scale, where whatever was louder is lost. */
export const clippedShare: QualityMeasure<NoOptions> = {
  name: 'clipped-share',
  version: 1,
  about: 'Share of samples at full scale or beyond, as 16 bits have it (32767 / 32768).',
  values: { clippedShare: 'Share of all samples, 0 to 1' },
  needsClean: false,
  sampleRate: null,
  options: z.strictObject({}),
  async open() {
    return {
      identity: { measure: clippedShare.name, version: clippedShare.version },
      async measure({ samples }) {
        return samples.length === 0
          ? undefinedValues(clippedShare.values, 'the clip is empty')
          : { values: { clippedShare: shareOf(samples) } };
      },
      async close() {},
    };
  },
};
