import { z } from 'zod';
import type { QualityMeasure } from '../contract.ts';
import { undefinedValues } from '../shared/undefined-values.ts';
import { measureBandwidth } from './measure-bandwidth.ts';

type NoOptions = Record<string, never>;

/** Up to which frequency a recording has sound: telephones and codecs cut it off, whatever the file's sample rate says. */
export const bandwidth: QualityMeasure<NoOptions> = {
  name: 'bandwidth',
  version: 1,
  about: 'Highest frequency at which the mean spectrum is at most 50 dB below its maximum.',
  values: { bandwidthHz: 'That frequency in hertz, at most half the sample rate' },
  needsClean: false,
  sampleRate: null,
  options: z.strictObject({}),
  async open() {
    return {
      identity: { measure: bandwidth.name, version: bandwidth.version },
      async measure(clip) {
        const bandwidthHz = measureBandwidth(clip);
        return bandwidthHz === null
          ? undefinedValues(bandwidth.values, 'the clip is shorter than a frame of 32 ms, or silent')
          : { values: { bandwidthHz } };
      },
      async close() {},
    };
  },
};
