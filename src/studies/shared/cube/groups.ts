import { attributeOf, type Utterance } from '../../../model/utterance.ts';
import { maxGroupValues } from '../attributes.ts';
import { WatchedRates } from '../share-watch.ts';
import type { Sums } from './sums.ts';

/** Attributes that are looked at where nobody says which. */
const maxAttributes = 32;

/** What was added to one cell. */
export interface Cell {
  readonly path: readonly string[];
  /** By series; absent where nothing was added. Units are told apart by their places among the members. */
  readonly sums: (Sums | undefined)[];
  /** By series x series: what the first answered and the second did not. */
  readonly alone: Map<number, Sums>;
  /** By series x ratios + ratio: of ratios that are watched. */
  readonly watched: WatchedRates;
}

/** Everybody, or those of one value of an attribute, and their cells. */
export class Members {
  /** Null: everybody. */
  readonly group: { readonly attribute: string; readonly value: string } | null;
  /** As they came, each once. */
  readonly units: number[] = [];
  readonly cells = new Map<string, Cell>();
  readonly #places = new Map<number, number>();

  constructor(group: Members['group']) {
    this.group = group;
  }

  /** The place of a unit among these, where it is from here on if it was not. */
  placeOf(unit: number): number {
    const known = this.#places.get(unit);
    if (known !== undefined) return known;
    this.#places.set(unit, this.units.length);
    return this.units.push(unit) - 1;
  }

  cellAt(path: readonly string[], series: number): Cell {
    const key = keyOf(path);
    let cell = this.cells.get(key);
    if (cell === undefined) {
      cell = {
        path,
        sums: Array.from({ length: series }, () => undefined),
        alone: new Map(),
        watched: new WatchedRates(),
      };
      this.cells.set(key, cell);
    }
    return cell;
  }

  cellOf(path: readonly string[]): Cell | undefined {
    return this.cells.get(keyOf(path));
  }
}

/** Paths of one slice are of one length. */
function keyOf(path: readonly string[]): string {
  return path.length === 1 ? path[0]! : JSON.stringify(path);
}

interface Attribute {
  readonly values: Map<string, Members>;
  /** Utterances that have it. */
  known: number;
}

/** Which groups there are and who is in them, as utterances are met. */
export class Groups {
  /** Attributes that have more values than are kept apart. */
  readonly manyValued = new Set<string>();
  /** Whether there were more attributes than are looked at unasked. */
  attributesLeftOut = false;
  readonly #wanted: readonly string[] | null;
  readonly #most: number;
  readonly #attributes = new Map<string, Attribute>();
  #met = 0;

  /** @param wanted attributes that make groups; null: every attribute with 2 to 8 values */
  constructor(wanted: readonly string[] | null) {
    this.#wanted = wanted;
    this.#most = wanted === null ? maxGroupValues.unasked : maxGroupValues.asked;
  }

  /** The groups of an utterance, once for each utterance; its unit is in them from here on. */
  enter(utterance: Utterance, unit: number): Members[] {
    this.#met++;
    return (this.#wanted ?? Object.keys(utterance.attributes)).flatMap((name) => {
      const value = attributeOf(utterance, name);
      const attribute = value === undefined ? undefined : this.#attributeNamed(name);
      if (value === undefined || attribute === undefined) return [];
      attribute.known++;
      const members = attribute.values.get(value) ?? new Members({ attribute: name, value });
      attribute.values.set(value, members);
      if (attribute.values.size > this.#most) {
        this.manyValued.add(name);
        this.#attributes.delete(name);
        return [];
      }
      members.placeOf(unit);
      return [members];
    });
  }

  /** Attributes and values in the order of their code units. @param minValues of attributes that count */
  groups(minValues = 2): Members[] {
    return this.#sorted(minValues).flatMap(([, { values }]) =>
      [...values].sort(([a], [b]) => byCodeUnits(a, b)).map(([, members]) => members),
    );
  }

  /** Attributes that make groups, and how many utterances are in none of these. */
  missing(): { readonly attribute: string; readonly utterances: number }[] {
    return this.#sorted(2).map(([attribute, { known }]) => ({ attribute, utterances: this.#met - known }));
  }

  /** Attributes that make no groups because they have one value, with it. */
  undivided(): NonNullable<Members['group']>[] {
    return this.#sorted(1).flatMap(([, { values }]) =>
      values.size > 1 ? [] : [...values.values()].flatMap(({ group }) => group ?? []),
    );
  }

  #sorted(minValues: number): (readonly [string, Attribute])[] {
    return [...this.#attributes]
      .filter(([, { values }]) => values.size >= minValues)
      .sort(([a], [b]) => byCodeUnits(a, b));
  }

  #attributeNamed(name: string): Attribute | undefined {
    const known = this.#attributes.get(name);
    if (known !== undefined || this.manyValued.has(name)) return known;
    if (this.#wanted === null && this.#attributes.size + this.manyValued.size >= maxAttributes) {
      this.attributesLeftOut = true;
      return undefined;
    }
    const attribute = { values: new Map<string, Members>(), known: 0 };
    this.#attributes.set(name, attribute);
    return attribute;
  }
}

function byCodeUnits(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
