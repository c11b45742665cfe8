/** A symbol that occurs more often than this has a row of masks of its own; rarer ones keep their positions. */
const rareOccurrences = 16;
/** At most so many symbols have a row, which bounds the memory of long references. */
const mostRows = 1024;

/** Where in a reference each symbol stands, as masks of 32 positions. */
export interface MatchMasks {
  /**
   * The masks of a symbol, block by block. Valid until the next call. Symbol 0 stands nowhere.
   */
  of(symbol: number): Int32Array;
}

/**
 * Prepares the masks of a reference for the bit-parallel matrix.
 * A full table would take (distinct words x words / 8) bytes, 50 MB for 20,000 different words; here it is at most 128
 * bytes for each word of the reference.
 *
 * @param reference symbols from 1 to `symbols`
 */
export function createMatchMasks(reference: Int32Array, length: number, symbols: number): MatchMasks {
  const blocks = (length + 31) >>> 5;
  const first = new Int32Array(symbols + 2);
  for (let position = 0; position < length; position++) first[reference[position]! + 1]!++;
  for (let symbol = 1; symbol < first.length; symbol++) first[symbol]! += first[symbol - 1]!;
  const next = first.slice();
  const positions = new Int32Array(length);
  for (let position = 0; position < length; position++) positions[next[reference[position]!]!++] = position;

  const frequent = Math.max(rareOccurrences, Math.ceil(length / mostRows));
  const rows = new Map<number, Int32Array>();
  const write = (masks: Int32Array, symbol: number) => {
    for (let index = first[symbol]!; index < first[symbol + 1]!; index++) {
      const position = positions[index]!;
      masks[position >>> 5]! |= 1 << (position & 31);
    }
  };
  for (let symbol = 1; symbol <= symbols; symbol++) {
    if (first[symbol + 1]! - first[symbol]! > frequent) {
      const masks = new Int32Array(blocks);
      write(masks, symbol);
      rows.set(symbol, masks);
    }
  }

  const rare = new Int32Array(blocks);
  let written = 0;
  return {
    of(symbol) {
      const row = rows.get(symbol);
      if (row) return row;
      if (symbol !== written) {
        for (let index = first[written]!; index < first[written + 1]!; index++) rare[positions[index]! >>> 5] = 0;
        write(rare, symbol);
        written = symbol;
      }
      return rare;
    },
  };
}
