import type { RatingSpreads } from './rating-precision.ts';

/** A rating with what it shares with others. */
interface SpreadRating {
  readonly listener: string | null;
  readonly clip: string | null;
  /** Ratings of different conditions are not compared. */
  readonly group: string;
  readonly rating: number;
}

/**
 * How far listeners, clips and the rest are apart, by the method of moments: two ratings of one condition differ by (twice) the variance of what they do not share. Works
 * for any layout; a variance that comes out below 0 is 0.
 *
 * With one clip, clips are not apart, and the rest is told from listeners by how they differ between conditions.
 *
 * @returns null where no two listeners rated the same clip, or none rated two
 * @example ratingSpreads([{ listener: 'a', clip: 'u1', group: 'noise', rating: 4 }, …]).listeners // .7
 */
export function ratingSpreads(ratings: readonly SpreadRating[]): RatingSpreads | null {
  const all = pairsOf(ratings, ({ group }) => group);
  const sameListener = pairsOf(ratings, ({ group, listener }) => JSON.stringify([group, listener]));
  const sameClip = pairsOf(ratings, ({ group, clip }) => JSON.stringify([group, clip]));
  const neither = minus(minus(all, sameListener), sameClip);
  const root = (variance: number) => Math.sqrt(Math.max(0, variance));
  if (sameClip.pairs === 0) return null;
  if (sameListener.pairs > 0 && neither.pairs > 0) {
    const total = neither.sum / neither.pairs;
    const withinListener = sameListener.sum / sameListener.pairs;
    const withinClip = sameClip.sum / sameClip.pairs;
    return {
      listeners: root(total - withinListener),
      clips: root(total - withinClip),
      rest: root(withinListener + withinClip - total),
    };
  }
  return ofOneClip(ratings, sameClip.sum / sameClip.pairs);
}

/** Sum of half the squared differences of all pairs that share something, and how many pairs there are. */
function pairsOf(ratings: readonly SpreadRating[], keyOf: (rating: SpreadRating) => string) {
  let [sum, pairs] = [0, 0];
  for (const own of Map.groupBy(ratings, keyOf).values()) {
    const mean = own.reduce((total, { rating }) => total + rating, 0) / own.length;
    // All pairs of n numbers differ, squared and halved, by n times the sum of squares about their mean in sum over pairs / n.
    sum += (own.length * own.reduce((total, { rating }) => total + (rating - mean) ** 2, 0)) / 2;
    pairs += (own.length * (own.length - 1)) / 2;
  }
  return { sum, pairs };
}

function minus(a: ReturnType<typeof pairsOf>, b: ReturnType<typeof pairsOf>) {
  return { sum: a.sum - b.sum, pairs: a.pairs - b.pairs };
}

/** Where each listener rated one clip of each condition: a two-way table of listeners and conditions, whose interaction is the rest. */
function ofOneClip(ratings: readonly SpreadRating[], total: number): RatingSpreads | null {
  const means = new Map(
    [...Map.groupBy(ratings, ({ group }) => group)].map(([group, own]) => [
      group,
      own.reduce((sum, { rating }) => sum + rating, 0) / own.length,
    ]),
  );
  const centred = ratings.map((one) => ({ ...one, group: '', rating: one.rating - means.get(one.group)! }));
  const { sum, pairs } = pairsOf(centred, ({ listener }) => String(listener));
  if (pairs === 0) return null;
  const rest = sum / pairs;
  return { listeners: Math.sqrt(Math.max(0, total - rest)), clips: 0, rest: Math.sqrt(rest) };
}
