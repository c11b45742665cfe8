import type { TimeMap } from './told.ts';

/** A time of one clip in the other's: between two pairs on a line, outside of them on that of the nearest two. */
export function acrossTime(map: TimeMap, time: number, to: 'changed' | 'clean'): number {
  if (map === null || map.length === 0) return time;
  const [from, into] = to === 'clean' ? [0, 1] : [1, 0];
  const found = map.findIndex((pair) => pair[from]! >= time);
  const place = Math.min(Math.max(1, found < 0 ? map.length - 1 : found), map.length - 1);
  const [a, b] = [map[Math.max(0, place - 1)]!, map[place]!];
  if (b[from] === a[from]) return a[into]!;
  return a[into]! + ((time - a[from]!) * (b[into]! - a[into]!)) / (b[from]! - a[from]!);
}
