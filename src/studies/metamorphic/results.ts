import type { Comparison, Estimate, SampleSize } from '../../model/finding.ts';
import type { ClusteredCounts } from '../../statistics/bootstrap/clustered-counts.ts';
import { randomOfData } from '../../statistics/bootstrap/random-of-data.ts';
import { rateInterval } from '../../statistics/bootstrap/rate-interval.ts';
import { type Contrast, compareAll } from '../shared/comparisons.ts';
import { toEstimate } from '../shared/estimates.ts';
import {
  type Cases,
  type ClusterSums,
  casesOf,
  type Field,
  type IdentityField,
  jointPlace,
  placeOf,
} from './cluster-sums.ts';
import type { Design } from './design.ts';
import { type LevelMetric, levelEstimate, type MetamorphicOptions } from './options.ts';
import type { LanguageTally, Tally } from './tally.ts';

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

/** What every part of the conclusion needs. */
interface Known {
  readonly tally: Tally;
  readonly design: Design;
  readonly options: MetamorphicOptions;
  readonly seed: number;
  readonly rate: RateEstimate;
}

/** Whose results are asked for. */
interface Asked {
  readonly language: LanguageTally;
  readonly set: ConditionSet;
  readonly recognizer: number;
}

/** Turns sums into estimates, intervals and tests. */
export function conclude(tally: Tally, design: Design, options: MetamorphicOptions, seed: number): Results {
  const known = { tally, design, options, seed, rate: rateEstimates(options, seed) };
  const sets = conditionSets(design);
  const asked = tally.languages.flatMap((language) =>
    sets.flatMap((set) => design.recognizers.map((_, recognizer): Asked => ({ language, set, recognizer }))),
  );
  const excess = excesses(asked, known);
  return {
    sets: asked.map((one, index) => setResult(one, excess[index]!, known)),
    identity: identityResults(known),
    comparisons: recognizerComparisons(sets, known),
  };
}

function settingsOf({ options: { level, resamples, minimumSpeakers }, seed }: Known) {
  return { level, resamples, minimumSpeakers, seed };
}

function casesIn(
  sums: readonly ClusterSums<Field>[],
  { set, recognizer }: Asked,
  { design, tally }: Known,
): Cases<Field> {
  return casesOf<Field>(
    set.conditions.map((condition) => sums[placeOf(design, recognizer, condition)]!),
    tally.clusters,
  );
}

/** Violations against what comes with nothing changed, on the same clips; corrected together. */
function excesses(asked: readonly Asked[], known: Known): Comparison[] {
  const contrast = (one: Asked): Contrast => {
    const cases = casesIn(one.language.all, one, known);
    return {
      first: cases.counts('controlDiffering', 'controlPairs'),
      second: cases.counts('controlViolations', 'controlPairs'),
      n: cases.size('controlPairs'),
    };
  };
  return compareAll(asked, contrast, settingsOf(known));
}

function setResult(one: Asked, excess: Comparison, known: Known): SetResult {
  const { language, set, recognizer } = one;
  const { rate } = known;
  const cases = casesIn(language.all, one, known);
  const valid = language.valid === null ? null : casesIn(language.valid, one, known);
  const violations = (of: Cases<Field>) => rate(of.counts('violations', 'pairs'), of.size('pairs'));
  const share = (numerator: Field, denominator: Field) =>
    rate(cases.counts(numerator, denominator), cases.size(denominator));
  return {
    language: language.language,
    unit: language.unit,
    set,
    recognizer,
    metrics: metricsOf(cases, known),
    violationRate: violations(cases),
    steadyViolationRate: share('steadyViolations', 'steadyPairs'),
    controlRate: share('controlDiffering', 'controlPairs'),
    excess,
    valid: valid === null ? null : { metrics: metricsOf(valid, known), violationRate: violations(valid) },
    cases,
  };
}

function identityResults({ tally, design, rate }: Known): IdentityResult[] {
  return tally.languages.flatMap(({ language, identity }) =>
    design.recognizers.map((_, recognizer): IdentityResult => {
      const cases = casesOf<IdentityField>([identity[recognizer]!], tally.clusters);
      const { pairs: clips, ...size } = cases.size('utterances');
      const n = { ...size, utterances: clips ?? 0 };
      const share = (field: IdentityField) => rate(cases.counts(field, 'utterances'), n);
      return { language, recognizer, differing: share('differing'), unsteady: share('unsteady'), cases };
    }),
  );
}

