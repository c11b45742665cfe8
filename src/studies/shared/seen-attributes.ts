/** An attribute with more values divides people into too many groups to be looked at unasked. */
const fewValues = 8;
/** Attributes that are looked at where nobody says which. */
const maxAttributes = 8;
const maxNames = 1000;

/** Which attributes there are, and which of them have few values. */
export class SeenAttributes {
  readonly #values: Map<string, Set<string>>;

  /** @param first names that stand before those that are met */
  constructor(first: readonly string[] = []) {
    this.#values = new Map(first.map((name) => [name, new Set()]));
  }

  get names(): ReadonlySet<string> {
    return new Set(this.#values.keys());
  }

  /** @param value null where the attribute is there, but its value is not to be counted */
  add(name: string, value: string | null): void {
    if (!this.#values.has(name) && this.#values.size < maxNames) this.#values.set(name, new Set());
    const known = this.#values.get(name);
    if (known !== undefined && value !== null && known.size <= fewValues) known.add(value);
  }

  /** The first attributes with 2 to 8 values, in the order in which they came, but for some. */
  dividing(except: readonly string[] = []): string[] {
    return [...this.#values]
      .filter(([name, { size }]) => size >= 2 && size <= fewValues && !except.includes(name))
      .map(([name]) => name)
      .slice(0, maxAttributes);
  }
}
