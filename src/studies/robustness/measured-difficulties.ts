import { badConfig } from '../../base/errors.ts';
import type { Estimate } from '../../model/finding.ts';
import {
  pointsPerDeviation,
  publishedQualityScales,
  type QualityScales,
  qualityDifficulty,
  type RobustnessValue,
  recentredQualityScales,
  type ScenarioQuality,
} from '../../scoring/srb/quality-difficulty.ts';
import { randomOfData } from '../../statistics/bootstrap/random-of-data.ts';
import { combineRates, rateInterval } from '../../statistics/bootstrap/rate-interval.ts';
import type { Answer, Batch, Question, StudyContext } from '../contract.ts';
import { toEstimate } from '../shared/estimates.ts';
import { type ClusterMeans, createClusterMeans, type MeanOptions } from '../shared/speaker-clusters.ts';
import type { Design, MeasuredDifficulties, MeasuredDifficulty } from './design.ts';
import type { RobustnessOptions } from './options.ts';

/** Which value of each measure: the benchmark's DNSMOS is that of P.808, its PESQ the wide-band one. */
const values: Readonly<Record<MeasureName, string>> = { dnsmos: 'p808', pesq: 'wideMosLqo' };

/**
 * Measures how hard the scenarios are, as Speech Robust Bench does (section 3.2): mean DNSMOS and PESQ of a scenario's sounds in
 * each data set, as points on the benchmark's own scale, so that neither other scenarios nor other runs change them. Profile
 * `srb-paper` centres PESQ at 50 as the paper's text says, the others at 62.5 as its program and its tables do. Recordings
 * that are a scenario by themselves have no clean counterpart, and therefore DNSMOS alone.
 *
 * Other than in the benchmark, PESQ compares the whole clip and not its first 5 s, at matching times; where an effect
 * stretches the time there is none, and DNSMOS stands alone.
 *
 * @throws EarwitnessError `bad-config` where the config names neither measure
 */
export async function* measureDifficulties(
  options: RobustnessOptions,
  design: Design,
  context: StudyContext,
): AsyncGenerator<Batch, MeasuredDifficulties, AsyncIterable<Answer>> {
  const present = presentMeasures(context);
  const cells = design.conditions.length * design.survey.datasets.length;
  const cellOf = (condition: number, dataset: number) => condition * design.survey.datasets.length + dataset;
  const means = createClusterMeans(cells * measureNames.length);
  /** Why the first sound without a value had none, by series. */
  const reasons = new Map<number, string>();
  const numbers = new Map(design.conditions.map(({ name }, index) => [name, index]));
  const answers: AsyncIterable<Answer> = yield {
    about: 'how hard the scenarios are',
    size: null,
    questions: () => questions(design, present, context),
  };
  for await (const answer of answers) {
    if (answer.ask !== 'measurement') continue;
    const dataset = design.survey.datasetOf(answer.utterance);
    const { recorded } = design.survey.datasets[dataset]!;
    const condition = recorded === null ? numbers.get(answer.condition.name)! : design.disturbed + recorded;
    for (const name of present) {
      const found = answer.quality?.includes(name) ? answer.measurement?.quality?.[name] : undefined;
      const series = seriesOf(cellOf(condition, dataset), name);
      const value = found?.values[values[name]];
      if (typeof value === 'number') means.add(series, answer.utterance, value);
      else if (found?.reason !== undefined && !reasons.has(series)) reasons.set(series, found.reason);
    }
  }
  const scales = options.profile === 'srb-paper' ? recentredQualityScales : publishedQualityScales;
  const rows = measuredCells(design).map(({ condition, dataset }): MeasuredDifficulty => {
    const cell = cellOf(condition, dataset);
    const { level, resamples, minimumSpeakers } = options;
    const settings = { level, resamples, minimumSpeakers, random: randomOfData(context.seed) };
    const meanOf = (name: MeasureName): Estimate | null => {
      if (!present.includes(name)) return null;
      const mean = means.mean(seriesOf(cell, name), settings);
      const reason = reasons.get(seriesOf(cell, name));
      return mean.value === null && reason !== undefined ? { ...mean, reason: { code: 'text', text: reason } } : mean;
    };
    const points = difficultyPoints(cell, means, scales, settings);
    return { condition, dataset, dnsmos: meanOf('dnsmos'), pesq: meanOf('pesq'), points };
  });
  const byCell = new Map(rows.map((row) => [cellOf(row.condition, row.dataset), row.points]));
  return {
    rows,
    about: `${present.join(' and ')} on this run’s clips${present.includes('pesq') ? `, PESQ centred at ${scales.pesq!.center}` : ''}`,
    of(condition, dataset): RobustnessValue {
      const points = byCell.get(cellOf(condition, dataset));
      if (points?.value == null) return { value: null, reason: points?.reason ?? { code: 'not-measured' } };
      if (points.value > 0) return { value: points.value };
      return {
        value: null,
        reason: { code: 'difficulty-not-above-nothing', points: points.value },
      };
    },
  };
}

