/** Edits and reference words of one text or of many. */
export interface TerScore {
  /** Edits per word of the reference, 0 or more (sacreBLEU prints it times 100); null with `reason`. */
  readonly value: number | null;
  readonly reason?: string;
  /** Insertions, deletions, substitutions and shifts; of several references the fewest. */
  readonly edits: number;
  /** Words of the reference; of several the mean. */
  readonly referenceLength: number;
}

/**
 * Translation edit rate (M. Snover et al., "A study of translation edit rate with targeted human annotation", AMTA 2006):
 * like the word error rate, but moving a stretch of words counts as one edit. Finding the fewest edits is too hard, so the
 * search is that of Tercom as sacreBLEU 2.6.0 has it: shifts of at most 10 words over at most 50, the one that saves most
 * first, at most 1,000 tried; agrees with sacreBLEU, which lower-cases texts and splits them at white space.
 *
 * @param pairs words as they are to be compared; several references for a hypothesis are possible
 * @throws RangeError for a pair without a reference
 * @example translationEditRate([{ references: [['b', 'c', 'd', 'a']], hypothesis: ['a', 'b', 'c', 'd'] }]).edits // 1
 */
export function translationEditRate(
  pairs: Iterable<{ readonly references: readonly (readonly string[])[]; readonly hypothesis: readonly string[] }>,
): TerScore {
  let edits = 0;
  let referenceLength = 0;
  for (const { references, hypothesis } of pairs) {
    if (references.length === 0) throw new RangeError('expected at least one reference for TER, but got none');
    edits += references.reduce((fewest, words) => Math.min(fewest, countShiftedEdits(words, hypothesis)), Infinity);
    referenceLength += references.reduce((sum, words) => sum + words.length, 0) / references.length;
  }
  return referenceLength === 0
    ? { value: null, reason: 'the reference is empty', edits, referenceLength }
    : { value: edits / referenceLength, edits, referenceLength };
}

function countShiftedEdits(reference: readonly string[], hypothesis: readonly string[]): number {
  if (reference.length === 0) return hypothesis.length;
  const numbers = new Map<string, number>();
  const numbered = (words: readonly string[]) =>
    Int32Array.from(words, (word) => {
      const number = numbers.get(word) ?? numbers.size;
      numbers.set(word, number);
      return number;
    });
  const referenceNumbers = numbered(reference);
  let words: Int32Array = numbered(hypothesis);
  let shifts = 0;
  let tried = 0;
  for (;;) {
    const shift = bestShift(referenceNumbers, words, maxShiftCandidates - tried);
    tried += shift.tried;
    if (tried >= maxShiftCandidates || shift.saved <= 0) break;
    words = shift.words;
    shifts++;
  }
  return shifts + alignWithinBeam(referenceNumbers, words, null);
}

/** Tercom's limits. */
const maxShiftedWords = 10;
const maxShiftDistance = 50;
/** Shifts tried for one hypothesis before the search is given up. */
const maxShiftCandidates = 1000;

/** What the best of the shifts tried comes to. */
interface Shift {
  /** Edits fewer than before, without counting the shift itself; 0 where none was tried. */
  readonly saved: number;
  readonly words: Int32Array;
  readonly tried: number;
}

/**
 * The move of one stretch of the hypothesis that brings it nearest to the reference. Stretches are those that stand in the
 * reference too, elsewhere, and both places hold an error; of equally good moves the longest stretch, then the earliest,
 * then the earliest place to go.
 *
 * @param candidates the search ends after the stretch in which so many have been tried
 */
function bestShift(reference: Int32Array, hypothesis: Int32Array, candidates: number): Shift {
  const path: number[] = [];
  const editsBefore = alignWithinBeam(reference, hypothesis, path);
  const { alignedTo, referenceErrors, hypothesisErrors } = readPath(path, reference.length, hypothesis.length);
  let best: (Omit<Shift, 'tried'> & { length: number; start: number; target: number }) | null = null;
  let tried = 0;
  for (const { hypothesisStart: start, referenceStart, length } of sharedStretches(reference, hypothesis)) {
    if (hypothesisErrors[start + length] === hypothesisErrors[start]) continue;
    if (referenceErrors[referenceStart + length] === referenceErrors[referenceStart]) continue;
    const target = alignedTo[referenceStart]!;
    if (start <= target && target < start + length) continue;

    let last = -1;
    for (let offset = -1; offset < length; offset++) {
      const place = referenceStart + offset === -1 ? 0 : alignedTo[referenceStart + offset]! + 1;
      if (place === last) continue;
      last = place;
      const words = moved(hypothesis, start, length, place);
      const saved = editsBefore - alignWithinBeam(reference, words, null);
      tried++;
      if (
        best === null ||
        (saved - best.saved || length - best.length || best.start - start || best.target - place) > 0
      ) {
        best = { saved, words, length, start, target: place };
      }
    }
    if (tried >= candidates) break;
  }
  return best === null ? { saved: 0, words: hypothesis, tried } : { saved: best.saved, words: best.words, tried };
}

