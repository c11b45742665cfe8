import type { Estimate, SampleSize } from '../../model/finding.ts';
import type { ClusteredCounts } from '../../statistics/bootstrap/clustered-counts.ts';
import { randomOfData } from '../../statistics/bootstrap/random-of-data.ts';
import { rateInterval } from '../../statistics/bootstrap/rate-interval.ts';
import { toEstimate } from '../shared/estimates.ts';
import type { Cases, Field } from './cluster-sums.ts';
import { type LevelMetric, levelEstimate } from './level.ts';
import type { MetamorphicOptions } from './options.ts';

/** Every number of some cases, but the similarity of meaning. */
export type Metrics = Readonly<Record<LevelMetric, Estimate>> & { readonly level: Estimate };

/** A rate with its interval. */
export type RateEstimate = (counts: ClusteredCounts, n: SampleSize) => Estimate;

/** How all rates of the study are estimated. */
export function rateEstimates(options: MetamorphicOptions, seed: number): RateEstimate {
  const { level, resamples, minimumSpeakers } = options;
  const settings = { level, resamples, minimumClusters: minimumSpeakers, random: randomOfData(seed) };
  return (counts, n) => toEstimate(rateInterval(counts, settings), n);
}

/** The numbers of some cases, and the robustness level that they make. */
export function metricsOf(
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
