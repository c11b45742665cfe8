import type { Clip } from '../audio/clip.ts';
import { releaseSamples } from '../audio/kept-samples.ts';
import { allFinite, changeSamples } from '../audio/samplewise.ts';
import { badInput } from '../base/errors.ts';
import type { JsonObject } from '../base/json.ts';
import { printable } from '../base/printable.ts';
import type { Random } from '../base/random.ts';
import type { Step } from '../model/trial.ts';
import type { AssetServices, Perturbation, PerturbationServices, Prepared, TimeMap } from './contract.ts';
import { type SamplewiseStep, samplewiseStep } from './shared/samplewise.ts';

/** What a list of steps made of a clip. */
export interface AppliedSteps {
  readonly clip: Clip;
  /** What each step says of what it did, in order; each begins with the name of its perturbation. */
  readonly facts: readonly JsonObject[];
  /** From times in the changed sound to times in the one given; null where times are unchanged. */
  readonly timeMap: TimeMap | null;
}

/** A perturbation, ready for one step. */
export interface ReadyStep {
  readonly perturbation: Perturbation;
  /** What its `prepare` gave; null where it has none. */
  readonly prepared: Prepared<unknown> | null;
}

/** What steps need from outside. Both are asked by the position of the step in the list, from 0. */
export interface StepServices {
  ready(position: number): ReadyStep;
  /** A generator of this step's own. */
  randomFor(position: number): Random;
  /** What else a step is given, if anything. */
  othersFor?(position: number): Pick<PerturbationServices, 'said' | 'speaker' | 'checkpoint' | 'told' | 'signal'>;
}

/** Opens what a step needs besides the clip. */
export async function readyStep(
  perturbation: Perturbation,
  parameters: JsonObject,
  services: AssetServices,
): Promise<ReadyStep> {
  return { perturbation, prepared: (await perturbation.prepare?.(parameters, services)) ?? null };
}

/** What the seed of a step's random numbers holds of its parameters: what keys hold, but for those that draws do not depend on. */
export function seededParameters(perturbation: Perturbation, parameters: JsonObject): JsonObject {
  const without = perturbation.drawnWithout?.(parameters) ?? [];
  const keyed = Object.entries(keyedParameters(perturbation, parameters));
  return Object.fromEntries(keyed.filter(([name]) => !without.includes(name)));
}

/** What keys hold of a step's parameters: all but the names of assets, which are known by what they are. */
export function keyedParameters(
  { assetParameters = [] }: Pick<Perturbation, 'assetParameters'>,
  parameters: JsonObject,
): JsonObject {
  return Object.fromEntries(Object.entries(parameters).filter(([name]) => !assetParameters.includes(name)));
}

/**
 * Applies steps one after the other. The clip given is not changed; where there are steps, what comes back shares no memory
 * with it. Sounds in between are given back.
 *
 * @param steps with parameters as `parseSteps` gave them
 * @throws EarwitnessError `bad-input` where a step cannot be done to this sound, or gives none: no samples, NaN, infinite ones
 * @example
 * await applySteps(clip, [{ perturbation: 'gain', parameters: { factor: 0.5 } }], {
 *   ready: () => ({ perturbation: gain, prepared: null }),
 *   randomFor: (position) => createRandom({ seed: 7, position }),
 * });
 */
