import { createRandom } from '../../base/random.ts';
import type { Comparison, Estimate, SampleSize } from '../../model/finding.ts';
import { align } from '../../scoring/alignment/align.ts';
import type { Normalizer } from '../../scoring/normalizers/normalizer.ts';
import { defaultMinimumClusters } from '../../statistics/bootstrap/cluster-spread.ts';
import type { ClusteredCounts } from '../../statistics/bootstrap/clustered-counts.ts';
import { differenceInterval, logRatioInterval } from '../../statistics/bootstrap/difference-interval.ts';
import { randomOfData } from '../../statistics/bootstrap/random-of-data.ts';
import { permutationTestOfRates } from '../../statistics/significance/permutation-test.ts';
import type { Answer } from '../contract.ts';
import { correctByHolm, toComparison } from '../shared/comparisons.ts';
import { toEstimate } from '../shared/estimates.ts';
import { FailureCounts, namedTrials, type TrialRow } from '../shared/failures.ts';
import type { Design, FaultValidationOptions, Side } from './design.ts';

/** Sentences of either side, and how many of their target words were missed. */
export interface SideCounts {
  readonly sentences: number;
  readonly missed: number;
  readonly errors: number;
  readonly targets: number;
  /** Sentences without an answer, which are in none of the other counts. */
  readonly failed: number;
}

/** One recognizer (or all together) in one condition. */
export interface Validation {
  /** Null: all together. */
  readonly recognizer: number | null;
  readonly condition: number;
  readonly robust: SideCounts;
  readonly nonRobust: SideCounts;
  /** Share of the words missed that are not robust less that of the others. */
  readonly difference: Comparison;
  /** How many times as often they are missed, less 1: AequeVox's excess, 2.24 for "223.8 %". */
  readonly excess: Estimate;
  /** What intervals and tests take for independent. */
  readonly units: 'words' | 'sentences';
}

/** Compares both sides for each recognizer, and for all together; one correction (Holm) over the recognizers of all conditions. */
export function conclude(tally: Tally, design: Design, options: FaultValidationOptions, seed: number): Validation[] {
  const several = design.drawn.filter(({ size }) => size > 0).length > 1;
  const raw = design.conditions.flatMap((_, condition) =>
    [...design.recognizers.keys(), ...(several ? [null] : [])].map((recognizer) => {
      return { recognizer, condition, ...compare(tally, { recognizer, condition }, options, seed) };
    }),
  );
  // All together is one question of its own.
  const { adjusted, correction } = correctByHolm(
    raw.map(({ recognizer, pValue }) => (recognizer === null ? null : pValue)),
    'each recognizer has words of its own',
  );
  return raw.map(({ interval, pValue, test, reason, n, ...row }, place): Validation => {
    const own = { pValue, test, ...(reason === undefined ? {} : { reason }) };
    const isTogether = row.recognizer === null;
    const difference = toEstimate(interval, n);
    return {
      ...row,
      difference: toComparison(difference, own, isTogether ? pValue : adjusted[place]!, isTogether ? null : correction),
    };
  });
}

function compare(
  { tried, unanswered }: Tally,
  { recognizer, condition }: { readonly recognizer: number | null; readonly condition: number },
  options: FaultValidationOptions,
  seed: number,
) {
  const isHere = (one: Unanswered) =>
    one.condition === condition && (recognizer === null || one.recognizer === recognizer);
  const own = tried.filter(isHere);
  const sides = [0, 1].map((side) => own.filter((one) => one.side === side));
  const failed = [0, 1].map((side) => unanswered.filter((one) => isHere(one) && one.side === side).length);
  const words = sides.map((side) => new Set(side.map(unitOfWord)).size);
  const units = Math.min(...words) >= options.minimumWords ? ('words' as const) : ('sentences' as const);
  const [robust, nonRobust] = sides.map((side) => missedBy(side, units));
  const what = ['validation', recognizer, condition];
  const minimumClusters = units === 'words' ? options.minimumWords : defaultMinimumClusters;
  const settings = {
    level: options.level,
    resamples: options.resamples,
    clusters: 'separate' as const,
    minimumClusters,
  };
  const interval = differenceInterval(robust!, nonRobust!, { ...settings, random: randomOfData(seed) });
  const ratio = logRatioInterval(robust!, nonRobust!, { ...settings, random: randomOfData(seed) });
  const test = sides.some((side) => side.length === 0)
    ? { pValue: null, test: 'permutation test', reason: { code: 'no-sentence-of-side' } as const }
    : permutationTestOfRates(robust!, nonRobust!, {
        permutations: options.permutations,
        random: createRandom({ seed, study: 'fault-validation', what, use: 'test' }),
      });
  const speakers = new Set(own.flatMap(({ speaker }) => speaker ?? [])).size;
  const n: SampleSize = { utterances: own.length, speakers };
  const excess = toEstimate(ratio, n);
  const less = (value: number | null) => (value === null ? null : 2 ** value - 1);
  const reason = test.reason ?? interval.reason;
  return {
    robust: countsOf(sides[0]!, failed[0]!),
    nonRobust: countsOf(sides[1]!, failed[1]!),
    units,
    interval,
    n,
    pValue: test.pValue,
    test: test.test,
    reason,
    excess: { ...excess, value: less(excess.value), low: less(excess.low), high: less(excess.high) },
  };
}

