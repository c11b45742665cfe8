import { EarwitnessError } from '../../../base/errors.ts';
import { hashJson } from '../../../base/hash.ts';
import type { Condition } from '../../../model/condition.ts';
import type { Utterance } from '../../../model/utterance.ts';
import { randomOfData } from '../../../statistics/bootstrap/random-of-data.ts';
import type { Answer, Batch, StudyContext } from '../../contract.ts';
import type { MeanOptions } from '../cluster-means.ts';
import type { CaseGroups, CaseValidity } from './condition-validity.ts';
import { createValidityGate } from './gate.ts';
import { ratingMeans, readRatings } from './ratings.ts';
import type { ValidityOption } from './section.ts';

/** What a gate judges. */
export interface JudgedCases extends CaseGroups {
  readonly conditions: readonly Condition[];
  /** How often the sound of a condition is made. */
  draws(condition: number): number;
  /** Which utterances are looked at. */
  wanted(utterance: Utterance): boolean;
  /** How the intervals of means of conditions are made; they decide nothing. */
  readonly means: Omit<MeanOptions, 'random'>;
}

/**
 * Opens the gate that an option names: asks for the measurements it needs, and says which changed clips count.
 *
 * @throws EarwitnessError `bad-config` for a measure that the config does not have, `bad-input` for a table that cannot be read
 * @example const validity = yield* judgeCases(options.validity, { conditions, draws, wanted, groupOf, corpusBy, means }, context);
 */
export async function* judgeCases(
  option: ValidityOption | { readonly ratings: string; readonly atLeast: number; readonly per: string },
  cases: JudgedCases,
  context: StudyContext,
): AsyncGenerator<Batch, CaseValidity, AsyncIterable<Answer>> {
  if ('ratings' in option) return validityByRatings(option, cases, context);
  const gate = createValidityGate(option, cases.conditions, context, cases.wanted);
  // What listeners said of scenarios is known: nothing has to be measured.
  if ('measure' in option) {
    const answers: AsyncIterable<Answer> = yield {
      about: 'quality of changed clips',
      size: null,
      questions: () => gate.questions(cases.draws),
    };
    for await (const answer of answers) gate.see(answer);
  }
  const { keeps, rule, conditions } = gate.judge(cases.means);
  return {
    judge: (utterance, condition, draw) => (keeps(utterance, condition, draw) ? 'kept' : 'excluded'),
    rule,
    identity: { rule },
    conditions,
    ratings: null,
  };
}

/**
 * Judges by a table of listeners' ratings, as SR-MT does (section 4.2: a mean opinion score of 4.0 or more): each changed
 * clip by the mean of its own ratings, or a group of conditions on a corpus by the mean of all ratings that name one of them.
 * Ratings that name no corpus count for every one. Where there are several scales (sharpness, naturalness) each must pass.
 *
 * @param option `per: 'case'` judges clip by clip, anything else groups
 * @throws EarwitnessError `bad-input` for a table that cannot be read
 */
async function validityByRatings(
  { ratings: file, atLeast, per }: { readonly ratings: string; readonly atLeast: number; readonly per: string },
  { groupOf, corpusBy, means: settings }: CaseGroups & { readonly means: Omit<MeanOptions, 'random'> },
  context: StudyContext,
): Promise<CaseValidity> {
  if (context.readText === undefined) throw new EarwitnessError('bad-config', 'ratings: files cannot be read here');
  const text = await context.readText(file);
  const rows = readRatings(file, text);
  /** By what is judged, then by scale. */
  const means = new Map<string, Map<string | null, { sum: number; count: number }>>();
  const add = (key: string, scale: string | null, rating: number) => {
    const scales = means.get(key) ?? new Map<string | null, { sum: number; count: number }>();
    means.set(key, scales);
    const mean = scales.get(scale) ?? { sum: 0, count: 0 };
    scales.set(scale, { sum: mean.sum + rating, count: mean.count + 1 });
  };
  for (const { rating, utterance, condition, relation, corpus, scale } of rows) {
    if (per === 'case') {
      if (utterance !== null && condition !== null) add(keyOf(utterance, condition), scale, rating);
      continue;
    }
    const group = groupOf(condition, relation);
    if (group !== null) add(keyOf(group, corpus), scale, rating);
  }
  /** The least of the means of all scales. */
  const leastOf = (...keys: readonly string[]): number | null => {
    const found = keys.flatMap((key) => [...(means.get(key) ?? [])]);
    const byScale = Map.groupBy(found, ([scale]) => scale);
    const ofScales = [...byScale.values()].map((own) => {
      const count = own.reduce((total, [, mean]) => total + mean.count, 0);
      return own.reduce((total, [, mean]) => total + mean.sum, 0) / count;
    });
    return ofScales.length === 0 ? null : Math.min(...ofScales);
  };
  return {
    judge({ id, attributes }, { name }) {
      const corpus = Object.hasOwn(attributes, corpusBy) ? attributes[corpusBy]! : null;
      const group = groupOf(name, null);
      const mean =
        per === 'case'
          ? leastOf(keyOf(id, name))
          : group === null
            ? null
            : leastOf(keyOf(group, null), ...(corpus === null ? [] : [keyOf(group, corpus)]));
      if (mean === null) return 'unrated';
      return mean >= atLeast ? 'kept' : 'excluded';
    },
    rule: `mean rating of at least ${atLeast}, ${per === 'case' ? 'changed clip by changed clip' : `by ${per} and corpus`}`,
    identity: { ratings: hashJson(text), atLeast, per },
    conditions: null,
    ratings: ratingMeans(rows, ({ condition, relation }) => groupOf(condition, relation), {
      ...settings,
      random: randomOfData(context.seed),
    }),
  };
}

function keyOf(first: string, second: string | null): string {
  return JSON.stringify([first, second]);
}
