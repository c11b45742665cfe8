import { type NetworkTable, nothing, type StepCosts } from './network-table.ts';

/** What the rest of a path costs at least behind an arc of the reference and one of the hypothesis. */
export type RemainingCost = (arc: number, column: number) => number;

/**
 * A lower bound of the cost from a cell of the matrix to its end: so many words too many on one side must be left over, and
 * each stretch of the reference that was heard nowhere in one piece holds an error (the idea of seeds: R. Groot Koerkamp and
 * P. Ivanov, "Exact global alignment using A* with chaining seed heuristic and match pruning", Bioinformatics 40, 2024).
 *
 * @param symbolsDecide whether words agree only where their symbols are equal
 */
export function remainingCost(
  reference: NetworkTable,
  hypothesis: NetworkTable,
  costs: StepCosts,
  symbolsDecide: boolean,
): RemainingCost {
  const { deletionOrInsertion } = costs;
  const ofSeeds = new Float64Array(reference.arcs);
  if (symbolsDecide) {
    const broken = brokenSeeds(reference, hypothesis);
    const each = Math.min(costs.substitution, deletionOrInsertion);
    for (let arc = reference.arcs - 2; arc >= 0; arc--) ofSeeds[arc] = ofSeeds[arc + 1]! + each * broken[arc + 1]!;
  }
  const said = wordsAhead(reference);
  const heard = wordsAhead(hypothesis);
  return (arc, column) => {
    const tooMany = Math.max(said.fewest[arc]! - heard.most[column]!, heard.fewest[column]! - said.most[arc]!);
    return Math.max(ofSeeds[arc]!, tooMany * deletionOrInsertion);
  };
}

interface WordsAhead {
  /** By arc: words on the way from it to the end that cannot be left out, where these are fewest. */
  readonly fewest: Int32Array;
  /** All words on the way, where these are most. */
  readonly most: Int32Array;
}

function wordsAhead({ arcs, places, symbols, optional, from, to }: NetworkTable): WordsAhead {
  const minFrom = new Int32Array(places).fill(2 ** 31 - 1);
  const maxFrom = new Int32Array(places);
  minFrom[1] = 0;
  const fewest = new Int32Array(arcs);
  const most = new Int32Array(arcs);
  for (let arc = arcs - 1; arc >= 0; arc--) {
    const target = to[arc]!;
    fewest[arc] = minFrom[target]!;
    most[arc] = maxFrom[target]!;
    if (arc === 0) break;
    const word = symbols[arc] === nothing ? 0 : 1;
    const place = from[arc]!;
    minFrom[place] = Math.min(minFrom[place]!, fewest[arc]! + (optional[arc] ? 0 : word));
    maxFrom[place] = Math.max(maxFrom[place]!, most[arc]! + word);
  }
  return { fewest, most };
}

/** So many words in a row are looked for. */
const longestSeed = 5;
/** One bit for each of so many hashes of words in a row: 512 kB. */
const hashBits = 22;
/** So many stretches of a hypothesis are looked at for each of its words; where there are more, single words must do. */
const stretchesPerWord = 40;
/** Arcs that one stretch may go over without a word of theirs. */
const maxSkipped = 30;

/**
 * Stretches of a reference, apart from each other, of which none was heard in one piece and which no wording goes around:
 * each holds an error. Found from the left, the first to end first, which gives as many as can be.
 *
 * Words that may be left out are heard and not heard at once. That two stretches share a hash can only make an unheard one
 * seem heard.
 *
 * @returns 1 at the first arc of each, else 0
 */
