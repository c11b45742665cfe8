import type { Json } from '../../base/json.ts';
import type { Comparison, Estimate } from '../../model/finding.ts';
import type { StudyContext } from '../contract.ts';
import { type Contrasted, contrastGroups, overInWords, type Rests } from '../shared/cube/contrasts.ts';
import { type GroupTest, testPairs } from '../shared/test-groups.ts';
import { type MeasureKind, type Plan, study } from './design.ts';
import { averageOver, type Counted, countsIn, hasWords, type Leaf, type ScoredPart } from './tally.ts';

/** How much a group loses, over all measures and conditions of a kind or over some. */
export interface GroupDegradation {
  readonly attribute: string;
  readonly group: string;
  readonly kind: MeasureKind;
  /** A pair of recognizers, or one; null: the mean over all of the kind. */
  readonly measure: string | null;
  /** Null: the mean over all families. */
  readonly family: string | null;
  /** `9 of 10 conditions`, where the group has words in no more; null: it has in all. */
  readonly over: string | null;
  readonly baseline: Estimate;
  readonly degradation: Estimate;
}

/** What is compared between groups: what they lose, where they stand before, or how often a recognizer fails. */
export interface GroupComparison {
  readonly attribute: string;
  /** `comparison` is about this one: its value less that of `comparedWith`. */
  readonly group: string;
  readonly comparedWith: string;
  /** Null for failures. */
  readonly kind: MeasureKind | null;
  /** A measure, a family, or a recognizer that fails; null: all. */
  readonly scope: string | null;
  /** In which both groups are compared; none for failures and before any perturbation. */
  readonly conditions: readonly string[];
  /** Null where both groups have words in all. */
  readonly rests: Rests | null;
  readonly comparison: Comparison;
}

/** A comparison whose correction waits for all others that are made. */
export interface MadeTest {
  readonly place: Omit<GroupComparison, 'comparison'>;
  readonly test: GroupTest;
}

/** Groups of one attribute by one kind of measure, and what they are compared in. */
export interface Side {
  readonly attribute: string;
  readonly kind: MeasureKind;
  readonly measures: readonly number[];
  /** Conditions that are not left out by name. */
  readonly conditions: readonly number[];
  /** Groups that have words. */
  readonly present: readonly ScoredPart[];
}

/** How much of the error is for the study's question, what is lost over all conditions; the rest is for all parts of it. Attributes share both. */
export const overallShare = 0.8;

type Testing = Pick<StudyContext, 'seed' | 'computing'>;

/** What is asked of every two groups: an average over leaves. */
interface Question extends Contrasted<Leaf> {
  readonly of: 'rate' | 'loss';
  readonly scope: string | null;
  /** Leaves in which any group has words. */
  readonly wanted: readonly Leaf[];
}

/** What groups lose, over everything and in detail, whether some lose more, and where they stand before. */
export function compareLosses(side: Side, attributes: number, counted: Counted, context: Testing) {
  const { attribute, kind, measures, conditions, present } = side;
  const { plan } = counted;
  const ask = (of: Question['of'], scope: string | null, leaves: readonly Leaf[]): Question => {
    const cells = present.map((part) => leaves.filter((leaf) => hasWords(part, leaf, plan)));
    return {
      of,
      scope,
      cells,
      wanted: leaves.filter((leaf) => cells.some((own) => own.includes(leaf))),
      sideOver: (group, shared) => averageOver(present[group]!, shared, of, plan),
      isLost: (leaf, first, second) =>
        of === 'loss' && isAboveCeiling([present[first]!, present[second]!], leaf, counted),
    };
  };
  const compare = (asked: readonly Question[], use: string, share: number): MadeTest[][] => {
    return contrastGroups(asked, settingsOf(counted, context, [use, attribute, kind])).map((contrasts, number) =>
      contrasts.map(({ shared, test }): MadeTest => {
        const { of, scope, wanted } = asked[number]!;
        const [first, second] = [present[test.first]!, present[test.second]!];
        const over = overInWords(shared, wanted, axesOf(kind));
        const [own, others] = over === null ? [] : [second, first].map((part) => estimateOver(part, shared, of, plan));
        const adjusted = test.adjustedPValue;
        return {
          place: {
            ...{ attribute, group: nameOf(second), comparedWith: nameOf(first), kind, scope },
            conditions: plan.conditions.flatMap(({ name }, condition) =>
              condition > 0 && shared.some((leaf) => leaf.condition === condition) ? [name] : [],
            ),
            rests: over === null || own == null || others == null ? null : { over, own, others },
          },
          test: {
            ...test,
            ...(adjusted == null ? {} : { adjustedPValue: Math.min(1, (attributes / share) * adjusted) }),
            test: `${test.test}${shareInWords(share, attributes)}`,
          },
        };
      }),
    );
  };

  const all = measures.flatMap((measure) => conditions.map((condition): Leaf => ({ measure, condition })));
  const scopes = scopesOf(all, measures, plan).map(({ measure, family, leaves }) => ({
    measure,
    family,
    asked: ask('loss', measure ?? family, leaves),
  }));
  const degradations = scopes.flatMap(({ measure, family, asked: { cells, wanted } }) =>
    present.flatMap((part, place): GroupDegradation[] => {
      const leaves = cells[place]!;
      const [baseline, degradation] = (['before', 'loss'] as const).map((of) => estimateOver(part, leaves, of, plan));
      if (baseline == null || degradation == null) return [];
      const over = overInWords(leaves, wanted, axesOf(kind));
      return [{ attribute, group: nameOf(part), kind, measure, family, over, baseline, degradation }];
    }),
  );
  const [whole, inPart] = [true, false].map((isWhole) =>
    scopes.flatMap(({ asked }) => ((asked.scope === null) === isWhole ? [asked] : [])),
  );
  const standing = ask(
    'rate',
    null,
    measures.map((measure) => ({ measure, condition: 0 })),
  );
  const overall = compare(whole!, 'overall', overallShare).flat();
  const inDetail = compare([...inPart!, standing], 'detail', 1 - overallShare);
  return { degradations, overall, details: inDetail.slice(0, -1).flat(), before: inDetail.slice(-1).flat() };
}

