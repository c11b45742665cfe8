import type { Comparison, Estimate } from '../../../model/finding.ts';
import type { ClusteredCounts } from '../../../statistics/bootstrap/clustered-counts.ts';
import { differenceInterval } from '../../../statistics/bootstrap/difference-interval.ts';
import { randomOfData } from '../../../statistics/bootstrap/random-of-data.ts';
import { rateInterval } from '../../../statistics/bootstrap/rate-interval.ts';
import type { Interval } from '../../../statistics/interval.ts';
import { toEstimate } from '../../shared/estimates.ts';
import type { MadeText } from './made-text.ts';

/** How intervals are made. */
export interface MadeRateSettings {
  readonly seed: number;
  readonly level: number;
  readonly resamples: number;
}

/** What became of made texts. A test is one recognizer's answer to one text. */
export interface MadeCounts {
  readonly tried: number;
  /** Texts that any recognizer failed. */
  readonly failing: number;
  readonly failed: number;
  readonly success: number;
  readonly indeterminable: number;
  /** Asked, and no transcript came. */
  readonly unanswered: number;
}

/** @param recognizers how many were asked about each */
export function countMade(texts: readonly MadeText[], recognizers: number): MadeCounts {
  const counts = { failed: 0, success: 0, indeterminable: 0 };
  let failing = 0;
  let answered = 0;
  for (const { verdicts } of texts) {
    answered += verdicts.size;
    const statuses = [...verdicts.values()].map(({ status }) => status);
    for (const status of statuses) counts[status]++;
    if (statuses.includes('failed')) failing++;
  }
  return { tried: texts.length, failing, ...counts, unanswered: texts.length * recognizers - answered };
}

/**
 * The share of failed tests among the answered ones. Whole failed texts are resampled with all that was made of them: new texts
 * of one source share most of its words.
 */
export function rateOfMade(texts: readonly MadeText[], settings: MadeRateSettings): Estimate {
  const interval = rateInterval(clustered(texts, sourcesOf(texts)), bootstrap(settings));
  return worded(interval, texts.length);
}

/** The rate of `predicted` minus that of `random`, both resampled by their sources together. */
export function compareMade(
  predicted: readonly MadeText[],
  random: readonly MadeText[],
  settings: MadeRateSettings,
): Comparison {
  const sources = sourcesOf([...predicted, ...random]);
  const interval = differenceInterval(clustered(random, sources), clustered(predicted, sources), bootstrap(settings));
  const difference = worded(interval, predicted.length + random.length);
  const { low, high } = difference;
  const verdict =
    low === null || high === null || (low <= 0 && high >= 0) ? 'cannot tell' : low > 0 ? 'better' : 'worse';
  return {
    ...{ difference, verdict, pValue: null, adjustedPValue: null, test: 'none' },
    reason: 'the interval of the difference is told instead of a test',
  };
}

function sourcesOf(texts: readonly MadeText[]): readonly string[] {
  return [...new Set(texts.map(({ source }) => source.row.textId))];
}

function clustered(texts: readonly MadeText[], sources: readonly string[]): ClusteredCounts {
  const places = new Map(sources.map((source, place) => [source, place]));
  const numerators = new Float64Array(sources.length);
  const denominators = new Float64Array(sources.length);
  for (const { source, verdicts } of texts) {
    const place = places.get(source.row.textId)!;
    denominators[place]! += verdicts.size;
    for (const { status } of verdicts.values()) if (status === 'failed') numerators[place]!++;
  }
  return { numerators, denominators, proportion: true };
}

function bootstrap({ seed, level, resamples }: MadeRateSettings) {
  return { level, resamples, random: randomOfData(seed) };
}

/** What is resampled here are failed texts. */
function worded(interval: Interval, texts: number): Estimate {
  const words = (text: string) =>
    text.replace('clusters (speakers)', 'failed texts').replaceAll('over clusters', 'over failed texts');
  const { reason, method, ...rest } = toEstimate(interval, { utterances: texts, speakers: 1 });
  return { ...rest, ...(reason === undefined ? {} : { reason: words(reason) }), method: words(method) };
}
