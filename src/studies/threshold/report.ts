import { significantDecimals } from '../../base/number-format.ts';
import { counted } from '../../base/wording.ts';
import { shownDifference } from '../../model/comparison.ts';
import type { About, Chart, Estimate, Example, Section, Statement } from '../../model/finding.ts';
import { clean } from '../../model/trial.ts';
import { reasonOf, toEstimate } from '../shared/estimates.ts';
import { failuresSection, failureWarnings } from '../shared/failures.ts';
import { whyOpen } from '../shared/open-verdict.ts';
import {
  attributeColumn,
  column,
  comparedWithColumn,
  groupColumn,
  recognizerColumn,
  tableOf,
  wordsSaidColumn,
} from '../shared/tables.ts';
import { listed, named, numberInWords } from '../shared/wording.ts';
import { type Axis, unitEndings } from './axes.ts';
import type { ChosenClips } from './clips.ts';
import type { ThresholdOptions } from './options.ts';
import type { SearchResult, ThresholdComparison, ThresholdResults } from './results.ts';
import type { ThresholdSearch } from './search.ts';

/** Of what a row tells: an axis, whose clips, and who heard them. */
const placeColumns = [
  column('axis', 'Axis', 'text', ({ search }: SearchResult) => search.axis.name),
  { ...attributeColumn, of: ({ search }: SearchResult) => search.listeners.group?.attribute ?? '' },
  { ...groupColumn, of: ({ search }: SearchResult) => search.listeners.group?.value ?? 'everybody' },
  { ...recognizerColumn, of: ({ search }: SearchResult) => search.recognizer },
];

const maxTicks = 17;

/** Every part of the finding, in the order in which a reader wants it. */
export function sectionsOf(results: ThresholdResults, axes: readonly Axis[], options: ThresholdOptions): Section[] {
  return [
    thresholdsSection(results, options),
    curvesSection(results, axes),
    comparisonsSection(results),
    countsSection(results),
    failuresSection('threshold', 'A failed recognition is left out.', results.trials),
  ].filter((section) => section !== null);
}

function thresholdsSection({ searches }: ThresholdResults, options: ThresholdOptions): Section {
  const axes = [...new Set(searches.map(({ search }) => search.axis))];
  const inDecibels = axes.every(isInDecibels);
  const table = tableOf('threshold-thresholds', `Where ${shareInWords(options)} are recognized`, searches, [
    ...placeColumns,
    {
      ...{ key: 'threshold', kind: inDecibels ? 'decibels' : 'number' },
      label: axes.length === 1 ? `Threshold, ${axisInWords(axes[0]!)}` : 'Threshold',
      help: 'In the unit beside it.',
    },
    column('unit', 'Of', 'text', ({ search }) => axisInWords(search.axis)),
    {
      ...column('ceiling', 'Max share recognized', 'rate', ({ search, found, n }) =>
        search.answered.length === 0 ? null : toEstimate(found.shareAt(Number.POSITIVE_INFINITY), n),
      ),
      help: 'The upper asymptote of the fitted function: share of words recognized at the mildest levels.',
    },
    column('questions', 'Recognitions', 'count', ({ search }) => search.asked),
    column('slope', 'Slope', 'number', ({ found }) => found.slope),
    column('available', 'Clips there are', 'count', ({ search }) => search.listeners.clips.length),
    column('clips', 'Clips', 'count', ({ n }) => n.utterances),
    { ...wordsSaidColumn, of: ({ n }) => n.words ?? 0 },
  ]);
  const examples = searches.flatMap(examplesOf);
  return {
    id: 'threshold-thresholds',
    title: 'Thresholds',
    text: [
      'A reference word counts as recognized if the alignment finds it in the transcript. Intervals are jackknife intervals over speakers.',
    ],
    tables: [table],
    ...(examples.length === 0 ? {} : { examples }),
  };
}

