import type { Utterance } from '../../model/utterance.ts';
import { transcriptDistance } from '../../scoring/agreement/transcript-distance.ts';
import { countEdits } from '../../scoring/alignment/align.ts';
import { errors } from '../../scoring/edit-counts.ts';
import type { Normalizer } from '../../scoring/normalizers/normalizer.ts';
import type { Answer } from '../contract.ts';
import { FailureCounts } from '../shared/failures.ts';
import { SlicedCounts } from '../shared/sliced-counts.ts';
import { binning, type Design, type Measure } from './design.ts';
import type { DegradationOptions } from './options.ts';

/** The numbers under which counts are kept. */
export interface Series {
  /** All of the baseline. */
  baseline(measure: number): number;
  /** A condition, on what was answered in it and in the baseline. */
  after(measure: number, condition: number): number;
  /** The baseline on the same utterances, as often. */
  before(measure: number, condition: number): number;
  /** Failed trials of a recognizer, over its trials. */
  failures(recognizer: number): number;
}

/** What was counted in one pass over the answers; its size follows measures, conditions and speakers. */
export interface Tally {
  readonly slices: SlicedCounts;
  readonly series: Series;
  /** By recognizer x conditions + condition. */
  readonly trials: FailureCounts;
  readonly utterances: number;
  readonly withReference: number;
  readonly withoutSpeaker: number;
}

/** Edits and words of one sound. */
interface Score {
  readonly errors: number;
  readonly words: number;
}

/** Scores the answers as they come. Those about one utterance come one after another, the baseline first. */
export async function tallyAnswers(
  answers: AsyncIterable<Answer>,
  design: Design,
  options: DegradationOptions,
  normalizer: Normalizer,
): Promise<Tally> {
  const { recognizers, conditions, measures } = design;
  const series = numberSeries(measures.length, conditions.length);
  const slices = new SlicedCounts(options.groupBy);
  const trials = new FailureCounts(recognizers.length * conditions.length);
  const numbers = new Map(recognizers.map(({ name }, number) => [name, number]));
  const places = new Map(conditions.map(({ name }, number) => [name, number]));
  const binned = binning(options);
  const seen = { utterances: 0, withReference: 0, withoutSpeaker: 0 };

  let current = null as Utterance | null;
  let reference: readonly string[] | null = null;
  let condition = 0;
  let draw = 0;
  let heard: (readonly string[] | null)[] = [];
  let baseline: (Score | null)[] = [];
  /** Whether the utterance has counted: by measure and condition, and by recognizer. */
  const counted = new Uint8Array(measures.length * conditions.length);
  const asked = new Uint8Array(recognizers.length);

  const enter = (next: Utterance) => {
    current = next;
    reference = next.reference === undefined ? null : normalizer.words(next.reference, next.language);
    seen.utterances++;
    if (reference !== null) seen.withReference++;
    if (next.speaker === undefined) seen.withoutSpeaker++;
    slices.enter(binned(next));
    baseline = measures.map(() => null);
    counted.fill(0);
    asked.fill(0);
  };
  const closeSound = () => {
    for (const [number, measure] of measures.entries()) {
      const score = scoreOf(measure, heard, reference);
      if (score === null) continue;
      if (condition === 0) {
        baseline[number] = score;
        slices.add(series.baseline(number), score.errors, score.words, 1, 1);
        continue;
      }
      const before = baseline[number]!;
      if (before === null) continue;
      const place = number * conditions.length + condition;
      const first = counted[place] === 0 ? 1 : 0;
      counted[place] = 1;
      slices.add(series.after(number, condition), score.errors, score.words, 1, first);
      slices.add(series.before(number, condition), before.errors, before.words, 1, first);
    }
    heard = recognizers.map(() => null);
  };

  for await (const answer of answers) {
    if (answer.ask !== 'recognition') continue;
    const { trial, observation } = answer;
    const number = places.get(trial.condition.name)!;
    if (current === null || current.id !== trial.utterance.id) {
      if (current !== null) closeSound();
      enter(trial.utterance);
      heard = recognizers.map(() => null);
    } else if (number !== condition || trial.draw !== draw) closeSound();
    condition = number;
    draw = trial.draw;
    const recognizer = numbers.get(trial.recognizer)!;
    const place = recognizer * conditions.length + number;
    const { failure } = observation;
    slices.add(series.failures(recognizer), failure === undefined ? 0 : 1, 1, 1, asked[recognizer] === 0 ? 1 : 0);
    asked[recognizer] = 1;
    if (failure !== undefined) trials.addFailure(place, failure.kind);
    else {
      trials.addAnswer(place);
      heard[recognizer] = normalizer.words(observation.transcript.text, trial.utterance.language);
    }
  }
  if (current !== null) closeSound();
  return { slices, series, trials, ...seen };
}

function numberSeries(measures: number, conditions: number): Series {
  const place = (measure: number, condition: number) => measure * conditions + condition;
  return {
    baseline: (measure) => place(measure, 0),
    after: place,
    before: (measure, condition) => measures * conditions + place(measure, condition),
    failures: (recognizer) => 2 * measures * conditions + recognizer,
  };
}

/** Null where somebody did not answer, or a reference is missing. */
function scoreOf(
  { kind, recognizers }: Measure,
  heard: readonly (readonly string[] | null)[],
  reference: readonly string[] | null,
): Score | null {
  const one = heard[recognizers[0]!]!;
  const other = kind === 'distance' ? heard[recognizers[1]!]! : reference;
  if (one === null || other === null) return null;
  if (kind === 'word error rate') return { errors: errors(countEdits(other, one)), words: other.length };
  const { edits, words } = transcriptDistance([[one, other]]);
  return { errors: edits, words };
}
