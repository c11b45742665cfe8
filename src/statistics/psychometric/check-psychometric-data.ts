import { printable } from '../../base/printable.ts';
import type { Rate } from './logistic-objective.ts';
import type { PsychometricData, PsychometricOptions } from './psychometric-function.ts';

/**
 * Options with their defaults.
 *
 * @throws RangeError for lengths that differ, levels that are not finite, counts that are not, shares that do not fit,
 *   speakers without a source of random numbers
 */
export function checkPsychometricData(
  data: PsychometricData,
  options: PsychometricOptions,
): { target: number; guess: Rate; lapse: Rate; level: number } {
  const { levels, words, correct, speaker } = data;
  const { target = 0.5, guess = 0, lapse = 0, level = 0.95, resamples = 2000 } = options;
  const count = levels.length;
  if (words.length !== count || correct.length !== count || (speaker !== undefined && speaker.length !== count)) {
    throw new RangeError(
      `expected words and right words of ${count} levels, but got ${words.length} and ${correct.length}`,
    );
  }
  for (let row = 0; row < count; row++) {
    if (!Number.isFinite(levels[row]!))
      throw new RangeError(`expected finite levels, but row ${row} has ${levels[row]}`);
    const fits = Number.isSafeInteger(words[row]!) && Number.isSafeInteger(correct[row]!);
    if (!fits || correct[row]! < 0 || correct[row]! > words[row]!) {
      throw new RangeError(`expected right words of words, but row ${row} has ${correct[row]} of ${words[row]}`);
    }
    if (speaker !== undefined && typeof speaker[row] !== 'string') {
      throw new RangeError(`expected names of speakers, but row ${row} has ${printable(String(speaker[row]))}`);
    }
  }
  if (!(level > 0 && level < 1)) throw new RangeError(`expected a level between 0 and 1, but got ${level}`);
  if (!(Number.isInteger(resamples) && resamples > 0)) {
    throw new RangeError(`expected a whole number of resamples above 0, but got ${resamples}`);
  }
  if (speaker !== undefined && options.random === undefined) {
    throw new RangeError('expected `random` beside speakers, who are resampled');
  }
  const held = (rate: Rate) => (typeof rate === 'number' ? rate : 0);
  const most = (rate: Rate) => (typeof rate === 'number' ? rate : rate.most);
  if (
    !(held(guess) >= 0 && held(lapse) >= 0 && most(guess) >= 0 && most(lapse) >= 0 && most(guess) + most(lapse) < 1)
  ) {
    throw new RangeError(
      `expected shares guessed and lapsed that add up to less than 1, but got ${most(guess)} and ${most(lapse)}`,
    );
  }
  if (!(target > held(guess) && target < 1 - held(lapse))) {
    throw new RangeError(`expected a target between ${held(guess)} and ${1 - held(lapse)}, but got ${target}`);
  }
  return { target, guess, lapse, level };
}

/** For each row whose it is, as a number from 0, and the words of each speaker. */
export function speakerPlaces(
  speaker: readonly string[],
  words: ArrayLike<number>,
): { readonly places: readonly number[]; readonly words: readonly number[] } {
  const known = new Map<string, number>();
  const sums: number[] = [];
  const places = speaker.map((name, row) => {
    if (!(words[row]! > 0)) return -1;
    let place = known.get(name);
    if (place === undefined) {
      place = known.size;
      known.set(name, place);
      sums.push(0);
    }
    sums[place]! += words[row]!;
    return place;
  });
  return { places, words: sums };
}
