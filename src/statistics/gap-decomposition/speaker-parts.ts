import type { Random } from '../../base/random.ts';

/**
 * More speakers of a stratum than this are put together at random, which spares fits and costs no precision to speak of: each part is
 * a fit to all rows. Fewer parts from 20,000 rows on; with 50 a t interval is 2 % longer than with 200.
 */
const mostParts = 200;
const fewestParts = 50;
const mostRowsFitted = 4_000_000;

/**
 * Rows by speaker, for leaving out one speaker after the other: speakers of the group, of the others, and those who are in both
 * (with another device, say), apart. One list of rows for each speaker, or for several put together where there are many. A stratum of
 * one speaker tells nothing of how speakers vary, and joins the largest (collapsed strata: K. Wolter, "Introduction to variance
 * estimation", 2007, section 2.5), so that this speaker's share of the variance is not forgotten.
 */
export function speakerParts(speakers: readonly number[], inGroup: readonly boolean[], random: Random): number[][][] {
  const rows = Map.groupBy(speakers.keys(), (row) => speakers[row]!);
  const strata: number[][][] = [[], [], []];
  const most = Math.min(mostParts, Math.max(fewestParts, Math.floor(mostRowsFitted / speakers.length)));
  for (const [, own] of rows) {
    const inside = own.filter((row) => inGroup[row]).length;
    const stratum = strata[inside === own.length ? 0 : inside === 0 ? 1 : 2]!;
    if (stratum.length < most) {
      stratum.push(own);
      continue;
    }
    const part = stratum[random.integer(most)]!;
    for (const row of own) part.push(row);
  }
  const [largest, ...others] = strata.filter((parts) => parts.length > 0).sort((a, b) => b.length - a.length);
  if (largest === undefined) return [];
  const lonely = others.filter((parts) => parts.length === 1).flat();
  return [[...largest, ...lonely], ...others.filter((parts) => parts.length > 1)];
}
