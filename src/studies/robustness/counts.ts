import type { Failure, Observation } from '../../model/observation.ts';
import type { Utterance } from '../../model/utterance.ts';
import { type EditCounts, errors, referenceLength } from '../../scoring/edit-counts.ts';
import { FailureCounts } from '../shared/failures.ts';
import { SlicedCounts } from '../shared/sliced-counts.ts';
import { type Design, isAttack } from './design.ts';
import type { RobustnessOptions } from './options.ts';
import { answered, createUtteranceSheet, failed, leftOut, type UtteranceSheet } from './worst-utterances.ts';

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
  const { recognizers, conditions, survey, maxDraws } = design;
  const places = recognizers.length * conditions.length;
  const series = numberSeries(recognizers.length, conditions.length);
  const slices = new SlicedCounts(options.groupBy);
  const datasets =
    survey.datasets.length < 2
      ? [slices]
      : survey.datasets.map(() => new SlicedCounts(options.groupBy, slices.clusters));
  /** Errors and words by place and draw. */
  const drawn = new Float64Array(2 * places * maxDraws);
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
        const start = 2 * (place * maxDraws + draw);
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
      const drawPlace = 2 * (total * maxDraws + at.draw);
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

/** Adds what is known of one utterance to the series. */
function addSheet(sheet: UtteranceSheet, design: Design, series: Series, slices: Pick<SlicedCounts, 'add'>): void {
  const { recognizers, conditions, repeats } = design;
  const length = sheet.reference.length;
  const pooled = recognizers.map(noSum);
  for (let condition = 0; condition < conditions.length; condition++) {
    for (let recognizer = 0; recognizer < recognizers.length; recognizer++) {
      let errors = 0;
      let trials = 0;
      for (let draw = 0; draw < design.draws(condition, recognizer); draw++) {
        for (let repeat = 0; repeat < repeats; repeat++) {
          const place = sheet.place(condition, draw, repeat, recognizer);
          if (sheet.states[place] !== answered) continue;
          errors += sheet.errors[place]!;
          trials++;
        }
      }
      if (trials > 0) slices.add(series.words(recognizer, condition), errors, length * trials, trials, 1);
      if (!isAttack(condition, design)) addAll(pooled[recognizer]!, { errors, trials });
    }
  }
  pooled.forEach(({ errors, trials }, recognizer) => {
    if (trials > 0) slices.add(series.pooled(recognizer), errors, length * trials, trials, 1);
  });
  const { states } = sheet;
  if (design.uneven || states.includes(failed) || states.includes(leftOut)) addGaps(sheet, design, series, slices);
}

/** Adds what must be taken out of pairs, because one side of them has no answer. */
function addGaps(sheet: UtteranceSheet, design: Design, series: Series, slices: Pick<SlicedCounts, 'add'>): void {
  const { recognizers, conditions, repeats } = design;
  const { states, errors } = sheet;
  const length = sheet.reference.length;
  // An utterance is out of a series only where all its trials are.
  const take = (number: number, out: Sum, all: number) => {
    if (out.trials > 0) {
      slices.add(number, out.errors, length * out.trials, out.trials, out.trials === all ? 1 : 0);
    }
  };
  const pooled = recognizers.map(() => ({ all: 0, without: recognizers.map(noSum) }));
  for (let condition = 0; condition < conditions.length; condition++) {
    for (let recognizer = 0; recognizer < recognizers.length; recognizer++) {
      let all = 0;
      const withoutClean = noSum();
      const cleanOnly = noSum();
      const without = recognizers.map(noSum);
      for (let draw = 0; draw < design.draws(condition, recognizer); draw++) {
        for (let repeat = 0; repeat < repeats; repeat++) {
          const place = sheet.place(condition, draw, repeat, recognizer);
          const cleanPlace = sheet.place(0, 0, repeat, recognizer);
          if (states[place] !== answered) {
            if (states[cleanPlace] === answered) addTo(cleanOnly, errors[cleanPlace]!);
            continue;
          }
          all++;
          if (states[cleanPlace] !== answered) addTo(withoutClean, errors[place]!);
          for (let other = 0; other < recognizers.length; other++) {
            if (states[place - recognizer + other] !== answered) addTo(without[other]!, errors[place]!);
          }
        }
      }
      // Recorded scenarios are not compared with their own clean sound.
      if (condition > 0 && condition < design.disturbed) {
        take(series.withoutClean(recognizer, condition), withoutClean, all);
        take(series.cleanOnly(recognizer, condition), cleanOnly, cleanOnly.trials);
      }
      without.forEach((sum, other) => {
        take(series.without(recognizer, condition, other), sum, all);
        if (!isAttack(condition, design)) addAll(pooled[recognizer]!.without[other]!, sum);
      });
      if (!isAttack(condition, design)) pooled[recognizer]!.all += all;
    }
  }
  pooled.forEach(({ all, without }, recognizer) => {
    without.forEach((sum, other) => {
      take(series.pooledWithout(recognizer, other), sum, all);
    });
  });
}

/** Errors and trials that are counted together. */
interface Sum {
  errors: number;
  trials: number;
}

function noSum(): Sum {
  return { errors: 0, trials: 0 };
}

function addTo(sum: Sum, errors: number): void {
  addAll(sum, { errors, trials: 1 });
}

function addAll(sum: Sum, { errors, trials }: Readonly<Sum>): void {
  sum.errors += errors;
  sum.trials += trials;
}

/**
 * Numbers for the series that are counted. `errors` and `words` of a series are sums over the answered trials of a
 * recognizer in a condition. What failed elsewhere is counted apart and taken out of a comparison's two sides, so that
 * there is one count for each recognizer and condition, and not one for each pair; where nothing fails, the rest is empty.
 */
interface Series {
  /** All answered trials. */
  words(recognizer: number, condition: number): number;
  /** The same in characters. */
  characters(recognizer: number, condition: number): number;
  /** Of `words`: those whose own clean trial failed. */
  withoutClean(recognizer: number, condition: number): number;
  /** Clean errors and words of trials that were answered clean and failed in the condition. */
  cleanOnly(recognizer: number, condition: number): number;
  /** Of `words`: those that the other recognizer failed at (or was not asked). */
  without(recognizer: number, condition: number, other: number): number;
  /** Of all conditions together, clean sound among them; attacks, which each recognizer heard alone, are not. */
  pooled(recognizer: number): number;
  /** Of `pooled`: those that the other recognizer failed at. */
  pooledWithout(recognizer: number, other: number): number;
}

/** Numbers of the series of so many recognizers and conditions. */
function numberSeries(recognizers: number, conditions: number): Series {
  const places = recognizers * conditions;
  const place = (recognizer: number, condition: number) => condition * recognizers + recognizer;
  return {
    words: place,
    characters: (recognizer, condition) => places + place(recognizer, condition),
    withoutClean: (recognizer, condition) => 2 * places + place(recognizer, condition),
    cleanOnly: (recognizer, condition) => 3 * places + place(recognizer, condition),
    without: (recognizer, condition, other) => 4 * places + place(recognizer, condition) * recognizers + other,
    pooled: (recognizer) => (4 + recognizers) * places + recognizer,
    pooledWithout: (recognizer, other) => (4 + recognizers) * places + (1 + recognizer) * recognizers + other,
  };
}
