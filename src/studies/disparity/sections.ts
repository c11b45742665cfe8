import { grouped } from '../../base/number-format.ts';
import type { BarChart, HeatMap, Plane, Section, Table, Verdict } from '../../model/finding.ts';
import type { Scores } from '../../model/scores.ts';
import { clean } from '../../model/trial.ts';
import { paretoFront } from '../../statistics/pareto-front.ts';
import { failuresSection as sectionOf } from '../shared/failures.ts';
import {
  adjustedColumn,
  column,
  groupColumn,
  judgedColumns,
  rawColumn,
  recognizerColumn,
  tableOf,
  whyOf,
} from '../shared/tables.ts';
import { listed, named } from '../shared/wording.ts';
import { chanceHelp, groupLabel, speakersColumn } from './design.ts';
import { type DisparityFinding, openDisparity } from './report.ts';
import type { GroupFailures, GroupResult } from './results.ts';

/** Groups of a recognizer that are drawn; the table has all. */
const barsDrawn = 40;

/** Recognizers on what all groups are compared on first, and the group that each serves worst. */
export function scoresOf({ design: { conditions, survey } }: Pick<DisparityFinding, 'design'>): Scores {
  const { name } = conditions[0]!;
  return {
    measure: 'WER',
    ranks: 0,
    columns: [
      {
        words: name === clean.name ? 'on clean audio' : `in ${named(name)}`,
        head: [name],
        rates: { table: 'disparity-recognizers', column: 'wordErrorRate' },
        comparisons: { table: 'disparity-pairs-errors', column: 'difference' },
      },
    ],
    worst: {
      differences: { table: 'disparity-groups', column: 'gap' },
      rates: { table: 'disparity-groups', column: 'wordErrorRate' },
      attributes: survey.attributes.map(({ name }) => name),
    },
  };
}

/** Which groups are worse than average, for which recognizers. */
export function groupsSection({ design, results, options }: DisparityFinding): Section | null {
  if (design.subgroups.length === 0) return null;
  const told = results.groups.filter(({ group }) => group.counted);
  const map: HeatMap = {
    title: 'Gap of each group to everybody',
    kind: 'difference',
    columns: design.recognizers.map(({ name }) => name),
    rows: [...Map.groupBy(told, ({ group }) => group)].map(([group, own]) => ({
      name: groupLabel(group),
      cells: own.map(({ gap }) => gap),
    })),
  };
  const bars = results.recognizers.map(({ recognizer, wordErrorRate: { value: everybody } }): BarChart => {
    const own = told.flatMap(({ group, wordErrorRate, ...one }) => {
      const { value } = wordErrorRate;
      return one.recognizer !== recognizer || value === null ? [] : [{ name: groupLabel(group), wordErrorRate, value }];
    });
    const worse = own.filter(({ value }) => everybody !== null && value > everybody).sort((a, b) => b.value - a.value);
    const means = [
      { name: 'everybody', value: everybody },
      {
        name: 'plain mean of the groups',
        value: own.length === 0 ? null : own.reduce((sum, { value }) => sum + value, 0) / own.length,
      },
    ];
    return {
      title: `${recognizer}: groups worse than everybody`,
      label: 'Word error rate',
      kind: 'rate',
      series: [recognizer],
      rows: worse.slice(0, barsDrawn).map(({ name, wordErrorRate }) => ({ name, values: [wordErrorRate] })),
      means: means.flatMap(({ name, value }) => (value === null ? [] : [{ name, value }])),
    };
  });
  return {
    id: 'disparity-groups',
    title: 'Group by group',
    text: [
      'A gap is the word error rate of the group minus that of everybody: above zero, the group has more errors. Tests permute attributes among speakers; one correction covers all groups and recognizers together.',
    ],
    ...(told.length > 0 && { heatMaps: [map] }),
    bars: bars.filter(({ rows }) => rows.length > 0),
    tables: [
      {
        ...tableOf('disparity-groups', 'Word error rates of groups', results.groups, [
          { ...groupColumn, of: ({ group }) => groupLabel(group) },
          recognizerColumn,
          { ...speakersColumn, of: ({ group }) => group.speakers },
          column('words', 'Words', 'count', ({ wordErrorRate }) => wordErrorRate.n.words ?? null),
          { key: 'wordErrorRate', label: 'Word error rate', kind: 'rate' },
          { key: 'gap', label: 'Gap to everybody', kind: 'difference', help: 'Above zero: more errors.' },
          ...judgedColumns(chanceHelp, ({ gap }: GroupResult) => gap),
          column('note', 'Counted', 'text', ({ group }) => group.why ?? 'yes'),
        ]),
        note: `Intervals of rates: ${options.profile === 'fairlens' ? 'BCa bootstrap over speakers, as FairLENS has it; they are too short with few speakers' : 'bootstrap over speakers, calibrated for few of them'}. A verdict is given only if the interval and the adjusted p agree.`,
      },
    ],
  };
}

