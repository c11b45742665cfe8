import type { Observation } from '../../model/observation.ts';
import type { Utterance } from '../../model/utterance.ts';
import type { Design } from './design.ts';

/** What is known of one utterance: its clean recognitions and those of its changed clips. Wiped for the next one. */
export interface CaseSheet {
  utterance: Utterance;
  /** Of the utterance in the corpus. */
  number: number;
  clean(recognizer: number, repeat: number): Observation | undefined;
  followUp(condition: number, draw: number, recognizer: number): Observation | undefined;
  setClean(recognizer: number, repeat: number, observation: Observation): void;
  setFollowUp(condition: number, draw: number, recognizer: number, observation: Observation): void;
  wipe(utterance: Utterance): void;
}

/** An empty sheet for the first utterance; wiped for the next ones. */
export function createCaseSheet(design: Design, first: Utterance): CaseSheet {
  const { recognitions, mostDraws } = design;
  const recognizers = design.recognizers.length;
  const clean = new Array<Observation | undefined>(recognitions * recognizers).fill(undefined);
  const followUps = new Array<Observation | undefined>(design.conditions.length * mostDraws * recognizers).fill(
    undefined,
  );
  const cleanPlace = (recognizer: number, repeat: number) => repeat * recognizers + recognizer;
  const place = (condition: number, draw: number, recognizer: number) =>
    (condition * mostDraws + draw) * recognizers + recognizer;
  return {
    utterance: first,
    number: 0,
    clean: (recognizer, repeat) => clean[cleanPlace(recognizer, repeat)],
    followUp: (condition, draw, recognizer) => followUps[place(condition, draw, recognizer)],
    setClean(recognizer, repeat, observation) {
      clean[cleanPlace(recognizer, repeat)] = observation;
    },
    setFollowUp(condition, draw, recognizer, observation) {
      followUps[place(condition, draw, recognizer)] = observation;
    },
    wipe(utterance) {
      this.utterance = utterance;
      this.number++;
      clean.fill(undefined);
      followUps.fill(undefined);
    },
  };
}
