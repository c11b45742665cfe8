import type { Statement } from '../../model/finding.ts';
import { violationExcess } from '../../scoring/agreement/aequevox.ts';
import { whyOpen } from '../shared/open-verdict.ts';
import { counted, differenceInWords, named } from '../shared/wording.ts';
import type { GroupComparison } from './group-comparison.ts';
import type { Known } from './known.ts';
import type { PublishedCounts } from './published.ts';
import { groupInWords, kindInWords } from './wording.ts';

/** Comparisons that tell nothing are left to the table where there are more of them than this. */
const maxOpen = 4;

/** Who loses more, then what AequeVox would count; the other way round in its profile. */
export function answerOf(known: Known): Statement[] {
  const { results, options } = known;
  const { told, open } = mostTelling(results.overall);
  const sound = [...told, ...open.slice(0, maxOpen)].map(comparisonStatement);
  const counts = results.published.flatMap((published) => countStatement(published, options.reference));
  if (sound.length === 0 && counts.length === 0) {
    const text =
      results.before.length > 0
        ? 'No condition but the baseline is left, so no degradation can be told; gaps before it are in their table.'
        : 'No two groups of speakers can be compared, so nothing can be said.';
    return [{ text }];
  }
  return options.profile === 'aequevox' ? [...counts, ...sound] : [...sound, ...counts];
}

function comparisonStatement({ attribute, group, comparedWith, kind, comparison }: GroupComparison): Statement {
  const [one, other] = [groupInWords(attribute, group), groupInWords(attribute, comparedWith)];
  const what = kindInWords(kind!);
  const { verdict, difference } = comparison;
  const apart = differenceInWords(difference, what);
  const text =
    verdict === 'cannot tell'
      ? `Whether disturbed sound costs ${one} more or less than ${other} cannot be told (${apart}).${whyOpen(comparison)}`
      : `Disturbed sound costs ${one} ${verdict === 'worse' ? 'more' : 'less'} than ${other}: ${apart}.`;
  return { text, verdict, comparison, kind: 'difference' };
}

/** What AequeVox would count against the groups of an attribute; nothing where nothing is compared. */
export function countStatement(
  { attribute, kind, violations }: PublishedCounts,
  reference: Readonly<Record<string, string>>,
): Statement[] {
  const total = violations.rows.find(({ by }) => by === 'total')!.counts;
  if (violations.compared === 0) return [];
  const most = total.indexOf(Math.max(...total));
  const counts = `${named(attribute)}, ${kindInWords(kind)}: AequeVox would count ${counted(total[most]!, 'violation')} against ${named(violations.groups[most]!)}, the most of ${counted(total.length, 'group')}`;
  const wanted = Object.hasOwn(reference, attribute) ? violations.groups.indexOf(reference[attribute]!) : -1;
  if (wanted === -1) return [{ text: `${counts}. Counts without a test: chance makes some in any data.` }];
  const { reference: own, others, excess } = violationExcess(total, wanted);
  const than = `${counted(own, 'violation')} against ${named(violations.groups[wanted]!)}`;
  const apart = `against groups other than ${named(violations.groups[wanted]!)}`;
  const more =
    excess === null
      ? `${apart} there are ${others.toFixed(1)} on average, with no violation against ${named(violations.groups[wanted]!)}`
      : `${apart} there are ${others.toFixed(1)} on average, ${Math.abs(100 * excess).toFixed(1)} % ${excess < 0 ? 'fewer' : 'more'} than the ${than}`;
  return [{ text: `${counts}; ${more}. Counts without a test: chance makes some in any data.` }];
}

/** Comparisons that show a difference, and those that leave it open: first those whose interval says how great it may be. */
export function mostTelling(comparisons: readonly GroupComparison[]): {
  readonly told: readonly GroupComparison[];
  readonly open: readonly GroupComparison[];
} {
  const told = comparisons.filter(({ comparison }) => comparison.verdict !== 'cannot tell');
  const open = comparisons.filter(({ comparison }) => comparison.verdict === 'cannot tell');
  const hasInterval = ({ comparison }: GroupComparison) => Number(comparison.difference.low !== null);
  return { told, open: open.toSorted((one, other) => hasInterval(other) - hasInterval(one)) };
}
