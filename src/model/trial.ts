import type { JsonObject } from '../base/json.ts';
import type { Utterance } from './utterance.ts';

/** One perturbation with its parameters. */
export interface Step {
  /** Name of a perturbation: `gain`, `white-noise`, … */
  readonly perturbation: string;
  readonly parameters: JsonObject;
}

/** Perturbations of the clip, in order. No steps: the clean sound. */
export interface Condition {
  /** Unique in a run. `clean`, a scenario's name `<ladder>/<family>:<rank>`, or a name from the config. */
  readonly name: string;
  readonly steps: readonly Step[];
  /** For a rung of a ladder: which family it belongs to (`aequevox/noise`) and how severe it is, 1 the mildest. */
  readonly rung?: { readonly family: string; readonly rank: number; readonly label: string };
}

/** The condition in which nothing is done. */
export const clean: Condition = { name: 'clean', steps: [] };

/** One question to one recognizer. The sound depends on utterance, condition and draw alone. */
export interface Trial {
  readonly utterance: Utterance;
  readonly condition: Condition;
  /** From 0. Another draw makes the sound again with other random choices. */
  readonly draw: number;
  /** The name the recognizer has in this run. */
  readonly recognizer: string;
  /** From 0. Another repeat asks again about the same sound. */
  readonly repeat: number;
}
