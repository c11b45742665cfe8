import type { Clip } from '../../audio/clip.ts';
import { fromPcm16, toPcm16 } from '../../audio/codecs/pcm16.ts';
import type { JsonObject } from '../../base/json.ts';
import type { Perturbed } from '../contract.ts';
import { fromRate, toRate } from './at-rate.ts';

/** A codec of integers and the rate it works at. */
export interface IntegerCodec {
  readonly rateHz: number;
  /** There and back: as many samples, without delay. */
  code(integers: Int16Array): Int16Array;
  /** What is to be said of it. */
  readonly facts: JsonObject;
}

/** A clip resampled to the rate of a codec, rounded to 16 bits, coded, decoded, and brought back to its own rate. */
export function throughCodec(perturbation: string, clip: Clip, { rateHz, code, facts }: IntegerCodec): Perturbed {
  const { integers, saturatedSamples } = toPcm16(toRate(perturbation, clip, rateHz).samples);
  const coded = { samples: fromPcm16(code(integers)), sampleRate: rateHz };
  return { clip: fromRate(coded, clip), facts: { codedRateHz: rateHz, ...facts, saturatedSamples } };
}