export async function applySteps(clip: Clip, steps: readonly Step[], services: StepServices): Promise<AppliedSteps> {
  let changed = clip;
  let timeMap: TimeMap | null = null;
  const facts: JsonObject[] = [];
  const isOwn = () => changed.samples.buffer !== clip.samples.buffer;
  while (facts.length < steps.length) {
    const position = facts.length;
    const step = steps[position]!;
    const together = samplewiseFrom(position, changed, steps, services);
    if (together.length > 0) {
      const changes = together.map(({ change }) => change);
      const { samples, told, finite } = changeSamples(changed.samples, changes, isOwn() ? changed.samples : undefined);
      changed = { samples, sampleRate: changed.sampleRate };
      checkSound(changed, step.perturbation, finite);
      facts.push(
        ...together.map(({ name, facts }, place) => ({ perturbation: name, ...facts(told[place]!, samples.length) })),
      );
      continue;
    }
    const { perturbation, prepared } = services.ready(position);
    const result = await perturbation.apply(changed, step.parameters, {
      ...services.othersFor?.(position),
      random: services.randomFor(position),
      assets: prepared?.assets,
    });
    checkSound(result.clip, step.perturbation, result.clip.samples === changed.samples || result.finite);
    if (isOwn() && changed.samples.buffer !== result.clip.samples.buffer) releaseSamples(changed.samples);
    changed = result.clip;
    const { name, adversarial } = perturbation;
    facts.push({ perturbation: name, ...(adversarial && { adversarial }), ...result.facts });
    if (result.timeMap) timeMap = timeMap === null ? result.timeMap : composeTimeMaps(timeMap, result.timeMap);
  }
  if (steps.length > 0 && !isOwn()) {
    // Nothing was changed, or some module of the user's own gives back what it was given.
    const { samples, finite } = changeSamples(changed.samples, []);
    changed = { ...changed, samples };
    checkSound(changed, steps[0]!.perturbation, finite);
  }
  return { clip: changed, facts, timeMap };
}

/** The steps from a position on that change every sample on its own: only the first can look at the whole clip before. */
function samplewiseFrom(position: number, clip: Clip, steps: readonly Step[], { ready }: StepServices) {
  const together: (SamplewiseStep & { readonly name: string })[] = [];
  for (let place = position; place < steps.length; place++) {
    const { perturbation } = ready(place);
    const step = samplewiseStep(perturbation, steps[place]!.parameters, place === position ? clip : null);
    if (step === null) break;
    together.push({ ...step, name: perturbation.name });
  }
  return together;
}

/** What is no sound would be scored as one. */
function checkSound({ samples, sampleRate }: Clip, perturbation: string, finite = allFinite(samples)): void {
  const fail = (came: string) =>
    badInput(`${printable(perturbation, 200)}: expected a sound from this perturbation, but got ${came}`);
  if (samples.length === 0) throw fail('one without samples');
  if (!(sampleRate > 0 && sampleRate < Number.POSITIVE_INFINITY))
    throw fail(`one with a sample rate of ${sampleRate} Hz`);
  if (finite) return;
  const index = samples.findIndex((sample) => !Number.isFinite(sample));
  throw fail(`${samples[index]} as sample ${index}`);
}

/**
 * The time in the sound before to which a time in the changed sound belongs. Times outside of the map belong to its ends.
 *
 * @example originalTime([[0, 0], [2, 1]], 1.5) // 0.75: the sound was played at half the speed
 */
export function originalTime(timeMap: TimeMap, heardSeconds: number): number {
  return interpolate(timeMap, heardSeconds, 0, 1);
}

/**
 * One map for two changes made one after the other.
 *
 * @param earlier of the change made first
 * @param later of the change made to what that gave
 */
export function composeTimeMaps(earlier: TimeMap, later: TimeMap): TimeMap {
  const corners = [
    ...later.map(([heard]) => heard),
    ...earlier.map(([between]) => interpolate(later, between, 1, 0)),
  ].sort((first, second) => first - second);
  const distinct = corners.filter((heard, index) => index === 0 || heard > corners[index - 1]!);
  return distinct.map((heard) => [heard, originalTime(earlier, originalTime(later, heard))]);
}

/** Reads the map as a piecewise linear function from one side of its pairs to the other. */
function interpolate(timeMap: TimeMap, value: number, from: 0 | 1, to: 0 | 1): number {
  const first = timeMap[0];
  const last = timeMap.at(-1);
  if (!first || !last) return value;
  if (value <= first[from]) return first[to];
  for (let index = 1; index < timeMap.length; index++) {
    const left = timeMap[index - 1]!;
    const right = timeMap[index]!;
    if (value > right[from]) continue;
    const share = (value - left[from]) / (right[from] - left[from]);
    return left[to] + share * (right[to] - left[to]);
  }
  return last[to];
}
