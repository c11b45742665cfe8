import { clean } from '../../model/condition.ts';
import type { Chart, Column, Example, Section, Table } from '../../model/finding.ts';
import { toEstimate } from '../shared/estimates.ts';
import { recognizerColumn, wordsSaidColumn } from '../shared/tables.ts';
import { named } from '../shared/wording.ts';
import type { Axis } from './axes.ts';
import type { ThresholdOptions } from './options.ts';
import type { SearchResult, ThresholdResults } from './results.ts';
import { axisInWords, differenceUnit, groupInWords, shareInWords } from './wording.ts';

const axisColumn: Column = { key: 'axis', label: 'Axis', kind: 'text' };
const groupColumn: Column = { key: 'group', label: 'Speakers', kind: 'text' };

const maxTicks = 17;

/** Every part of the finding, in the order in which a reader wants it. */
export function sectionsOf(results: ThresholdResults, axes: readonly Axis[], options: ThresholdOptions): Section[] {
  return [
    thresholdsSection(results, options),
    curvesSection(results, axes),
    comparisonsSection(results),
    countsSection(results),
  ].filter((section) => section !== null);
}

function placeOf(result: SearchResult) {
  const { axis, recognizer } = result.search;
  return { axis: axis.name, group: groupInWords(result), recognizer };
}

function thresholdsSection({ searches }: ThresholdResults, options: ThresholdOptions): Section {
  const table: Table = {
    id: 'threshold-thresholds',
    title: `Where ${shareInWords(options)} are understood`,
    columns: [
      axisColumn,
      groupColumn,
      recognizerColumn,
      { key: 'threshold', label: 'Threshold', kind: 'number', help: 'In the unit that stands beside it.' },
      { key: 'unit', label: 'Of', kind: 'text' },
      {
        key: 'ceiling',
        label: 'Right at best',
        kind: 'rate',
        help: 'The share of right words that the fitted function tends to at ever milder levels.',
      },
      { key: 'questions', label: 'Recognitions', kind: 'count' },
      { key: 'failed', label: 'Failed', kind: 'count' },
      { key: 'clips', label: 'Clips', kind: 'count' },
      wordsSaidColumn,
    ],
    rows: searches.map((result) => ({
      ...placeOf(result),
      threshold: result.threshold,
      unit: axisInWords(result.search.axis),
      ceiling:
        result.search.answered.length === 0
          ? null
          : toEstimate(result.found.shareAt(Number.POSITIVE_INFINITY), result.n),
      questions: result.search.asked,
      failed: result.search.asked - result.search.answered.length,
      clips: result.n.utterances,
      words: result.n.words ?? 0,
    })),
  };
  const examples = searches.flatMap((result) => examplesOf(result, options));
  return {
    id: 'threshold-thresholds',
    title: 'Thresholds',
    text: [
      'A word is right where the alignment finds it in the transcript. Intervals hold for other clips and speakers of the same kind: each speaker is left out in turn.',
    ],
    tables: [table],
    ...(examples.length === 0 ? {} : { examples }),
  };
}

/** Clips that were heard closest to the threshold: what the number sounds like. */
function examplesOf({ search, threshold }: SearchResult, { examples }: ThresholdOptions): Example[] {
  const { axis, answered, recognizer, listeners } = search;
  if (threshold.value === null || listeners.group !== null) return [];
  const sought = axis.coordinate(threshold.value);
  const distance = (place: number) => Math.abs(axis.coordinate(axis.levels[place]!) - sought);
  return answered
    .flatMap((one) => (one.place === 'clean' ? [] : [{ ...one, place: one.place }]))
    .sort((a, b) => distance(a.place) - distance(b.place))
    .slice(0, examples)
    .map(({ clip, place, correct, transcript }) => ({
      title: `${named(clip.utterance.id)}: ${named(recognizer)} has ${correct} of ${clip.words.length} words at ${axis.levels[place]!}${axis.unit}`,
      utteranceId: clip.utterance.id,
      conditionName: axis.condition(place).name,
      draw: 0,
      transcripts: [transcript],
    }));
}

