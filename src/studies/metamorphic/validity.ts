import { EarwitnessError } from '../../base/errors.ts';
import { hashJson } from '../../base/hash.ts';
import type { Json } from '../../base/json.ts';
import type { Condition } from '../../model/condition.ts';
import type { Utterance } from '../../model/utterance.ts';
import type { Answer, Batch, StudyContext } from '../contract.ts';
import { createValidityGate } from '../shared/validity-gate.ts';
import type { Design } from './design.ts';
import type { MetamorphicOptions, RatingsOption } from './options.ts';
import { readRatings } from './ratings.ts';

/** Whether a changed clip counts: kept, excluded, or not rated at all (which does not count either). */
export type Judgement = 'kept' | 'excluded' | 'unrated';

/** Says of every changed clip whether its results count. */
export interface CaseValidity {
  judge(utterance: Utterance, condition: Condition, relation: string, draw: number): Judgement;
  /** For the finding: what was asked, in words. */
  readonly rule: string;
  /** For the settings. */
  readonly identity: Json;
}

/** A gate that may have to ask before it can say anything. */
interface OpenedValidity {
  /** What it asks; null: nothing. */
  readonly batch: Batch | null;
  /** Given the answers to `batch`, which are read by `concluded`. */
  see(answers: AsyncIterable<Answer>): void;
  concluded(): Promise<CaseValidity>;
}

/**
 * Opens the gate that the options name; null for none.
 *
 * @throws EarwitnessError `bad-config` for a measure that the config does not have, `bad-input` for a table that cannot be read
 */
export async function openValidity(
  option: MetamorphicOptions['validity'],
  design: Design,
  context: StudyContext,
): Promise<OpenedValidity | null> {
  if (option === null) return null;
  if ('ratings' in option) {
    const validity = await validityByRatings(option, design, context);
    return { batch: null, see() {}, concluded: async () => validity };
  }
  const { level, resamples, minimumSpeakers } = { level: 0.95, resamples: 100, minimumSpeakers: 2 };
  const gate = createValidityGate(option, design.conditions, context);
  const draws = (condition: number) =>
    Math.max(0, ...design.recognizers.map((_, recognizer) => design.draws(condition, recognizer)));
  let given: AsyncIterable<Answer> | null = null;
  return {
    batch: { about: 'quality of changed clips', size: null, questions: () => gate.questions(draws) },
    see(answers) {
      given = answers;
    },
    async concluded() {
      for await (const answer of given ?? []) gate.see(answer);
      const { keeps, rule } = gate.judge({ level, resamples, minimumSpeakers });
      return {
        judge: (utterance, condition, _relation, draw) => (keeps(utterance, condition, draw) ? 'kept' : 'excluded'),
        rule,
        identity: { rule },
      };
    },
  };
}

/** The attribute that names the corpus of an utterance. */
const corpusAttribute = 'corpus';

/**
 * Judges by a table of listeners' ratings, as SR-MT does (section 4.2: a mean opinion score of 4.0 or more): each changed
 * clip by the mean of its own ratings, or a relation on a corpus by the mean of all ratings that name the relation or one of
 * its conditions. Ratings that name no corpus count for every one.
 *
 * @throws EarwitnessError `bad-input` for a table that cannot be read
 */
async function validityByRatings(
  { ratings: file, atLeast, per }: RatingsOption,
  design: Design,
  context: StudyContext,
): Promise<CaseValidity> {
  if (context.readText === undefined) throw new EarwitnessError('bad-config', 'ratings: files cannot be read here');
  const text = await context.readText(file);
  const rows = readRatings(file, text);
  const relationOf = new Map(
    design.conditions.map(({ name }, index) => [name, design.relations[design.relationOf[index]!]!.name]),
  );
  const means = new Map<string, { sum: number; count: number }>();
  const add = (key: string, rating: number) => {
    const mean = means.get(key) ?? { sum: 0, count: 0 };
    mean.sum += rating;
    mean.count++;
    means.set(key, mean);
  };
  for (const { rating, utterance, condition, relation, corpus } of rows) {
    if (per === 'case') {
      if (utterance !== null && condition !== null) add(keyOf(utterance, condition), rating);
      continue;
    }
    const name = relation ?? (condition === null ? undefined : relationOf.get(condition));
    if (name !== undefined) add(keyOf(name, corpus), rating);
  }
  const meanOf = (...keys: readonly string[]): number | null => {
    const found = keys.map((key) => means.get(key)).filter((mean) => mean !== undefined);
    const count = found.reduce((total, mean) => total + mean.count, 0);
    return count === 0 ? null : found.reduce((total, { sum }) => total + sum, 0) / count;
  };
  return {
    judge({ id, attributes }, condition, relation) {
      const corpus = Object.hasOwn(attributes, corpusAttribute) ? attributes[corpusAttribute]! : null;
      const mean =
        per === 'case'
          ? meanOf(keyOf(id, condition.name))
          : meanOf(keyOf(relation, null), ...(corpus === null ? [] : [keyOf(relation, corpus)]));
      if (mean === null) return 'unrated';
      return mean >= atLeast ? 'kept' : 'excluded';
    },
    rule: `mean rating of at least ${atLeast}, ${per === 'case' ? 'changed clip by changed clip' : 'by relation and corpus'}`,
    identity: { ratings: hashJson(text), atLeast, per },
  };
}

function keyOf(first: string, second: string | null): string {
  return JSON.stringify([first, second]);
}
