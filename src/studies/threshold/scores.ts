import type { Scores } from '../../model/scores.ts';
import { leadersInWords, verdictAmong } from '../shared/claims.ts';
import { named } from '../shared/wording.ts';
import type { Axis } from './axes.ts';
import type { ThresholdOptions } from './options.ts';
import { axisInWords, comparisonStatement, isInDecibels, thresholdStatement } from './report.ts';
import type { ThresholdComparison, ThresholdResults } from './results.ts';

/** Recognizers by axes, and groups along the first. */
export function scoresOf(
  { searches, comparisons }: ThresholdResults,
  axes: readonly Axis[],
  options: ThresholdOptions,
): Scores {
  const [first] = axes;
  const thresholds = { table: 'threshold-thresholds', column: 'threshold' };
  const everybody = searches.filter(({ search }) => search.axis === first && search.listeners.group === null);
  const ranked = everybody
    .filter(({ threshold }) => threshold.value !== null)
    .toSorted((a, b) => first!.coordinate(a.threshold.value!) - first!.coordinate(b.threshold.value!));
  const pairs = comparisons
    .filter((one) => one.kind === 'recognizers' && one.first.search.axis === first)
    .map((one) => ({ ...one, first: one.first.search.recognizer, second: one.second.search.recognizer }));
  const names = ranked.map(({ search }) => search.recognizer);
  const leads = `${options.target === 0.5 ? 'understands half' : 'reaches the threshold'} at the hardest level of ${named(first!.name)}`;
  const [only] = everybody.map((result) => thresholdStatement(result, options).text);
  const isTold = ({ kind, first: { search }, comparison }: ThresholdComparison) =>
    kind === 'groups' && search.axis === first && comparison.verdict !== 'cannot tell';
  const place = ({ first: { search } }: ThresholdComparison) => names.indexOf(search.recognizer);
  const [gap] = comparisons.filter(isTold).toSorted((a, b) => place(a) - place(b));
  const found = [leadersInWords(names, leads, verdictAmong(pairs)) ?? (everybody.length === 1 ? only! : null)];
  // Along axes that get harder upwards a difference above 0 is no disadvantage, and along logarithms it has another unit.
  const isPlain = first!.harder === 'lower' && first!.scale === 'linear';
  const hasGroups = comparisons.some(({ kind }) => kind === 'groups') && isPlain;
  const along = { axis: first!.name };
  return {
    measure: `${options.target === 0.5 ? 'Half' : `${100 * options.target} %`} of ${options.of === 'clean' ? 'clean' : 'the words'} at`,
    found: [...found, gap === undefined ? null : comparisonStatement(gap).text].filter((text) => text !== null),
    columns: axes.map((axis) => ({
      words: `along ${axis.name}`,
      head: [axis.name.replace(/^.*\//, ''), axisInWords(axis)],
      rates: { ...thresholds, where: { axis: axis.name, attribute: '' } },
      comparisons: { table: 'threshold-comparisons', column: 'difference', where: { axis: axis.name } },
      kind: isInDecibels(axis) ? 'decibels' : 'number',
      ...(axis.harder === 'higher' && { best: 'highest' }),
    })),
    ranks: 0,
    ...(hasGroups && {
      gaps: {
        of: axisInWords(first!),
        differences: { table: 'threshold-gaps', column: 'difference', where: along },
        rates: { ...thresholds, where: along },
      },
    }),
  };
}
