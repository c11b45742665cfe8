import type { Example } from '../../model/finding.ts';
import type { Observation } from '../../model/observation.ts';
import type { Utterance } from '../../model/utterance.ts';
import { alignedTranscript, keepBest, worstStretch } from '../shared/examples.ts';
import { named } from '../shared/wording.ts';
import type { Design } from './design.ts';

/** A recognizer that hears clean sound with at most this share of errors was good there: losing that is worth hearing. */
const goodRate = 0.1;

/** The utterances that are most worth hearing, each once in a list. */
export interface WorstUtterances {
  /** Understood clean, and lost in another condition; worst first. */
  readonly newlyBroken: readonly Example[];
  /** Most errors for their length, in any condition; worst first. */
  readonly mostErrors: readonly Example[];
}

/** Looks out for the worst utterances of a pass, `most` of each kind at a time. */
export interface WorstUtteranceWatch {
  see(sheet: UtteranceSheet): void;
  /** `most` together: those newly broken come first, but leave half the room to the others if these need it. */
  found(): WorstUtterances;
}

interface Candidate {
  readonly rank: readonly number[];
  readonly place: number;
}

/** Watches for utterances that lost most words from clean sound; memory follows how many are wanted. */
export function watchWorstUtterances(
  design: Design,
  most: number,
  words: (text: string, language: string) => string[],
): WorstUtteranceWatch {
  const broken = keepBest<Example>(most);
  const errors = keepBest<Example>(most);
  return {
    see(sheet) {
      const { lost, wrong } = worstPlaces(sheet, design);
      if (lost && broken.wants(lost.rank)) broken.offer(lost.rank, exampleOf(sheet, lost.place, design, words));
      if (wrong && errors.wants(wrong.rank)) errors.offer(wrong.rank, exampleOf(sheet, wrong.place, design, words));
    },
    found() {
      const newlyBroken = broken.items();
      const already = new Set(newlyBroken.map(({ utteranceId }) => utteranceId));
      const rest = errors.items().filter(({ utteranceId }) => !already.has(utteranceId));
      const half = Math.max(Math.ceil(most / 2), most - rest.length);
      const first = newlyBroken.slice(0, half);
      return { newlyBroken: first, mostErrors: rest.slice(0, most - first.length) };
    },
  };
}

/** The trials of an utterance with the greatest loss against clean, and with most errors. */
function worstPlaces(sheet: UtteranceSheet, design: Design): { lost: Candidate | null; wrong: Candidate | null } {
  const { recognizers, conditions, repeats, maxDraws } = design;
  const length = sheet.reference.length;
  // Errors in silence weigh like words that are all wrong.
  const rate = (errors: number) => (length === 0 ? Math.min(1, errors) : Math.min(1, errors / length));
  let lost: Candidate | null = null;
  let wrong: Candidate | null = null;
  for (let condition = 0; condition < conditions.length; condition++) {
    // Attacks are worst of all, and each recognizer heard its own: the study adversarial shows them.
    if (condition >= design.unattacked && condition < design.disturbed) continue;
    for (let draw = 0; draw < maxDraws; draw++) {
      for (let repeat = 0; repeat < repeats; repeat++) {
        for (let recognizer = 0; recognizer < recognizers.length; recognizer++) {
          const place = sheet.place(condition, draw, repeat, recognizer);
          const errors = sheet.errors[place]!;
          if (sheet.states[place] !== answered || errors === 0) continue;
          if (outranks(rate(errors), errors, wrong)) wrong = { rank: [rate(errors), errors], place };
          const cleanPlace = sheet.place(0, 0, repeat, recognizer);
          const before = sheet.errors[cleanPlace]!;
          if (condition === 0 || sheet.states[cleanPlace] !== answered || before > goodRate * length) continue;
          const rise = rate(errors) - rate(before);
          if (rise > 0 && outranks(rise, errors - before, lost)) lost = { rank: [rise, errors - before], place };
        }
      }
    }
  }
  return { lost, wrong };
}

function outranks(rate: number, errors: number, before: Candidate | null): boolean {
  return before === null || rate > before.rank[0]! || (rate === before.rank[0] && errors > before.rank[1]!);
}

function exampleOf(
  sheet: UtteranceSheet,
  place: number,
  design: Design,
  words: (text: string, language: string) => string[],
): Example {
  const { condition, draw, repeat, recognizer } = sheet.whatIsAt(place);
  const { recognizers } = design;
  const row = (label: string, observation: Observation | undefined) =>
    alignedTranscript(label, sheet.reference, observation, (text) => words(text, sheet.utterance.language));
  const of = (index: number) =>
    row(recognizers[index]!.name, sheet.observations[sheet.place(condition, draw, repeat, index)]);
  const { name } = recognizers[recognizer]!;
  const isClean = condition === 0 || condition >= design.disturbed;
  const cleanObservation = sheet.observations[isClean ? place : sheet.place(0, 0, repeat, recognizer)];
  const worst = of(recognizer);
  const others = recognizers.flatMap((_, index) => (index === recognizer ? [] : [of(index)]));
  const clean = isClean ? [] : [row(`${name}, clean`, cleanObservation)];
  const startSeconds = worstStretch(worst.aligned ?? [], cleanObservation?.soundSeconds ?? null);
  const { id, speaker }: Utterance = sheet.utterance;
  return {
    title: `${named(id)}${speaker === undefined ? '' : `, speaker ${named(speaker)}`}: ${named(name)}`,
    utteranceId: id,
    conditionName: design.asked(condition, recognizer).name,
    draw,
    transcripts: [...clean, worst, ...others],
    ...(startSeconds === undefined ? {} : { startSeconds }),
  };
}

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
  const { repeats, maxDraws, conditions } = design;
  const recognizers = design.recognizers.length;
  const places = conditions.length * maxDraws * repeats * recognizers;
  return {
    utterance: first,
    reference: firstReference,
    states: new Uint8Array(places),
    errors: new Int32Array(places),
    observations: new Array(places).fill(undefined),
    place: (condition, draw, repeat, recognizer) =>
      ((condition * maxDraws + draw) * repeats + repeat) * recognizers + recognizer,
    whatIsAt(place) {
      const recognizer = place % recognizers;
      const sound = (place - recognizer) / recognizers;
      const repeat = sound % repeats;
      const drawn = (sound - repeat) / repeats;
      const draw = drawn % maxDraws;
      return { condition: (drawn - draw) / maxDraws, draw, repeat, recognizer };
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
