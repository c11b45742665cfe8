/** Words and right words at each level, levels rising, each once. */
export interface PooledLevels {
  readonly levels: Float64Array;
  readonly words: Float64Array;
  readonly correct: Float64Array;
}

/** Adds up rows of the same level; rows without words are left out. `times` counts each row so often. */
export function poolLevels(
  levels: ArrayLike<number>,
  words: ArrayLike<number>,
  correct: ArrayLike<number>,
  times: (row: number) => number = () => 1,
): PooledLevels {
  const sums = new Map<number, { words: number; correct: number }>();
  for (let row = 0; row < levels.length; row++) {
    const often = times(row);
    if (!(words[row]! > 0) || often === 0) continue;
    // 0 and -0 are one level.
    const level = levels[row]! + 0;
    const sum = sums.get(level) ?? { words: 0, correct: 0 };
    sum.words += often * words[row]!;
    sum.correct += often * correct[row]!;
    sums.set(level, sum);
  }
  const rising = [...sums.keys()].sort((first, second) => first - second);
  return {
    levels: Float64Array.from(rising),
    words: Float64Array.from(rising, (level) => sums.get(level)!.words),
    correct: Float64Array.from(rising, (level) => sums.get(level)!.correct),
  };
}

/** Why no rising logistic function has a greatest likelihood, or null where one may. */
export function withoutThreshold(pooled: PooledLevels, fixedAtZero: boolean): string | null {
  const { levels, words, correct } = pooled;
  if (levels.length === 0) return 'there are no words';
  const all = correct.every((count, place) => count === words[place]);
  if (all) return 'every word is right at every level, so that the threshold lies below all levels';
  if (correct.every((count) => count === 0)) {
    return 'no word is right at any level, so that the threshold lies above all levels';
  }
  if (levels.length === 1) return 'there is only one level';
  if (!fixedAtZero) return null;
  let lowestRight = Number.POSITIVE_INFINITY;
  let highestRight = Number.NEGATIVE_INFINITY;
  let lowestWrong = Number.POSITIVE_INFINITY;
  let highestWrong = Number.NEGATIVE_INFINITY;
  levels.forEach((level, place) => {
    if (correct[place]! > 0) {
      lowestRight = Math.min(lowestRight, level);
      highestRight = level;
    }
    if (correct[place]! < words[place]!) {
      lowestWrong = Math.min(lowestWrong, level);
      highestWrong = level;
    }
  });
  if (highestWrong <= lowestRight) {
    const where =
      highestWrong === lowestRight ? `at level ${lowestRight}` : `between levels ${highestWrong} and ${lowestRight}`;
    return `all words are wrong below and right above (separation): the function is a step ${where}, its slope infinite`;
  }
  if (highestRight <= lowestWrong) return 'all words are right at low levels and wrong at high ones: the share falls';
  return null;
}
