import { z } from 'zod';
import { durationSeconds } from '../../audio/clip.ts';
import type { PlainPerturbation } from '../contract.ts';
import { type LossParameters, losePackets, lossFacts, lossParameters } from '../shared/lost-packets.ts';
import { concealByPitch } from './conceal-by-pitch.ts';
import { concealByRepetition } from './conceal-by-repetition.ts';
import { gapsOf } from './gaps.ts';

type PacketLossParameters = LossParameters & {
  readonly packetSeconds: number;
  readonly concealment: 'silence' | 'repeat' | 'pitch';
};

/**
 * A call of which packets never arrive, alone or in bursts, and what the receiver plays in their place. The last packet may
 * be cut short by the end of the sound. The sound is as exact as before: put a codec before it where one is meant, or see
 * `opus-packet-loss` for a codec that conceals by itself.
 */
export const packetLoss: PlainPerturbation<PacketLossParameters> = {
  name: 'packet-loss',
  version: 1,
  about: 'Loses packets of the sound, alone or in bursts, with or without something played in their place.',
  parameters: z.strictObject({
    packetSeconds: z.number().min(0.0025).max(1).default(0.02).describe('Length of a packet in seconds'),
    ...lossParameters,
    concealment: z
      .enum(['silence', 'repeat', 'pitch'])
      .default('pitch')
      .describe('Played instead: nothing, the last packet fading away, or its pitch periods (as G.711 Appendix I)'),
  }),
  random: true,
  identity: { packetSeconds: 0.02, lossShare: 0, meanBurstPackets: null, concealment: 'pitch' },
  example: { packetSeconds: 0.02, lossShare: 0.1, meanBurstPackets: 2, concealment: 'pitch' },
  apply(clip, parameters, { random }) {
    const { packetSeconds, concealment } = parameters;
    const { sampleRate } = clip;
    // A billionth less, because 0.6 / 0.02 and its like may come out just above the whole number that is meant.
    const packets = Math.max(0, Math.ceil(durationSeconds(clip) / packetSeconds - 1e-9));
    const lost = losePackets('packet-loss', packets, parameters, random);
    const samples = clip.samples.slice();
    const packetSamples = packetSeconds * sampleRate;
    for (const gap of gapsOf(lost, packetSamples, samples.length)) {
      if (concealment === 'silence') samples.fill(0, gap.start, gap.end);
      else if (concealment === 'repeat') concealByRepetition(samples, gap, packetSamples, sampleRate);
      else concealByPitch(samples, gap, sampleRate);
    }
    return { clip: { samples, sampleRate }, facts: lossFacts(lost, packetSeconds) };
  },
};
