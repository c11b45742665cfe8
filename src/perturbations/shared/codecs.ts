import type { z } from 'zod';
import { type Clip, fitLength } from '../../audio/clip.ts';
import { fromPcm16, toPcm16 } from '../../audio/codecs/integers.ts';
import type { SoundCodec } from '../../audio/codecs/sound-codec.ts';
import { releaseSamples } from '../../audio/kept-samples.ts';
import { resample } from '../../audio/resample.ts';
import { changeSamples, limiting } from '../../audio/samplewise.ts';
import { badInput, InapplicableStep } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json.ts';
import { between, oneOf, orNull, whole } from '../../base/option-kinds.ts';
import type { Random } from '../../base/random.ts';
import type { Perturbed } from '../contract.ts';

/** Rates that can be taken to a codec's: from a twelfth of the telephone's to 16 times 48 kHz. */
const slowest = 500;
const fastest = 768_000;

/** The clip at the rate of a codec. The same clip where it has that rate already. */
export function toRate(perturbation: string, clip: Clip, rateHz: number): Clip {
  const { sampleRate } = clip;
  if (!(sampleRate >= slowest && sampleRate <= fastest)) {
    throw new InapplicableStep(
      `${perturbation}: expected a clip of ${slowest} to ${fastest} samples per second, but it has ${sampleRate}; resample it first`,
    );
  }
  return resample(clip, rateHz);
}

/**
 * Back from the rate of a codec: the rate and length of the clip that was given, so that times stay what they are.
 *
 * @param coded of the length that `toRate` gave
 */
export function fromRate(coded: Clip, original: Clip): Clip {
  const { samples } = resample(coded, original.sampleRate);
  const { length } = original.samples;
  if (samples !== coded.samples) releaseSamples(coded.samples);
  // Rounded twice, the length may be off by half a sample of the slower rate.
  return {
    samples: samples.length === length ? samples : fitLength(samples, length),
    sampleRate: original.sampleRate,
  };
}

/** A clip resampled to a rate that a codec knows, limited to full scale, coded, decoded, and brought back to its own rate. */
export async function throughSoundCodec<Settings>(
  perturbation: string,
  clip: Clip,
  { codec, rateHz, settings }: { codec: SoundCodec<Settings>; rateHz: number; settings: Settings },
): Promise<Perturbed> {
  const { samples, told } = changeSamples(toRate(perturbation, clip, rateHz).samples, [limiting(1)]);
  const seconds = samples.length / rateHz;
  const facts = (encodedBytes: number, delaySamples: number): JsonObject => ({
    codedRateHz: rateHz,
    encodedBytes,
    achievedKilobitsPerSecond: seconds === 0 ? null : Number(((8 * encodedBytes) / seconds / 1000).toFixed(3)),
    compensatedDelaySeconds: delaySamples / rateHz,
    saturatedSamples: told[0]!,
  });
  if (samples.length === 0) return { clip: fromRate({ samples, sampleRate: rateHz }, clip), facts: facts(0, 0) };
  const coded = await codec.code({ samples, sampleRate: rateHz }, settings);
  return {
    clip: fromRate({ samples: coded.samples, sampleRate: rateHz }, clip),
    facts: facts(coded.encodedBytes, coded.delaySamples),
  };
}

/** A codec of integers and the rate it works at. */
interface IntegerCodec {
  readonly rateHz: number;
  /** There and back: as many samples, without delay. */
  code(integers: Int16Array): Int16Array;
  /** What is to be said of it. */
  readonly facts: JsonObject;
}

/** A clip resampled to the rate of a codec, rounded to 16 bits, coded, decoded, and brought back to its own rate. */
export function throughCodec(perturbation: string, clip: Clip, { rateHz, code, facts }: IntegerCodec): Perturbed {
  const { samples } = toRate(perturbation, clip, rateHz);
  const { integers, saturatedSamples } = toPcm16(samples);
  if (samples !== clip.samples) releaseSamples(samples);
  const decoded = code(integers);
  const coded = { samples: fromPcm16(decoded), sampleRate: rateHz };
  releaseSamples(integers);
  releaseSamples(decoded);
  return { clip: fromRate(coded, clip), facts: { codedRateHz: rateHz, ...facts, saturatedSamples } };
}

