import { z } from 'zod';
import type { QualityMeasure } from '../contract.ts';
import { isSilent, sideBySide } from '../shared/side-by-side.ts';
import { undefinedValues } from '../shared/undefined-values.ts';
import { bandEnvelopes } from './band-envelopes.ts';
import { meanCorrelation } from './mean-correlation.ts';
import { removeSilence } from './remove-silence.ts';
import { resampleAsOctave } from './resample-as-octave.ts';
import { segmentCorrelation } from './segment-correlation.ts';
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
 * Language Processing 19, 2011), and the extended one (`segmentCorrelation`), as pystoi 0.4.1 computes them. Nothing is aligned.
 */
export const stoi: QualityMeasure<NoOptions> = {
  name: 'stoi',
  version: 2,
  about:
    'Short-time objective intelligibility against the clean clip, plain (Taal et al., 2011) and extended (Jensen and Taal, 2016), as pystoi computes them.',
  values: {
    stoi: 'Intelligibility, near 0 for none, 1 for the clean clip',
    estoi: 'The same by the extended measure, which noises that come and go mislead less',
  },
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
          : {
              values: {
                stoi: meanCorrelation(envelopes, bandCount, stretch, largestRatio),
                estoi: segmentCorrelation(envelopes, bandCount, stretch),
              },
            };
      },
      async close() {},
    };
  },
};
