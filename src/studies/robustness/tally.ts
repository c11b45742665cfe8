import type { SampleSize } from '../../model/finding.ts';
import { align, countEdits } from '../../scoring/alignment/align.ts';
import { countCharacterEdits } from '../../scoring/alignment/characters.ts';
import { type Confusion, createConfusionCounts } from '../../scoring/analysis/confusion-pairs.ts';
import { errors } from '../../scoring/edit-counts.ts';
import type { Normalizer } from '../../scoring/normalizers/normalizer.ts';
import { varianceInterval } from '../../statistics/exact-intervals.ts';
import type { Interval } from '../../statistics/interval.ts';
import type { Answer } from '../contract.ts';
import { FailureCounts, namedTrials, type TrialRow } from '../shared/failures.ts';
import type { CaseValidity } from '../shared/validity/validity.ts';
import { type Counts, everywhere, heardOf, openCounts } from './counts.ts';
import type { Design } from './design.ts';
import type { RobustnessOptions } from './options.ts';
import { Speed } from './speed.ts';
import { placesOf, type UtteranceSheet, type WorstUtterances, watchWorstUtterances } from './worst-utterances.ts';

/** What was counted in one pass over the answers. */
export interface Tally extends Counts {
  /** By condition, recognizers innermost. */
  readonly trials: readonly TrialRow[];
  /** In the same order: how words came out, and errors and words of each draw over all utterances. */
  readonly outcomes: readonly Outcome[];
  readonly worst: WorstUtterances;
  /** By recognizer: which words it took for which on clean sound, the most frequent first. */
  readonly misheard: readonly (readonly Confusion[])[];
  /** By recognizer. */
  readonly speeds: readonly Speed[];
  /** Utterances that were scored. */
  readonly utterances: number;
  /** Of these, without a word in the reference after normalization. */
  readonly withoutWords: number;
  readonly withoutSpeaker: number;
}

interface Outcome {
  substitutions: number;
  deletions: number;
  insertions: number;
  readonly draws: readonly { errors: number; words: number }[];
}

const mostMisheard = 10;

/** Scores the answers as they come. Those about one utterance come one after another. */
export async function tallyAnswers(
  answers: AsyncIterable<Answer>,
  design: Design,
  options: RobustnessOptions,
  normalizer: Normalizer,
  { seed, validity }: { readonly seed: number; readonly validity: CaseValidity | null },
): Promise<Tally> {
  const { recognizers, conditions, survey } = design;
  const { words } = normalizer;
  const { counts, add } = openCounts(design, options, seed, validity);
  const trials = new FailureCounts(conditions.length * recognizers.length);
  const outcomes = conditions.flatMap((_, condition) =>
    recognizers.map((_, recognizer): Outcome => {
      const draws = Array.from({ length: design.draws(condition, recognizer) }, () => ({ errors: 0, words: 0 }));
      return { substitutions: 0, deletions: 0, insertions: 0, draws };
    }),
  );
  const speeds = recognizers.map((recognizer) => new Speed(recognizer));
  const confusions = recognizers.map(() => createConfusionCounts());
  const watch = watchWorstUtterances(design, words);
  const recognizerNumbers = new Map(recognizers.map(({ name }, index) => [name, index]));
  // Attacks have a name for each recognizer that hears them.
  const conditionNumbers = new Map(
    conditions
      .slice(0, design.disturbed)
      .flatMap((_, index) =>
        recognizers.map((_, recognizer) => [design.asked(index, recognizer).name, index] as const),
      ),
  );
  const places = placesOf(design);
  const seen = { utterances: 0, withoutWords: 0, withoutSpeaker: 0 };
  let sheet: UtteranceSheet | null = null;

  for await (const answer of answers) {
    if (answer.ask !== 'recognition') continue;
    const { observation, trial } = answer;
    const { utterance } = trial;
    if (sheet?.utterance.id !== utterance.id) {
      if (sheet !== null) leave(sheet);
      const reference = words(utterance.reference ?? '', utterance.language);
      sheet = { utterance, reference, observations: [], scored: [] };
      seen.utterances++;
      if (reference.length === 0) seen.withoutWords++;
      if (utterance.speaker === undefined) seen.withoutSpeaker++;
    }
    const { reference } = sheet;
    const { recorded } = survey.datasets[survey.datasetOf(utterance)]!;
    const condition = recorded === null ? conditionNumbers.get(trial.condition.name)! : design.disturbed + recorded;
    const recognizer = recognizerNumbers.get(trial.recognizer)!;
    const place = places.of({ ...trial, condition, recognizer });
    const row = condition * recognizers.length + recognizer;
    sheet.observations[place] = observation;
    if (observation.failure) {
      trials.addFailure(row, observation.failure.kind);
      continue;
    }
    trials.addAnswer(row);
    const heard = words(observation.transcript.text, utterance.language);
    const edits = countEdits(reference, heard);
    const hasCharacterWords = normalizer.hasCharacterWords?.(utterance.language);
    const characters = countCharacterEdits(reference, heard, 'least', hasCharacterWords);
    sheet.scored[place] = { words: edits, characters };
    const outcome = outcomes[row]!;
    outcome.substitutions += edits.substitutions;
    outcome.deletions += edits.deletions;
    outcome.insertions += edits.insertions;
    outcome.draws[trial.draw]!.errors += errors(edits);
    outcome.draws[trial.draw]!.words += reference.length;
    if (edits.substitutions > 0 && condition === 0) confusions[recognizer]!.add(align(reference, heard));
    speeds[recognizer]!.add(utterance.id, observation);
  }
  if (sheet !== null) leave(sheet);
  const misheard = confusions.map((of) => of.top(mostMisheard));
  const byPlace = (recognizer: number, condition: number) => condition * recognizers.length + recognizer;
  const named = namedTrials({ tally: { trials }, design }, byPlace);
  return { ...counts, trials: named, outcomes, worst: watch.found(), misheard, speeds, ...seen };

  function leave(told: UtteranceSheet): void {
    watch.see(told);
    add(told);
  }
}

/** How much the word error rate of a recognizer in a condition changes from draw to draw. */
export interface DrawSpread {
  readonly recognizer: number;
  readonly condition: number;
  /** One word error rate for each draw that was answered. */
  readonly rates: readonly number[];
  /** WERV: the variance of those rates (divisor: one less than their number). */
  readonly variance: Interval;
  readonly n: SampleSize;
}

/**
 * Speech Robust Bench's measure of stability, WERV (its program; the paper's third version leaves it out): the variance of the
 * corpus' word error rate over draws of the same random condition. Utterances are drawn independently of each other, so
 * this variance is also within speakers, and intervals that resample speakers with all their draws hold it already; the
 * rate of k draws together has a kth part of it.
 */
export function drawSpreads({ cells, outcomes }: Tally, design: Design, level: number): DrawSpread[] {
  return design.conditions.flatMap((_, condition) =>
    design.recognizers.flatMap((_, recognizer): DrawSpread[] => {
      const { draws } = outcomes[condition * design.recognizers.length + recognizer]!;
      if (draws.length < 2) return [];
      const rates = draws.flatMap(({ errors, words }) => (words > 0 ? [errors / words] : []));
      const { words, n } = heardOf(cells, 'condition', everywhere(condition, design), recognizer);
      const speakers = words.denominators.reduce(
        (count, said, unit) => count + Number(said > 0 && cells.units.isSpeaker(unit)),
        0,
      );
      const size = { utterances: n.utterances, speakers, words: n.words };
      return [{ recognizer, condition, rates, variance: varianceInterval(rates, { level }), n: size }];
    }),
  );
}
