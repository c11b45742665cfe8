/**
 * A function to be made small: answers its value at a point and writes its gradient. Not finite where it does not exist.
 * It must neither keep nor change `point`.
 */
export type Objective = (point: Float64Array, gradient: Float64Array) => number;