function presentMeasures({ quality = [] }: StudyContext): MeasureName[] {
  const present = measureNames.filter((name) => quality.some((measure) => measure.name === name));
  if (present.length > 0) return present;
  const there = quality.length === 0 ? 'it names none' : `it names ${quality.map(({ name }) => name).join(', ')}`;
  throw badConfig(
    `difficulties: measured: expected dnsmos or pesq among the measures that the config names under \`quality\`, but ${there}; add one of them, or take difficulties: srb`,
  );
}

/** Clean sound has no difficulty, and attacks have another for each recognizer. */
function isUnmeasured(condition: number, { unattacked, disturbed }: Pick<Design, 'unattacked' | 'disturbed'>): boolean {
  return condition === 0 || (condition >= unattacked && condition < disturbed);
}

/** Every scenario in the data sets in which it is heard. */
function measuredCells({ conditions, unattacked, disturbed, survey }: Design) {
  return conditions.flatMap((_, condition) => {
    const recorded = condition < disturbed ? null : condition - disturbed;
    if (isUnmeasured(condition, { unattacked, disturbed })) return [];
    return survey.datasets.flatMap((dataset, number) =>
      dataset.recorded === recorded ? [{ condition, dataset: number }] : [],
    );
  });
}

async function* questions(
  design: Design,
  present: readonly MeasureName[],
  context: StudyContext,
): AsyncGenerator<Question> {
  const alone = present.filter((name) => name !== 'pesq');
  for await (const utterance of context.utterances()) {
    if (utterance.reference === undefined || utterance.sound === undefined) continue;
    for (const condition of design.conditionsOf(utterance)) {
      const quality = condition < design.disturbed ? present : alone;
      if (isUnmeasured(condition, design) || quality.length === 0) continue;
      for (let draw = 0; draw < design.soundDraws(condition); draw++) {
        yield { ask: 'measurement', utterance, condition: design.asked(condition, 0), draw, quality };
      }
    }
  }
}

type MeasureName = keyof ScenarioQuality;

/** The measures of difficulty, in the order of their series. */
const measureNames: readonly MeasureName[] = ['dnsmos', 'pesq'];

/** Where the means of a measure stand: every cell has a series for each measure, empty where the config does not name it. */
function seriesOf(cell: number, name: MeasureName): number {
  return cell * measureNames.length + measureNames.indexOf(name);
}

/**
 * Points of a cell, with the interval of the same weighted sum of means: what the difficulty would be in other recordings of
 * the same kind. Null, with the reason, where nothing was measured.
 */
function difficultyPoints(
  cell: number,
  means: ClusterMeans,
  scales: QualityScales,
  { level, resamples, minimumSpeakers, random }: MeanOptions,
): Estimate {
  const known = measureNames.flatMap((name) => {
    const series = seriesOf(cell, name);
    return means.count(series) > 0 ? [{ name, series, counts: means.counts(series) }] : [];
  });
  const most = (count: (series: number) => number) => Math.max(0, ...known.map(({ series }) => count(series)));
  const n = { utterances: most(means.count), speakers: most(means.speakers) };
  const meanOf = (name: MeasureName) => {
    const counts = known.find((one) => one.name === name)?.counts;
    return counts === undefined ? null : sum(counts.numerators) / sum(counts.denominators);
  };
  const { value, reason } = qualityDifficulty({ dnsmos: meanOf('dnsmos'), pesq: meanOf('pesq') }, scales);
  if (value === null) return { value, low: null, high: null, level, n, reason: reason!, method: 'points of quality' };
  // Points fall as quality rises: their interval is that of the falling part, turned round.
  const falling = combineRates(
    known.map(({ name, counts }) => ({
      counts,
      weight: pointsPerDeviation / (known.length * scales[name]!.deviation),
    })),
  )!;
  const interval = rateInterval(falling, { level, resamples, minimumClusters: minimumSpeakers, random });
  const turned = (end: number | null) => (end === null ? null : value + interval.value! - end);
  return toEstimate({ ...interval, value, low: turned(interval.high), high: turned(interval.low) }, n);
}

function sum(values: Float64Array): number {
  return values.reduce((total, value) => total + value, 0);
}
