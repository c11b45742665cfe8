import { EarwitnessError } from '../../../base/errors.ts';
import { hashJson } from '../../../base/hash.ts';
import type { StudyContext } from '../../contract.ts';
import type { CaseGroups, CaseValidity } from './case-judgement.ts';
import { readRatings } from './ratings.ts';

/**
 * Judges by a table of listeners' ratings, as SR-MT does (section 4.2: a mean opinion score of 4.0 or more): each changed
 * clip by the mean of its own ratings, or a group of conditions on a corpus by the mean of all ratings that name one of them.
 * Ratings that name no corpus count for every one.
 *
 * @param option `per: 'case'` judges clip by clip, anything else groups
 * @throws EarwitnessError `bad-input` for a table that cannot be read
 */
export async function validityByRatings(
  { ratings: file, atLeast, per }: { readonly ratings: string; readonly atLeast: number; readonly per: string },
  { groupOf, corpusBy }: CaseGroups,
  context: StudyContext,
): Promise<CaseValidity> {
  if (context.readText === undefined) throw new EarwitnessError('bad-config', 'ratings: files cannot be read here');
  const text = await context.readText(file);
  const means = new Map<string, { sum: number; count: number }>();
  const add = (key: string, rating: number) => {
    const mean = means.get(key) ?? { sum: 0, count: 0 };
    mean.sum += rating;
    mean.count++;
    means.set(key, mean);
  };
  for (const { rating, utterance, condition, relation, corpus } of readRatings(file, text)) {
    if (per === 'case') {
      if (utterance !== null && condition !== null) add(keyOf(utterance, condition), rating);
      continue;
    }
    const group = groupOf(condition, relation);
    if (group !== null) add(keyOf(group, corpus), rating);
  }
  const meanOf = (...keys: readonly string[]): number | null => {
    const found = keys.map((key) => means.get(key)).filter((mean) => mean !== undefined);
    const count = found.reduce((total, mean) => total + mean.count, 0);
    return count === 0 ? null : found.reduce((total, { sum }) => total + sum, 0) / count;
  };
  return {
    judge({ id, attributes }, { name }) {
      const corpus = Object.hasOwn(attributes, corpusBy) ? attributes[corpusBy]! : null;
      const group = groupOf(name, null);
      const mean =
        per === 'case'
          ? meanOf(keyOf(id, name))
          : group === null
            ? null
            : meanOf(keyOf(group, null), ...(corpus === null ? [] : [keyOf(group, corpus)]));
      if (mean === null) return 'unrated';
      return mean >= atLeast ? 'kept' : 'excluded';
    },
    rule: `mean rating of at least ${atLeast}, ${per === 'case' ? 'changed clip by changed clip' : `by ${per} and corpus`}`,
    identity: { ratings: hashJson(text), atLeast, per },
    conditions: null,
  };
}

function keyOf(first: string, second: string | null): string {
  return JSON.stringify([first, second]);
}
