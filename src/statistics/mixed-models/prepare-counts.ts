import { printable } from '../../base/printable.ts';
import { logGamma } from '../distributions.ts';
import { type DesignMatrix, designMatrix } from '../regression/design-matrix.ts';
import { type CountData, type CountRegressionOptions, type CountRows, countedTo } from './count-data.ts';

/** Checked data in the order of speakers. */
export interface PreparedCounts {
  readonly errors: Float64Array;
  readonly words: Float64Array;
  readonly design: DesignMatrix;
  /** Index into `speakers` for each row, rising. Without speakers all rows are one. */
  readonly speakerOf: Uint32Array;
  readonly speakers: readonly string[];
  readonly notes: readonly string[];
}

/**
 * Checks data of a count regression and brings its rows into the order of their speakers.
 *
 * @throws RangeError for lengths that differ, errors that are not counts, words or levels out of range
 */
export function prepareCounts(
  data: CountData & { readonly speaker?: readonly string[] },
  options: CountRegressionOptions,
): PreparedCounts {
  const { errors, words, speaker } = data;
  const { level = 0.95 } = options;
  const count = errors.length;
  if (!(level > 0 && level < 1)) throw new RangeError(`expected a level between 0 and 1, but got ${level}`);
  if (words.length !== count || (speaker !== undefined && speaker.length !== count)) {
    throw new RangeError(
      `expected as many words and speakers as errors (${count}), but got ${words.length} and ${speaker?.length ?? 'none'}`,
    );
  }
  const kept: number[] = [];
  let withoutWords = 0;
  let errorsWithoutWords = 0;
  for (let row = 0; row < count; row++) {
    const [error, size] = [errors[row]!, words[row]!];
    if (!Number.isSafeInteger(error) || error < 0) {
      throw new RangeError(`expected whole counts of errors, but row ${row} has ${error}`);
    }
    if (!(size >= 0 && size < Number.POSITIVE_INFINITY)) {
      throw new RangeError(`expected counts of words, but row ${row} has ${size}`);
    }
    if (speaker !== undefined && typeof speaker[row] !== 'string') {
      throw new RangeError(`expected names of speakers, but row ${row} has ${printable(String(speaker[row]))}`);
    }
    if (size > 0) kept.push(row);
    else {
      withoutWords++;
      errorsWithoutWords += error;
    }
  }
  const notes: string[] = [];
  if (withoutWords > 0) {
    notes.push(
      `${withoutWords} of ${count} rows have no words, therefore no rate, and were left out with ${errorsWithoutWords} errors (insertions)`,
    );
  }

  const places = new Map<string, number>();
  if (speaker === undefined) places.set('', 0);
  else for (const row of kept) if (!places.has(speaker[row]!)) places.set(speaker[row]!, places.size);
  const placeOf = (row: number) => (speaker === undefined ? 0 : places.get(speaker[row]!)!);
  kept.sort((first, second) => placeOf(first) - placeOf(second) || first - second);
  return {
    errors: Float64Array.from(kept, (row) => errors[row]!),
    words: Float64Array.from(kept, (row) => words[row]!),
    design: designMatrix(data.predictors, { rows: count, references: options.references ?? {}, kept }),
    speakerOf: Uint32Array.from(kept, placeOf),
    speakers: [...places.keys()],
    notes,
  };
}

/** Rows as fits want them: those for which `keep` holds. */
export function countRows(prepared: PreparedCounts, keep: (row: number) => boolean): CountRows {
  const places = Array.from(prepared.errors, (_, row) => row).filter(keep);
  const counts = Float64Array.from(places, (row) => prepared.errors[row]!);
  const offsets = Float64Array.from(places, (row) => Math.log(prepared.words[row]!));
  const starts: number[] = [];
  places.forEach((row, place) => {
    if (place === 0 || prepared.speakerOf[row] !== prepared.speakerOf[places[place - 1]!]) starts.push(place);
  });
  const speakers = starts.map((place) => prepared.speakerOf[places[place]!]!);
  starts.push(places.length);
  let most = 0;
  let logFactorials = 0;
  for (const count of counts) {
    most = Math.max(most, count);
    logFactorials += logGamma(count + 1);
  }
  // First how many rows have each count, then, summed from above, how many have more.
  const exceeding = new Float64Array(Math.min(most, countedTo));
  const large: number[] = [];
  for (const count of counts) {
    if (count > countedTo) large.push(count);
    if (count > 0) exceeding[Math.min(count, countedTo) - 1]!++;
  }
  for (let below = exceeding.length - 2; below >= 0; below--) exceeding[below]! += exceeding[below + 1]!;
  return { counts, offsets, starts: Uint32Array.from(starts), speakers, exceeding, large, logFactorials };
}
