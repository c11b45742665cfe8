/** What the steps of a path through two networks cost; what agrees costs nothing. */
export interface StepCosts {
  readonly substitution: number;
  readonly deletionOrInsertion: number;
  readonly optionalLeftOut: number;
  /** For an alternative that says nothing. */
  readonly nothing: number;
}
