import type { Clip } from '../../audio/clip.ts';
import { fromPcm16, toPcm16 } from '../../audio/codecs/pcm16.ts';
import type { SoundCodec } from '../../audio/codecs/sound-codec.ts';
import type { JsonObject } from '../../base/json.ts';
import type { Perturbed } from '../contract.ts';
import { fromRate, toRate } from './at-rate.ts';

/** A clip resampled to a rate that a codec knows, limited to full scale, coded, decoded, and brought back to its own rate. */
export async function throughSoundCodec<Settings>(
  perturbation: string,
  clip: Clip,
  { codec, rateHz, settings }: { codec: SoundCodec<Settings>; rateHz: number; settings: Settings },
): Promise<Perturbed> {
  const { samples, saturatedSamples } = limited(toRate(perturbation, clip, rateHz).samples);
  const seconds = samples.length / rateHz;
  const facts = (encodedBytes: number, delaySamples: number): JsonObject => ({
    codedRateHz: rateHz,
    encodedBytes,
    achievedKilobitsPerSecond: seconds === 0 ? null : Number(((8 * encodedBytes) / seconds / 1000).toFixed(3)),
    compensatedDelaySeconds: delaySamples / rateHz,
    saturatedSamples,
  });
  if (samples.length === 0) {
    return { clip: fromRate({ samples, sampleRate: rateHz }, clip), facts: facts(0, 0) };
  }
  const coded = await codec.code({ samples, sampleRate: rateHz }, settings);
  return {
    clip: fromRate({ samples: coded.samples, sampleRate: rateHz }, clip),
    facts: facts(coded.encodedBytes, coded.delaySamples),
  };
}

function limited(samples: Float32Array): { readonly samples: Float32Array; readonly saturatedSamples: number } {
  const within = new Float32Array(samples.length);
  let saturatedSamples = 0;
  for (let n = 0; n < within.length; n++) {
    const sample = samples[n]!;
    if (sample > 1 || sample < -1) saturatedSamples++;
    within[n] = sample > 1 ? 1 : sample < -1 ? -1 : sample;
  }
  return { samples: within, saturatedSamples };
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
  const { integers, saturatedSamples } = toPcm16(toRate(perturbation, clip, rateHz).samples);
  const coded = { samples: fromPcm16(code(integers)), sampleRate: rateHz };
  return { clip: fromRate(coded, clip), facts: { codedRateHz: rateHz, ...facts, saturatedSamples } };
}