/** Where each word of the reference stands in the hypothesis, and errors up to each place as running sums. */
function readPath(path: readonly number[], referenceLength: number, hypothesisLength: number) {
  const alignedTo = new Int32Array(referenceLength);
  const referenceErrors = new Int32Array(referenceLength + 1);
  const hypothesisErrors = new Int32Array(hypothesisLength + 1);
  let row = 0;
  let column = 0;
  for (let index = path.length - 1; index >= 0; index--) {
    const taken = path[index]!;
    const error = taken === step.match ? 0 : 1;
    if (taken !== step.insertion) {
      row++;
      hypothesisErrors[row] = hypothesisErrors[row - 1]! + error;
    }
    if (taken !== step.deletion) {
      alignedTo[column] = row - 1;
      column++;
      referenceErrors[column] = referenceErrors[column - 1]! + error;
    }
  }
  return { alignedTo, referenceErrors, hypothesisErrors };
}

function* sharedStretches(reference: Int32Array, hypothesis: Int32Array) {
  for (let hypothesisStart = 0; hypothesisStart < hypothesis.length; hypothesisStart++) {
    const first = Math.max(0, hypothesisStart - maxShiftDistance);
    const last = Math.min(reference.length - 1, hypothesisStart + maxShiftDistance);
    for (let referenceStart = first; referenceStart <= last; referenceStart++) {
      const room = Math.min(maxShiftedWords, hypothesis.length - hypothesisStart, reference.length - referenceStart);
      for (let length = 1; length <= room; length++) {
        if (hypothesis[hypothesisStart + length - 1] !== reference[referenceStart + length - 1]) break;
        yield { hypothesisStart, referenceStart, length };
      }
    }
  }
}

/** The words with the stretch from `start` taken out and set before the word that stood at `target`. */
function moved(words: Int32Array, start: number, length: number, target: number): Int32Array {
  const stretch = words.subarray(start, start + length);
  const result = new Int32Array(words.length);
  const parts =
    target < start
      ? [words.subarray(0, target), stretch, words.subarray(target, start), words.subarray(start + length)]
      : target > start + length
        ? [words.subarray(0, start), words.subarray(start + length, target), stretch, words.subarray(target)]
        : [
            // A target within the stretch itself means so many words further on, as in Tercom.
            words.subarray(0, start),
            words.subarray(start + length, length + target),
            stretch,
            words.subarray(length + target),
          ];
  let place = 0;
  for (const part of parts) {
    result.set(part, place);
    place += part.length;
  }
  return result;
}

/** Places to either side of the diagonal that are looked at. */
const beamWidth = 25;
const unreachable = 2 ** 30;

/** What a path does at one place, seen from the hypothesis that is turned into the reference. */
const step = { none: 0, match: 1, substitution: 2, deletion: 3, insertion: 4 } as const;

/**
 * Least edits between two sequences along a band around the line from corner to corner, as Tercom's search wants them: the
 * words against each other before a deletion before an insertion. The band is wide enough for any texts of the same
 * length or nearly so; where they differ much, the result can be more than the least.
 *
 * @param path where the steps are written, last first; null where only their number is wanted
 */
function alignWithinBeam(reference: Int32Array, hypothesis: Int32Array, path: number[] | null): number {
  const rows = hypothesis.length;
  const columns = reference.length;
  const lengthRatio = rows === 0 ? 1 : columns / rows;
  const beam = beamWidth < lengthRatio / 2 ? Math.ceil(lengthRatio / 2 + beamWidth) : beamWidth;
  const firstColumn = (row: number) => (row === 0 ? 0 : Math.max(0, Math.floor(row * lengthRatio) - beam));
  const endColumn = (row: number) =>
    row === 0 || row === rows ? columns + 1 : Math.min(columns + 1, Math.floor(row * lengthRatio) + beam);

  let before = new Int32Array(columns + 1);
  let costs = new Int32Array(columns + 1);
  for (let column = 0; column <= columns; column++) before[column] = column;
  const steps: Uint8Array[] = [];
  for (let row = 1; row <= rows; row++) {
    const first = firstColumn(row);
    const end = endColumn(row);
    const stepsHere = path === null ? null : new Uint8Array(end - first);
    if (stepsHere) steps.push(stepsHere);
    const word = hypothesis[row - 1]!;
    const firstBefore = firstColumn(row - 1);
    const endBefore = endColumn(row - 1);
    for (let column = first; column < end; column++) {
      let least = unreachable;
      let taken: number = step.none;
      if (column > firstBefore && column <= endBefore) {
        const same = word === reference[column - 1];
        least = before[column - 1]! + (same ? 0 : 1);
        taken = same ? step.match : step.substitution;
      }
      if (column >= firstBefore && column < endBefore && before[column]! + 1 < least) {
        least = before[column]! + 1;
        taken = step.deletion;
      }
      if (column > first && costs[column - 1]! + 1 < least) {
        least = costs[column - 1]! + 1;
        taken = step.insertion;
      }
      costs[column] = least;
      if (stepsHere) stepsHere[column - first] = taken;
    }
    [before, costs] = [costs, before];
  }
  if (path !== null) {
    let row = rows;
    let column = columns;
    while (row > 0 || column > 0) {
      const taken = row === 0 ? step.insertion : steps[row - 1]![column - firstColumn(row)]!;
      path.push(taken);
      if (taken !== step.insertion) row--;
      if (taken !== step.deletion) column--;
    }
  }
  return before[columns]!;
}
