import { z } from 'zod';
import { resample } from '../../audio/resample.ts';
import type { QualityMeasure } from '../contract.ts';
import { isSilent } from '../shared/side-by-side.ts';
import { undefinedValues } from '../shared/undefined-values.ts';
import { countFrames, gammatoneEnvelopes } from './gammatone-envelopes.ts';
import { centreFrequencies } from './gammatone-weights.ts';
import { limitEnergies } from './limit-energies.ts';
import { countStretches, modulationEnergies } from './modulation-energies.ts';
import { modulationRatio } from './modulation-ratio.ts';

type NoOptions = Record<string, never>;

const sampleRate = 16_000;
const envelopeRate = 400;
const channels = 23;
const lowestHz = 125;

/**
 * Speech-to-reverberation modulation energy ratio (T. H. Falk, C. Zheng and W.-Y. Chan, IEEE Trans. Audio, Speech and Language
 * Processing 18, 2010) in its spectral form, the default of SRMRpy (`fast=True`): gammatone envelopes are taken from spectra.
 * The other form runs the filters and differs by up to a quarter; it is not offered.
 */
export const srmr: QualityMeasure<NoOptions> = {
  name: 'srmr',
  version: 1,
  about:
    'Speech-to-reverberation modulation energy ratio without the clean clip (Falk et al., 2010), in the spectral form of SRMRpy (fast=True).',
  values: {
    srmr: 'Slow over fast modulation of the envelopes, above 0: lower with reverberation and noise',
    srmrNorm: 'The same after energies are limited to a range of 30 dB (SRMRnorm), which depends less on the speaker',
  },
  needsClean: false,
  sampleRate,
  options: z.strictObject({}),
  async open() {
    const centres = centreFrequencies(lowestHz, sampleRate / 2, channels);
    return {
      identity: { measure: srmr.name, version: srmr.version, form: 'spectral' },
      async measure(clip) {
        const { samples } = resample(clip, sampleRate);
        if (countStretches(countFrames(samples.length)) === 0) {
          return undefinedValues(srmr.values, 'the clip is shorter than 0.29 seconds');
        }
        if (isSilent(samples)) return undefinedValues(srmr.values, 'the clip is digital silence');
        const energies = modulationEnergies(gammatoneEnvelopes(samples, sampleRate, centres), envelopeRate);
        const ratio = (of: Float64Array) => modulationRatio(of, channels, { lowestHz, sampleRate });
        const [plain, limited] = [ratio(energies), ratio(limitEnergies(energies, channels))];
        return plain === null || limited === null
          ? undefinedValues(srmr.values, 'the clip has no modulation to speak of')
          : { values: { srmr: plain, srmrNorm: limited } };
      },
      async close() {},
    };
  },
};
