import type { Json } from '../../base/json.ts';
import { createRandom } from '../../base/random.ts';
import type { Comparison, Estimate, SampleSize } from '../../model/finding.ts';
import type { ClusteredCounts } from '../../statistics/bootstrap/clustered-counts.ts';
import { rateInterval } from '../../statistics/bootstrap/rate-interval.ts';
import { type Contrast, compareAll } from '../shared/comparisons.ts';
import { toEstimate } from '../shared/estimates.ts';
import { type Cases, type ClusterSums, casesOf, type Field, type IdentityField } from './cluster-sums.ts';
import { type ConditionSet, conditionSets } from './condition-sets.ts';
import type { Design } from './design.ts';
import { type LevelMetric, levelEstimate } from './level.ts';
import type { MetamorphicOptions } from './options.ts';
import { jointPlace, placeOf } from './places.ts';
import type { LanguageTally, Tally } from './tally.ts';

/** Every number of some cases, but the similarity of meaning. */
type Metrics = Readonly<Record<LevelMetric, Estimate>> & { readonly level: Estimate };

/** One recognizer in some conditions of one language. */
export interface SetResult {
  readonly language: string;
  readonly unit: 'words' | 'characters';
  readonly set: ConditionSet;
  readonly recognizer: number;
  readonly metrics: Metrics;
  /** Share of cases in which the relation does not hold. */
  readonly violationRate: Estimate;
  /** The same of clips that are recognized alike every time; null without identity control. */
  readonly steadyViolationRate: Estimate;
  /** How often "violations" come with nothing changed, on the same clips. */
  readonly controlRate: Estimate;
  /** Violations beyond those that come with nothing changed. */
  readonly excess: Comparison;
  /** With only the cases that the validity gate keeps; null without a gate. */
  readonly valid: { readonly metrics: Metrics; readonly violationRate: Estimate } | null;
  readonly cases: Cases<Field>;
}

/** What a recognizer does with nothing changed. */
interface IdentityResult {
  readonly language: string;
  readonly recognizer: number;
  /** Share of pairs of recognitions of one sound that differ. */
  readonly differing: Estimate;
  /** Share of clips that are not recognized alike every time. */
  readonly unsteady: Estimate;
  readonly cases: Cases<IdentityField>;
}

/** One recognizer's violations against another's, on the cases that both answered. */
interface RecognizerComparison {
  readonly set: ConditionSet;
  readonly first: number;
  readonly second: number;
  /** Second less first: below 0 the second has fewer violations. */
  readonly comparison: Comparison;
}

export interface Results {
  readonly sets: readonly SetResult[];
  readonly identity: readonly IdentityResult[];
  readonly comparisons: readonly RecognizerComparison[];
}

