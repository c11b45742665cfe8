import { z } from 'zod';
import type { QualityMeasure } from '../contract.ts';
import { undefinedValues } from '../shared/undefined-values.ts';
import { measurePitch } from './measure-pitch.ts';

type NoOptions = Record<string, never>;

/** How high a voice speaks. */
export const pitch: QualityMeasure<NoOptions> = {
  name: 'pitch',
  version: 1,
  about: 'Median fundamental frequency of the voice by autocorrelation (Boersma 1993), 60 to 500 Hz.',
  values: {
    medianPitchHz: 'Median over voiced frames, in hertz',
    voicedShare: 'Share of frames in which the voice has a pitch, 0 to 1',
  },
  needsClean: false,
  sampleRate: null,
  options: z.strictObject({}),
  async open() {
    return {
      identity: { measure: pitch.name, version: pitch.version },
      async measure(clip) {
        const found = measurePitch(clip);
        return found === null
          ? undefinedValues(pitch.values, 'fewer than 5 frames of the clip are voiced')
          : { values: { medianPitchHz: found.medianHz, voicedShare: found.voicedShare } };
      },
      async close() {},
    };
  },
};
