import type { Observation } from '../../model/observation.ts';
import type { Utterance } from '../../model/utterance.ts';
import type { Design } from './design.ts';

export const answered = 1;
export const failed = 2;
/** Answered or not, it does not count: the gate found its sound not valid. */
export const leftOut = 3;

/** Everything that is known of one utterance, by condition, draw, repeat and recognizer. Wiped clean for the next one. */
export interface UtteranceSheet {
  utterance: Utterance;
  /** Its words. */
  reference: readonly string[];
  /** 0: not asked. */
  readonly states: Uint8Array;
  readonly errors: Int32Array;
  readonly observations: (Observation | undefined)[];
  place(condition: number, draw: number, repeat: number, recognizer: number): number;
  whatIsAt(place: number): { condition: number; draw: number; repeat: number; recognizer: number };
  wipe(utterance: Utterance, reference: readonly string[]): void;
}

/** An empty sheet for the first utterance; wiped for the next ones. */
export function createUtteranceSheet(
  design: Design,
  first: Utterance,
  firstReference: readonly string[],
): UtteranceSheet {
  const { repeats, mostDraws, conditions } = design;
  const recognizers = design.recognizers.length;
  const places = conditions.length * mostDraws * repeats * recognizers;
  return {
    utterance: first,
    reference: firstReference,
    states: new Uint8Array(places),
    errors: new Int32Array(places),
    observations: new Array(places).fill(undefined),
    place: (condition, draw, repeat, recognizer) =>
      ((condition * mostDraws + draw) * repeats + repeat) * recognizers + recognizer,
    whatIsAt(place) {
      const recognizer = place % recognizers;
      const sound = (place - recognizer) / recognizers;
      const repeat = sound % repeats;
      const drawn = (sound - repeat) / repeats;
      const draw = drawn % mostDraws;
      return { condition: (drawn - draw) / mostDraws, draw, repeat, recognizer };
    },
    wipe(utterance, reference) {
      this.utterance = utterance;
      this.reference = reference;
      this.states.fill(0);
      this.errors.fill(0);
      this.observations.fill(undefined);
    },
  };
}
