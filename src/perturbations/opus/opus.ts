import { z } from 'zod';
import { perturbation } from '../contract.ts';
import { opusParameters, throughSoundCodec } from '../shared/codecs.ts';

/** A call or recording in Opus (RFC 6716), by libopus; how many bytes that took is in the facts. */
export const opus = perturbation({
  name: 'opus',
  version: 1,
  about: 'Sends the clip through Opus, the codec of calls over the internet; at low rates it gurgles.',
  parameters: z.strictObject(opusParameters),
  random: false,
  identity: null,
  example: { kilobitsPerSecond: 12, application: 'voip', codedRateHz: 16000, packetSeconds: 0.02 },
  async prepare(_parameters, services) {
    const codec = await services.codec('opus');
    return { identity: codec.identity, assets: codec };
  },
  apply(clip, { kilobitsPerSecond, application, codedRateHz, packetSeconds }, { assets }) {
    const settings = { kilobitsPerSecond, application, frameSeconds: packetSeconds, lose: null };
    return throughSoundCodec('opus', clip, { codec: assets, rateHz: codedRateHz, settings });
  },
});