/** Turns sums into estimates, intervals and tests. */
export function conclude(tally: Tally, design: Design, options: MetamorphicOptions, seed: number): Results {
  const { level, resamples, minimumSpeakers, profile } = options;
  const { clusters } = tally;
  const rate = (counts: ClusteredCounts, n: SampleSize, what: Json): Estimate =>
    toEstimate(
      rateInterval(counts, {
        level,
        resamples,
        minimumClusters: minimumSpeakers,
        random: createRandom({ seed, study: 'metamorphic', what }),
      }),
      n,
    );
  const sets = conditionSets(design);
  const asked = tally.languages.flatMap((language) =>
    sets.flatMap((set) => design.recognizers.map((_, recognizer) => ({ language, set, recognizer }))),
  );
  const sumsOf = (sums: readonly ClusterSums<Field>[], set: ConditionSet, recognizer: number) =>
    casesOf<Field>(
      set.conditions.map((condition) => sums[placeOf(design, recognizer, condition)]!),
      clusters,
    );
  const nameOf = ({
    language,
    set,
    recognizer,
  }: {
    language: LanguageTally;
    set: ConditionSet;
    recognizer: number;
  }) => [language.language, set.kind, set.name, design.recognizers[recognizer]!.name];

  const metricsOf = (cases: Cases<Field>, what: readonly string[], gated: boolean): Metrics => {
    const lacking = (numerator: Field, denominator: Field, words = false) =>
      complement(
        rate(cases.counts(numerator, denominator), cases.size(denominator, words), [...what, numerator, gated]),
      );
    const all: Record<LevelMetric, Estimate> = {
      fillRate: lacking('violations', 'pairs'),
      accuracy: profile === 'sr-mt' ? lacking('rates', 'ratePairs') : lacking('edits', 'tokens', true),
      bleu1: lacking('bleuLoss1', 'bleuPairs'),
      bleu2: lacking('bleuLoss2', 'bleuPairs'),
      bleu3: lacking('bleuLoss3', 'bleuPairs'),
      bleu4: lacking('bleuLoss4', 'bleuPairs'),
      similarity: lacking('similarityLoss', 'similarityPairs'),
      criticalWords: lacking('criticalLost', 'criticalWords', true),
    };
    const { bands, metrics } = options.robustness;
    return {
      ...all,
      level: levelEstimate(
        metrics.map((metric) => all[metric]),
        bands,
      ),
    };
  };

  const settings = { level, resamples, minimumSpeakers, seed, study: 'metamorphic' };
  const excess = compareAll(
    asked,
    (one): Contrast => {
      const cases = sumsOf(one.language.all, one.set, one.recognizer);
      return {
        first: cases.counts('controlDiffering', 'controlPairs'),
        second: cases.counts('controlViolations', 'controlPairs'),
        n: cases.size('controlPairs'),
        what: ['excess', ...nameOf(one)],
      };
    },
    settings,
  );
  const pairs = design.recognizers.flatMap((_, first) =>
    design.recognizers.slice(first + 1).map((_other, index) => ({ first, second: first + 1 + index })),
  );
  const opposed = sets.flatMap((set) => pairs.map((pair) => ({ set, ...pair })));
  const compared = compareAll(
    opposed,
    ({ set, first, second }): Contrast => {
      const joint = casesOf(
        set.conditions.map((condition) => tally.joint[jointPlace(design, first, second, condition)]!),
        clusters,
      );
      return {
        first: joint.counts('firstViolations', 'pairs'),
        second: joint.counts('secondViolations', 'pairs'),
        n: joint.size('pairs'),
        what: ['comparison', set.kind, set.name, design.recognizers[first]!.name, design.recognizers[second]!.name],
      };
    },
    settings,
  );

  return {
    sets: asked.map((one, index): SetResult => {
      const { language, set, recognizer } = one;
      const what = nameOf(one);
      const cases = sumsOf(language.all, set, recognizer);
      const valid = language.valid === null ? null : sumsOf(language.valid, set, recognizer);
      const violations = (of: Cases<Field>, gated: boolean) =>
        rate(of.counts('violations', 'pairs'), of.size('pairs'), [...what, 'violations', gated]);
      return {
        language: language.language,
        unit: language.unit,
        set,
        recognizer,
        metrics: metricsOf(cases, what, false),
        violationRate: violations(cases, false),
        steadyViolationRate: rate(cases.counts('steadyViolations', 'steadyPairs'), cases.size('steadyPairs'), [
          ...what,
          'steady',
        ]),
        controlRate: rate(cases.counts('controlDiffering', 'controlPairs'), cases.size('controlPairs'), [
          ...what,
          'control',
        ]),
        excess: excess[index]!,
        valid:
          valid === null ? null : { metrics: metricsOf(valid, what, true), violationRate: violations(valid, true) },
        cases,
      };
    }),
    identity: tally.languages.flatMap(({ language, identity }) =>
      design.recognizers.map(({ name }, recognizer): IdentityResult => {
        const cases = casesOf<IdentityField>([identity[recognizer]!], clusters);
        const { pairs: clips, ...size } = cases.size('utterances');
        const n = { ...size, utterances: clips ?? 0 };
        return {
          language,
          recognizer,
          differing: rate(cases.counts('differing', 'utterances'), n, ['identity', language, name, 'differing']),
          unsteady: rate(cases.counts('unsteady', 'utterances'), n, ['identity', language, name, 'unsteady']),
          cases,
        };
      }),
    ),
    comparisons: opposed.map(({ set, first, second }, index) => ({ set, first, second, comparison: compared[index]! })),
  };
}

/** What is left of 1. 1 - x and not -x + 1, so that nothing becomes -0. */
function complement(estimate: Estimate): Estimate {
  const of = (value: number | null) => (value === null ? null : 1 - value);
  return { ...estimate, value: of(estimate.value), low: of(estimate.high), high: of(estimate.low) };
}
