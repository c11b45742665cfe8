import type { Clip } from '../audio/clip.ts';
import type { JsonObject } from '../base/json.ts';
import type { Random } from '../base/random.ts';
import type { Step } from '../model/condition.ts';
import type { Perturbation, TimeMap } from './contract.ts';
import { composeTimeMaps } from './time-map.ts';

/** What a list of steps made of a clip. */
export interface AppliedSteps {
  readonly clip: Clip;
  /** What each step says of what it did, in order; each begins with the name of its perturbation. */
  readonly facts: readonly JsonObject[];
  /** From times in the changed sound to times in the one given; null where times are unchanged. */
  readonly timeMap: TimeMap | null;
}

/** What steps need from outside. Both are asked by the position of the step in the list, from 0. */
export interface StepServices {
  perturbation(name: string, position: number): Perturbation;
  /** A generator of this step's own. */
  randomFor(position: number): Random;
}

/**
 * Applies steps one after the other. The clip given is not changed.
 *
 * @param steps with parameters as `parseSteps` gave them
 * @throws EarwitnessError `bad-input` where a step cannot be done to this sound
 * @example
 * applySteps(clip, [{ perturbation: 'gain', parameters: { factor: 0.5 } }], {
 *   perturbation: () => gain,
 *   randomFor: (position) => createRandom({ seed: 7, position }),
 * });
 */
export function applySteps(clip: Clip, steps: readonly Step[], services: StepServices): AppliedSteps {
  let changed = clip;
  let timeMap: TimeMap | null = null;
  const facts: JsonObject[] = [];
  for (const [position, { perturbation: name, parameters }] of steps.entries()) {
    const perturbation = services.perturbation(name, position);
    const result = perturbation.apply(changed, parameters, { random: services.randomFor(position) });
    changed = result.clip;
    facts.push({ perturbation: perturbation.name, ...result.facts });
    if (result.timeMap) timeMap = timeMap === null ? result.timeMap : composeTimeMaps(timeMap, result.timeMap);
  }
  return { clip: changed, facts, timeMap };
}
