/** A number with a confidence interval. What does not exist is null, with the reason. */
export interface Interval {
  readonly value: number | null;
  /** Null together with `high` where no interval can be given. */
  readonly low: number | null;
  readonly high: number | null;
  /** Confidence level, .95 for 95 %. */
  readonly level: number;
  /** Why value or interval is null. */
  readonly reason?: string;
  /** How the interval was made, for the reader of a report. */
  readonly method: string;
}