function shareInWords(share: number, attributes: number): string {
  return `, with ${Math.round(100 * share)} % of the error${attributes > 1 ? ` over ${attributes} attributes` : ''}`;
}

/** An average with its interval; of what is lost by how the same speakers differ. */
function estimateOver(
  part: ScoredPart,
  leaves: readonly Leaf[],
  of: 'rate' | 'before' | 'loss',
  plan: Plan,
): Estimate | null {
  const side = averageOver(part, leaves, of === 'loss' ? 'rate' : of, plan);
  if (side === null || of !== 'loss') return side && part.estimate(side);
  const before = averageOver(part, leaves, 'before', plan);
  return before && part.difference(before, side);
}

/**
 * Whether so much is lost of some groups together that none of them can lose more than another: by the measure that is compared, and by
 * the speakers who are, so that it is the same whoever else is there. `profile: aequevox` leaves out by name alone, as the paper does.
 */
export function isAboveCeiling(
  parts: readonly ScoredPart[],
  leaf: Leaf,
  { plan, options }: Pick<Counted, 'plan' | 'options'>,
): boolean {
  if (options.profile === 'aequevox') return false;
  const counts = parts.map((part) => countsIn(part, leaf, plan));
  const words = counts.reduce((sum, one) => sum + one.words, 0);
  return words > 0 && counts.reduce((sum, one) => sum + one.errors, 0) > options.ceiling * words;
}

/** Whether recognizers that fail at all fail some groups more often. */
export function compareFailures(attribute: string, counted: Counted, context: Testing): MadeTest[] {
  const { plan, failures } = counted;
  const parts = failures.parts('group').filter(({ group }) => group!.attribute === attribute);
  return plan.recognizers.flatMap(({ name }, series) => {
    const sides = parts.map((part) => part.side({ series, path: [], ratio: 'share' }));
    const fails = sides.map(({ counts }) => counts.numerators.some((count) => count > 0));
    const isAsked = (_: number, first: number, second: number) => fails[first] === true || fails[second] === true;
    const settings = settingsOf(counted, context, ['failures', attribute, name]);
    return testPairs(sides, { ...settings, isAsked }).map((test): MadeTest => {
      const [group, comparedWith] = [nameOf(parts[test.second]!), nameOf(parts[test.first]!)];
      return { place: { attribute, group, comparedWith, kind: null, scope: name, conditions: [], rests: null }, test };
    });
  });
}

function settingsOf({ options }: Counted, { seed, computing }: Testing, what: Json) {
  const { level, resamples, permutations, minimumSpeakers } = options;
  return { level, resamples, permutations, minimumSpeakers, seed, study: study.name, computing, what };
}

/** The value of the attribute that makes the group. */
export function nameOf({ group }: Pick<ScoredPart, 'group'>): string {
  return group!.value;
}

/** What leaves are made of, in words. */
function axesOf(kind: MeasureKind) {
  return [
    { noun: 'conditions', of: ({ condition }: Leaf) => condition },
    {
      noun: kind === 'distance' ? 'pairs of recognizers' : 'recognizers',
      of: ({ measure }: Leaf) => measure,
    },
  ];
}

/** Everything together; by measure, where there are several; by family, where there are several. */
function scopesOf(leaves: readonly Leaf[], numbers: readonly number[], { measures, families }: Plan) {
  const all = { measure: null, family: null, leaves };
  const byMeasure = numbers.map((number) => ({
    measure: measures[number]!.name,
    family: null,
    leaves: leaves.filter(({ measure }) => measure === number),
  }));
  const byFamily = families.map(({ name, conditions }) => ({
    measure: null,
    family: name,
    leaves: leaves.filter(({ condition }) => conditions.includes(condition)),
  }));
  return [all, ...(numbers.length > 1 ? byMeasure : []), ...(families.length > 1 ? byFamily : [])].filter(
    (scope) => scope.leaves.length > 0,
  );
}
