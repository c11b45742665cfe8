/** A path from the end to the beginning: which arcs each step passes, 0 where a side rests. */
export interface BackwardPath {
  readonly reference: readonly number[];
  readonly hypothesis: readonly number[];
}
