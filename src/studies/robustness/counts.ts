import type { Failure, Observation } from '../../model/observation.ts';
import type { Utterance } from '../../model/utterance.ts';
import { type EditCounts, errors, referenceLength } from '../../scoring/edit-counts.ts';
import { FailureCounts } from '../shared/failure-counts.ts';
import { SlicedCounts } from '../shared/sliced-counts.ts';
import { addSheet } from './add-sheet.ts';
import type { Design } from './design.ts';
import type { RobustnessOptions } from './options.ts';
import { numberSeries, type Series } from './series.ts';
import { answered, createUtteranceSheet, failed, leftOut, type UtteranceSheet } from './utterance-sheet.ts';

/** Errors and words, counted in one pass; their size follows recognizers, conditions, draws and speakers. */
export interface Counts {
  readonly slices: SlicedCounts;
  /** The same by data set, with the same numbers for speakers. */
  readonly datasets: readonly SlicedCounts[];
  /** Errors and words of one draw of a condition, over all utterances; by `series.words`. */
  drawn(place: number, draw: number): { readonly errors: number; readonly words: number };
  readonly series: Series;
  /** By `series.words`. */
  readonly trials: FailureCounts;
  /** By `series.words`: how the words came out. */
  edits(place: number): EditCounts;
}

/** Which trial of the utterance in hand. */
export interface TrialPlace {
  readonly condition: number;
  readonly draw: number;
  readonly repeat: number;
  readonly recognizer: number;
}

/** How a transcript differs from the reference. */
export interface ScoredTranscript {
  readonly words: EditCounts;
  readonly characters: EditCounts;
}

/** Counts trials as they come, utterance by utterance. */
export interface Counting {
  readonly counts: Counts;
  /** What is added from here on belongs to this utterance. */
  enter(utterance: Utterance, reference: readonly string[]): void;
  add(trial: TrialPlace, observation: Observation, scored: ScoredTranscript): void;
  addFailure(trial: TrialPlace, observation: Observation, failure: Failure): void;
  /** The trial is not to count: neither it nor, in comparisons, what it would be compared with. */
  leaveOut(trial: TrialPlace): void;
  /** All of the utterance was added. Gives what is known of it, until the next one is entered; null where there is none. */
  leave(): UtteranceSheet | null;
}

/** Counts that are empty; their size is known from the design. */
export function openCounting(design: Design, options: Pick<RobustnessOptions, 'groupBy'>): Counting {
  const { recognizers, conditions, survey, mostDraws } = design;
  const places = recognizers.length * conditions.length;
  const series = numberSeries(recognizers.length, conditions.length);
  const slices = new SlicedCounts(options.groupBy);
  const datasets =
    survey.datasets.length < 2
      ? [slices]
      : survey.datasets.map(() => new SlicedCounts(options.groupBy, slices.clusters));
  /** Errors and words by place and draw. */
  const drawn = new Float64Array(2 * places * mostDraws);
  const trials = new FailureCounts(places);
  /** Correct, substituted, deleted, inserted by place. */
  const edits = new Float64Array(4 * places);
  let sheet: UtteranceSheet | null = null;
  /** Where the utterance in hand is counted. */
  let counted: readonly SlicedCounts[] = [slices];
  const note = (at: TrialPlace, state: number): number => {
    const place = sheet!.place(at.condition, at.draw, at.repeat, at.recognizer);
    sheet!.states[place] = state;
    return place;
  };
  return {
    counts: {
      slices,
      datasets,
      drawn: (place, draw) => {
        const start = 2 * (place * mostDraws + draw);
        return { errors: drawn[start]!, words: drawn[start + 1]! };
      },
      series,
      trials,
      edits: (place) => ({
        correct: edits[4 * place]!,
        substitutions: edits[4 * place + 1]!,
        deletions: edits[4 * place + 2]!,
        insertions: edits[4 * place + 3]!,
      }),
    },
    enter(utterance, reference) {
      const dataset = datasets[survey.datasetOf(utterance)]!;
      counted = dataset === slices ? [slices] : [slices, dataset];
      for (const counts of counted) counts.enter(utterance);
      if (sheet === null) sheet = createUtteranceSheet(design, utterance, reference);
      else sheet.wipe(utterance, reference);
    },
    add(at, observation, { words, characters }) {
      const place = note(at, answered);
      const wordErrors = errors(words);
      sheet!.observations[place] = observation;
      sheet!.errors[place] = wordErrors;
      const total = series.words(at.recognizer, at.condition);
      trials.addAnswer(total);
      edits[4 * total]! += words.correct;
      edits[4 * total + 1]! += words.substitutions;
      edits[4 * total + 2]! += words.deletions;
      edits[4 * total + 3]! += words.insertions;
      const drawPlace = 2 * (total * mostDraws + at.draw);
      drawn[drawPlace]! += wordErrors;
      drawn[drawPlace + 1]! += sheet!.reference.length;
      const number = series.characters(at.recognizer, at.condition);
      for (const counts of counted) {
        counts.addToWhole(number, errors(characters), referenceLength(characters), 1, 0);
      }
    },
    addFailure(at, observation, { kind }) {
      sheet!.observations[note(at, failed)] = observation;
      trials.addFailure(series.words(at.recognizer, at.condition), kind);
    },
    leaveOut(at) {
      note(at, leftOut);
    },
    leave() {
      if (sheet !== null) for (const counts of counted) addSheet(sheet, design, series, counts);
      return sheet;
    },
  };
}
