/** Numbers of one kind, close together. */
export type NumberArray = Uint8Array | Uint16Array | Uint32Array | Int32Array | Float32Array;
type Kind<Column extends NumberArray> = { new (length: number): Column };

/** A typed array that grows. */
export class Growing<Column extends NumberArray> {
  #values: Column;
  readonly #kind: Kind<Column>;
  length = 0;

  constructor(kind: Kind<Column>, length = 4096) {
    this.#kind = kind;
    this.#values = new kind(length);
  }

  push(value: number): void {
    this.#room(1);
    this.#values[this.length++] = value;
  }

  append(bytes: Uint8Array): void {
    this.#room(bytes.length);
    this.#values.set(bytes, this.length);
    this.length += bytes.length;
  }

  done(): Column {
    return this.#values.subarray(0, this.length) as Column;
  }

  #room(more: number): void {
    if (this.length + more <= this.#values.length) return;
    const grown = new this.#kind(Math.max(2 * this.#values.length, this.length + more));
    grown.set(this.#values);
    this.#values = grown;
  }
}
