import type { Plane, Section, Table } from '../../model/finding.ts';
import { paretoFront } from '../../statistics/pareto-front.ts';
import { adjustedColumn, recognizerColumn } from '../shared/tables.ts';
import { listed } from '../shared/wording.ts';
import type { DisparityFinding } from './finding.ts';

/** Performance against fairness: each recognizer with its error bars, those joined that nothing tells apart in fairness. */
export function planeSection(found: DisparityFinding): Section | null {
  const { design, options } = found;
  if (design.counted.length === 0) return null;
  const plane = planeOf(found);
  return {
    id: 'disparity-plane',
    title: 'Performance and fairness',
    text: [
      `Mean disparity is the mean distance of ${design.counted.length} groups from ${options.baseline === 'pooled' ? 'the rate of everybody' : 'the plain mean of the groups'} (FairLENS). Chance alone makes some: the column beside it says how much, groups being as large as they are.`,
      ...setsInWords(found),
    ],
    ...(plane.points.length > 0 && { planes: [plane] }),
    tables: [recognizersTable(found)],
  };
}

function planeOf({ design, results, options }: DisparityFinding): Plane {
  const names = design.recognizers.map(({ name }) => name);
  const known = results.recognizers.filter(
    ({ wordErrorRate, meanDisparity }) => wordErrorRate.value !== null && meanDisparity.value !== null,
  );
  const places = new Map(known.map(({ recognizer }, place) => [recognizer, place]));
  const apart = (pair: (typeof results.pairs)[number]) =>
    options.profile === 'sound'
      ? pair.disparity.verdict !== 'cannot tell'
      : pair.wTest?.wilcoxon.pValue != null && pair.wTest.wilcoxon.pValue <= 1 - options.level + 1e-12;
  return {
    title: 'Errors and inequality',
    xLabel: 'Word error rate',
    xKind: 'rate',
    yLabel: 'Mean disparity of groups',
    yKind: 'difference',
    points: known.map(({ recognizer, wordErrorRate, meanDisparity }) => ({
      name: names[recognizer]!,
      x: wordErrorRate,
      y: meanDisparity,
    })),
    lines: results.pairs
      .filter((pair) => !apart(pair) && places.has(pair.first) && places.has(pair.second))
      .map(({ first, second }) => ({
        name: `${names[first]} and ${names[second]}: no difference in disparity is shown`,
        points: [places.get(first)!, places.get(second)!],
      })),
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
  const sets = clusters.map((members) => {
    const names = members.map((member) => recognizers[member]!.name);
    return `{${listed(names, 12)}}`;
  });
  return [
    `Not told apart in disparity by ${rule}: ${sets.join(', ')}. One recognizer may lie in several such sets. Lines join them.`,
  ];
}

function recognizersTable({ design, results }: DisparityFinding): Table {
  return {
    id: 'disparity-recognizers',
    title: 'Recognizers',
    columns: [
      recognizerColumn,
      { key: 'wordErrorRate', label: 'Word error rate', kind: 'rate' },
      { key: 'meanDisparity', label: 'Mean disparity', kind: 'difference' },
      {
        key: 'byChance',
        label: 'By chance',
        kind: 'difference',
        help: 'The mean disparity that the same speakers have on average when attributes are exchanged at random.',
      },
      adjustedColumn('Whether mean disparity is more than chance makes; corrected for all recognizers together.'),
      { key: 'worse', label: 'Groups shown to be worse off', kind: 'count' },
      { key: 'better', label: 'Better off', kind: 'count' },
    ],
    rows: results.recognizers.map((row) => {
      const count = (verdict: string) =>
        results.groups.filter((one) => one.recognizer === row.recognizer && one.gap.verdict === verdict).length;
      return {
        recognizer: design.recognizers[row.recognizer]!.name,
        wordErrorRate: row.wordErrorRate,
        meanDisparity: row.meanDisparity,
        byChance: row.byChance,
        adjustedPValue: row.adjustedPValue,
        worse: count('worse'),
        better: count('better'),
      };
    }),
    note: 'Intervals of mean disparities say how much they vary with other speakers. A mean of distances is above 0 by chance alone: the test says whether there is more than that.',
  };
}
