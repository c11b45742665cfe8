import { z } from 'zod';
import { perturbation } from '../contract.ts';
import { losePackets, lossFacts, lossParameters, opusParameters, throughSoundCodec } from '../shared/codecs.ts';

/** A call in Opus of which packets never arrive; libopus itself plays something in their place, from what it decoded last. */
export const opusPacketLoss = perturbation({
  name: 'opus-packet-loss',
  version: 1,
  about: 'Sends the clip through Opus and loses packets on the way, which its decoder conceals.',
  parameters: z.strictObject({ ...opusParameters, ...lossParameters }),
  random: true,
  identity: null,
  example: {
    kilobitsPerSecond: 24,
    application: 'voip',
    codedRateHz: 16000,
    packetSeconds: 0.02,
    lossShare: 0.1,
    meanBurstPackets: 2,
  },
  async prepare(_parameters, services) {
    const codec = await services.codec('opus');
    return { identity: codec.identity, assets: codec };
  },
  async apply(clip, parameters, { assets, random }) {
    const { kilobitsPerSecond, application, codedRateHz, packetSeconds } = parameters;
    let lost: Uint8Array = new Uint8Array(0);
    const lose = (packets: number) => {
      lost = losePackets('opus-packet-loss', packets, parameters, random);
      return lost;
    };
    const settings = { kilobitsPerSecond, application, frameSeconds: packetSeconds, lose };
    const { clip: changed, facts } = await throughSoundCodec('opus-packet-loss', clip, {
      codec: assets,
      rateHz: codedRateHz,
      settings,
    });
    return { clip: changed, facts: { ...facts, ...lossFacts(lost, packetSeconds) } };
  },
});
