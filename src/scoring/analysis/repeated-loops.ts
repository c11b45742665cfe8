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
  readonly minRepeats?: number;
  /** Words of the longest round looked for; 20 by default. */
  readonly maxWords?: number;
}

/**
 * Stretches in which the same one or more words come again and again, as autoregressive recognizers write when they are
 * caught in a loop. Each stretch is told by its shortest round; stretches do not overlap: the longer one goes first,
 * and what it leaves of another is a loop where enough rounds are left. People repeat words too: hold it against the loops of
 * the reference.
 *
 * Time is proportional to words x `maxWords`.
 *
 * @throws RangeError for fewer than 2 repeats or rounds of less than 1 word
 * @example repeatedLoops(['so', 'no', 'way', 'no', 'way', 'no', 'way']) // [{ start: 1, words: ['no', 'way'], repeats: 3 }]
 */
export function repeatedLoops(words: readonly string[], options: LoopOptions = {}): RepeatedLoop[] {
  const { minRepeats = 3, maxWords = 20 } = options;
  if (!Number.isInteger(minRepeats) || minRepeats < 2) {
    throw new RangeError(`expected loops of at least 2 repeats, but got ${minRepeats}`);
  }
  if (!Number.isInteger(maxWords) || maxWords < 1) {
    throw new RangeError(`expected rounds of at least 1 word, but got ${maxWords}`);
  }
  const byLength: Stretch[][] = [];
  const note = (stretch: Stretch) => {
    const repeats = Math.floor((stretch.end - stretch.start) / stretch.period);
    if (repeats < minRepeats) return;
    byLength[repeats * stretch.period] ??= [];
    byLength[repeats * stretch.period]!.push(stretch);
  };
  for (let period = 1; period <= maxWords; period++) {
    let start = 0;
    for (let place = period; place <= words.length; place++) {
      if (place < words.length && words[place] === words[place - period]) continue;
      note({ start, end: place, period });
      start = place - period + 1;
    }
  }
  const taken = new Uint8Array(words.length);
  const loops: RepeatedLoop[] = [];
  for (let length = byLength.length - 1; length > 0; length--) {
    const stretches = byLength[length] ?? [];
    stretches.sort((a, b) => a.period - b.period || a.start - b.start);
    for (const stretch of stretches) {
      const { start, period } = stretch;
      if (!taken.subarray(start, start + length).includes(1)) {
        taken.fill(1, start, start + length);
        loops.push({ start, words: words.slice(start, start + period), repeats: length / period });
      } else {
        for (const part of freeParts(stretch, taken)) note(part);
      }
    }
  }
  return loops.sort((a, b) => a.start - b.start);
}

/** Words from `start` to before `end`, each of them the one `period` words before. */
interface Stretch {
  readonly start: number;
  readonly end: number;
  readonly period: number;
}

/** What longer stretches have left of this one. */
function freeParts({ start, end, period }: Stretch, taken: Uint8Array): Stretch[] {
  const parts: Stretch[] = [];
  let from = start;
  for (let place = start; place <= end; place++) {
    if (place < end && taken[place] === 0) continue;
    if (place > from) parts.push({ start: from, end: place, period });
    from = place + 1;
  }
  return parts;
}
