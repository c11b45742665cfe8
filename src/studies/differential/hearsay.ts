import { logisticRegression } from '../../statistics/regression/logistic-regression.ts';
import { sparseRows } from '../../statistics/regression/sparse-rows.ts';
import type { CaseRule } from './case.ts';
import type { Heard } from './heard.ts';

/** Of a text: with how many other voices anybody was right, and with how many nobody was. */
export interface Hearsay {
  readonly right: number;
  readonly wrong: number;
}

const nothing: Hearsay = { right: 0, wrong: 0 };

/** What was expected of a text when it was chosen, what other voices told of it then, and what came of it. */
export interface Lesson {
  /** That anybody would be right, by the text alone. */
  readonly chance: number;
  readonly hearsay: Hearsay;
  readonly determinable: boolean;
}

/** What other searches have heard so far, by text. */
export function gatherHearsay(
  others: Iterable<{ readonly tried: readonly number[]; readonly heard: Heard }>,
  rule: CaseRule,
): (text: string) => Hearsay {
  const told = new Map<string, Hearsay>();
  for (const { tried, heard } of others) {
    for (const place of tried) {
      const statuses = heard.at(place)?.judgement[rule].filter((status) => status !== null) ?? [];
      if (statuses.length === 0) continue;
      const { text } = heard.pool.texts[place]!;
      const { right, wrong } = told.get(text) ?? nothing;
      const anybody = statuses.includes('success');
      told.set(text, { right: right + Number(anybody), wrong: wrong + Number(!anybody) });
    }
  }
  return (text) => told.get(text) ?? nothing;
}

/** What one voice is thought to tell of another before both were heard (log odds): round numbers, outweighed by some twenty texts. */
const prior = { right: 0.7, wrong: -0.7 } as const;
const penalty = 5;

/**
 * Chances with what other voices told of the same texts: how much that is worth is learned by logistic regression from the texts that
 * were chosen before, over what was expected of them by themselves. Whether expectations are mostly too high is learned with it.
 *
 * @param chances that anybody is right, by the texts alone; from 0 to 1
 * @param hearsay of the same texts
 * @example withHearsay(Float64Array.of(.5), [{ right: 1, wrong: 0 }], [])[0] // .668: odds of exp(.7)
 */
export function withHearsay(
  chances: Float64Array,
  hearsay: readonly Hearsay[],
  lessons: readonly Lesson[],
): Float64Array {
  const { intercept, right, wrong } = learn(lessons);
  return chances.map((chance, place) => {
    const told = hearsay[place]!;
    return 1 / (1 + Math.exp(-(logOdds(chance) + intercept + right * told.right + wrong * told.wrong)));
  });
}

function learn(lessons: readonly Lesson[]): { intercept: number; right: number; wrong: number } {
  const came = lessons.filter(({ determinable }) => determinable).length;
  if (came === 0 || came === lessons.length) return { intercept: 0, ...prior };
  const table = sparseRows(
    lessons.map(({ hearsay }) => [
      [0, hearsay.right],
      [1, hearsay.wrong],
    ]),
    2,
  );
  const { intercept, coefficients } = logisticRegression(
    table,
    lessons.map(({ determinable }) => Number(determinable)),
    {
      penalty,
      offsets: Float64Array.from(
        lessons,
        ({ chance, hearsay }) => logOdds(chance) + prior.right * hearsay.right + prior.wrong * hearsay.wrong,
      ),
    },
  );
  return { intercept, right: prior.right + coefficients[0]!, wrong: prior.wrong + coefficients[1]! };
}

/** Chances nearer to 0 or 1 than this are not told from these. */
const leastChance = 1e-6;

function logOdds(chance: number): number {
  const inside = Math.min(1 - leastChance, Math.max(leastChance, chance));
  return Math.log(inside / (1 - inside));
}
