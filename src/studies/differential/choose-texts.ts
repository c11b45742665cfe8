import type { DifferentialOptions } from './options.ts';

/** How the texts of an iteration are chosen: by both stages (the search itself), by chance, or by either stage alone. */
export const ways = ['predictor', 'random', 'stage 1 alone', 'stage 2 alone'] as const;

export type Way = (typeof ways)[number];

/** What is predicted of the candidates, in their order. */
export interface Chances {
  readonly determinable: Float64Array;
  readonly failing: Float64Array;
}

/**
 * The places of the texts to be tried next, likeliest first. Two stages as in CrossASR (section II): of the `keep` candidates that
 * are likeliest to be determinable those `batch` that are likeliest to fail. Of equal chances the earlier candidate is taken, so that
 * candidates in random order are chosen at random where nothing is known.
 *
 * @param candidates how many there are
 * @param chances null where nothing is predicted: the first are taken
 * @example chooseTexts('predictor', 3, { determinable: Float64Array.of(.9, .1, .8), failing: Float64Array.of(.2, 1, .6) }, { batch: 1, keep: 2, ranking: 'two-stage' }) // [2]
 */
export function chooseTexts(
  way: Way,
  candidates: number,
  chances: Chances | null,
  { batch, keep, ranking }: { readonly batch: number; readonly keep: number } & Pick<DifferentialOptions, 'ranking'>,
): number[] {
  const all = Array.from({ length: candidates }, (_, place) => place);
  if (chances === null || way === 'random') return all.slice(0, batch);
  const { determinable, failing } = chances;
  if (way === 'stage 1 alone') return likeliest(all, determinable).slice(0, batch);
  if (way === 'stage 2 alone') return likeliest(all, failing).slice(0, batch);
  if (ranking === 'product') {
    return likeliest(
      all,
      determinable.map((chance, place) => chance * failing[place]!),
    ).slice(0, batch);
  }
  const kept = likeliest(all, determinable).slice(0, keep);
  return likeliest(kept, failing).slice(0, batch);
}

function likeliest(places: readonly number[], chances: Float64Array): number[] {
  return places.toSorted((a, b) => chances[b]! - chances[a]! || a - b);
}
