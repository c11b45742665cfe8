import type { Utterance } from '../../model/utterance.ts';
import { countCharacterEdits } from '../../scoring/alignment/characters.ts';
import { countEdits } from '../../scoring/alignment/count-edits.ts';
import { type EditCounts, errors, referenceLength } from '../../scoring/edit-counts.ts';
import type { Normalizer } from '../../scoring/normalizers/normalizer.ts';
import type { Answer } from '../contract.ts';
import { FailureCounts } from '../shared/failure-counts.ts';
import { SlicedCounts } from '../shared/sliced-counts.ts';
import { addSheet } from './add-sheet.ts';
import type { Design } from './design.ts';
import type { RobustnessOptions } from './options.ts';
import { numberSeries, type Series } from './series.ts';
import { Speed } from './speed.ts';
import { answered, createUtteranceSheet, failed, type UtteranceSheet } from './utterance-sheet.ts';
import { type WorstUtterances, watchWorstUtterances } from './worst-utterances.ts';

/** What was counted in one pass over the answers; its size follows recognizers, conditions, draws and speakers. */
export interface Tally {
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
  readonly worst: WorstUtterances;
  /** By recognizer. */
  readonly speeds: readonly Speed[];
  /** Utterances that were scored. */
  readonly utterances: number;
  /** Of these, without a word in the reference after normalization. */
  readonly withoutWords: number;
  readonly withoutSpeaker: number;
}

/** Scores the answers as they come. Those about one utterance come one after another. */
export async function tallyAnswers(
  answers: AsyncIterable<Answer>,
  design: Design,
  options: RobustnessOptions,
  normalizer: Normalizer,
): Promise<Tally> {
  const { recognizers, conditions } = design;
  const places = recognizers.length * conditions.length;
  const series = numberSeries(recognizers.length, conditions.length);
  const slices = new SlicedCounts(options.groupBy);
  const { survey, mostDraws } = design;
  const datasets =
    survey.datasets.length < 2
      ? [slices]
      : survey.datasets.map(() => new SlicedCounts(options.groupBy, slices.clusters));
  /** Errors and words by place and draw. */
  const drawn = new Float64Array(2 * places * mostDraws);
  const trials = new FailureCounts(places);
  const speeds = recognizers.map(() => new Speed());
  const words = (text: string) => normalizer.words(text);
  const watch = watchWorstUtterances(design, options.worst, words);
  const recognizerNumbers = new Map(recognizers.map(({ name }, index) => [name, index]));
  const conditionNumbers = new Map(conditions.map(({ name }, index) => [name, index]));
  /** Correct, substituted, deleted, inserted by place. */
  const edits = new Float64Array(4 * places);
  const seen = { utterances: 0, withoutWords: 0, withoutSpeaker: 0 };
  let sheet: UtteranceSheet | null = null;
  /** Of the utterance in hand: where it is counted, and the recorded scenario that it belongs to. */
  let counted: readonly SlicedCounts[] = [slices];
  let recorded: number | null = null;

  const enter = (utterance: Utterance): UtteranceSheet => {
    const reference = words(utterance.reference ?? '');
    seen.utterances++;
    if (reference.length === 0) seen.withoutWords++;
    if (utterance.speaker === undefined) seen.withoutSpeaker++;
    const dataset = survey.datasetOf(utterance);
    counted = datasets[dataset] === slices ? [slices] : [slices, datasets[dataset]!];
    recorded = survey.datasets[dataset]!.recorded;
    for (const counts of counted) counts.enter(utterance);
    if (sheet === null) return createUtteranceSheet(design, utterance, reference);
    sheet.wipe(utterance, reference);
    return sheet;
  };
  const leave = (finished: UtteranceSheet) => {
    for (const counts of counted) addSheet(finished, design, series, counts);
    watch.see(finished);
  };

  for await (const answer of answers) {
    if (answer.ask !== 'recognition') continue;
    const { utterance, condition, draw, recognizer, repeat } = answer.trial;
    if (sheet === null || sheet.utterance.id !== utterance.id) {
      if (sheet !== null) leave(sheet);
      sheet = enter(utterance);
    }
    const recognizerNumber = recognizerNumbers.get(recognizer)!;
    const conditionNumber = recorded === null ? conditionNumbers.get(condition.name)! : design.disturbed + recorded;
    const place = sheet.place(conditionNumber, draw, repeat, recognizerNumber);
    const total = series.words(recognizerNumber, conditionNumber);
    const { observation } = answer;
    sheet.observations[place] = observation;
    if (observation.failure) {
      sheet.states[place] = failed;
      trials.addFailure(total, observation.failure.kind);
      continue;
    }
    const heard = words(observation.transcript.text);
    const wordEdits = countEdits(sheet.reference, heard);
    const characterEdits = countCharacterEdits(sheet.reference, heard);
    sheet.states[place] = answered;
    sheet.errors[place] = errors(wordEdits);
    trials.addAnswer(total);
    speeds[recognizerNumber]!.add(utterance.id, observation);
    edits[4 * total]! += wordEdits.correct;
    edits[4 * total + 1]! += wordEdits.substitutions;
    edits[4 * total + 2]! += wordEdits.deletions;
    edits[4 * total + 3]! += wordEdits.insertions;
    const drawPlace = 2 * (total * mostDraws + draw);
    drawn[drawPlace]! += errors(wordEdits);
    drawn[drawPlace + 1]! += sheet.reference.length;
    for (const counts of counted) {
      counts.addToWhole(
        series.characters(recognizerNumber, conditionNumber),
        errors(characterEdits),
        referenceLength(characterEdits),
        1,
        0,
      );
    }
  }
  if (sheet !== null) leave(sheet);

  return {
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
    worst: watch.found(),
    speeds,
    ...seen,
  };
}