/** A word of a recognizer: the same word is another unit for another recognizer, which drew other sentences. */
const unitOfWord = ({ recognizer, word }: Tried) => `${recognizer} ${word}`;

function missedBy(side: readonly Tried[], units: 'words' | 'sentences'): ClusteredCounts {
  // A sentence that several recognizers heard is one: they heard the same sound.
  const groups = [...Map.groupBy(side, units === 'words' ? unitOfWord : ({ id }) => id).values()];
  return {
    numerators: Float64Array.from(groups, (group) => group.filter(({ missed }) => missed).length),
    denominators: Float64Array.from(groups, (group) => group.length),
    proportion: true,
  };
}

function countsOf(side: readonly Tried[], failed: number): SideCounts {
  return {
    sentences: side.length,
    missed: side.filter(({ missed }) => missed).length,
    errors: side.reduce((sum, { errors }) => sum + errors, 0),
    targets: new Set(side.map(unitOfWord)).size,
    failed,
  };
}

/** One sentence heard by one recognizer in one condition. */
export interface Tried {
  readonly recognizer: number;
  readonly condition: number;
  /** The utterance. */
  readonly id: string;
  readonly side: Side;
  readonly word: string;
  /** Whose voice; undefined where nobody knows. */
  readonly speaker: string | undefined;
  /** Whether the target word is not in the transcript where it was said. */
  readonly missed: boolean;
  /** The sentence as it is compared, and what was heard. */
  readonly said: readonly string[];
  readonly heard: readonly string[];
  /** Errors on all words of the sentence. */
  readonly errors: number;
}

/** A sentence that a recognizer gave no answer to. */
type Unanswered = Pick<Tried, 'recognizer' | 'condition' | 'side'>;

export interface Tally {
  readonly tried: readonly Tried[];
  readonly unanswered: readonly Unanswered[];
  readonly trials: readonly TrialRow[];
}

/** Looks for the targets in the answers. There are as many as sentences were drawn, so that all are kept. */
export async function tallyAnswers(
  answers: AsyncIterable<Answer>,
  { recognizers, conditions, drawn }: Design,
  normalizer: Normalizer,
): Promise<Tally> {
  const tried: Tried[] = [];
  const unanswered: Unanswered[] = [];
  const trials = new FailureCounts(recognizers.length * conditions.length);
  const numbers = new Map(recognizers.map((name, number) => [name, number]));
  const places = new Map(conditions.map(({ name }, place) => [name, place]));
  for await (const answer of answers) {
    if (answer.ask !== 'recognition') continue;
    const { observation, trial } = answer;
    const recognizer = numbers.get(trial.recognizer)!;
    const condition = places.get(trial.condition.name)!;
    const place = recognizer * conditions.length + condition;
    const { word, side } = drawn[recognizer]!.get(trial.utterance.id)!;
    if (observation.failure) {
      trials.addFailure(place, observation.failure.kind);
      unanswered.push({ recognizer, condition, side });
      continue;
    }
    trials.addAnswer(place);
    const { language } = trial.utterance;
    const said = normalizer.words(trial.utterance.reference ?? '', language);
    const heard = normalizer.words(observation.transcript.text, language);
    const aligned = align(said, heard);
    const target = aligned.find(({ reference }) => reference === word);
    tried.push({
      recognizer,
      condition,
      id: trial.utterance.id,
      side,
      word,
      speaker: trial.utterance.speaker,
      missed: target?.hypothesis !== word,
      said,
      heard,
      errors: aligned.filter(({ reference, hypothesis }) => reference !== hypothesis).length,
    });
  }
  const named = namedTrials({
    tally: { trials },
    design: { recognizers: recognizers.map((name) => ({ name })), conditions },
  });
  return { tried, unanswered, trials: named };
}
