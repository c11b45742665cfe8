/** Some columns of the table that is learned from, for all texts at hand, and what they say of a text. */
export interface FeatureBlock {
  readonly columns: number;
  /**
   * What the coefficients are thought to be before anything is tried; zeros where absent. The penalty pulls towards it.
   */
  readonly prior?: { readonly determinable: Float64Array; readonly failing: Float64Array };
  /** How strong the penalty is: weak for few columns that are known to matter, strong for many of which most do not. */
  readonly penalty: 'few' | 'many';
  /** Columns of one of the tried texts and their values; those that are not 0. */
  row(tried: number): { readonly indexes: ArrayLike<number>; readonly values: ArrayLike<number> };
  /** Adds to each text of the pool the product of its columns with the coefficients. */
  addScores(coefficients: Float64Array, into: Float64Array): void;
}