/** The two clips that were heard closest to the threshold: what the number sounds like. */
function examplesOf({ search, threshold }: SearchResult): Example[] {
  const { axis, answered, recognizer, listeners } = search;
  if (threshold.value === null || listeners.group !== null) return [];
  const sought = axis.coordinate(threshold.value);
  const distance = (place: number) => Math.abs(axis.coordinate(axis.levels[place]!) - sought);
  return answered
    .flatMap((one) => (one.place === 'clean' ? [] : [{ ...one, place: one.place }]))
    .sort((a, b) => distance(a.place) - distance(b.place))
    .slice(0, 2)
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
      title: `${axis.name}, ${group}: fitted psychometric function (line) and shares recognized (markers)`,
      xLabel: axisInWords(axis),
      xTicks: levels.map(String),
      yLabel: 'Words recognized',
      yKind: 'rate',
      series: own
        .filter((result) => groupInWords(result) === group)
        .map(({ search, found, n }) => ({
          name: search.recognizer,
          points: levels.map((level, x) => ({ x, estimate: toEstimate(found.shareAt(axis.coordinate(level)), n) })),
          data: [...answeredByPlace(search)].flatMap(([place, { share }]) =>
            place === 'clean' ? [] : [{ x: place / step, value: share }],
          ),
        })),
    }));
  });
  return charts.length === 0 ? null : { id: 'threshold-curves', title: 'Words recognized by level', charts };
}

function comparisonsSection({ comparisons }: ThresholdResults): Section | null {
  if (comparisons.length === 0) return null;
  const [between, gaps] = (['recognizers', 'groups'] as const).map((kind) =>
    comparisons.filter((one) => one.kind === kind),
  );
  const axis = column('axis', 'Axis', 'text', ({ first }: ThresholdComparison) => first.search.axis.name);
  const recognizer = { ...recognizerColumn, of: ({ first }: ThresholdComparison) => first.search.recognizer };
  const compared = [
    {
      ...column(
        'difference',
        'Difference',
        comparisons.every(({ first }) => isLinearInDecibels(first.search.axis)) ? 'decibels' : 'number',
        ({ comparison }: ThresholdComparison) => comparison,
      ),
      help: 'First threshold minus second.',
    },
    column('unit', 'In', 'text', ({ first }: ThresholdComparison) => differenceUnit(first.search.axis)),
  ];
  const rests = between!.some((one) => one.rests !== null) && [
    column('over', 'Over', 'text', ({ rests }: ThresholdComparison) => rests?.over ?? 'all'),
    column('own', 'Threshold, over these', 'number', ({ rests }: ThresholdComparison) => rests?.first ?? null),
    column('others', 'The other, over these', 'number', ({ rests }: ThresholdComparison) => rests?.second ?? null),
  ];
  const tables = [
    tableOf('threshold-comparisons', 'Differences between thresholds of recognizers', between!, [
      ...[axis, recognizer],
      { ...comparedWithColumn, of: ({ second }) => second.search.recognizer },
      ...compared,
      ...(rests || []),
    ]),
    tableOf('threshold-gaps', 'Differences between thresholds of groups', gaps!, [
      ...[axis, recognizer],
      { ...attributeColumn, of: ({ first }) => first.search.listeners.group!.attribute },
      { ...groupColumn, of: ({ first }) => first.search.listeners.group!.value },
      { ...comparedWithColumn, of: ({ second }) => second.search.listeners.group!.value },
      ...compared,
    ]),
  ];
  return { id: 'threshold-comparisons', title: 'Comparisons', tables: tables.filter(({ rows }) => rows.length > 0) };
}

/** What was asked and answered, level by level. */
function countsSection({ searches }: ThresholdResults): Section {
  const rows = searches.flatMap((result) => {
    const { axis } = result.search;
    const order = (place: number | 'clean') => (place === 'clean' ? axis.levels.length : place);
    return [...answeredByPlace(result.search)]
      .sort(([a], [b]) => order(a) - order(b))
      .map(([place, counts]) => {
        const level = place === 'clean' ? clean.name : `${axis.levels[place]!}${axis.unit}`;
        return { ...result, level, ...counts };
      });
  });
  return {
    id: 'threshold-counts',
    title: 'Trials',
    tables: [
      tableOf('threshold-counts', 'Words recognized at each level', rows, [
        ...placeColumns,
        { key: 'level', label: 'Level', kind: 'text' },
        { key: 'questions', label: 'Recognitions', kind: 'count' },
        wordsSaidColumn,
        { key: 'right', label: 'Words recognized', kind: 'count' },
        { key: 'share', label: 'Share recognized', kind: 'rate' },
      ]),
    ],
  };
}

