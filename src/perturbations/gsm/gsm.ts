import { z } from 'zod';
import { codeGsm } from '../../audio/codecs/gsm/gsm.ts';
import type { PlainPerturbation } from '../contract.ts';
import { throughCodec } from '../shared/codecs.ts';

const rateHz = 8000;

/** A call on an old mobile phone: GSM full rate at 8 kHz, bit for bit as libgsm in SoX and ffmpeg. */
export const gsm: PlainPerturbation<Record<string, never>> = {
  name: 'gsm',
  version: 1,
  about: 'Sends the clip through the full-rate codec of the first digital mobile phones: dull and rough.',
  parameters: z.strictObject({}),
  random: false,
  identity: null,
  example: {},
  apply(clip) {
    return throughCodec('gsm', clip, {
      rateHz,
      code: codeGsm,
      facts: { kilobitsPerSecond: 13, compensatedDelaySeconds: 0 },
    });
  },
};
