import { formatFixed, grouped } from '../../base/number-format.ts';
import { counted } from '../../base/wording.ts';
import type { Statement } from '../../model/finding.ts';
import { type ViolationTable, violationExcess } from '../../scoring/agreement/aequevox.ts';
import { named, percent } from '../shared/wording.ts';
import { kindInWords } from './design.ts';
import type { PublishedCounts } from './results.ts';

/** Whether groups were compared in unlike numbers of comparisons, so that their counts of violations alone do not compare. */
export function comparedUnequally({ comparedBy }: Pick<ViolationTable, 'comparedBy'>): boolean {
  return new Set(comparedBy).size > 1;
}

/** The group that AequeVox counts most violations against, by comparison where groups have unlike numbers of these. */
export function maxViolations({ violations }: Pick<PublishedCounts, 'violations'>): {
  readonly group: string;
  readonly count: number;
} {
  const total = violations.rows.find(({ by }) => by === 'total')!.counts;
  const shares = total.map((count, place) => count / Math.max(1, violations.comparedBy[place]!));
  const place = shares.indexOf(Math.max(...shares));
  return { group: violations.groups[place]!, count: total[place]! };
}

/** What AequeVox would count against the groups of an attribute; nothing where nothing is compared. */
export function countStatement(
  { attribute, kind, violations }: PublishedCounts,
  reference: Readonly<Record<string, string>>,
): Statement[] {
  const total = violations.rows.find(({ by }) => by === 'total')!.counts;
  if (violations.compared === 0) return [];
  const unequal = comparedUnequally(violations);
  const most = maxViolations({ violations });
  const place = violations.groups.indexOf(most.group);
  const ofComparisons = (place: number) =>
    unequal
      ? ` in ${grouped(violations.comparedBy[place]!)} comparisons (${percent(total[place]! / Math.max(1, violations.comparedBy[place]!), 1)})`
      : '';
  const where = `${named(attribute)}, ${kindInWords(kind)}`;
  if (most.count === 0) return [{ text: `${where}: AequeVox counts no violation against any group.` }];
  const untested = 'Counts without a test: chance makes some in any data.';
  const nameOf = (place: number) => named(violations.groups[place]!);
  const counts = `${where}: AequeVox counts ${counted(most.count, 'violation')} against ${nameOf(place)}${ofComparisons(place)}`;
  const against = (place: number) =>
    `Against ${nameOf(place)} it counts ${grouped(total[place]!)}${ofComparisons(place)}`;
  if (total.length === 2) {
    const other = 1 - place;
    const both = unequal ? `. ${against(other)}` : ` and ${grouped(total[other]!)} against ${nameOf(other)}`;
    return [{ text: `${counts}${both}. ${untested}` }];
  }
  const ofAll = `${counts}, the most${unequal ? ' per comparison' : ''} of ${counted(total.length, 'group')}.`;
  const wanted = Object.hasOwn(reference, attribute) ? violations.groups.indexOf(reference[attribute]!) : -1;
  if (wanted === -1) return [{ text: `${ofAll} ${untested}` }];
  // Counts of unlike numbers of comparisons have no excess.
  if (unequal) return [{ text: `${ofAll}${wanted === place ? '' : ` ${against(wanted)}.`} ${untested}` }];
  const { others, excess } = violationExcess(total, wanted);
  const than = excess === null ? '' : ` (${formatFixed(Math.abs(100 * excess), 1)} % ${excess < 0 ? 'fewer' : 'more'})`;
  const mean = `each other group on average ${formatFixed(others, 1)}${than}.`;
  const own = wanted === place ? `It counts against ${mean}` : `${against(wanted)}, and against ${mean}`;
  return [{ text: `${ofAll} ${own} ${untested}` }];
}
