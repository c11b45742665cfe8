import { z } from 'zod';
import { sincFilter } from '../../audio/filters/sinc-filter.ts';
import { between } from '../../base/option-kinds.ts';
import { plainPerturbation } from '../contract.ts';
import { fromRate, toRate } from '../shared/codecs.ts';

const rateHz = 8000;

/**
 * The band of telephones, 300 to 3400 Hz at 8 kHz, and no codec: a linear-phase band-pass without delay, its corners (-6 dB)
 * in the middle of transitions of 200 Hz, 120 dB down beyond them.
 */
export const narrowBand = plainPerturbation({
  name: 'narrow-band',
  version: 1,
  about: 'Leaves only the band of telephones: no bass and no treble.',
  parameters: z
    .strictObject({
      lowHz: between(100, 3800).default(300).describe('Lower corner in Hz, where 6 dB are gone'),
      highHz: between(200, 3900).default(3400).describe('Upper corner in Hz, above the lower one'),
    })
    .refine(({ lowHz, highHz }) => lowHz < highHz, 'expected lowHz below highHz'),
  random: false,
  identity: null,
  example: { lowHz: 300, highHz: 3400 },
  apply(clip, { lowHz, highHz }) {
    const { samples } = toRate('narrow-band', clip, rateHz);
    const band = { highPassHz: lowHz, lowPassHz: highHz, transitionShare: 0.05, attenuationDb: 120 };
    const { taps, filter } = sincFilter(band, rateHz);
    return {
      clip: fromRate({ samples: filter(samples), sampleRate: rateHz }, clip),
      facts: { codedRateHz: rateHz, taps },
    };
  },
});
