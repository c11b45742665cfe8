import type { FailureKind } from '../../model/observation.ts';

/** What became of the trials of one recognizer in one condition. */
export interface TrialCounts {
  readonly asked: number;
  readonly answered: number;
  readonly failed: number;
  /** By kind, in the order of code units. */
  readonly failures: readonly { readonly kind: FailureKind; readonly count: number }[];
}

/** Counts trials and failures by kind in numbered places. */
export class FailureCounts {
  readonly #answered: Float64Array;
  readonly #failures: Map<FailureKind, number>[];

  constructor(places: number) {
    this.#answered = new Float64Array(places);
    this.#failures = Array.from({ length: places }, () => new Map());
  }

  addAnswer(place: number): void {
    this.#answered[place]! += 1;
  }

  addFailure(place: number, kind: FailureKind): void {
    const failures = this.#failures[place]!;
    failures.set(kind, (failures.get(kind) ?? 0) + 1);
  }

  at(place: number): TrialCounts {
    const failures = [...this.#failures[place]!]
      .map(([kind, count]) => ({ kind, count }))
      .sort((a, b) => (a.kind < b.kind ? -1 : 1));
    const failed = failures.reduce((sum, { count }) => sum + count, 0);
    const answered = this.#answered[place]!;
    return { asked: answered + failed, answered, failed, failures };
  }
}
