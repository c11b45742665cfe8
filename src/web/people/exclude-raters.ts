import type { RatingKind, RatingPlan } from './rating-plan.ts';

/** What somebody said of a clip, as far as rules look at it. */
export interface GivenRating {
  readonly key: string;
  readonly kind: RatingKind;
  /** Of a repeat: what was rated first. */
  readonly first: string | null;
  /** By scale. */
  readonly grades: Readonly<Record<string, number>>;
}

/** Fewer ratings that are all the same say nothing of whoever gave them. */
const minimumAlike = 8;

/**
 * Why somebody's ratings do not count, by the rules of the plan; null: they count. Rules look at hidden originals, anchors and repeats, never at the clips that are rated for
 * themselves: who is left out does not depend on what is measured (as hidden references in ITU-R BS.1534 and gold clips in ITU-T P.808). A rule without clips to look at
 * leaves nobody out.
 *
 * @param passed the headphone check; null: there was none
 * @example whyExcluded({ anchorMargin: 1, repeatDifference: 1.5, sameRating: true }, ratings, true)
 */
export function whyExcluded(
  { exclude, headphones }: Pick<RatingPlan, 'exclude' | 'headphones'>,
  ratings: readonly GivenRating[],
  passed: boolean | null,
): string | null {
  const { anchorMargin, repeatDifference, sameRating } = exclude;
  if (headphones === 'required' && passed === false) return 'headphone check not passed';
  const meanOf = (kind: RatingKind) => {
    const grades = ratings.flatMap((one) => (one.kind === kind ? Object.values(one.grades) : []));
    return grades.length === 0 ? null : grades.reduce((sum, grade) => sum + grade, 0) / grades.length;
  };
  const [originals, anchors] = [meanOf('original'), meanOf('anchor')];
  if (anchorMargin !== null && originals !== null && anchors !== null && !(originals - anchors >= anchorMargin))
    return `originals not ${anchorMargin} above anchors`;
  const firsts = new Map(ratings.map(({ key, grades }) => [key, grades]));
  const differences = ratings.flatMap(({ first, grades }) => {
    const before = first === null ? undefined : firsts.get(first);
    return before === undefined
      ? []
      : Object.entries(grades).flatMap(([scale, grade]) =>
          before[scale] === undefined ? [] : [Math.abs(grade - before[scale])],
        );
  });
  const apart = differences.reduce((sum, one) => sum + one, 0) / differences.length;
  if (repeatDifference !== null && differences.length > 0 && apart > repeatDifference)
    return `repeats more than ${repeatDifference} apart`;
  const all = ratings.flatMap(({ grades }) => Object.values(grades));
  if (sameRating && ratings.length >= minimumAlike && new Set(all).size === 1) return 'the same rating everywhere';
  return null;
}
