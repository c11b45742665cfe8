import { hashJson } from '../base/hash.ts';
import type { JsonObject } from '../base/json.ts';
import type { Step } from '../model/trial.ts';
import type { SaidText } from '../perturbations/contract.ts';
import type { ReadyCondition } from './conditions.ts';

/** The identity of a sound before anything is done to it. */
export function soundHash(identity: JsonObject): string {
  return hashJson({ sound: identity });
}

/**
 * The identity of a clip: the sound and what was done to it. Seed and draw belong to it only where a step is random,
 * so that clips without chance are the same for every seed; what was said, where a sound is made against it.
 */
export function clipHash(
  sound: string,
  condition: Pick<ReadyCondition, 'condition' | 'recipe' | 'random' | 'readsText'>,
  draw: number,
  seed: number,
  { reference, language }: SaidText,
): string {
  if (condition.condition.steps.length === 0) return sound;
  return hashJson({
    sound,
    steps: condition.recipe,
    chance: condition.random ? { seed, draw } : null,
    ...(condition.readsText && { said: { reference: reference ?? null, language } }),
  });
}

/** What a step's random numbers are seeded from: order, workers and recognizers cannot change what is heard. */
export function stepSeed(seed: number, sound: string, position: number, step: Step, draw: number): JsonObject {
  return { seed, sound, position, step: step.perturbation, parameters: step.parameters, draw };
}

/** The key of a trial whose recognizer hears a sound. */
export function heardKey(recognizer: string, clip: string, language: string, repeat: number): string {
  return hashJson({ recognizer, clip, language, repeat });
}

/** The key of a trial whose recognizer knows only names. */
export function namedKey(
  recognizer: string,
  utteranceId: string,
  conditionName: string,
  language: string,
  repeat: number,
): string {
  return hashJson({ recognizer, utteranceId, conditionName, language, repeat });
}

/** The key of a question whose sound cannot even be identified: never the key of an answer. */
export function unreadableKey(
  runId: string,
  utteranceId: string,
  conditionName: string,
  recognizer: string | null,
): string {
  return hashJson({ unreadable: utteranceId, runId, conditionName, recognizer });
}
