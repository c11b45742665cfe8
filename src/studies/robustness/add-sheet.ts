import type { SlicedCounts } from '../shared/sliced-counts.ts';
import type { Design } from './design.ts';
import type { Series } from './series.ts';
import { answered, failed, leftOut, type UtteranceSheet } from './utterance-sheet.ts';

/** Adds what is known of one utterance to the series. */
export function addSheet(
  sheet: UtteranceSheet,
  design: Design,
  series: Series,
  slices: Pick<SlicedCounts, 'add'>,
): void {
  const { recognizers, conditions, repeats } = design;
  const length = sheet.reference.length;
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
    }
  }
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
      });
    }
  }
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
  sum.errors += errors;
  sum.trials++;
}
