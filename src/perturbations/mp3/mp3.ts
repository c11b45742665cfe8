import { z } from 'zod';
import { oneOf, whole } from '../../base/option-kinds.ts';
import { perturbation } from '../contract.ts';
import { throughSoundCodec } from '../shared/codecs.ts';

const bitRates = [8, 16, 24, 32, 40, 48, 64];
const rates = [8000, 11025, 12000, 16000, 22050, 24000];

/** A recording kept as MP3 at a low constant rate, encoded by LAME and decoded by mpg123. */
export const mp3 = perturbation({
  name: 'mp3',
  version: 1,
  about: 'Sends the clip through MP3; at low rates it is dull and rings.',
  parameters: z.strictObject({
    kilobitsPerSecond: whole(8, 64)
      .refine((rate) => bitRates.includes(rate), `expected one of ${bitRates.join(', ')}`)
      .describe('Constant rate in kbit/s: 8, 16, 24, 32, 40, 48 or 64'),
    codedRateHz: whole(8000, 24000)
      .refine((rate) => rates.includes(rate), `expected one of ${rates.join(', ')}`)
      .default(16000)
      .describe('Rate of the coded sound in Hz: 8000, 11025, 12000, 16000, 22050 or 24000'),
    encoder: oneOf(['lame'])
      .exactOptional()
      .describe('lame: the installed program of that name encodes, whose bytes are its own; absent: the package'),
  }),
  random: false,
  identity: null,
  example: { kilobitsPerSecond: 16, codedRateHz: 16000 },
  assetParameters: ['encoder'],
  async prepare({ encoder }, services) {
    const codec = await services.codec(encoder ?? 'mp3');
    return { identity: codec.identity, assets: codec };
  },
  apply: (clip, { kilobitsPerSecond, codedRateHz }, { assets }) =>
    throughSoundCodec('mp3', clip, { codec: assets, rateHz: codedRateHz, settings: { kilobitsPerSecond } }),
});
