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
