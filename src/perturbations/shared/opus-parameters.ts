import { z } from 'zod';

export type OpusParameters = {
  readonly kilobitsPerSecond: number;
  readonly application: 'voip' | 'audio';
  readonly codedRateHz: number;
  readonly packetSeconds: number;
};

const rates = [8000, 12000, 16000, 24000, 48000];
const packetLengths = [0.01, 0.02, 0.04, 0.06];

/** What an Opus encoder is told. */
export const opusParameters = {
  kilobitsPerSecond: z
    .number()
    .min(6)
    .max(256)
    .describe('Rate aimed at, in kbit/s; what is achieved varies with the sound'),
  application: z.enum(['voip', 'audio']).default('voip').describe('Tuned for speech on calls, or for any sound'),
  codedRateHz: z
    .int()
    .min(8000)
    .max(48000)
    .refine((rate) => rates.includes(rate), `expected one of ${rates.join(', ')}`)
    .default(16000)
    .describe('Rate that the encoder is given, in Hz: 8000, 12000, 16000, 24000 or 48000'),
  packetSeconds: z
    .number()
    .min(0.01)
    .max(0.06)
    .refine((seconds) => packetLengths.includes(seconds), `expected one of ${packetLengths.join(', ')}`)
    .default(0.02)
    .describe('Length of a packet in seconds: 0.01, 0.02, 0.04 or 0.06'),
};
