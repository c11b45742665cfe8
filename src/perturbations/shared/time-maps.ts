import { type Clip, durationSeconds } from '../../audio/clip.ts';
import type { TimeMap } from '../contract.ts';

/** The map of a change that is even from the start to the end of a clip. */
export function linearTimeMap(before: Clip, after: Clip): TimeMap {
  if (after.samples.length === 0) return [[0, 0]];
  return [
    [0, 0],
    [durationSeconds(after), durationSeconds(before)],
  ];
}

/** Times where a sound was left as it was and rings on: what is heard behind its end belongs to the end. */
export function tailTimeMap(before: Clip, after: Clip): TimeMap {
  const end = durationSeconds(before);
  if (end === 0) return [[0, 0]];
  return [
    [0, 0],
    [end, end],
    [durationSeconds(after), end],
  ];
}
