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
