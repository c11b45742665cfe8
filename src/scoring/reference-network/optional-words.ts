import { linearNetwork, type ReferenceNetwork } from './reference-network.ts';

/**
 * The same network with every word of a list optional: hesitations and fillers, which a recognizer may write or leave out.
 * Used for a hypothesis, fillers that the reference lacks are no insertions.
 *
 * @example alignNetwork(withOptionalWords(['i', 'uh', 'see'], ['uh', 'um']), ['i', 'see']).counts
 * // { correct: 2, substitutions: 0, deletions: 0, insertions: 0 }
 */
export function withOptionalWords(
  network: ReferenceNetwork | readonly string[],
  optional: Iterable<string>,
): ReferenceNetwork {
  const { places, arcs } = 'arcs' in network ? network : linearNetwork(network);
  const listed = new Set(optional);
  return {
    places,
    arcs: arcs.map((arc) => (arc.word !== null && listed.has(arc.word) ? { ...arc, optional: true } : arc)),
  };
}