const rates = [8000, 12000, 16000, 24000, 48000];
const packetLengths = [0.01, 0.02, 0.04, 0.06];

/** What an Opus encoder is told. */
export const opusParameters = {
  kilobitsPerSecond: between(6, 256).describe('Rate aimed at, in kbit/s; what is achieved varies with the sound'),
  application: oneOf(['voip', 'audio']).default('voip').describe('Tuned for speech on calls, or for any sound'),
  codedRateHz: whole(8000, 48000)
    .refine((rate) => rates.includes(rate), `expected one of ${rates.join(', ')}`)
    .default(16000)
    .describe('Rate that the encoder is given, in Hz: 8000, 12000, 16000, 24000 or 48000'),
  packetSeconds: between(0.01, 0.06)
    .refine((seconds) => packetLengths.includes(seconds), `expected one of ${packetLengths.join(', ')}`)
    .default(0.02)
    .describe('Length of a packet in seconds: 0.01, 0.02, 0.04 or 0.06'),
};

/** How packets are lost. */
export const lossParameters = {
  lossShare: between(0, 0.95).describe('Share of the packets that is lost, on average'),
  meanBurstPackets: orNull(between(1, 1000)).describe(
    'Packets lost in a row, on average; null for losses that know nothing of each other',
  ),
};

type LossParameters = z.output<z.ZodObject<typeof lossParameters>>;

/**
 * Which packets are lost: Gilbert's model (Gilbert 1960, with nothing lost in the good state and everything in the bad one;
 * Elliott 1963 allows more). A chain of two states, stationary from the first packet on: bursts are geometric with the mean
 * asked for, gaps between them such that the share comes out.
 *
 * @returns for each packet 1 where it is lost
 * @throws EarwitnessError `bad-input` where bursts so short cannot lose so many, as between two bursts one packet arrives
 */
export function losePackets(
  perturbation: string,
  packets: number,
  { lossShare, meanBurstPackets }: LossParameters,
  random: Random,
): Uint8Array {
  const lost = new Uint8Array(packets);
  const ending = meanBurstPackets === null ? 1 - lossShare : 1 / meanBurstPackets;
  const beginning = (ending * lossShare) / (1 - lossShare);
  // A billionth more, because shares such as 2/3 are not exact.
  if (beginning > 1 + 1e-9) {
    throw badInput(
      `${perturbation}: expected bursts of at least ${(lossShare / (1 - lossShare)).toFixed(3)} packets on average to lose a share of ${lossShare}, but meanBurstPackets is ${meanBurstPackets}; raise it, or set it to null`,
    );
  }
  let bad = random.next() < lossShare;
  for (let packet = 0; packet < packets; packet++) {
    if (bad) lost[packet] = 1;
    bad = bad ? random.next() >= ending : random.next() < beginning;
  }
  return lost;
}

/** What became of the packets, measured. */
export function lossFacts(lost: Uint8Array, packetSeconds: number): JsonObject {
  let lostPackets = 0;
  let bursts = 0;
  let longest = 0;
  let current = 0;
  for (let packet = 0; packet < lost.length; packet++) {
    if (lost[packet] === 0) {
      current = 0;
      continue;
    }
    lostPackets++;
    current++;
    if (current === 1) bursts++;
    if (current > longest) longest = current;
  }
  return {
    packets: lost.length,
    lostPackets,
    achievedLossShare: lost.length === 0 ? null : lostPackets / lost.length,
    bursts,
    achievedBurstPackets: bursts === 0 ? null : lostPackets / bursts,
    longestGapSeconds: Number((longest * packetSeconds).toFixed(6)),
  };
}
