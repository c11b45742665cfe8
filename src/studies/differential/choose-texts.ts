import type { DifferentialOptions } from './options.ts';

/** How the texts of an iteration are chosen: by both stages (the search itself), by chance, or by either stage alone. */
export const ways = ['predictor', 'random', 'stage 1 alone', 'stage 2 alone'] as const;

export type Way = (typeof ways)[number];

/** What is predicted of the candidates, in their order. */
export interface Chances {
  readonly determinable: Float64Array;
  readonly failing: Float64Array;
}

/** How texts are chosen, and how many. */
export interface Choice extends Pick<DifferentialOptions, 'ranking'> {
  readonly batch: number;
  /** So many are kept by the first of two stages. */
  readonly keep: number;
  /** How many recognizers are asked about a text only where the first one is right; null: all are asked. */
  readonly others: number | null;
}

/**
 * The places of the texts to be tried next, likeliest first. Two stages as in CrossASR (section II): of the `keep` candidates that
 * are likeliest to be determinable those `batch` that are likeliest to fail; by `yield` those that together give the most failed
 * tests for each recognition. Of equal chances the earlier candidate is taken, so that candidates in random order are chosen at random
 * where nothing is known.
 *
 * @param candidates how many there are
 * @param chances null where nothing is predicted: the first are taken
 * @example chooseTexts('predictor', 3, { determinable: Float64Array.of(.9, .1, .8), failing: Float64Array.of(.2, 1, .6) }, { batch: 1, keep: 2, ranking: 'two-stage', others: null }) // [2]
 */
export function chooseTexts(
  way: Way,
  candidates: number,
  chances: Chances | null,
  { batch, keep, ranking, others }: Choice,
): number[] {
  const all = Array.from({ length: candidates }, (_, place) => place);
  if (chances === null || way === 'random') return all.slice(0, batch);
  const { determinable, failing } = chances;
  if (way === 'stage 1 alone') return likeliest(all, determinable).slice(0, batch);
  if (way === 'stage 2 alone') return likeliest(all, failing).slice(0, batch);
  if (ranking === 'yield') {
    const failures = determinable.map((chance, place) => chance * failing[place]!);
    if (others === null || others === 0) return likeliest(all, failures).slice(0, batch);
    return greatestRatio(
      failures.map((expected) => others * expected),
      determinable.map((chance) => 1 + others * chance),
      batch,
    );
  }
  const kept = likeliest(all, determinable).slice(0, keep);
  return likeliest(kept, failing).slice(0, batch);
}

/**
 * The places whose gains together are most for their costs together (W. Dinkelbach, "On nonlinear fractional programming",
 * Management Science 13, 1967): those of the greatest gain less the cost at the best ratio, which only grows while it is looked for.
 *
 * @param costs greater than 0
 */
function greatestRatio(gains: Float64Array, costs: Float64Array, count: number): number[] {
  const all = [...gains.keys()];
  let ratio = 0;
  for (;;) {
    const best = likeliest(
      all,
      gains.map((gain, place) => gain - ratio * costs[place]!),
    ).slice(0, count);
    const total = (values: Float64Array) => best.reduce((sum, place) => sum + values[place]!, 0);
    const reached = best.length === 0 ? 0 : total(gains) / total(costs);
    if (reached <= ratio) return best;
    ratio = reached;
  }
}

function likeliest(places: readonly number[], chances: Float64Array): number[] {
  return places.toSorted((a, b) => chances[b]! - chances[a]! || a - b);
}
