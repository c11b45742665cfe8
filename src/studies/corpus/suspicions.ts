/** Kinds of suspicion, the gravest first. */
export const suspicionKinds = [
  'unreadable sound',
  'silent sound',
  'very quiet sound',
  'clipped sound',
  'empty reference',
  'too many words',
  'too few words',
  'odd characters',
] as const;

export type SuspicionKind = (typeof suspicionKinds)[number];

export interface Suspicion {
  readonly kind: SuspicionKind;
  readonly utteranceId: string;
  readonly reason: string;
}

/** Counts suspicions and keeps a few of each kind. */
export interface Suspicions {
  add(kind: SuspicionKind, utteranceId: string, reason: string): void;
  count(kind: SuspicionKind): number;
  readonly total: number;
  /** At most so many, shared out among the kinds so that a frequent one does not hide the others; grouped by kind. */
  listed(most: number): readonly Suspicion[];
}

/** Longest id and reason that are shown, in UTF-16 units: both can come from hostile files. */
const longestShown = 300;

/** @param kept how many of each kind are kept to be listed */
export function createSuspicions(kept: number): Suspicions {
  const counts = new Map<SuspicionKind, number>();
  const first = new Map<SuspicionKind, Suspicion[]>(suspicionKinds.map((kind) => [kind, []]));
  let total = 0;
  return {
    add(kind, utteranceId, reason) {
      total++;
      counts.set(kind, (counts.get(kind) ?? 0) + 1);
      const list = first.get(kind)!;
      if (list.length < kept) list.push({ kind, utteranceId, reason: reason.slice(0, longestShown) });
    },
    count: (kind) => counts.get(kind) ?? 0,
    get total() {
      return total;
    },
    listed(most) {
      const places = new Map<SuspicionKind, number>();
      let left = most;
      for (let round = 0; left > 0 && round < kept; round++) {
        for (const kind of suspicionKinds) {
          if (left === 0 || first.get(kind)!.length <= round) continue;
          places.set(kind, round + 1);
          left--;
        }
      }
      return suspicionKinds.flatMap((kind) => first.get(kind)!.slice(0, places.get(kind) ?? 0));
    },
  };
}
