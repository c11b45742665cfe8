import type { RecordedOptions } from './options.ts';
import type { RecordedRow } from './recorded-rows.ts';

/** Where the bytes of a row are. */
interface RowPlace {
  readonly offset: number;
  readonly length: number;
}

/** What a row answers. */
export type Asked = Pick<RecordedRow, 'utterance' | 'condition' | 'repeat'> & Partial<Pick<RecordedRow, 'channel'>>;

function exactKey({ utterance, channel = null, condition, repeat }: Asked): string {
  // With its length, so that no id can pretend to be another row's condition.
  return `${repeat} ${condition.length} ${condition}${utterance}${channel === null ? '' : `#${channel}`}`;
}

/** The same for `clip.wav` and `clip.mp3`. */
function stemKey({ utterance, ...rest }: Asked): string {
  return exactKey({ ...rest, utterance: utterance.replace(/(?<=[^/])\.[A-Za-z0-9]{1,5}$/, '') });
}

/** How rows and what is asked are matched. */
export function keyReader({ fileEndings }: RecordedOptions): (asked: Asked) => string {
  return fileEndings === 'ignored' ? stemKey : exactKey;
}

const blockBytes = 1 << 20;

/** A row without the names of its fields: of a million rows these would be most of what is kept. */
function packed(row: RecordedRow): string {
  const { line, utterance, channel, system, condition, repeat, text, error, words, listener, unintelligible } = row;
  const usual = [line, utterance, text, condition, repeat];
  const rest = [channel, system, error, words, listener, unintelligible];
  return JSON.stringify(rest.every((value) => value === null || value === false) ? usual : [...usual, ...rest]);
}

function unpacked(text: string): RecordedRow {
  const [line, utterance, words, condition, repeat, ...rest] = JSON.parse(text);
  const [channel = null, system = null, error = null, times = null, listener = null, unintelligible = false] = rest;
  return {
    ...{ line, utterance, channel, system, condition, repeat },
    ...{ text: words, error, words: times, listener, unintelligible },
  };
}

/**
 * Rows by their keys, as bytes outside of the heap: what they hold and 28 bytes more for each. Keys with the same 64 bits are told apart by the
 * caller, who reads the row.
 */
export class RowIndex {
  #blocks: Buffer[] = [];
  #used = blockBytes;
  #size = 0;
  #hashes = new Uint32Array(2 * 1024);
  /** Number of the block times its size, and the place in it. */
  #offsets = new Float64Array(1024);
  #lengths = new Uint32Array(1024);
  #slots = new Int32Array(2048).fill(-1);

  get size(): number {
    return this.#size;
  }

  add(key: string, row: RecordedRow): void {
    this.again(key, this.#kept(row));
  }

  /** Another key for a row that has one. */
  again(key: string, place: RowPlace): void {
    if (this.#size === this.#offsets.length) this.#grow();
    const row = this.#size++;
    const low = hash(key, 0x811c9dc5);
    const high = hash(key, 0x9747b28c);
    this.#hashes[2 * row] = low;
    this.#hashes[2 * row + 1] = high;
    this.#offsets[row] = place.offset;
    this.#lengths[row] = place.length;
    this.#put(low, row);
  }

  /** Rows whose keys may be this one: nearly always one or none. */
  *candidates(key: string): Generator<{ readonly row: RecordedRow; readonly place: RowPlace }> {
    const low = hash(key, 0x811c9dc5);
    const high = hash(key, 0x9747b28c);
    const mask = this.#slots.length - 1;
    for (let slot = low & mask; this.#slots[slot] !== -1; slot = (slot + 1) & mask) {
      const row = this.#slots[slot]!;
      if (this.#hashes[2 * row] !== low || this.#hashes[2 * row + 1] !== high) continue;
      const place = { offset: this.#offsets[row]!, length: this.#lengths[row]! };
      yield { row: this.#read(place), place };
    }
  }

  #kept(row: RecordedRow): RowPlace {
    const text = packed(row);
    const length = Buffer.byteLength(text);
    if (this.#used + length > blockBytes) {
      this.#blocks.push(Buffer.allocUnsafeSlow(Math.max(blockBytes, length)));
      this.#used = 0;
    }
    const offset = (this.#blocks.length - 1) * blockBytes + this.#used;
    this.#blocks.at(-1)!.write(text, this.#used);
    this.#used += length;
    return { offset, length };
  }

  #read({ offset, length }: RowPlace): RecordedRow {
    const at = offset % blockBytes;
    return unpacked(this.#blocks[Math.floor(offset / blockBytes)]!.toString('utf8', at, at + length));
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
