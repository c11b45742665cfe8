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
