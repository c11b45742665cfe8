import { z } from 'zod';
import { codeG711 } from '../../audio/codecs/g711.ts';
import { oneOf } from '../../base/option-kinds.ts';
import { plainPerturbation } from '../contract.ts';
import { throughCodec } from '../shared/codecs.ts';

/**
 * A call on a fixed line: 8 bits for each sample by the laws of ITU-T G.711, byte for byte as Python's audioop encodes. By
 * default at the 8 kHz of telephones, so that nothing is left above 4 kHz; `whole` keeps the sound's own rate and band.
 */
export const g711 = plainPerturbation({
  name: 'g711',
  version: 1,
  about: 'Sends the clip through the codec of fixed telephone lines: no treble and a faint grain.',
  parameters: z.strictObject({
    law: oneOf(['a-law', 'mu-law']).default('mu-law').describe('mu-law: North America, Japan; a-law: elsewhere'),
    bandwidth: oneOf(['telephone', 'whole'])
      .default('telephone')
      .describe('telephone: at 8 kHz, nothing above 4 kHz; whole: at the rate of the clip'),
  }),
  random: false,
  identity: null,
  example: { law: 'mu-law', bandwidth: 'telephone' },
  apply(clip, { law, bandwidth }) {
    const rateHz = bandwidth === 'telephone' ? 8000 : clip.sampleRate;
    return throughCodec('g711', clip, {
      rateHz,
      code: (integers) => codeG711(integers, law),
      facts: { kilobitsPerSecond: (8 * rateHz) / 1000, compensatedDelaySeconds: 0 },
    });
  },
});
