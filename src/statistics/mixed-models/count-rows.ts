/** Rows of counts in the order in which fits walk through them: speaker after speaker. */
export interface CountRows {
  readonly counts: Float64Array;
  /** Natural logarithms of what the counts are relative to (words). */
  readonly offsets: Float64Array;
  /** Where each speaker's rows begin, and at the end the number of rows. */
  readonly starts: Uint32Array;
  /** Which speaker each stretch of rows is of. */
  readonly speakers: readonly number[];
  /** How many rows have a count above 0, above 1, and so on, up to `countedTo`. */
  readonly exceeding: Float64Array;
  /** Counts from here on, of which the terms are not summed one by one. */
  readonly large: readonly number[];
  /** The sum of the logarithms of the counts' factorials. */
  readonly logFactorials: number;
}

/** Terms of the negative binomial's constant are summed one by one up to this count. */
export const countedTo = 2048;
