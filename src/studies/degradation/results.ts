import type { Estimate } from '../../model/finding.ts';
import { attributeOf, type Utterance } from '../../model/utterance.ts';
import { leftOutByAequevox } from '../../perturbations/ladders/aequevox.ts';
import { type PairDistances, type ViolationTable, violationTable } from '../../scoring/agreement/aequevox.ts';
import type { Normalizer } from '../../scoring/normalizers/normalizer.ts';
import type { StudyContext } from '../contract.ts';
import { binning } from '../shared/attributes.ts';
import { type BeyondQuestion, type GapBeyond, gapsBeyondListeners, type HeardClip } from '../shared/listeners.ts';
import { createSpeakerClusters } from '../shared/speaker-clusters.ts';
import { judgeTests } from '../shared/test-groups.ts';
import type { CaseValidity } from '../shared/validity/validity.ts';
import type { MeasureKind } from './design.ts';
import {
  compareFailures,
  compareLosses,
  type GroupComparison,
  type GroupDegradation,
  isAboveCeiling,
  type MadeTest,
  nameOf,
} from './group-findings.ts';
import { averageOver, type Counted, countsIn, hasWords, type ScoredPart } from './tally.ts';

export interface Results {
  readonly kept: readonly KeptCondition[];
  readonly noRoom: readonly NoRoom[];
  readonly published: readonly PublishedCounts[];
  readonly degradations: readonly GroupDegradation[];
  /** The question of the study: over everything. */
  readonly overall: readonly GroupComparison[];
  /** The same beyond what listeners lose, over everything; null where nobody is said to be people. */
  readonly beyond: readonly GapBeyond[] | null;
  /** The same where nothing has been done to the sound, and of failures. */
  readonly before: readonly GroupComparison[];
  /** By measure and by family. */
  readonly details: readonly GroupComparison[];
  readonly rates: readonly GroupRate[];
  /** Groups that have no words, by attribute. */
  readonly silent: readonly { readonly attribute: string; readonly group: string; readonly kind: MeasureKind }[];
}

/** What the parts of the finding are made from. */
export interface Concluded extends Counted {
  readonly results: Results;
  /** Null: everything counts. */
  readonly validity: CaseValidity | null;
  readonly normalizer: Normalizer;
}

/** Turns counts into estimates, intervals and tests. */
export function conclude(
  counted: Counted,
  context: Pick<StudyContext, 'seed' | 'computing'>,
  validity: CaseValidity | null = null,
): Results {
  const { plan, options, scores } = counted;
  const kept = keptConditions(counted, validity);
  const attributes = byAttribute(scores.parts('group'));
  const found = { degradations: [], overall: [], before: [], details: [], rates: [], silent: [] } as {
    readonly degradations: GroupDegradation[];
    readonly overall: MadeTest[];
    readonly before: MadeTest[];
    readonly details: MadeTest[];
    readonly rates: GroupRate[];
    readonly silent: Results['silent'][number][];
  };
  for (const [attribute, parts] of attributes) {
    for (const { kind, measures } of kindsOf(counted)) {
      // Those at the ceiling are left out two groups by two groups.
      const conditions = kept
        .filter((one) => one.kind === kind && (one.kept || options.profile !== 'aequevox') && one.mean !== null)
        .map(({ condition }) => condition);
      const speaks = (part: ScoredPart) =>
        measures.some((measure) => countsIn(part, { measure, condition: 0 }, plan).words > 0);
      const present = parts.filter(speaks);
      for (const part of parts) {
        if (!present.includes(part)) found.silent.push({ attribute, group: nameOf(part), kind });
      }
      if (present.length < 2) continue;
      const side = { attribute, kind, measures, conditions, present };
      const { degradations, overall, before, details } = compareLosses(side, attributes.size, counted, context);
      found.degradations.push(...degradations);
      found.overall.push(...overall);
      found.before.push(...before);
      found.details.push(...details);
      for (const part of present) {
        for (const condition of [0, ...conditions]) {
          const leaves = measures.map((measure) => ({ measure, condition }));
          const own = leaves.filter((leaf) => hasWords(part, leaf, plan));
          const rate = averageOver(part, own, 'rate', plan);
          if (rate === null) continue;
          found.rates.push({ attribute, group: nameOf(part), kind, condition, rate: part.estimate(rate) });
        }
      }
    }
    found.before.push(...compareFailures(attribute, counted, context));
  }
  return {
    ...found,
    kept,
    noRoom: groupsWithoutRoom(counted),
    published: publishedCounts(counted, kept),
    beyond: lossBeyondListeners(counted, kept),
    overall: corrected(found.overall),
    before: corrected(found.before),
    details: corrected(found.details),
  };
}

