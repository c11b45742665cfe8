import { repeatedLoops } from '../../scoring/analysis/repeated-loops.ts';
import type { ClusteredCounts } from '../../statistics/bootstrap/clustered-counts.ts';

/** What one utterance has of a rate: errors (or whatever is counted) and words (or whatever of). */
export interface UtteranceShare {
  /** Null where it was given none. */
  readonly id: string | null;
  /** Of its file, where it has no id. */
  readonly line?: number;
  /** Of all utterances of the rate, from 1. */
  readonly place: number;
  /** The speaker, by the numbers of who counts. */
  readonly unit: number;
  readonly errors: number;
  readonly words: number;
  /** The longest stretch of the same words over and over, where there are more errors than words. */
  readonly loop: { readonly words: number; readonly repeats: number } | null;
}

/** Of so many utterances with insertions out of all proportion it is kept who they are. */
export const maxOdd = 20;

/** With a loop, or more than twice as many errors as words. */
export function isOutOfProportion({ loop, errors, words }: Pick<UtteranceShare, 'loop' | 'errors' | 'words'>): boolean {
  return loop !== null || Math.abs(errors) > 2 * Math.abs(words);
}

/**
 * Watches the utterances of one rate, those of one after another: the one with the most errors and the one with the most words are kept, one of
 * which moves the rate most when it leaves, and the few with most errors of those with a loop or more than twice as many errors as words. Memory is
 * that of these.
 */
export class ShareWatch {
  #now: { -readonly [Key in keyof UtteranceShare]: UtteranceShare[Key] } | null = null;
  #mostErrors: UtteranceShare | null = null;
  #mostWords: UtteranceShare | null = null;
  /** The most errors first. */
  readonly #odd: UtteranceShare[] = [];
  #utterances = 0;

  /**
   * @param errors may be negative: of a difference of two rates
   * @param heard the words of the transcript, asked for where they may be a loop
   */
  add(
    utterance: Pick<UtteranceShare, 'id' | 'line' | 'unit'>,
    errors: number,
    words: number,
    heard?: () => readonly string[],
  ) {
    if (this.#now === null || this.#now.id === null || this.#now.id !== utterance.id) {
      this.#settle();
      this.#now = { ...utterance, place: ++this.#utterances, errors: 0, words: 0, loop: null };
    }
    this.#now.errors += errors;
    this.#now.words += words;
    if (heard !== undefined && errors > words && errors > this.#leastOdd) {
      this.#now.loop = longestLoop(heard()) ?? this.#now.loop;
    }
  }

  /** More errors than these make one of the odd. */
  get #leastOdd(): number {
    return Math.abs(this.#odd[maxOdd - 1]?.errors ?? 0);
  }

  #settle(): void {
    const now = this.#now;
    if (now === null) return;
    if (Math.abs(now.errors) > Math.abs(this.#mostErrors?.errors ?? 0)) this.#mostErrors = now;
    if (now.words > (this.#mostWords?.words ?? 0)) this.#mostWords = now;
    const errors = Math.abs(now.errors);
    if (isOutOfProportion(now) && errors > this.#leastOdd && !this.#odd.includes(now)) {
      const place = this.#odd.findIndex((other) => Math.abs(other.errors) < errors);
      this.#odd.splice(place === -1 ? this.#odd.length : place, 0, now);
      this.#odd.length = Math.min(this.#odd.length, maxOdd);
    }
  }

  get utterances(): number {
    return this.#utterances;
  }

  /** One or two. */
  get extremes(): readonly UtteranceShare[] {
    this.#settle();
    return [...new Set([this.#mostErrors, this.#mostWords])].filter((share) => share !== null);
  }

  /** Those that are odd, the most errors first. */
  get odd(): readonly UtteranceShare[] {
    this.#settle();
    return this.#odd;
  }
}

/** Watched rates by number. */
export class WatchedRates {
  readonly #all = new Map<number, ShareWatch>();

  of(rate: number): ShareWatch {
    const watch = this.#all.get(rate) ?? new ShareWatch();
    this.#all.set(rate, watch);
    return watch;
  }

  /** Undefined: nothing was added. */
  known(rate: number): ShareWatch | undefined {
    return this.#all.get(rate);
  }
}

function longestLoop(heard: readonly string[]): UtteranceShare['loop'] {
  const [longest] = repeatedLoops(heard)
    .map(({ words, repeats }) => ({ words: words.length, repeats }))
    .toSorted((one, other) => other.words * other.repeats - one.words * one.repeats);
  return longest ?? null;
}

/** A rate by speaker, with the utterances that were watched. */
export interface WatchedCounts {
  readonly counts: ClusteredCounts;
  /** The speaker of each place of the counts. */
  readonly units: readonly number[];
  /** Undefined: nothing was added. */
  readonly watch: ShareWatch | undefined;
  /** What is counted is not of what it is counted in (words per minute): more of the one than of the other is nothing odd. */
  readonly isPace?: boolean;
}

/**
 * The same counts where of an odd utterance no more errors count than it has words: who is caught in a loop once may be understood.
 */
export function withoutLoops({ counts, units, watch }: WatchedCounts): ClusteredCounts {
  const inserted = (watch?.odd ?? []).flatMap(({ unit, errors, words }) =>
    errors > words && units.includes(unit) ? [{ place: units.indexOf(unit), errors: errors - words, words: 0 }] : [],
  );
  return less(counts, inserted);
}

/** What of the counts of a place an utterance has. */
export interface Placed {
  readonly place: number;
  readonly errors: number;
  readonly words: number;
}

/** Counts less so much of theirs. */
export function less(
  { numerators, denominators, ...others }: ClusteredCounts,
  shares: readonly Placed[],
): ClusteredCounts {
  const [errors, words] = [numerators.slice(), denominators.slice()];
  for (const share of shares) {
    errors[share.place]! -= share.errors;
    words[share.place]! -= share.words;
  }
  return { ...others, numerators: errors, denominators: words };
}
