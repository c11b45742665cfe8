import { studentQuantile } from '../distributions.ts';
import { minimumListeners } from '../fairness/crossed-contrast.ts';

/** How a listening test is laid out. */
export interface RatingLayout {
  readonly listeners: number;
  /** Utterances, each of which a listener hears in one condition. */
  readonly clips: number;
  /** Among which utterances are dealt; 1: everybody rates every clip. */
  readonly conditions: number;
}

/** Standard deviations of what a rating is made of, in steps of the scale. */
export interface RatingSpreads {
  /** How far listeners are apart who hear the same. */
  readonly listeners: number;
  /** How far clips of one condition are apart. */
  readonly clips: number;
  /** What is left: the same listener on the same clip. */
  readonly rest: number;
}

/** With fewer clips nobody knows how much clips differ: what is said is then of these clips alone. */
export const minimumClips = 4;
/** And so few clips, of which listeners alone say how far a mean is known, take more listeners: a bootstrap of fewer does not hold what it says. */
export const minimumListenersAlone = 10;

/**
 * The half width that the interval of a condition's mean rating is going to have: variances of listeners, clips and the rest over how many of each the condition has,
 * with Student's t and F. Satterthwaite's (1946) degrees of freedom: what `crossedContrast` is going to estimate. With fewer than four clips it is about these clips alone.
 *
 * @returns null where there is no interval: with fewer than four listeners, and with fewer than ten where clips are fewer than four
 * @example ratingPrecision({ listeners: 20, clips: 24, conditions: 4 }, { listeners: .5, clips: .3, rest: .6 }, .95) // about .3
 */
export function ratingPrecision(
  { listeners, clips, conditions }: RatingLayout,
  spreads: RatingSpreads,
  level: number,
): number | null {
  const ratings = (listeners * clips) / conditions;
  const ofListeners = Math.min(listeners, ratings);
  const ofClips = Math.min(clips, ratings);
  if (ofListeners < neededListeners(clips)) return null;
  const rest = spreads.rest ** 2;
  const byListeners = (spreads.listeners ** 2 + (rest * ofListeners) / ratings) / ofListeners;
  const byClips = clips < minimumClips ? 0 : (spreads.clips ** 2 + (rest * ofClips) / ratings) / ofClips;
  const variance = clips < minimumClips ? byListeners : byListeners + byClips - rest / ratings;
  const freedom = variance ** 2 / (byListeners ** 2 / (ofListeners - 1) + byClips ** 2 / Math.max(1, ofClips - 1));
  return studentQuantile((1 + level) / 2, Math.max(1, freedom)) * Math.sqrt(variance);
}

/** With fewer listeners no mean has an interval. */
export function neededListeners(clips: number): number {
  return clips < minimumClips ? minimumListenersAlone : minimumListeners;
}

/**
 * How many listeners a wanted half width needs: the smallest multiple of a panel that reaches it.
 *
 * @param panel how many listeners hear everything alike often
 * @returns null where no number does: then clips are too few, or differ too much
 * @example listenersNeeded(.25, { clips: 24, conditions: 4 }, 4, spreads, .95)
 */
export function listenersNeeded(
  halfWidth: number,
  layout: Omit<RatingLayout, 'listeners'>,
  panel: number,
  spreads: RatingSpreads,
  level: number,
): number | null {
  for (let listeners = panel; listeners <= maxListeners; listeners += panel) {
    const reached = ratingPrecision({ ...layout, listeners }, spreads, level);
    if (reached !== null && reached <= halfWidth) return listeners;
  }
  return null;
}

/** Plans have no more seats. */
const maxListeners = 1000;

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
