import type { Reason } from '../model/reason.ts';

/** A number with a confidence interval. What does not exist is null, with the reason. */
export interface Interval {
  readonly value: number | null;
  /** Null together with `high` where no interval can be given. */
  readonly low: number | null;
  readonly high: number | null;
  /** Confidence level, .95 for 95 %. */
  readonly level: number;
  /** Why value or interval is null. */
  readonly reason?: Reason;
  /** How the interval was made, for the reader of a report. */
  readonly method: string;
}

/** @throws RangeError where a value is not finite, a fault of the caller */
export function requireFinite(values: ArrayLike<number>, what: string): void {
  for (let index = 0; index < values.length; index++) {
    if (!Number.isFinite(values[index]!)) {
      throw new RangeError(`expected finite ${what}, but number ${index} is ${values[index]}`);
    }
  }
}

const maxSquared = 1e150;

/** @throws RangeError where a value is not finite, or so large that sums of squares would not be */
export function requireSquares(values: ArrayLike<number>, what: string): void {
  requireFinite(values, what);
  for (let index = 0; index < values.length; index++) {
    if (Math.abs(values[index]!) > maxSquared) {
      throw new RangeError(`expected ${what} of at most ${maxSquared}, but number ${index} is ${values[index]}`);
    }
  }
}
