/** What one recognizer wrote about an utterance. */
export interface RoverTranscript {
  readonly words: readonly string[];
  /** One for each word, from 0 to 1. Needed where confidences vote. */
  readonly confidences?: readonly number[];
}

export interface RoverOptions {
  /**
   * Weight of how many transcripts have a word, from 0 to 1; the rest is the weight of their confidences. 1 by default:
   * confidences do not count.
   */
  readonly frequencyWeight?: number;
  /** Confidence of a word in a set: the mean over those who have it (the default), or the greatest. */
  readonly confidence?: 'mean' | 'greatest';
  /** Confidence of having no word, from 0 to 1; 0 by default. */
  readonly nullConfidence?: number;
}

/** One of the words, or none, that a set can stand for. */
export interface RoverAlternative {
  /** Null: no word here. */
  readonly word: string | null;
  /** Transcripts that have it. */
  readonly votes: number;
  readonly score: number;
}

/** One place where the transcripts were set against each other. */
export interface RoverSet {
  /** What each transcript has here, in their order; null where it has no word. */
  readonly words: readonly (string | null)[];
  /** First the word that made the set, then in the order of the transcripts; of equal scores the first won. */
  readonly alternatives: readonly RoverAlternative[];
  readonly winner: RoverAlternative;
  /** Another alternative had the same score. */
  readonly tied: boolean;
}

export interface RoverResult {
  /** The words that won: a pseudo-reference. */
  readonly words: readonly string[];
  readonly sets: readonly RoverSet[];
  /** Sets decided by the order of the transcripts alone. */
  readonly ties: number;
  /** Mean share of the transcripts that have what won, over the sets, from 0 to 1; null where no transcript has a word. */
  readonly support: number | null;
}

/**
 * What most recognizers agree on, word by word (ROVER: J. G. Fiscus, "A post-processing system to yield reduced word
 * error rates", ASRU 1997). The transcripts are set against each other one after another; in each set the word, or no word,
 * with the highest score wins: frequencyWeight x share of the transcripts + (1 - frequencyWeight) x confidence.
 *
 * Of equal scores the word that made the set wins, then what the earliest transcript has: of two transcripts everything
 * either of them heard remains, and where they differ the first is right. Give the most trusted one first; the order also
 * decides how sets are formed. Costs and ties are those of `rover` of SCTK 2.4.10 (`-s -m meth1` and `-m maxconf`): 2,987
 * of 3,000 random utterances of 2 to 5 transcripts came out the same, the others where its sums of thousandths are rounded.
 *
 * A majority is no truth: recognizers trained alike share their errors.
 *
 * @throws RangeError without a transcript, and where confidences are needed but missing or out of range
 * @example rover([{ words: ['a', 'cat'] }, { words: ['a', 'hat'] }, { words: ['the', 'hat'] }]).words // ['a', 'hat']
 */
export function rover(transcripts: readonly RoverTranscript[], options: RoverOptions = {}): RoverResult {
  const { frequencyWeight = 1, confidence = 'mean', nullConfidence = 0 } = options;
  check(transcripts, frequencyWeight, nullConfidence);
  const numberOf = new Map<string, number>();
  const wordOf: string[] = [];
  const numbered = transcripts.map(({ words }) =>
    Int32Array.from(words, (word) => {
      let number = numberOf.get(word);
      if (number === undefined) {
        number = wordOf.push(word) - 1;
        numberOf.set(word, number);
      }
      return number;
    }),
  );
  let sets: readonly WordSet[] = Array.from(numbered[0]!, (word) => [word]);
  for (const [index, transcript] of numbered.entries()) {
    if (index > 0) sets = addTranscript(sets, index, transcript);
  }

  const reached = transcripts.map(() => 0);
  const results = sets.map((set) => {
    const found = new Map(alternativesOf(set).map((word) => [word, { votes: 0, confidences: [] as number[] }]));
    for (const [index, word] of set.entries()) {
      const alternative = found.get(word)!;
      alternative.votes++;
      const { confidences } = transcripts[index]!;
      alternative.confidences.push(word === noWord ? nullConfidence : (confidences?.[reached[index]!++] ?? 0));
    }
    const scored = [...found].map(([number, { votes, confidences }]) => {
      const trust =
        confidence === 'greatest'
          ? Math.max(...confidences)
          : confidences.reduce((sum, one) => sum + one, 0) / confidences.length;
      const score = (frequencyWeight * votes) / transcripts.length + (1 - frequencyWeight) * trust;
      return { word: number === noWord ? null : wordOf[number]!, votes, score };
    });
    const winner = scored.reduce((best, one) => (one.score > best.score ? one : best));
    return {
      words: set.map((number) => (number === noWord ? null : wordOf[number]!)),
      alternatives: scored,
      winner,
      tied: scored.some((one) => one !== winner && one.score === winner.score),
    };
  });
  const votes = results.reduce((sum, { winner }) => sum + winner.votes, 0);
  return {
    words: results.flatMap(({ winner }) => (winner.word === null ? [] : [winner.word])),
    sets: results,
    ties: results.filter(({ tied }) => tied).length,
    support: results.length === 0 ? null : votes / (results.length * transcripts.length),
  };
}

function check(transcripts: readonly RoverTranscript[], frequencyWeight: number, nullConfidence: number): void {
  if (transcripts.length === 0) throw new RangeError('expected at least one transcript to vote, but got none');
  for (const [name, value] of Object.entries({ frequencyWeight, nullConfidence })) {
    if (!(value >= 0 && value <= 1)) throw new RangeError(`expected a ${name} from 0 to 1, but got ${value}`);
  }
  for (const { words, confidences } of transcripts) {
    if (confidences === undefined) {
      if (frequencyWeight === 1) continue;
      throw new RangeError('expected a confidence for each word, because confidences vote; use a frequencyWeight of 1');
    }
    if (confidences.length !== words.length || !confidences.every((one) => one >= 0 && one <= 1)) {
      throw new RangeError(`expected ${words.length} confidences from 0 to 1, one for each word`);
    }
  }
}

/** Stands in a set for a transcript that has no word there. */
const noWord = -1;

/** Words of several transcripts that belong together: one place for each transcript, in their order. */
type WordSet = readonly number[];

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
function alternativesOf(set: WordSet): number[] {
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
function addTranscript(sets: readonly WordSet[], already: number, transcript: Int32Array): WordSet[] {
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
