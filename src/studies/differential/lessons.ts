import { logisticRegression } from '../../statistics/regression/logistic-regression.ts';
import { sparseRows } from '../../statistics/regression/sparse-rows.ts';
import type { CaseRule } from './case.ts';
import type { Heard } from './heard.ts';

/** Of a text: with how many other voices anybody was right, and with how many nobody was. */
export interface OtherResults {
  readonly right: number;
  readonly wrong: number;
}

const nothing: OtherResults = { right: 0, wrong: 0 };

/** What was expected of a text when it was chosen, what other voices told of it then, and what came of it. */
export interface Lesson {
  /** That anybody would be right, by the text alone. */
  readonly chance: number;
  readonly otherResults: OtherResults;
  readonly determinable: boolean;
}

/** What other searches have heard so far, by text. */
export function gatherOtherResults(
  others: Iterable<{ readonly tried: readonly number[]; readonly heard: Heard }>,
  rule: CaseRule,
): (text: string) => OtherResults {
  const told = new Map<string, OtherResults>();
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
 * @param otherResults of the same texts
 * @example withOtherResults(Float64Array.of(.5), [{ right: 1, wrong: 0 }], [])[0] // .668: odds of exp(.7)
 */
export function withOtherResults(
  chances: Float64Array,
  otherResults: readonly OtherResults[],
  lessons: readonly Lesson[],
): Float64Array {
  const { intercept, right, wrong } = learn(lessons);
  return chances.map((chance, place) => {
    const told = otherResults[place]!;
    return 1 / (1 + Math.exp(-(logOdds(chance) + intercept + right * told.right + wrong * told.wrong)));
  });
}

/** What was expected of a text that came out determinable: the share of those that can fail that would, and the share that did. */
export interface CalibrationPoint {
  /** From 0 to 1, by the text alone. */
  readonly expected: number;
  readonly failed: number;
}

/** Log odds of what is expected are worth so much of themselves before anything was learned: half of what a text seems to tell is chance. */
const trust = 0.5;

/**
 * Expected shares of failures, told apart no more than such expectations deserved of the texts that were chosen before (logistic
 * regression of what came on what was expected: a slope, 0 at least, and a height). Where they told nothing they end near to one another, so
 * that a product with the chance of being determinable is not spoilt by them.
 *
 * @param shares expected of the candidates, from 0 to 1
 * @example withFailures(Float64Array.of(0.8), [])[0] // .667: odds of 4 to the power of a half
 */
export function withFailures(shares: Float64Array, lessons: readonly CalibrationPoint[]): Float64Array {
  const { intercept, slope } = learnFailures(lessons);
  return shares.map((share) => 1 / (1 + Math.exp(-(intercept + slope * logOdds(share)))));
}

function learnFailures(lessons: readonly CalibrationPoint[]): { intercept: number; slope: number } {
  const came = lessons.reduce((sum, { failed }) => sum + failed, 0);
  if (came === 0 || came === lessons.length) return { intercept: 0, slope: trust };
  const odds = lessons.map(({ expected }) => logOdds(expected));
  const { intercept, coefficients } = logisticRegression(
    sparseRows(
      odds.map((value) => [[0, value]]),
      1,
    ),
    lessons.map(({ failed }) => failed),
    { penalty, offsets: Float64Array.from(odds, (value) => trust * value) },
  );
  return { intercept, slope: Math.max(0, trust + coefficients[0]!) };
}

function learn(lessons: readonly Lesson[]): { intercept: number; right: number; wrong: number } {
  const came = lessons.filter(({ determinable }) => determinable).length;
  if (came === 0 || came === lessons.length) return { intercept: 0, ...prior };
  const table = sparseRows(
    lessons.map(({ otherResults }) => [
      [0, otherResults.right],
      [1, otherResults.wrong],
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
        ({ chance, otherResults }) =>
          logOdds(chance) + prior.right * otherResults.right + prior.wrong * otherResults.wrong,
      ),
    },
  );
  return { intercept, right: prior.right + coefficients[0]!, wrong: prior.wrong + coefficients[1]! };
}

/** Chances nearer to 0 or 1 than this are not told from these. */
const minChance = 1e-6;

function logOdds(chance: number): number {
  const inside = Math.min(1 - minChance, Math.max(minChance, chance));
  return Math.log(inside / (1 - inside));
}
