import { z } from 'zod';
import type { QualityMeasure } from '../contract.ts';
import { isSilent, sideBySide } from '../shared/side-by-side.ts';
import { undefinedValues } from '../shared/undefined-values.ts';
import { bandEnvelopes } from './band-envelopes.ts';
import { meanCorrelation } from './mean-correlation.ts';
import { removeSilence } from './remove-silence.ts';
import { resampleAsOctave } from './resample-as-octave.ts';
import { thirdOctaveBands } from './third-octave-bands.ts';

type NoOptions = Record<string, never>;

/** Taal et al., 2011, section II. */
const sampleRate = 10_000;
const frameLength = 256;
const transformSize = 512;
const bandCount = 15;
const lowestCentreHz = 150;
const dynamicRangeDb = 40;
/** Frames that are compared at once: 384 ms. */
const stretch = 30;
/** Lowest signal-to-distortion ratio that counts, -15 dB, as the ratio of the envelopes. */
const largestRatio = 1 + 10 ** (15 / 20);

const bands = thirdOctaveBands(lowestCentreHz, bandCount, sampleRate, transformSize);

/**
 * Short-time objective intelligibility (C. H. Taal, R. C. Hendriks, R. Heusdens and J. Jensen, IEEE Trans. Audio, Speech and
 * Language Processing 19, 2011), as pystoi 0.4.1 computes it. Nothing is aligned.
 */
export const stoi: QualityMeasure<NoOptions> = {
  name: 'stoi',
  version: 1,
  about: 'Short-time objective intelligibility against the clean clip (Taal et al., 2011), as pystoi computes it.',
  values: { stoi: 'Intelligibility, near 0 for none, 1 for the clean clip' },
  needsClean: true,
  sampleRate,
  options: z.strictObject({}),
  async open() {
    return {
      identity: { measure: stoi.name, version: stoi.version },
      async measure(clip, clean) {
        const pair = sideBySide(clip, clean);
        if ('reason' in pair) return undefinedValues(stoi.values, pair.reason);
        if (isSilent(pair.clean.samples)) return undefinedValues(stoi.values, 'the clean clip is digital silence');
        if (isSilent(pair.clip.samples)) return undefinedValues(stoi.values, 'the clip is digital silence');
        const envelopes = bandEnvelopes(
          removeSilence(
            resampleAsOctave(pair.clip, sampleRate),
            resampleAsOctave(pair.clean, sampleRate),
            frameLength,
            dynamicRangeDb,
          ),
          bands,
          frameLength,
          transformSize,
        );
        return envelopes.frames < stretch
          ? undefinedValues(stoi.values, 'fewer than 0.4 seconds of the clean clip are not silent')
          : { values: { stoi: meanCorrelation(envelopes, bandCount, stretch, largestRatio) } };
      },
      async close() {},
    };
  },
};