function curvesSection({ searches }: ThresholdResults, axes: readonly Axis[]): Section | null {
  const known = searches.filter(({ search }) => search.answered.length > 0);
  const charts = axes.flatMap((axis): Chart[] => {
    const own = known.filter(({ search }) => search.axis === axis);
    if (own.length === 0) return [];
    const step = Math.ceil((axis.levels.length - 1) / (maxTicks - 1));
    const levels = axis.levels.filter((_, place) => place % step === 0);
    const groups = [...new Set(own.map((result) => groupInWords(result)))];
    return groups.map((group) => ({
      title: `${axis.name}, ${group}: the function that was fitted`,
      xLabel: axisInWords(axis),
      xTicks: levels.map(String),
      yLabel: 'Words right',
      yKind: 'rate',
      series: own
        .filter((result) => groupInWords(result) === group)
        .map(({ search, found, n }) => ({
          name: search.recognizer,
          points: levels.map((level, x) => ({ x, estimate: toEstimate(found.shareAt(axis.coordinate(level)), n) })),
        })),
    }));
  });
  return charts.length === 0 ? null : { id: 'threshold-curves', title: 'Words right by level', charts };
}

function comparisonsSection({ comparisons }: ThresholdResults): Section | null {
  if (comparisons.length === 0) return null;
  const table: Table = {
    id: 'threshold-comparisons',
    title: 'Differences between thresholds',
    columns: [
      axisColumn,
      { key: 'first', label: 'Of', kind: 'text' },
      { key: 'second', label: 'Compared with', kind: 'text' },
      { key: 'difference', label: 'Difference', kind: 'number', help: 'The first threshold less the second.' },
      { key: 'unit', label: 'In', kind: 'text' },
    ],
    rows: comparisons.map(({ kind, first, second, comparison }) => {
      const name = (result: SearchResult) =>
        kind === 'recognizers'
          ? result.search.recognizer
          : `${groupInWords(result)} (${named(result.search.recognizer)})`;
      return {
        axis: first.search.axis.name,
        first: name(first),
        second: name(second),
        difference: comparison,
        unit: differenceUnit(first.search.axis),
      };
    }),
  };
  return { id: 'threshold-comparisons', title: 'Comparisons', tables: [table] };
}

/** What was asked and answered, level by level. */
function countsSection({ searches }: ThresholdResults): Section {
  const rows = searches.flatMap((result) => {
    const { axis, answered } = result.search;
    const places = [...new Set(answered.map(({ place }) => place))];
    const order = (place: number | 'clean') => (place === 'clean' ? axis.levels.length : place);
    return places
      .sort((a, b) => order(a) - order(b))
      .map((place) => {
        const own = answered.filter((one) => one.place === place);
        const words = own.reduce((sum, { clip }) => sum + clip.words.length, 0);
        const right = own.reduce((sum, { correct }) => sum + correct, 0);
        return {
          ...placeOf(result),
          level: place === 'clean' ? clean.name : `${axis.levels[place]!}${axis.unit}`,
          questions: own.length,
          words,
          right,
          share: right / words,
        };
      });
  });
  return {
    id: 'threshold-counts',
    title: 'Questions and answers',
    tables: [
      {
        id: 'threshold-counts',
        title: 'Words right at every level that was asked about',
        columns: [
          axisColumn,
          groupColumn,
          recognizerColumn,
          { key: 'level', label: 'Level', kind: 'text' },
          { key: 'questions', label: 'Recognitions', kind: 'count' },
          wordsSaidColumn,
          { key: 'right', label: 'Words right', kind: 'count' },
          { key: 'share', label: 'Share right', kind: 'rate' },
        ],
        rows,
      },
    ],
  };
}
