import { z } from 'zod';
import type { QualityMeasure } from '../contract.ts';
import { isSilent } from '../shared/side-by-side.ts';
import { undefinedValues } from '../shared/undefined-values.ts';
import { measureSpeechLevel } from './speech-voltmeter.ts';

type NoOptions = Record<string, never>;

/** Loudness of speech as telephony measures it: pauses do not count. */
export const activeLevel: QualityMeasure<NoOptions> = {
  name: 'active-level',
  version: 1,
  about: 'Active speech level and activity factor by the speech voltmeter of ITU-T P.56 (12/2011), method B.',
  values: {
    activeLevelDbfs: 'Mean power while somebody speaks, in decibels relative to full scale (dBov)',
    activityFactor: 'Share of the time in which somebody speaks, 0 to 1',
  },
  needsClean: false,
  sampleRate: null,
  options: z.strictObject({}),
  async open() {
    return {
      identity: { measure: activeLevel.name, version: activeLevel.version },
      async measure({ samples, sampleRate }) {
        const level = measureSpeechLevel(samples, sampleRate);
        if (level !== null) return { values: { ...level } };
        const reason =
          samples.length === 0
            ? 'the clip is empty'
            : isSilent(samples)
              ? 'the clip is digital silence'
              : 'the clip is quieter than any speech that the method tells from noise, or too short';
        return undefinedValues(activeLevel.values, reason);
      },
      async close() {},
    };
  },
};
