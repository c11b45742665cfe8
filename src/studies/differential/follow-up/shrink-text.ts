/** What is left of a text that failed. */
export interface ShrunkText {
  /** The shortest text found that fails; the whole text where nothing can be left out. */
  readonly text: string;
  readonly words: readonly string[];
  /** Words of the text it was cut from. */
  readonly wordsBefore: number;
  /**
   * Whether no single word can be left out of it without the failure going away, as every text with one word less was tried.
   * False where the budget ended the search before.
   */
  readonly minimal: boolean;
  /** How many texts were tried. */
  readonly calls: number;
}

/** Whether words can fail as the text does that they were left of, so that it is worth asking. */
export type MayFail = (words: readonly string[]) => boolean;

/** Whether the text that was asked for fails as the first did; `stop` ends the search with the best found so far. */
export type ShrinkVerdict = boolean | 'stop';

/** A search that asks for one text after another and receives the verdict on it. */
export type Shrinking = Generator<string, ShrunkText, ShrinkVerdict>;

/**
 * Cuts a text that fails down to a short one that still fails. First its contiguous pieces are tried, because they sound like
 * speech: halves, then less and less from either end. Then words within are left out, many at once and fewer and fewer, until
 * each single one is needed (delta debugging: A. Zeller and R. Hildebrandt, "Simplifying and isolating failure-inducing
 * input", IEEE Transactions on Software Engineering 28, 2002, section 3, by complements). Which texts are asked depends on the
 * verdicts alone, none is asked twice, and the empty text never.
 *
 * The result is a local minimum: a shorter text that fails may exist where several words must go together.
 *
 * @param text known to fail; words are what stands between blanks
 * @param options.maxCalls texts that may be tried
 * @param options.mayFail what it refuses is not asked and does not fail; by default every text may
 * @example
 * const search = shrinkText('one two three four', { maxCalls: 20 });
 * let step = search.next();
 * while (!step.done) step = search.next(step.value.includes('three'));
 * step.value // { text: 'three', words: ['three'], wordsBefore: 4, minimal: true, calls: 4 }
 */
export function* shrinkText(
  text: string,
  { maxCalls, mayFail = () => true }: { readonly maxCalls: number; readonly mayFail?: MayFail },
): Shrinking {
  const given = text.split(/\s+/).filter((word) => word !== '');
  const verdicts = new Map<string, boolean>();
  let words: readonly string[] = given;
  let stopped = false;

  function* fails(candidate: readonly string[]): Generator<string, boolean, ShrinkVerdict> {
    const asked = candidate.join(' ');
    const known = verdicts.get(asked);
    if (known !== undefined) return known;
    if (stopped || candidate.length === 0 || !mayFail(candidate)) return false;
    if (verdicts.size >= maxCalls) {
      stopped = true;
      return false;
    }
    const verdict = yield asked;
    if (verdict === 'stop') {
      stopped = true;
      return false;
    }
    verdicts.set(asked, verdict);
    if (verdict) words = candidate;
    return verdict;
  }

  let trim = Math.ceil(words.length / 2);
  while (trim >= 1 && words.length > 1 && !stopped) {
    const least = Math.min(trim, words.length - 1);
    const shorter = (yield* fails(words.slice(0, words.length - least))) || (yield* fails(words.slice(least)));
    if (!shorter) trim = least === 1 ? 0 : Math.ceil(least / 2);
  }

  for (let stretch = Math.ceil(words.length / 2); stretch >= 1; stretch = stretch === 1 ? 0 : Math.ceil(stretch / 2)) {
    // Once around without a word less: with stretches of one word, that each of them is needed.
    let start = 0;
    for (let needed = 0; needed < words.length && words.length > 1 && !stopped; ) {
      if (start >= words.length) start = 0;
      const end = Math.min(start + stretch, words.length);
      const shorter = [...words.slice(0, start), ...words.slice(end)];
      if (yield* fails(shorter)) {
        needed = 0;
        continue;
      }
      needed += end - start;
      start = end;
    }
  }

  return {
    text: words.join(' '),
    words,
    wordsBefore: given.length,
    minimal: !stopped,
    calls: verdicts.size,
  };
}