function corrected(made: readonly MadeTest[]): GroupComparison[] {
  const comparisons = judgeTests(made.map(({ test }) => test));
  return made.map(({ place }, index) => ({ ...place, comparison: comparisons[index]! }));
}

function byAttribute(parts: readonly ScoredPart[]): ReadonlyMap<string, readonly ScoredPart[]> {
  return Map.groupBy(parts, ({ group }) => group!.attribute);
}

/** Kinds of measures in the order in which they are asked, with the numbers of theirs. */
function kindsOf({ plan }: Pick<Counted, 'plan'>) {
  const byKind = Map.groupBy(plan.measures.keys(), (number) => plan.measures[number]!.kind);
  return Array.from(byKind, ([kind, measures]) => ({ kind, measures }));
}

/** A group's rate in a condition, the mean over the measures of a kind: what curves are drawn from. */
interface GroupRate {
  readonly attribute: string;
  readonly group: string;
  readonly kind: MeasureKind;
  readonly condition: number;
  readonly rate: Estimate;
}

/** AequeVox's counts for the groups of one attribute. */
export interface PublishedCounts {
  readonly attribute: string;
  readonly kind: MeasureKind;
  readonly tables: readonly PairDistances[];
  readonly violations: ViolationTable;
}

/**
 * Algorithm 1 of AequeVox on the distances of groups, every group as base, over the conditions that are kept, but
 * for those in which a pair of recognizers is above the ceiling over everybody. The word error rates of one recognizer take the place of a
 * pair's distances where references exist.
 */
export function publishedCounts(counted: Counted, kept: readonly KeptCondition[]): PublishedCounts[] {
  const { plan, options, scores } = counted;
  const everybody = scores.parts('all');
  return [...byAttribute(scores.parts('group'))].flatMap(([attribute, parts]) =>
    kindsOf(counted).map(({ kind, measures }): PublishedCounts => {
      const counts = (condition: number, measure: number) =>
        kept.some((one) => one.kind === kind && one.condition === condition && one.kept) &&
        !isAboveCeiling(everybody, { measure, condition }, counted);
      const tables = measures.flatMap((measure) =>
        plan.families.flatMap(({ name, conditions }) =>
          conditions
            .filter((condition) => counts(condition, measure))
            .map((condition): PairDistances => {
              const own = parts.map((part) => countsIn(part, { measure, condition }, plan));
              return {
                pair: plan.measures[measure]!.name,
                transformation: name,
                // Each condition has a baseline of its own: of what was answered in both.
                distances: {
                  groups: parts.map(nameOf),
                  original: own.map(({ errorsBefore, wordsBefore }) => rateOf(errorsBefore, wordsBefore)),
                  transformed: [
                    {
                      parameter: plan.conditions[condition]!.name,
                      distances: own.map(({ errors, words }) => rateOf(errors, words)),
                    },
                  ],
                },
              };
            }),
        ),
      );
      return { attribute, kind, tables, violations: violationTable(tables, options.tolerances) };
    }),
  );
}

/** Pooled; null where there are no words. */
function rateOf(errors: number, words: number): number | null {
  return words === 0 ? null : errors / words;
}

/** Whether a condition is looked at, for one kind of measure. */
interface KeptCondition {
  readonly kind: MeasureKind;
  readonly condition: number;
  /** Mean over the measures of the kind of what everybody's rate is; null without answers. */
  readonly mean: number | null;
  readonly kept: boolean;
  /** Why not, or not in every comparison. */
  readonly reason?: string;
}

/**
 * Which conditions count. Where everything is lost already, no group can lose more than another: a group that was worse
 * before then seems to degrade least. That is asked of every two groups by themselves, and by each measure.
 */
export function keptConditions(counted: Counted, validity: CaseValidity | null = null): KeptCondition[] {
  const { plan, options, scores } = counted;
  const everybody = scores.parts('all');
  const pairs = [...byAttribute(scores.parts('group')).values()].flatMap((parts) =>
    parts.flatMap((one, place) => parts.slice(place + 1).map((other) => [one, other])),
  );
  const nothing =
    validity === null
      ? 'nothing was answered in it and in the baseline'
      : `no clip that was answered in it and in the baseline counts (${validity.rule})`;
  return kindsOf(counted).flatMap(({ kind, measures }) =>
    plan.conditions.flatMap(({ name }, condition): KeptCondition[] => {
      if (condition === 0) return [];
      const leaves = measures.map((measure) => ({ measure, condition }));
      const rates = leaves.flatMap((leaf) =>
        everybody.flatMap((part) => {
          const { errors, words } = countsIn(part, leaf, plan);
          return rateOf(errors, words) ?? [];
        }),
      );
      const mean = rates.length === 0 ? null : rates.reduce((sum, rate) => sum + rate, 0) / rates.length;
      const place = { kind, condition, mean };
      if (mean === null) return [{ ...place, kept: false, reason: nothing }];
      if (options.profile === 'aequevox') {
        return leftOutByAequevox.includes(name)
          ? [{ ...place, kept: false, reason: 'AequeVox leaves it out' }]
          : [{ ...place, kept: true }];
      }
      const compared = leaves.flatMap((leaf) =>
        pairs
          .filter((pair) => pair.every((part) => hasWords(part, leaf, plan)))
          .map((pair) => isAboveCeiling(pair, leaf, counted)),
      );
      const above = compared.filter((isAbove) => isAbove).length;
      if (above === 0) return [{ ...place, kept: true }];
      const reason = `above the ceiling of ${options.ceiling}${above < compared.length ? ` in ${above} of ${compared.length} comparisons` : ''}`;
      return [{ ...place, kept: above < compared.length, reason }];
    }),
  );
}

