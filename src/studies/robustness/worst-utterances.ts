import type { Example } from '../../model/finding.ts';
import type { Observation } from '../../model/observation.ts';
import type { Utterance } from '../../model/utterance.ts';
import { type EditCounts, errors } from '../../scoring/edit-counts.ts';
import { alignedTranscript, keepBest, worstStretch } from '../shared/examples.ts';
import { named } from '../shared/wording.ts';
import { type Design, isAttack } from './design.ts';

/** A recognizer that hears clean sound with at most this share of errors was good there: losing that is worth hearing. */
const goodRate = 0.1;

/** The utterances that are most worth hearing, each once in a list. */
export interface WorstUtterances {
  /** Understood clean, and lost in another condition; worst first. */
  readonly newlyBroken: readonly Example[];
  /** Most errors for their length, in any condition; worst first. */
  readonly mostErrors: readonly Example[];
}

/** Shown of each kind, and of both together. */
const most = 20;

/** Looks out for the worst utterances of a pass. */
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
  words: (text: string, language: string) => string[],
): WorstUtteranceWatch {
  const broken = keepBest<Example>(most);
  const wrongest = keepBest<Example>(most);
  return {
    see(sheet) {
      const { lost, wrong } = worstPlaces(sheet, design);
      if (lost && broken.wants(lost.rank)) broken.offer(lost.rank, exampleOf(sheet, lost.place, design, words));
      if (wrong && wrongest.wants(wrong.rank)) wrongest.offer(wrong.rank, exampleOf(sheet, wrong.place, design, words));
    },
    found() {
      const newlyBroken = broken.items();
      const already = new Set(newlyBroken.map(({ utteranceId }) => utteranceId));
      const rest = wrongest.items().filter(({ utteranceId }) => !already.has(utteranceId));
      const half = Math.max(Math.ceil(most / 2), most - rest.length);
      const first = newlyBroken.slice(0, half);
      return { newlyBroken: first, mostErrors: rest.slice(0, most - first.length) };
    },
  };
}

/** The trials of an utterance with the greatest loss against clean, and with most errors. */
function worstPlaces(sheet: UtteranceSheet, design: Design): { lost: Candidate | null; wrong: Candidate | null } {
  const { recognizers, conditions, repeats, maxDraws } = design;
  const places = placesOf(design);
  const length = sheet.reference.length;
  const errorsAt = (place: number) => (sheet.scored[place] === undefined ? null : errors(sheet.scored[place].words));
  // Errors in silence weigh like words that are all wrong.
  const rate = (count: number) => (length === 0 ? Math.min(1, count) : Math.min(1, count / length));
  let lost: Candidate | null = null;
  let wrong: Candidate | null = null;
  for (let condition = 0; condition < conditions.length; condition++) {
    // Attacks are worst of all, and each recognizer heard its own: the study adversarial shows them.
    if (isAttack(condition, design)) continue;
    for (let draw = 0; draw < maxDraws; draw++) {
      for (let repeat = 0; repeat < repeats; repeat++) {
        for (let recognizer = 0; recognizer < recognizers.length; recognizer++) {
          const place = places.of({ condition, draw, repeat, recognizer });
          const now = errorsAt(place);
          if (now === null || now === 0) continue;
          if (outranks(rate(now), now, wrong)) wrong = { rank: [rate(now), now], place };
          const before = errorsAt(places.of({ condition: 0, draw: 0, repeat, recognizer }));
          if (condition === 0 || before === null || before > goodRate * length) continue;
          const rise = rate(now) - rate(before);
          if (rise > 0 && outranks(rise, now - before, lost)) lost = { rank: [rise, now - before], place };
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
  const places = placesOf(design);
  const { condition, draw, repeat, recognizer } = places.at(place);
  const { recognizers } = design;
  const row = (label: string, observation: Observation | undefined) =>
    alignedTranscript(label, sheet.reference, observation, (text) => words(text, sheet.utterance.language));
  const of = (index: number) =>
    row(recognizers[index]!.name, sheet.observations[places.of({ condition, draw, repeat, recognizer: index })]);
  const { name } = recognizers[recognizer]!;
  const isClean = condition === 0 || condition >= design.disturbed;
  const cleanPlace = isClean ? place : places.of({ condition: 0, draw: 0, repeat, recognizer });
  const cleanObservation = sheet.observations[cleanPlace];
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

/** How a transcript differs from the reference. */
export interface ScoredTranscript {
  readonly words: EditCounts;
  readonly characters: EditCounts;
}

/** Everything that is known of one utterance, by the places of its trials. */
export interface UtteranceSheet {
  readonly utterance: Utterance;
  /** Its words. */
  readonly reference: readonly string[];
  readonly observations: (Observation | undefined)[];
  /** Of trials that were answered. */
  readonly scored: (ScoredTranscript | undefined)[];
}

/** Which trial of an utterance. */
export interface TrialPlace {
  readonly condition: number;
  readonly draw: number;
  readonly repeat: number;
  readonly recognizer: number;
}

/** Numbers for the trials of an utterance. */
export function placesOf({ recognizers: { length }, repeats, maxDraws }: Design) {
  return {
    of: ({ condition, draw, repeat, recognizer }: TrialPlace) =>
      ((condition * maxDraws + draw) * repeats + repeat) * length + recognizer,
    at(place: number): TrialPlace {
      const [sound, drawn] = [Math.floor(place / length), Math.floor(place / length / repeats)];
      const condition = Math.floor(drawn / maxDraws);
      return { condition, draw: drawn % maxDraws, repeat: sound % repeats, recognizer: place % length };
    },
  };
}
