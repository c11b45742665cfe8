import type { ReferenceNetwork } from './reference-network.ts';

/** The symbol of an arc without a word; no other symbol equals it. */
export const nothing = 0;

/** A network as numbers. Arc 0 stands before the first place; arcs of the network count from 1. */
export interface NetworkTable {
  /** Arcs, the one before the first place included. */
  readonly arcs: number;
  readonly places: number;
  /** By arc: equal words have equal symbols; words from 1, `nothing` otherwise. */
  readonly symbols: Int32Array;
  readonly optional: Uint8Array;
  readonly from: Int32Array;
  readonly to: Int32Array;
  /** Whether each arc but the first follows the one before it and no other. */
  readonly linear: boolean;
  /** Arcs that lead to a place, in their order, from `entries[firstEntry[place]]` on. */
  readonly firstEntry: Int32Array;
  readonly entries: Int32Array;
}

/**
 * @param symbolOf gives equal words equal numbers from 1
 * @throws RangeError where an arc comes before one that leads to it, or a place cannot be reached or left
 */
export function tableOf(network: ReferenceNetwork, symbolOf: (word: string) => number): NetworkTable {
  const arcs = network.arcs.length + 1;
  const symbols = new Int32Array(arcs);
  const optional = new Uint8Array(arcs);
  const from = new Int32Array(arcs);
  const to = new Int32Array(arcs);
  const firstEntry = new Int32Array(network.places + 1);
  const left = new Uint8Array(network.places);
  let linear = true;
  firstEntry[1] = 1;
  for (const [index, arc] of network.arcs.entries()) {
    const reached = firstEntry[arc.from + 1];
    if (!reached || arc.from === 1 || arc.to === 0 || !(arc.to < network.places) || left[arc.to]) {
      throw new RangeError(
        `arcs must lead from place 0 to place 1 of ${network.places}, each after those before it; arc ${index} does not`,
      );
    }
    left[arc.from] = 1;
    symbols[index + 1] = arc.word === null ? nothing : symbolOf(arc.word);
    optional[index + 1] = arc.optional ? 1 : 0;
    from[index + 1] = arc.from;
    to[index + 1] = arc.to;
    firstEntry[arc.to + 1]!++;
    if (arc.from !== to[index]) linear = false;
  }
  for (let place = 0; place < network.places; place++) {
    if (firstEntry[place + 1] === 0 || (left[place] === 0 && place !== 1)) {
      throw new RangeError(
        `every place of a network must lie on a way from place 0 to place 1; place ${place} does not`,
      );
    }
  }
  for (let place = 1; place <= network.places; place++) {
    firstEntry[place]! += firstEntry[place - 1]!;
    if (firstEntry[place]! - firstEntry[place - 1]! !== 1) linear = false;
  }
  const entries = new Int32Array(arcs);
  const next = firstEntry.slice();
  for (let arc = 0; arc < arcs; arc++) entries[next[to[arc]!]!++] = arc;
  return { arcs, places: network.places, symbols, optional, from, to, linear, firstEntry, entries };
}

/** What the steps of a path through two networks cost; what agrees costs nothing. */
export interface StepCosts {
  readonly substitution: number;
  readonly deletionOrInsertion: number;
  readonly optionalLeftOut: number;
  /** For an alternative that says nothing. */
  readonly nothing: number;
}

/** A path from the end to the beginning: which arcs each step passes, 0 where a side rests. */
export interface BackwardPath {
  readonly reference: readonly number[];
  readonly hypothesis: readonly number[];
}
