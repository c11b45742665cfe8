/** Where a row stands in its file. */
export interface RowPlace {
  readonly offset: number;
  readonly length: number;
  readonly line: number;
}

/**
 * Finds rows by their key without keeping keys or rows: 24 bytes a row and 4 to 8 for the table, so that a million rows
 * take about 40 MiB. Keys with the same 64 bits are told apart by the caller, who reads the row.
 */
export class RowIndex {
  #size = 0;
  #hashes = new Uint32Array(2 * 1024);
  #offsets = new Float64Array(1024);
  #lengths = new Uint32Array(1024);
  #lines = new Uint32Array(1024);
  #slots = new Int32Array(2048).fill(-1);

  get size(): number {
    return this.#size;
  }

  add(key: string, place: RowPlace): void {
    if (this.#size === this.#offsets.length) this.#grow();
    const row = this.#size++;
    const low = hash(key, 0x811c9dc5);
    const high = hash(key, 0x9747b28c);
    this.#hashes[2 * row] = low;
    this.#hashes[2 * row + 1] = high;
    this.#offsets[row] = place.offset;
    this.#lengths[row] = place.length;
    this.#lines[row] = place.line;
    this.#put(low, row);
  }

  /** Rows whose keys may be this one: nearly always one or none. */
  *candidates(key: string): Generator<RowPlace> {
    const low = hash(key, 0x811c9dc5);
    const high = hash(key, 0x9747b28c);
    const mask = this.#slots.length - 1;
    for (let slot = low & mask; this.#slots[slot] !== -1; slot = (slot + 1) & mask) {
      const row = this.#slots[slot]!;
      if (this.#hashes[2 * row] !== low || this.#hashes[2 * row + 1] !== high) continue;
      yield { offset: this.#offsets[row]!, length: this.#lengths[row]!, line: this.#lines[row]! };
    }
  }

  #put(low: number, row: number): void {
    const mask = this.#slots.length - 1;
    let slot = low & mask;
    while (this.#slots[slot] !== -1) slot = (slot + 1) & mask;
    this.#slots[slot] = row;
  }

  #grow(): void {
    const rows = this.#offsets.length * 2;
    const larger = <Numbers extends Uint32Array | Float64Array>(old: Numbers, wanted: Numbers): Numbers => {
      wanted.set(old);
      return wanted;
    };
    this.#hashes = larger(this.#hashes, new Uint32Array(2 * rows));
    this.#offsets = larger(this.#offsets, new Float64Array(rows));
    this.#lengths = larger(this.#lengths, new Uint32Array(rows));
    this.#lines = larger(this.#lines, new Uint32Array(rows));
    this.#slots = new Int32Array(2 * rows).fill(-1);
    for (let row = 0; row < this.#size; row++) this.#put(this.#hashes[2 * row]!, row);
  }
}

/** FNV-1a over UTF-16 units, finished as in MurmurHash3 so that low bits are mixed. */
function hash(text: string, seed: number): number {
  let value = seed;
  for (let index = 0; index < text.length; index++) value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}
