import type { TimeMap } from './contract.ts';

/**
 * The time in the sound before to which a time in the changed sound belongs. Times outside of the map belong to its ends.
 *
 * @example originalTime([[0, 0], [2, 1]], 1.5) // 0.75: the sound was played at half the speed
 */
export function originalTime(timeMap: TimeMap, heardSeconds: number): number {
  return interpolate(timeMap, heardSeconds, 0, 1);
}

/**
 * One map for two changes made one after the other.
 *
 * @param earlier of the change made first
 * @param later of the change made to what that gave
 */
export function composeTimeMaps(earlier: TimeMap, later: TimeMap): TimeMap {
  const corners = [
    ...later.map(([heard]) => heard),
    ...earlier.map(([between]) => interpolate(later, between, 1, 0)),
  ].sort((first, second) => first - second);
  const distinct = corners.filter((heard, index) => index === 0 || heard > corners[index - 1]!);
  return distinct.map((heard) => [heard, originalTime(earlier, originalTime(later, heard))]);
}

/** Reads the map as a piecewise linear function from one side of its pairs to the other. */
function interpolate(timeMap: TimeMap, value: number, from: 0 | 1, to: 0 | 1): number {
  const first = timeMap[0];
  const last = timeMap.at(-1);
  if (!first || !last) return value;
  if (value <= first[from]) return first[to];
  for (let index = 1; index < timeMap.length; index++) {
    const left = timeMap[index - 1]!;
    const right = timeMap[index]!;
    if (value > right[from]) continue;
    const share = (value - left[from]) / (right[from] - left[from]);
    return left[to] + share * (right[to] - left[to]);
  }
  return last[to];
}
