/** One word of a reference, and between which places it stands. */
export interface NetworkArc {
  readonly from: number;
  readonly to: number;
  /** Null where an alternative says nothing (`@`). */
  readonly word: string | null;
  /** Whether it may be left out without an error. */
  readonly optional: boolean;
}

/**
 * A reference of which more than one wording is accepted: a graph of words without cycles, in which every way from place 0
 * to place 1 is a wording. Arcs stand in the order of the text, so that an arc comes after all that lead to it.
 */
export interface ReferenceNetwork {
  readonly places: number;
  readonly arcs: readonly NetworkArc[];
}

/**
 * The network of one wording.
 *
 * @example linearNetwork(['good', 'day']).arcs
 * // [{ from: 0, to: 2, word: 'good', optional: false }, { from: 2, to: 1, word: 'day', optional: false }]
 */
export function linearNetwork(words: readonly string[]): ReferenceNetwork {
  if (words.length === 0) return { places: 2, arcs: [{ from: 0, to: 1, word: null, optional: false }] };
  const last = words.length - 1;
  const arcs = words.map((word, index) => ({
    from: index === 0 ? 0 : index + 1,
    to: index === last ? 1 : index + 2,
    word,
    optional: false,
  }));
  return { places: words.length + 1, arcs };
}
