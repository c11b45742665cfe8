/**
 * Features are known by 32 bits in place of their names, so that no table of names is kept (K. Weinberger et al., "Feature
 * hashing for large scale multitask learning", ICML 2009). FNV-1a over the UTF-16 codes of a stretch of text, begun with the
 * kind of feature, and mixed at the end as in MurmurHash3.
 *
 * @example hashStretch(1, 'vote', 0, 4)
 */
export function hashStretch(kind: number, text: string, start: number, end: number): number {
  let hash = 0x811c9dc5 ^ kind;
  for (let place = start; place < end; place++) hash = Math.imul(hash ^ text.charCodeAt(place), 0x01000193);
  return mix(hash);
}

/** The hash of two features that follow each other. */
export function hashPair(first: number, second: number): number {
  return mix(Math.imul(first, 0x9e3779b1) ^ second);
}

function mix(hash: number): number {
  let mixed = hash;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

/** Columns of hashed features: an open table, several times as fast as a Map where most questions are answered by no. */
export interface HashColumns {
  /** How many there are. */
  readonly count: number;
  /** The column of a feature, made where there is none. */
  add(hash: number): number;
  /** The column of a feature; -1 where there is none. */
  find(hash: number): number;
}

const free = -1;

/** A table without columns, which grows: kept small, because it is asked about features that it seldom has. */
export function createHashColumns(): HashColumns {
  let hashes = new Uint32Array(1 << 10);
  let columns = new Int32Array(hashes.length).fill(free);
  let mask = hashes.length - 1;
  let count = 0;
  const placeOf = (hash: number) => {
    let place = hash & mask;
    while (columns[place] !== free && hashes[place] !== hash) place = (place + 1) & mask;
    return place;
  };
  const grow = () => {
    const [before, columnsBefore] = [hashes, columns];
    hashes = new Uint32Array(2 * before.length);
    columns = new Int32Array(hashes.length).fill(free);
    mask = hashes.length - 1;
    for (let place = 0; place < before.length; place++) {
      if (columnsBefore[place] === free) continue;
      const next = placeOf(before[place]!);
      hashes[next] = before[place]!;
      columns[next] = columnsBefore[place]!;
    }
  };
  return {
    get count() {
      return count;
    },
    add(hash) {
      let place = placeOf(hash);
      if (columns[place] === free) {
        if (3 * count >= hashes.length) {
          grow();
          place = placeOf(hash);
        }
        hashes[place] = hash;
        columns[place] = count++;
      }
      return columns[place]!;
    },
    find: (hash) => columns[placeOf(hash)]!,
  };
}
