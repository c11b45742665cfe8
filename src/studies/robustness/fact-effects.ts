import type { BoxPlot, Estimate } from '../../model/finding.ts';
import { quantileSorted } from '../../statistics/quantile.ts';
import { huberRegression } from '../../statistics/regression/huber-regression.ts';
import { toEstimate } from '../shared/estimates.ts';
import { counted } from '../shared/wording.ts';
import type { ModelFacts } from './model-facts.ts';

/** One recognizer with what is known of its model and one robustness number of it. */
export interface FactRow {
  readonly name: string;
  readonly facts: ModelFacts;
  readonly value: Estimate;
}

/** What a tenfold (or one more) of a fact goes with. */
export interface FactEffect {
  readonly fact: string;
  readonly unit: string;
  /** Change of the number; recognizers are the observations. */
  readonly slope: Estimate;
  /** The fitted value at a value of the fact; null where no line could be fitted. */
  at: ((value: number) => number) | null;
}

/** Fewer recognizers give a line no interval worth printing, fewer in a group no box. */
const leastForRegression = 8;
const leastForBox = 4;

const numeric = [
  { fact: 'parameters', key: 'parameters', unit: 'ten times as many', base: 10 },
  { fact: 'training hours', key: 'trainingHours', unit: 'ten times as many', base: 10 },
  { fact: 'languages', key: 'languages', unit: 'twice as many', base: 2 },
] as const;

/**
 * What goes with facts about models: one robust line (Huber) for each fact that enough recognizers have, each alone, since
 * the models that can be had differ in all of them at once. A line through models is no proof of a cause.
 *
 * @returns a slope, or null with the reason, for every fact that any recognizer has
 */
export function factEffects(rows: readonly FactRow[], level: number): FactEffect[] {
  return numeric.flatMap(({ fact, key, unit, base }): FactEffect[] => {
    const known = rows.flatMap(({ facts, value }) => {
      const x = log(facts[key], base);
      return x === null || value.value === null ? [] : [{ x, y: value.value, n: value.n }];
    });
    if (known.length === 0) return [];
    const n = {
      utterances: Math.max(...known.map((one) => one.n.utterances)),
      speakers: Math.max(...known.map((one) => one.n.speakers)),
    };
    const method = `Huber regression over ${counted(known.length, 'recognizer')}`;
    const without = (reason: string): FactEffect => ({
      fact,
      unit,
      slope: { value: null, low: null, high: null, level, n, reason, method },
      at: null,
    });
    if (known.length < leastForRegression) {
      return [
        without(
          `a line needs at least ${leastForRegression} recognizers with this fact, but there are ${known.length}`,
        ),
      ];
    }
    const fit = huberRegression(
      { response: known.map(({ y }) => y), predictors: { [fact]: known.map(({ x }) => x) } },
      { level },
    );
    const slope = fit.coefficients.find(({ name }) => name === fact);
    if (slope === undefined) return [without(fit.reason ?? 'no line could be fitted')];
    const intercept = fit.coefficients.find(({ name }) => name === '(intercept)')?.estimate.value ?? null;
    const rise = slope.estimate.value;
    return [
      {
        fact,
        unit,
        slope: { ...toEstimate(slope.estimate, n), method: `${method}, ${slope.estimate.method}` },
        at: intercept === null || rise === null ? null : (value) => intercept + rise * log(value, base)!,
      },
    ];
  });
}

/** Boxes by a fact in words, or why there are none. */
export function factBoxes(
  rows: readonly FactRow[],
  fact: 'family' | 'architecture' | 'training',
): { readonly boxes: BoxPlot['boxes'] } | { readonly reason: string } | null {
  const known = rows.flatMap(({ name, facts, value }) => {
    const group = facts[fact];
    return group === null || value.value === null ? [] : [{ group, name, value: value.value }];
  });
  if (known.length === 0) return null;
  const groups = [...Map.groupBy(known, ({ group }) => group)];
  const large = groups.filter(([, members]) => members.length >= leastForBox);
  if (large.length < 2) {
    const found = groups.map(([name, members]) => `${name} ${members.length}`).join(', ');
    return { reason: `boxes need two groups of at least ${leastForBox} recognizers, but there are: ${found}` };
  }
  return {
    boxes: large.map(([name, members]) => {
      const values = Float64Array.from(members, ({ value }) => value).sort();
      return {
        name,
        least: values[0]!,
        firstQuartile: quantileSorted(values, 0.25),
        median: quantileSorted(values, 0.5),
        thirdQuartile: quantileSorted(values, 0.75),
        most: values.at(-1)!,
        points: members.map((member) => ({ name: member.name, value: member.value })),
      };
    }),
  };
}

function log(value: number | null, base: number): number | null {
  return value === null ? null : Math.log(value) / Math.log(base);
}
