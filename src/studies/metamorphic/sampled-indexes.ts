import type { Random } from '../../base/random.ts';

/**
 * So many of the numbers from 0 to `count - 1`, each set alike likely (R. Floyd's algorithm, Communications of the ACM 30(9),
 * 1987); all of them where there are no more.
 */
export function sampledIndexes(count: number, size: number, random: Random): ReadonlySet<number> {
  const chosen = new Set<number>();
  for (let last = Math.max(0, count - size); last < count; last++) {
    const drawn = random.integer(last + 1);
    chosen.add(chosen.has(drawn) ? last : drawn);
  }
  return chosen;
}
