import type { SampleSize } from '../../model/finding.ts';
import type { ClusteredCounts } from '../../statistics/bootstrap/clustered-counts.ts';
import { mostClusters } from '../../statistics/bootstrap/clustered-counts.ts';

/** What one recognizer wrote for one sound. */
export interface WrittenSound {
  readonly words: number;
  /** Null where the recognizer heard no sound. */
  readonly seconds: number | null;
  readonly loops: number;
}

const fields = 6;

/**
 * Sums over answered sounds, by recording: the recordings are the units that are resampled, because several sounds are made
 * from one. Of more than `mostClusters` recordings some share a unit.
 */
export class ClipSums {
  #table = new Float64Array(16 * fields);
  #units = 0;

  add(unit: number, { words, seconds, loops }: WrittenSound): void {
    const start = fields * unit;
    if (start >= this.#table.length) {
      const larger = new Float64Array(Math.min(mostClusters, 2 * unit + 1) * fields);
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

  /** Sounds with words of all sounds. */
  shares(): ClusteredCounts {
    return { numerators: this.#column(1), denominators: this.#column(0), proportion: true };
  }

  /** Words over minutes of sound, where these are known. */
  pace(): ClusteredCounts {
    return { numerators: this.#column(5), denominators: this.#column(4) };
  }

  size(): SampleSize {
    const recordings = this.#column(0).filter((count) => count > 0).length;
    return { utterances: recordings, speakers: 0 };
  }

  #column(field: number): Float64Array {
    return Float64Array.from({ length: this.#units }, (_, unit) => this.#table[fields * unit + field]!);
  }

  #sum(field: number): number {
    return this.#column(field).reduce((sum, value) => sum + value, 0);
  }
}
