import { clean } from '../../model/condition.ts';
import type { Statement } from '../../model/finding.ts';
import { whyOpen } from '../shared/open-verdict.ts';
import { differenceInWords, rateInWords } from '../shared/rates-in-words.ts';
import { counted, listed, named } from '../shared/wording.ts';
import type { Change, ComparisonResults } from './comparison-results.ts';
import type { PairTally } from './tally-pairs.ts';

/** Conditions and groups that have a sentence of their own; the others stand in the tables. */
const mostSentences = 6;

/** What changed, most important first. Nothing is claimed that its comparison does not tell. */
export function comparisonAnswer(
  results: ComparisonResults,
  tally: PairTally,
  labels: { readonly before: string; readonly after: string },
): Statement[] {
  const { overall, conditions, groups } = results;
  const before = named(labels.before);
  const after = named(labels.after);
  if (overall.after.value === null) {
    const reason = tally.all.pairs === 0 ? 'no question was answered by both' : 'the references have no words';
    return [{ text: `${before} and ${after} cannot be compared: ${reason}.` }, ...failureStatements(tally, after)];
  }
  const placeOf = ({ condition, group }: Change) =>
    group === null
      ? inCondition(tally.conditions[condition!]!.name)
      : `for ${named(group.attribute)} ${named(group.value)}`;
  const told = (changes: readonly Change[]) => changes.filter(({ comparison }) => comparison.verdict !== 'cannot tell');
  const sentences = [...told(conditions), ...told(groups)]
    .toSorted((a, b) => Number(a.comparison.verdict === 'better') - Number(b.comparison.verdict === 'better'))
    .slice(0, mostSentences)
    .map((change) => statementOf(change, placeOf(change), before, after));
  const open = conditions.filter(({ comparison }) => comparison.verdict === 'cannot tell');
  const where =
    tally.conditions.length === 1
      ? inCondition(tally.conditions[0]!.name)
      : `over all ${tally.conditions.length} conditions`;
  const statements = [statementOf(overall, where, before, after), ...sentences];
  if (open.length > 0) {
    const names = listed(open.map(({ condition }) => tally.conditions[condition!]!.name));
    statements.push({ text: `${after} is not told from ${before} in ${names}.`, verdict: 'cannot tell' });
  }
  statements.push(changeStatement(tally), ...failureStatements(tally, after));
  return statements;
}

function inCondition(name: string): string {
  return name === clean.name ? 'on clean audio' : `in ${named(name)}`;
}

function statementOf({ comparison, after: rate }: Change, where: string, before: string, after: string): Statement {
  const apart = differenceInWords(comparison.difference, `than ${before}`);
  const text = `${after}: ${rateInWords(rate, 'WER', where)}; ${apart}.${whyOpen(comparison)}`;
  return { text, verdict: comparison.verdict, estimate: rate, comparison };
}

function changeStatement({ all, watch }: PairTally): Statement {
  const trials = (count: number, utterances: number) =>
    `${counted(count, 'trial')} (of ${counted(utterances, 'utterance')})`;
  if (all.otherTranscript === 0) return { text: `All ${counted(all.pairs, 'transcript')} are the same.` };
  return {
    text: `Newly broken, right before and wrong now: ${trials(all.broken, watch.utterances.broken)}. Fixed: ${trials(all.fixed, watch.utterances.fixed)}. Out of ${counted(all.pairs, 'trial')}.`,
  };
}

function failureStatements({ all }: PairTally, after: string): Statement[] {
  if (all.failuresCame === 0 && all.failuresWent === 0) return [];
  const came = counted(all.failuresCame, 'trial');
  return [{ text: `${came} failed with ${after} and not before; ${all.failuresWent} failed before and no more.` }];
}
