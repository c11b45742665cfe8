import type { Condition } from './condition.ts';
import type { Utterance } from './utterance.ts';

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