/** Every pair of recognizers in every set, corrected together. */
function recognizerComparisons(sets: readonly ConditionSet[], known: Known): RecognizerComparison[] {
  const { tally, design } = known;
  const pairs = design.recognizers.flatMap((_, first) =>
    design.recognizers.slice(first + 1).map((_other, index) => ({ first, second: first + 1 + index })),
  );
  const opposed = sets.flatMap((set) => pairs.map((pair) => ({ set, ...pair })));
  const contrast = ({ set, first, second }: (typeof opposed)[number]): Contrast => {
    const joint = casesOf(
      set.conditions.map((condition) => tally.joint[jointPlace(design, first, second, condition)]!),
      tally.clusters,
    );
    return {
      first: joint.counts('firstViolations', 'pairs'),
      second: joint.counts('secondViolations', 'pairs'),
      n: joint.size('pairs'),
    };
  };
  const compared = compareAll(opposed, contrast, settingsOf(known));
  return opposed.map((one, index) => ({ ...one, comparison: compared[index]! }));
}

/** Every number of some cases, but the similarity of meaning. */
type Metrics = Readonly<Record<LevelMetric, Estimate>> & { readonly level: Estimate };

/** A rate with its interval. */
type RateEstimate = (counts: ClusteredCounts, n: SampleSize) => Estimate;

/** How all rates of the study are estimated. */
function rateEstimates(options: MetamorphicOptions, seed: number): RateEstimate {
  const { level, resamples, minimumSpeakers } = options;
  const settings = { level, resamples, minimumClusters: minimumSpeakers, random: randomOfData(seed) };
  return (counts, n) => toEstimate(rateInterval(counts, settings), n);
}

/** The numbers of some cases, and the robustness level that they make. */
function metricsOf(
  cases: Cases<Field>,
  { options, rate }: { readonly options: MetamorphicOptions; readonly rate: RateEstimate },
): Metrics {
  const lacking = (numerator: Field, denominator: Field, words = false) =>
    complement(rate(cases.counts(numerator, denominator), cases.size(denominator, words)));
  const all: Record<LevelMetric, Estimate> = {
    fillRate: lacking('violations', 'pairs'),
    accuracy: options.profile === 'sr-mt' ? lacking('rates', 'ratePairs') : lacking('edits', 'tokens', true),
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
}

/** What is left of 1. 1 - x and not -x + 1, so that nothing becomes -0. */
function complement(estimate: Estimate): Estimate {
  const of = (value: number | null) => (value === null ? null : 1 - value);
  return { ...estimate, value: of(estimate.value), low: of(estimate.high), high: of(estimate.low) };
}

/** Conditions that are counted together. */
export interface ConditionSet {
  /** All of a relation; a kind of change (a noise) at all severities; a severity of all kinds; one condition. */
  readonly kind: 'relation' | 'family' | 'severity' | 'condition';
  readonly name: string;
  readonly relation: number;
  readonly conditions: readonly number[];
}

/**
 * Relations, then kinds and severities where a relation has several kinds at several severities, then the conditions one by
 * one. Sets that would be another one again are left out.
 */
function conditionSets({ relations, conditions }: Pick<Design, 'relations' | 'conditions'>): ConditionSet[] {
  const sets = { relation: [], family: [], severity: [], condition: [] } as Record<
    ConditionSet['kind'],
    ConditionSet[]
  >;
  relations.forEach(({ name, conditions: numbers }, relation) => {
    sets.relation.push({ kind: 'relation', name, relation, conditions: numbers });
    const families = grouped(numbers, (number) => conditions[number]!.rung?.family);
    const severities = grouped(numbers, (number) => conditions[number]!.rung?.label);
    const several = families.length > 1 && severities.length > 1;
    for (const [kind, groups] of [
      ['family', families],
      ['severity', severities],
    ] as const) {
      for (const [label, members] of several ? groups : []) {
        if (members.length > 1) {
          const prefixed = kind === 'severity' ? `${name}, ${label}` : label;
          sets[kind].push({ kind, name: prefixed, relation, conditions: members });
        }
      }
    }
    for (const number of numbers) {
      const condition: ConditionSet = {
        kind: 'condition',
        name: conditions[number]!.name,
        relation,
        conditions: [number],
      };
      sets.condition.push(condition);
    }
  });
  return [...sets.relation, ...sets.family, ...sets.severity, ...sets.condition];
}

function grouped(numbers: readonly number[], key: (number: number) => string | undefined): [string, number[]][] {
  const groups = new Map<string, number[]>();
  for (const number of numbers) {
    const of = key(number);
    if (of !== undefined) groups.set(of, [...(groups.get(of) ?? []), number]);
  }
  return [...groups];
}
