import { alignWithinBeam, step } from './beam-alignment.ts';

/** Tercom's limits. */
const mostShiftedWords = 10;
const mostShiftDistance = 50;
/** Shifts tried for one hypothesis before the search is given up. */
export const mostShiftCandidates = 1000;

/** What the best of the shifts tried comes to. */
export interface Shift {
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
export function bestShift(reference: Int32Array, hypothesis: Int32Array, candidates: number): Shift {
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
    const first = Math.max(0, hypothesisStart - mostShiftDistance);
    const last = Math.min(reference.length - 1, hypothesisStart + mostShiftDistance);
    for (let referenceStart = first; referenceStart <= last; referenceStart++) {
      const room = Math.min(mostShiftedWords, hypothesis.length - hypothesisStart, reference.length - referenceStart);
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
