import type { AlignedWord, ExampleRow } from '../../model/finding.ts';
import type { Observation } from '../../model/observation.ts';
import { align } from '../../scoring/alignment/align.ts';

/** Pairs of words that an example shows; a transcript may be megabytes of garbage. */
const maxPairs = 400;

const maxCharacters = 100;

/**
 * A row of an example: what was recognized, against what was said. Long ones are cut, and the note says so. What it gives
 * is a copy: it keeps no transcript in memory.
 */
export function alignedTranscript(
  label: string,
  referenceWords: readonly string[],
  observation: Observation | undefined,
  words: (text: string) => string[],
): ExampleRow {
  if (observation === undefined) return { label, aligned: null, note: 'was not asked' };
  if (observation.failure) {
    const { kind, message } = observation.failure;
    return { label, aligned: null, failure: { kind, message: cut(message, 300) } };
  }
  const pairs = align(referenceWords, words(observation.transcript.text));
  const aligned = pairs
    .slice(0, maxPairs)
    .map(
      ({ reference, hypothesis }): AlignedWord => ({ reference: shorter(reference), hypothesis: shorter(hypothesis) }),
    );
  const left = pairs.length - aligned.length;
  return { label, aligned, ...(left > 0 ? { note: `and ${left} more words, not shown` } : {}) };
}

/** So much of a sound is worth hearing. */
const windowSeconds = 15;

/**
 * Where in a long sound the `windowSeconds` begin in which the alignment has most errors, words taken to be spread evenly
 * over it; undefined where the whole sound is no longer than that.
 */
export function worstStretch(aligned: readonly AlignedWord[], soundSeconds: number | null): number | undefined {
  if (soundSeconds === null || soundSeconds <= windowSeconds || aligned.length === 0) return undefined;
  const secondsPerWord = soundSeconds / aligned.length;
  const width = Math.max(1, Math.floor(windowSeconds / secondsPerWord));
  const isError = ({ reference, hypothesis }: AlignedWord) => (reference === hypothesis ? 0 : 1);
  let errors = aligned.slice(0, width).reduce((sum, word) => sum + isError(word), 0);
  let best = { start: 0, errors };
  for (let start = 1; start + width <= aligned.length; start++) {
    errors += isError(aligned[start + width - 1]!) - isError(aligned[start - 1]!);
    if (errors > best.errors) best = { start, errors };
  }
  // A second earlier, since words are not spread evenly.
  return Math.max(0, Math.min(best.start * secondsPerWord - 1, soundSeconds - windowSeconds));
}

function shorter(word: string | null): string | null {
  return word === null ? null : cut(word, maxCharacters);
}

/** Through JSON, because parts of a string keep all of it alive. */
function cut(text: string, most: number): string {
  return JSON.parse(JSON.stringify(text.length > most ? `${text.slice(0, most)}…` : text));
}

/** The best of what is offered, however much that is. */
export interface BestKept<Item> {
  /** Whether something of this rank would be kept: asked before it is made. */
  wants(rank: readonly number[]): boolean;
  offer(rank: readonly number[], item: Item): void;
  /** Best first; of equals the one that was offered first. */
  items(): Item[];
}

/**
 * Keeps the `most` items of highest rank in a heap whose root is the least of them. Ranks are compared number by number;
 * of equal ones the earlier offer is better, so that the outcome depends on nothing but the order of offers.
 *
 * @example
 * const worst = keepBest<string>(2);
 * for (const [rate, id] of [[0.1, 'a'], [0.9, 'b'], [0.5, 'c']] as const) worst.offer([rate], id);
 * worst.items(); // ['b', 'c']
 */
export function keepBest<Item>(most: number): BestKept<Item> {
  const heap: { readonly rank: readonly number[]; readonly offered: number; readonly item: Item }[] = [];
  let offers = 0;

  const worse = (a: (typeof heap)[number], b: (typeof heap)[number]) => {
    const order = compareRanks(a.rank, b.rank);
    return order < 0 || (order === 0 && a.offered > b.offered);
  };
  const swap = (a: number, b: number) => {
    [heap[a], heap[b]] = [heap[b]!, heap[a]!];
  };
  const rise = () => {
    for (let place = heap.length - 1; place > 0; ) {
      const parent = (place - 1) >> 1;
      if (!worse(heap[place]!, heap[parent]!)) return;
      swap(place, parent);
      place = parent;
    }
  };
  const sink = () => {
    for (let place = 0; ; ) {
      let least = place;
      for (const child of [2 * place + 1, 2 * place + 2]) {
        if (child < heap.length && worse(heap[child]!, heap[least]!)) least = child;
      }
      if (least === place) return;
      swap(place, least);
      place = least;
    }
  };

  const wants = (rank: readonly number[]) => heap.length < most || (most > 0 && compareRanks(rank, heap[0]!.rank) > 0);
  return {
    wants,
    offer(rank, item) {
      if (!wants(rank)) return;
      const entry = { rank, offered: offers++, item };
      if (heap.length < most) {
        heap.push(entry);
        rise();
      } else {
        heap[0] = entry;
        sink();
      }
    },
    items: () => [...heap].sort((a, b) => (worse(a, b) ? 1 : -1)).map(({ item }) => item),
  };
}

function compareRanks(a: readonly number[], b: readonly number[]): number {
  for (let place = 0; place < a.length; place++) {
    if (a[place] !== b[place]) return a[place]! < b[place]! ? -1 : 1;
  }
  return 0;
}
