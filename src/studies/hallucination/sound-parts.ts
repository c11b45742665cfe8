import type { SampleSize } from '../../model/finding.ts';
import { attributeOf, type Utterance } from '../../model/utterance.ts';
import { type ClusteredCounts, maxClusters } from '../../statistics/bootstrap/clustered-counts.ts';

const fields = 6;

/**
 * Sums over answered sounds, by recording: the recordings are the units that are resampled, because several sounds are made
 * from one. Of more than `maxClusters` recordings some share a unit.
 */
export class ClipSums {
  #table = new Float64Array(16 * fields);
  #units = 0;

  add(unit: number, { words, seconds, loops }: WrittenSound): void {
    const start = fields * unit;
    if (start >= this.#table.length) {
      const larger = new Float64Array(Math.min(maxClusters, 2 * unit + 1) * fields);
      larger.set(this.#table);
      this.#table = larger;
    }
    this.#units = Math.max(this.#units, unit + 1);
    const own = [1, words > 0 ? 1 : 0, words, loops > 0 ? 1 : 0];
    if (seconds !== null) own.push(seconds / 60, words);
    own.forEach((value, field) => {
      this.#table[start + field]! += value;
    });
  }

  get sounds(): number {
    return this.#sum(0);
  }
  get withWords(): number {
    return this.#sum(1);
  }
  get words(): number {
    return this.#sum(2);
  }
  get withLoops(): number {
    return this.#sum(3);
  }
  get minutes(): number {
    return this.#sum(4);
  }

  /** Clips with words of all sounds. */
  shares(): ClusteredCounts {
    return { numerators: this.#column(1), denominators: this.#column(0), proportion: true };
  }

  /** Words over minutes of sound, where these are known. */
  pace(): ClusteredCounts {
    return { numerators: this.#column(5), denominators: this.#column(4) };
  }

  size(): SampleSize {
    const recordings = this.#column(0).filter((count) => count > 0).length;
    return { utterances: recordings, speakers: 0, unit: 'recording' };
  }

  #column(field: number): Float64Array {
    return Float64Array.from({ length: this.#units }, (_, unit) => this.#table[fields * unit + field]!);
  }

  #sum(field: number): number {
    return this.#column(field).reduce((sum, value) => sum + value, 0);
  }
}

/** Upper ends in seconds of the classes of duration; the last has none. */
const durationEnds = [2, 5, 10, 30] as const;

/** The classes of duration, shortest first. */
export const durationClasses: readonly string[] = [
  `under ${durationEnds[0]} s`,
  ...durationEnds.slice(1).map((end, place) => `${durationEnds[place]} to ${end} s`),
  `${durationEnds.at(-1)} s and longer`,
];

/** A part of the sounds of one recognizer that is looked at by itself. */
export interface Part {
  readonly kind: 'all' | 'condition' | 'duration' | 'group';
  readonly recognizer: number;
  /** The condition's name, the class of duration, or the value of the attribute. */
  readonly name: string;
  readonly attribute?: string;
  readonly sums: ClipSums;
}

/** What is known of one answer. */
interface HeardSound {
  readonly utterance: Utterance;
  readonly condition: string;
  readonly recognizer: number;
  /** The recording it was made from. */
  readonly unit: number;
  readonly words: number;
  readonly seconds: number | null;
  readonly loops: number;
}

/** An attribute with more values makes no groups. */
const maxValues = 50;

/** Adds sounds to every part that they belong to. Memory follows conditions, groups and recordings. */
export class SoundParts {
  readonly #groupBy: readonly string[];
  readonly #parts = new Map<string, Part>();
  readonly #values = new Map<string, Set<string>>();
  readonly #manyValued = new Set<string>();

  constructor(groupBy: readonly string[]) {
    this.#groupBy = groupBy;
  }

  add(sound: HeardSound): void {
    const { utterance, condition, recognizer, seconds } = sound;
    this.#addTo({ kind: 'all', recognizer, name: '' }, sound);
    this.#addTo({ kind: 'condition', recognizer, name: condition }, sound);
    if (seconds !== null) this.#addTo({ kind: 'duration', recognizer, name: durationClass(seconds) }, sound);
    for (const attribute of this.#groupBy) {
      const name = attributeOf(utterance, attribute);
      if (name !== undefined && this.#isLookedAt(attribute, name))
        this.#addTo({ kind: 'group', recognizer, attribute, name }, sound);
    }
  }

  /** Parts in the order in which they came, without those of attributes of too many values. */
  all(): Part[] {
    return [...this.#parts.values()].filter(
      ({ attribute }) => attribute === undefined || !this.#manyValued.has(attribute),
    );
  }

  /** Attributes that were let go of, in order. */
  manyValued(): string[] {
    return [...this.#manyValued].sort();
  }

  #addTo(part: Omit<Part, 'sums'>, { unit, words, seconds, loops }: HeardSound): void {
    const key = JSON.stringify([part.kind, part.recognizer, part.attribute, part.name]);
    let known = this.#parts.get(key);
    if (known === undefined) {
      known = { ...part, sums: new ClipSums() };
      this.#parts.set(key, known);
    }
    known.sums.add(unit, { words, seconds, loops });
  }

  #isLookedAt(attribute: string, value: string): boolean {
    if (this.#manyValued.has(attribute)) return false;
    const known = this.#values.get(attribute) ?? new Set<string>();
    this.#values.set(attribute, known.add(value));
    if (known.size > maxValues) this.#manyValued.add(attribute);
    return known.size <= maxValues;
  }
}

function durationClass(seconds: number): string {
  const place = durationEnds.findIndex((end) => seconds < end);
  return durationClasses[place === -1 ? durationEnds.length : place]!;
}

/** What one recognizer wrote for one sound. */
interface WrittenSound {
  readonly words: number;
  /** Null where the recognizer heard no sound. */
  readonly seconds: number | null;
  readonly loops: number;
}
