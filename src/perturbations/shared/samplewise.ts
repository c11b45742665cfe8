import type { Clip } from '../../audio/clip.ts';
import { changeSamples, type SampleChange } from '../../audio/samplewise.ts';
import type { JsonObject } from '../../base/json.ts';
import type { Perturbation, Perturbed } from '../contract.ts';

/** What a step does to every sample on its own: several such steps in a row are one pass. */
export interface SamplewiseStep {
  readonly change: SampleChange;
  /** @param told what the change tells */
  facts(told: number, samples: number): JsonObject;
}

/** Null where it takes a look at the whole clip first, and none is given. */
type StepOf<Parameters> = (parameters: Parameters, clip: Clip | null) => SamplewiseStep | null;

const known = new WeakMap<object, StepOf<never>>();

/** The `apply` of a perturbation that changes every sample on its own. */
export function samplewise<Parameters>(stepOf: StepOf<Parameters>): (clip: Clip, parameters: Parameters) => Perturbed {
  const apply = (clip: Clip, parameters: Parameters): Perturbed => {
    const { change, facts } = stepOf(parameters, clip)!;
    const { samples, told } = changeSamples(clip.samples, [change]);
    return { clip: { samples, sampleRate: clip.sampleRate }, facts: facts(told[0]!, samples.length) };
  };
  known.set(apply, stepOf);
  return apply;
}

/** As such a step, where it is one; null where it is none, or needs a clip and has none. */
export function samplewiseStep(
  { apply }: Perturbation,
  parameters: JsonObject,
  clip: Clip | null,
): SamplewiseStep | null {
  return (known.get(apply) as StepOf<JsonObject> | undefined)?.(parameters, clip) ?? null;
}
