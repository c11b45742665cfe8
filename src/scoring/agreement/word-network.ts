/** Stands in a set for a transcript that has no word there. */
export const noWord = -1;

/** Words of several transcripts that belong together: one place for each transcript, in their order. */
export type WordSet = readonly number[];

/** Costs, in thousandths of those of NIST's rover: to pass a set by one of its empty places is almost free. */
const cost = { substitution: 4000, againstNothing: 1000, insertion: 3000, deletion: 3000, emptyDeletion: 1 } as const;
const step = { pair: 0, insertion: 1, deletion: 2 } as const;
/** More than any path costs, with room for a step on top. */
const unreachable = 2 ** 30;
/** Words of their own, beyond the difference in length, that a first look allows for. */
const firstLook = 64;
/** Steps kept at once while tracing back: 8 MB. */
const maxSteps = 8 * 2 ** 20;

/**
 * What a set can stand for, in the order in which it came in: first the word that made the set, then, transcript by
 * transcript, what is not there yet. `noWord` is one of them where a transcript has none.
 */
export function alternativesOf(set: WordSet): number[] {
  return [...new Set([set.find((word) => word !== noWord)!, ...set])];
}

/**
 * Sets another transcript against the sets of those before it, at the least cost, and adds its words: a word that is
 * against a set joins it, one against none makes a set of its own. The path goes through one alternative of each set, as in
 * NIST's rover. Traced back from the end; of equally cheap alternatives the first, and of equally cheap steps a word
 * against a set, then a word of its own.
 *
 * Only places that a path of the least cost can reach are looked at: it has no more words of its own than that cost pays
 * for, and no more sets without a word than those and the difference in length. Time is proportional to alternatives x
 * words of their own; memory to sets + words, plus at most 8 MB (or one set) of steps and some rows of costs: what a full
 * table would hold is computed a second time.
 *
 * @param sets places of the transcripts so far
 * @param already how many transcripts these are
 * @param transcript words by number
 */
export function addTranscript(sets: readonly WordSet[], already: number, transcript: Int32Array): WordSet[] {
  const alternatives = sets.map(alternativesOf);
  const surplus = sets.length - transcript.length;
  let ownWords = Math.max(0, -surplus) + firstLook;
  for (;;) {
    // A narrow look gives a cost that is never too small, and so a band that is wide enough.
    const needed = Math.floor(minCost(alternatives, transcript, ownWords) / cost.insertion);
    if (needed <= ownWords) {
      ownWords = needed;
      break;
    }
    ownWords = Math.min(needed, 4 * ownWords, transcript.length);
    if (ownWords === transcript.length) break;
  }

  const band = bandOf(sets.length, transcript.length, ownWords);
  const rows = createRows(transcript.length);
  const blocks: { readonly first: number; readonly best: Int32Array; size: number }[] = [];
  for (const [row, words] of alternatives.entries()) {
    const size = (words.length + 1) * band.width;
    const block = blocks.at(-1);
    if (block === undefined || block.size + size > maxSteps) {
      blocks.push({ first: row, best: rows.best.slice(band.first(row), band.end(row)), size });
    } else block.size += size;
    advance(rows, band, row, words, transcript, null, 0);
  }

  const result: WordSet[] = [];
  const empty = new Array<number>(already).fill(noWord);
  let column = transcript.length;
  let end = sets.length;
  for (const block of blocks.reverse()) {
    const steps = new Uint8Array(block.size);
    const offsets: number[] = [];
    rows.best.fill(unreachable);
    rows.best.set(block.best, band.first(block.first));
    let offset = 0;
    for (let row = block.first; row < end; row++) {
      offsets.push(offset);
      advance(rows, band, row, alternatives[row]!, transcript, steps, offset);
      offset += (alternatives[row]!.length + 1) * band.width;
    }
    for (let row = end - 1; row >= block.first; row--) {
      const start = offsets[row - block.first]! - band.first(row + 1);
      const alternative = steps[start + alternatives[row]!.length * band.width + column]!;
      const ofAlternative = start + alternative * band.width;
      while (steps[ofAlternative + column] === step.insertion) result.push([...empty, transcript[--column]!]);
      const taken = steps[ofAlternative + column]!;
      result.push([...sets[row]!, taken === step.pair ? transcript[--column]! : noWord]);
    }
    end = block.first;
  }
  while (column > 0) result.push([...empty, transcript[--column]!]);
  return result.reverse();
}

/** Columns that are looked at before and after each set. */
interface Band {
  readonly width: number;
  /** First column after so many sets. */
  first(row: number): number;
  /** Column after the last one. */
  end(row: number): number;
}

function bandOf(sets: number, words: number, ownWords: number): Band {
  const down = Math.max(0, ownWords + sets - words);
  return {
    width: ownWords + down + 1,
    first: (row) => Math.max(0, row - down),
    end: (row) => Math.min(words, row + ownWords) + 1,
  };
}

/** Least costs up to a set over its alternatives, and room for the next. */
interface Rows {
  best: Int32Array;
  next: Int32Array;
}

function createRows(words: number): Rows {
  const best = new Int32Array(words + 2).fill(unreachable);
  for (let column = 0; column <= words; column++) best[column] = column * cost.insertion;
  return { best, next: new Int32Array(words + 2) };
}

function minCost(alternatives: readonly (readonly number[])[], transcript: Int32Array, ownWords: number): number {
  const rows = createRows(transcript.length);
  const band = bandOf(alternatives.length, transcript.length, ownWords);
  for (const [row, words] of alternatives.entries()) advance(rows, band, row, words, transcript, null, 0);
  return rows.best[transcript.length]!;
}

/** Goes over one set; writes the steps of each alternative and, after them, which alternative is the best. */
function advance(
  rows: Rows,
  band: Band,
  row: number,
  words: readonly number[],
  transcript: Int32Array,
  steps: Uint8Array | null,
  offset: number,
): void {
  const first = band.first(row + 1);
  const end = band.end(row + 1);
  const { best, next } = rows;
  best.fill(unreachable, band.end(row), end);
  next.fill(unreachable, first, end);
  for (let index = 0; index < words.length; index++) {
    const word = words[index]!;
    const deletion = word === noWord ? cost.emptyDeletion : cost.deletion;
    const difference = word === noWord ? cost.againstNothing : cost.substitution;
    const stepsHere = offset + index * band.width - first;
    const bestHere = offset + words.length * band.width - first;
    let inserted = unreachable;
    for (let column = first; column < end; column++) {
      let least = best[column]! + deletion;
      let taken: number = step.deletion;
      const pair = column === 0 ? unreachable : best[column - 1]! + (transcript[column - 1] === word ? 0 : difference);
      if (pair <= least && pair <= inserted) {
        least = pair;
        taken = step.pair;
      } else if (inserted <= least) {
        least = inserted;
        taken = step.insertion;
      }
      inserted = least + cost.insertion;
      if (steps !== null) steps[stepsHere + column] = taken;
      if (least < next[column]!) {
        next[column] = least;
        if (steps !== null) steps[bestHere + column] = index;
      }
    }
  }
  rows.best = next;
  rows.next = best;
}
