import { z } from 'zod';
import { codeG722, type G722Rate, g722DelaySamples } from '../../audio/codecs/g722/g722.ts';
import { whole } from '../../base/option-kinds.ts';
import { plainPerturbation } from '../contract.ts';
import { throughCodec } from '../shared/codecs.ts';

const rateHz = 16000;

/** A call in wide-band quality over ITU-T G.722, at 16 kHz, bit for bit as ffmpeg codes and decodes it. */
export const g722 = plainPerturbation({
  name: 'g722',
  version: 1,
  about: 'Sends the clip through the codec of wide-band calls: clear up to 7 kHz, with a faint hiss.',
  parameters: z.strictObject({
    kilobitsPerSecond: whole(48, 64)
      .multipleOf(8)
      .default(64)
      .describe('Rate that the decoder is given, in kbit/s: 64, 56 or 48'),
  }),
  random: false,
  identity: null,
  example: { kilobitsPerSecond: 64 },
  apply: (clip, { kilobitsPerSecond }) =>
    throughCodec('g722', clip, {
      rateHz,
      code: (integers) => codeG722(integers, kilobitsPerSecond as G722Rate),
      facts: { kilobitsPerSecond, compensatedDelaySeconds: g722DelaySamples / rateHz },
    }),
});