/** Performance against fairness: each recognizer with its error bars, those joined that nothing tells apart in fairness. */
export function planeSection(found: DisparityFinding): Section | null {
  const { design, options } = found;
  if (design.counted.length === 0) return null;
  const plane = planeOf(found);
  return {
    id: 'disparity-plane',
    title: 'Performance and fairness',
    text: [
      `Mean disparity is the mean distance of ${grouped(design.counted.length)} groups from ${options.baseline === 'pooled' ? 'the rate of everybody' : 'the unweighted mean of the groups'} (FairLENS). Chance alone causes some; the column beside it shows how much for groups of these sizes.`,
      ...setsInWords(found),
    ],
    ...(plane.points.length > 0 && { planes: [plane] }),
    tables: [recognizersTable(found)],
  };
}

function planeOf({ results }: DisparityFinding): Plane {
  const known = results.recognizers.filter(
    ({ wordErrorRate, meanDisparity }) => wordErrorRate.value !== null && meanDisparity.value !== null,
  );
  const places = new Map(known.map(({ recognizer }, place) => [recognizer, place]));
  return {
    title: 'Errors and inequality',
    xLabel: 'Word error rate',
    xKind: 'rate',
    yLabel: 'Mean disparity of groups',
    yKind: 'points',
    points: known.map(({ recognizer, wordErrorRate, meanDisparity }) => ({
      name: recognizer,
      x: wordErrorRate,
      y: meanDisparity,
    })),
    lines: results.pairs.flatMap(({ apart, first, second }) => {
      const points = [places.get(first), places.get(second)].filter((place) => place !== undefined);
      const name = `${first} and ${second}: no difference in disparity is shown`;
      return apart || points.length < 2 ? [] : [{ name, points }];
    }),
    linesLabel: 'no difference in disparity shown',
    front: paretoFront(
      known.map(({ wordErrorRate, meanDisparity }) => [wordErrorRate.value, meanDisparity.value]),
      ['minimize', 'minimize'],
    ),
  };
}

/** Sets of recognizers that are not told apart; nothing where there is one recognizer. */
function setsInWords({ design: { recognizers }, results: { clusters }, options }: DisparityFinding): string[] {
  if (clusters.length === 0 || recognizers.length < 2) return [];
  const rule = options.profile === 'sound' ? 'the test over speakers, corrected' : 'FairLENS’ W-test, uncorrected';
  const sets = clusters.map((members) => `{${listed(members, 12)}}`);
  return [
    `Not distinguished in disparity by ${rule}: ${sets.join(', ')}. One recognizer may lie in several such sets. Lines join them.`,
  ];
}

function recognizersTable({ design, results }: DisparityFinding): Table {
  const shown = (recognizer: string, verdict: Verdict) =>
    results.groups.filter((one) => one.recognizer === recognizer && one.gap.verdict === verdict).length;
  const table = tableOf('disparity-recognizers', `Recognizers, ${design.conditions[0]!.name}`, results.recognizers, [
    recognizerColumn,
    { key: 'wordErrorRate', label: 'Word error rate', kind: 'rate' },
    { key: 'meanDisparity', label: 'Mean disparity', kind: 'points', ranks: true },
    {
      key: 'byChance',
      label: 'By chance',
      kind: 'points',
      help: 'The mean disparity that the same speakers have on average when attributes are exchanged at random.',
    },
    { ...rawColumn, of: ({ pValue }) => pValue },
    adjustedColumn('Whether mean disparity is more than chance makes; corrected for all recognizers together.'),
    whyOf((row) => openDisparity(row, results.recognizers.length)),
    column('worse', 'Groups shown to be worse off', 'count', ({ recognizer }) => shown(recognizer, 'worse')),
    column('better', 'Better off', 'count', ({ recognizer }) => shown(recognizer, 'better')),
  ]);
  const note =
    'Every clip counts once, by its first recognition. Intervals of mean disparities show how much they vary with other speakers. A mean of distances is above 0 by chance alone; the test shows whether there is more than that.';
  return { ...table, note };
}

/** Trials without a transcript, and whether they hit some groups more than others. */
export function failuresSection({ scores, results }: DisparityFinding): Section {
  const section = sectionOf(
    'disparity',
    'A failed trial is no empty transcript: it is left out of its rate, and in a comparison of recognizers out of both sides. A recognizer that gives up on a group more often than on others is unequal all the same: gaps in failures are tested as gaps in errors are.',
    scores.trials,
  );
  if (results.failures.length === 0) return section;
  return {
    ...section,
    tables: [
      ...(section.tables ?? []),
      tableOf('disparity-group-failures', 'Failures by group', results.failures, [
        { ...groupColumn, of: ({ group }) => groupLabel(group) },
        recognizerColumn,
        { key: 'failed', label: 'Failed', kind: 'count' },
        { key: 'asked', label: 'Trials', kind: 'count' },
        column('share', 'Share', 'rate', ({ asked, failed }) => (asked === 0 ? null : failed / asked)),
        { key: 'gap', label: 'Gap to everybody', kind: 'difference', help: 'Above zero: more failures.' },
        ...judgedColumns(chanceHelp, ({ gap }: GroupFailures) => gap),
      ]),
    ],
  };
}