/** What was asked and answered at each level. */
function answeredByPlace({ answered }: ThresholdSearch) {
  const byPlace = [...Map.groupBy(answered, ({ place }) => place)];
  return new Map(
    byPlace.map(([place, own]) => {
      const words = own.reduce((sum, { clip }) => sum + clip.words.length, 0);
      const right = own.reduce((sum, { correct }) => sum + correct, 0);
      return [place, { questions: own.length, words, right, share: right / words }] as const;
    }),
  );
}

export function isInDecibels({ unit }: Axis): boolean {
  return unit === ' dB';
}

/** Whether differences are in decibels too. */
function isLinearInDecibels({ unit, scale }: Axis): boolean {
  return unit === ' dB' && scale === 'linear';
}

/** Decimals as tables print them. */
function decimalsOf({ value }: Estimate, inDecibels: boolean): number {
  if (inDecibels) return 1;
  return value === null || Number.isInteger(value) ? 0 : significantDecimals(value, 6);
}

/** `half of the words`, `70 % of the words that are right in clean sound` */
function shareInWords({ target, of }: Pick<ThresholdOptions, 'target' | 'of'>): string {
  const share = target === 0.5 ? 'half' : `${Number((100 * target).toFixed(1))} %`;
  return `${share} of the words${of === 'clean' ? ' that are right in clean audio' : ''}`;
}

/** `SNR (dB)`, `low pass (Hz)`: what an axis measures, as sentences and charts name it. */
export function axisInWords({ parameter, unit }: Axis): string {
  const ending = unit === '' ? '' : unitEndings.find((one) => parameter.endsWith(one));
  const bare = ending ? parameter.slice(0, -ending.length) : parameter;
  const words = bare
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replace(/^snr$/, 'SNR');
  return unit === '' ? words : `${words} (${unit.trim()})`;
}

/** In which unit thresholds of an axis differ. */
export function differenceUnit({ scale, unit, parameter }: Axis): string {
  return scale === 'logarithmic' ? 'octaves' : unit === '' ? `units of ${parameter}` : unit.trim();
}

/** `everybody`, or `sex F`. */
function groupInWords({ search }: SearchResult): string {
  const { group } = search.listeners;
  return group === null ? 'everybody' : `${named(group.attribute)} ${named(group.value)}`;
}

/** Comparisons that tell nothing are left to the table where there are more of them than this. */
const maxOpen = 4;

/** Thresholds of everybody, then what differs. */
export function answerOf({ searches, comparisons }: ThresholdResults, options: ThresholdOptions): Statement[] {
  const everybody = searches.filter(({ search }) => search.listeners.group === null);
  const told = comparisons.filter(({ comparison }) => comparison.verdict !== 'cannot tell');
  const open = comparisons.filter(({ comparison }) => comparison.verdict === 'cannot tell').slice(0, maxOpen);
  return [
    ...everybody.map((result) => thresholdStatement(result, options)),
    ...[...told, ...open].map((comparison) => comparisonStatement(comparison)),
  ];
}

export function thresholdStatement({ search, threshold }: SearchResult, options: ThresholdOptions): Statement {
  const { axis } = search;
  const name = named(search.recognizer);
  const where = named(axis.name);
  const about = aboutSearch(search);
  if (threshold.value === null) return { text: `${where}: ${name} has no threshold: ${reasonOf(threshold)}.`, about };
  const text = `${where}: ${name} recognizes ${shareInWords(options)} at ${thresholdInWords(threshold, axis)}.`;
  return { text, estimate: threshold, kind: isInDecibels(axis) ? 'decibels' : 'number', about };
}

