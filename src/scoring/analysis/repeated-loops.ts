/** The same words over and over. */
export interface RepeatedLoop {
  /** Place of the first word of the first round. */
  readonly start: number;
  /** Words of one round. */
  readonly words: readonly string[];
  /** Whole rounds, the first included. */
  readonly repeats: number;
}

/** When words said again make a loop. */
export interface LoopOptions {
  /** Rounds, the first included; 3 by default. */
  readonly leastRepeats?: number;
  /** Words of the longest round looked for; 20 by default. */
  readonly mostWords?: number;
}

/**
 * Stretches in which the same one or more words come again and again, as autoregressive recognizers write when they are
 * caught in a loop. Each stretch is told by its shortest round; stretches do not overlap, the longer one goes first. People
 * repeat words too: hold it against the loops of the reference.
 *
 * Time is proportional to words x `mostWords`.
 *
 * @throws RangeError for fewer than 2 repeats or rounds of less than 1 word
 * @example repeatedLoops(['so', 'no', 'way', 'no', 'way', 'no', 'way']) // [{ start: 1, words: ['no', 'way'], repeats: 3 }]
 */
export function repeatedLoops(words: readonly string[], options: LoopOptions = {}): RepeatedLoop[] {
  const { leastRepeats = 3, mostWords = 20 } = options;
  if (!Number.isInteger(leastRepeats) || leastRepeats < 2) {
    throw new RangeError(`expected loops of at least 2 repeats, but got ${leastRepeats}`);
  }
  if (!Number.isInteger(mostWords) || mostWords < 1) {
    throw new RangeError(`expected rounds of at least 1 word, but got ${mostWords}`);
  }
  const found: { start: number; end: number; period: number }[] = [];
  for (let period = 1; period <= mostWords; period++) {
    let start = 0;
    for (let place = period; place <= words.length; place++) {
      if (place < words.length && words[place] === words[place - period]) continue;
      const repeats = Math.floor((place - start) / period);
      if (repeats >= leastRepeats) found.push({ start, end: start + repeats * period, period });
      start = place - period + 1;
    }
  }
  found.sort((a, b) => b.end - b.start - (a.end - a.start) || a.period - b.period || a.start - b.start);
  const taken = new Uint8Array(words.length);
  const loops: RepeatedLoop[] = [];
  for (const { start, end, period } of found) {
    // A stretch taken before is at least as long, so that one reaching into it covers one of its own ends.
    if (taken[start] === 1 || taken[end - 1] === 1) continue;
    taken.fill(1, start, end);
    loops.push({ start, words: words.slice(start, start + period), repeats: (end - start) / period });
  }
  return loops.sort((a, b) => a.start - b.start);
}
