import type { Statement } from '../../model/finding.ts';
import { whyOpen } from '../shared/open-verdict.ts';
import { named } from '../shared/wording.ts';
import type { ThresholdOptions } from './options.ts';
import type { SearchResult, ThresholdComparison, ThresholdResults } from './results.ts';
import { axisInWords, differenceUnit, groupInWords, shareInWords } from './wording.ts';

/** Comparisons that tell nothing are left to the table where there are more of them than this. */
const mostOpen = 4;

/** Thresholds of everybody, then what differs. */
export function answerOf({ searches, comparisons }: ThresholdResults, options: ThresholdOptions): Statement[] {
  const everybody = searches.filter(({ search }) => search.listeners.group === null);
  const told = comparisons.filter(({ comparison }) => comparison.verdict !== 'cannot tell');
  const open = comparisons.filter(({ comparison }) => comparison.verdict === 'cannot tell').slice(0, mostOpen);
  return [
    ...everybody.map((result) => thresholdStatement(result, options)),
    ...[...told, ...open].map((comparison) => comparisonStatement(comparison, options)),
  ];
}

function thresholdStatement({ search, threshold }: SearchResult, options: ThresholdOptions): Statement {
  const { axis } = search;
  const name = named(search.recognizer);
  const where = named(axis.name);
  if (threshold.value === null) return { text: `${where}: ${name} has no threshold: ${threshold.reason}.` };
  const text = `${where}: ${name} understands ${shareInWords(options)} at this ${axisInWords(axis)}.`;
  return { text, estimate: threshold, kind: 'number' };
}

function comparisonStatement(one: ThresholdComparison, options: ThresholdOptions): Statement {
  const { kind, first, second, comparison } = one;
  const { axis, recognizer } = first.search;
  const name = (result: SearchResult) =>
    kind === 'recognizers' ? named(result.search.recognizer) : groupInWords(result);
  const where = kind === 'recognizers' ? named(axis.name) : `${named(axis.name)}, ${named(recognizer)}`;
  const { verdict } = comparison;
  const unit = differenceUnit(axis);
  const text =
    verdict === 'cannot tell'
      ? `${where}: the thresholds of ${name(first)} and ${name(second)} cannot be told apart (difference in ${unit}).${whyOpen(comparison)}`
      : `${where}: ${kind === 'groups' ? 'speakers with ' : ''}${name(first)} reach${kind === 'groups' ? '' : 'es'} ${shareInWords(options)} at ${verdict === 'better' ? 'a harder' : 'an easier'} level than ${name(second)} (difference in ${unit}).`;
  return { text, verdict, comparison, kind: 'number' };
}