/** `an SNR of −3.2 dB (95 % CI −4.1 to −2.2)` */
function thresholdInWords(threshold: Estimate, axis: Axis): string {
  const number = numberInWords(threshold, decimalsOf(threshold, isInDecibels(axis)), axis.unit);
  return axis.parameter === 'snrDb' ? `${number.replace(/ dB/, ' dB SNR')}` : number;
}

export function comparisonStatement(one: ThresholdComparison): Statement {
  const { kind, first, second, comparison } = one;
  const { axis, recognizer } = first.search;
  const name = (result: SearchResult) =>
    kind === 'recognizers' ? named(result.search.recognizer) : groupInWords(result);
  const where = kind === 'recognizers' ? named(axis.name) : `${named(axis.name)}, ${named(recognizer)}`;
  const { verdict } = comparison;
  const difference = shownDifference(comparison);
  const decimals = decimalsOf(difference, isLinearInDecibels(axis));
  const over = one.rests === null ? '' : `, over ${one.rests.over}`;
  const apart =
    difference.value === null
      ? ''
      : `: ${numberInWords(difference, decimals, ` ${differenceUnit(axis)}`)} apart${over}`;
  const text =
    verdict === 'cannot tell'
      ? `${where}: the thresholds of ${name(first)} and ${name(second)} do not differ significantly${apart}.${whyOpen(comparison)}`
      : `${where}: ${kind === 'groups' ? 'speakers with ' : ''}${name(first)} reach${kind === 'groups' ? '' : 'es'} the threshold at ${verdict === 'better' ? 'a harder' : 'an easier'} level than ${name(second)}${apart}.`;
  const printed = isLinearInDecibels(axis) ? 'decibels' : 'number';
  return { text, verdict, comparison, kind: printed, about: aboutSearch(first.search) };
}

/** The levels at which it was asked. */
function aboutSearch({ axis, recognizer, listeners: { group }, answered }: ThresholdSearch): About {
  const places = new Set(answered.map(({ place }) => place));
  return {
    recognizer,
    conditions: [...places].map((place) => (place === 'clean' ? clean : axis.condition(place)).name),
    ...(group !== null && { group: { [group.attribute]: group.value } }),
  };
}

/** What a reader must know before believing the thresholds. */
export function warningsOf(
  { searches, trials }: ThresholdResults,
  clips: ChosenClips,
  options: ThresholdOptions,
): string[] {
  const warnings: string[] = [];
  const { skipped, withoutSpeaker, manyValued, parts } = clips;
  const everybody = parts[0]!.clips.length;
  if (skipped.withoutReference > 0)
    warnings.push(`${counted(skipped.withoutReference, 'utterance')} without a reference could not be used.`);
  if (skipped.withoutWords > 0)
    warnings.push(`${counted(skipped.withoutWords, 'utterance')} without words in the reference could not be used.`);
  if (everybody === 0) warnings.push('No utterance has words in its reference, so no recognizer was asked.');
  if (withoutSpeaker > 0) {
    warnings.push(
      `The speakers of ${counted(withoutSpeaker, 'clip')} are unknown: such clips are taken to be independent of each other, and intervals are too narrow where one person spoke several.`,
    );
  }
  if (manyValued.length > 0) warnings.push(`Not searched by group, because of too many values: ${listed(manyValued)}.`);
  for (const attribute of options.groupBy) {
    if (!manyValued.includes(attribute) && !parts.some(({ group }) => group?.attribute === attribute))
      warnings.push(`Not searched by ${named(attribute)}: fewer than two values of it are known.`);
  }
  const few = searches.filter(({ search }) => search.asked > search.listeners.clips.length);
  if (options.design === 'adaptive' && few.length > 0 && everybody > 0) {
    const places = [...new Set(few.map((one) => `${named(one.search.axis.name)}, ${groupInWords(one)}`))];
    const fewest = Math.min(...few.map(({ search }) => search.listeners.clips.length));
    warnings.push(
      `There are fewer clips than trials for ${listed(places, 4)} (${counted(fewest, 'clip')} at the fewest), so that some were used at several levels; more clips would give more information.`,
    );
  }
  return [...warnings, ...failureWarnings(trials, 'they are left out, which may flatter it')];
}