export function brokenSeeds(reference: NetworkTable, hypothesis: NetworkTable): Uint8Array {
  const heard = heardStretches(hypothesis);
  const mandatory = mandatoryWords(reference);
  const broken = new Uint8Array(reference.arcs);
  let free = 1;
  for (let end = 1; end < reference.arcs; end++) {
    if (reference.to[end - 1] !== reference.from[end]) free = Math.max(free, end);
    if (!mandatory[end]) {
      free = end + 1;
      continue;
    }
    for (let length = 1; length <= heard.longest && end - length + 1 >= free; length++) {
      const start = end - length + 1;
      let hash = 0;
      for (let arc = start; arc <= end; arc++) hash = extended(hash, reference.symbols[arc]!);
      if (heard.has(hash)) continue;
      broken[start] = 1;
      free = end + 1;
      break;
    }
  }
  return broken;
}

/** Which arcs have a word that every wording says. */
function mandatoryWords({ arcs, places, symbols, optional, from, to }: NetworkTable): Uint8Array {
  // Places in the order of the last arc that leads to them: no arc leads back. An arc that alone crosses from a place to
  // the next one in this order is on every way.
  const rank = new Int32Array(places);
  for (let arc = 1; arc < arcs; arc++) rank[to[arc]!] = arc;
  const crossing = new Int32Array(arcs + 1);
  for (let arc = 1; arc < arcs; arc++) {
    crossing[rank[from[arc]!]!]!++;
    crossing[rank[to[arc]!]!]!--;
  }
  for (let place = 1; place < crossing.length; place++) crossing[place]! += crossing[place - 1]!;
  return Uint8Array.from({ length: arcs }, (_, arc) =>
    Number(arc > 0 && symbols[arc] !== nothing && optional[arc] === 0 && crossing[rank[from[arc]!]!] === 1),
  );
}

/** Hashes of all words in a row along all ways of a network, with and without what may be left out. */
function heardStretches(table: NetworkTable): { readonly longest: number; has(hash: number): boolean } {
  const { arcs, places, symbols, optional, from, to } = table;
  const firstExit = new Int32Array(places + 1);
  for (let arc = 1; arc < arcs; arc++) firstExit[from[arc]! + 1]!++;
  for (let place = 1; place <= places; place++) firstExit[place]! += firstExit[place - 1]!;
  const exits = new Int32Array(arcs);
  const next = firstExit.slice();
  for (let arc = 1; arc < arcs; arc++) exits[next[from[arc]!]!++] = arc;

  const bits = new Int32Array(2 ** (hashBits - 5));
  let left = stretchesPerWord * arcs;
  const follow = (place: number, hash: number, length: number, skipped: number) => {
    if (skipped > maxSkipped) left = 0;
    for (let exit = firstExit[place]!; exit < firstExit[place + 1]! && left > 0; exit++) {
      const arc = exits[exit]!;
      left--;
      if (symbols[arc] === nothing || optional[arc]) follow(to[arc]!, hash, length, skipped + 1);
      if (symbols[arc] === nothing) continue;
      const longer = extended(hash, symbols[arc]!);
      const bit = bitOf(longer);
      bits[bit >>> 5]! |= 1 << (bit & 31);
      if (length < longestSeed) follow(to[arc]!, longer, length + 1, skipped);
    }
  };
  for (let arc = 0; arc < arcs && left > 0; arc++) follow(to[arc]!, 0, 1, 0);
  if (left <= 0) {
    bits.fill(0);
    for (let arc = 1; arc < arcs; arc++) {
      const bit = bitOf(extended(0, symbols[arc]!));
      bits[bit >>> 5]! |= 1 << (bit & 31);
    }
  }
  return {
    longest: left > 0 ? longestSeed : 1,
    has(hash) {
      const bit = bitOf(hash);
      return ((bits[bit >>> 5]! >>> (bit & 31)) & 1) === 1;
    },
  };
}

/** Two words in another order have another hash. */
function extended(hash: number, symbol: number): number {
  const mixed = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) + Math.imul(symbol, 0x9e3779b1);
  return mixed | 0;
}

function bitOf(hash: number): number {
  const mixed = Math.imul(hash ^ (hash >>> 16), 0x21f0aaad);
  return Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97) >>> (32 - hashBits);
}