/** Groups whose baseline is above the ceiling already. */
interface NoRoom {
  readonly attribute: string;
  readonly group: string;
  readonly measure: number;
  readonly rate: number;
}

/** Groups that have no room to degrade: nothing they seem to be spared can be believed. */
function groupsWithoutRoom({ plan, options, scores }: Counted): NoRoom[] {
  return scores.parts('group').flatMap((part) =>
    plan.measures.flatMap((_, measure): NoRoom[] => {
      const { errors, words } = countsIn(part, { measure, condition: 0 }, plan);
      const rate = rateOf(errors, words);
      if (rate === null || rate <= options.ceiling) return [];
      return [{ attribute: part.group!.attribute, group: nameOf(part), measure, rate }];
    }),
  );
}

/**
 * What a group loses more than another beyond what listeners lose on the same clips, over all conditions in which the two are compared: those of
 * a family alike, then the families, as degradations are averaged. Null where nobody is said to be people.
 */
function lossBeyondListeners(counted: Counted, kept: readonly KeptCondition[]): GapBeyond[] | null {
  const { heard, scores, plan, options } = counted;
  if (heard === null) return null;
  const there = new Set(heard.clips.map(({ condition }) => condition));
  const count = plan.conditions.length;
  const weightsOf = (recognizer: number, pair: readonly ScoredPart[]) => {
    const measure = plan.measures.findIndex(
      ({ kind, recognizers }) => kind === 'word error rate' && recognizers[0] === recognizer,
    );
    const counts = (condition: number) =>
      there.has(condition) &&
      kept.some((one) => one.kind === 'word error rate' && one.condition === condition && one.kept) &&
      !isAboveCeiling(pair, { measure, condition }, counted);
    const families = plan.families
      .map(({ conditions }) => conditions.filter(counts))
      .filter((conditions) => conditions.length > 0);
    const weights = plan.conditions.map((_, condition) => {
      const own = families.find((conditions) => conditions.includes(condition));
      return own === undefined ? 0 : 1 / families.length / own.length;
    });
    weights[0] = families.length === 0 ? 0 : -1;
    return weights;
  };
  const clusters = createSpeakerClusters();
  const binned = binning(options.bins);
  const places = new Map<string, { readonly speaker: number; readonly utterance: Utterance }>();
  const placeOf = ({ utterance }: HeardClip) => {
    let place = places.get(utterance.id);
    if (place === undefined) {
      place = { speaker: clusters.clusterOf(utterance), utterance: binned(utterance) };
      places.set(utterance.id, place);
    }
    return place;
  };
  const questions = [...byAttribute(scores.parts('group'))].flatMap(([attribute, parts]) =>
    heard.machines.flatMap((recognizer) =>
      parts.flatMap((second, place) =>
        parts.slice(place + 1).map((first): BeyondQuestion => {
          const sides = [nameOf(first), nameOf(second)];
          const weights = weightsOf(recognizer, [first, second]);
          return {
            recognizer,
            group: `${attribute} ${nameOf(first)}`,
            comparedWith: `${attribute} ${nameOf(second)}`,
            where: 'what is lost',
            strata: sides.flatMap((_, side) =>
              weights.map((weight) => ({ weight: side === 0 ? weight : -weight, side })),
            ),
            stratumOf(clip) {
              const side = sides.indexOf(attributeOf(placeOf(clip).utterance, attribute) ?? '');
              return side < 0 ? null : side * count + clip.condition;
            },
            speakerOf: (clip) => placeOf(clip).speaker,
            same: JSON.stringify([attribute, ...sides, recognizer]),
          };
        }),
      ),
    ),
  );
  return gapsBeyondListeners(heard.clips, questions, options);
}
