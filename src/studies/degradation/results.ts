import { attributeOf, type Utterance } from '../../model/utterance.ts';
import { leftOutByAequevox } from '../../perturbations/ladders/aequevox.ts';
import { type PairDistances, type ViolationTable, violationTable } from '../../scoring/agreement/aequevox.ts';
import type { Normalizer } from '../../scoring/normalizers/normalizer.ts';
import type { StudyContext } from '../contract.ts';
import { type BeyondQuestion, type GapBeyond, gapsBeyondListeners, type HeardClip } from '../shared/listeners.ts';
import { gather, type Part } from '../shared/sliced-counts.ts';
import { createSpeakerClusters } from '../shared/speaker-clusters.ts';
import { judgeTests } from '../shared/test-groups.ts';
import type { CaseValidity } from '../shared/validity/validity.ts';
import { binning, type DegradationOptions, type Design, type MeasureKind } from './design.ts';
import {
  addDegradations,
  addFailures,
  type Findings,
  type GroupComparison,
  type GroupDegradation,
  isAboveCeiling,
  type MadeTest,
  nameOf,
  type SilentGroup,
} from './group-findings.ts';
import { type GroupRate, groupRates, hasWords, type Tally, wordsBefore } from './tally.ts';

/**
 * What a group loses more than another beyond what listeners lose on the same clips, over all conditions in which the two are compared: those of
 * a family alike, then the families, as degradations are averaged. Null where nobody is said to be people.
 */
function lossBeyondListeners(
  tally: Tally,
  design: Design,
  options: DegradationOptions,
  kept: readonly KeptCondition[],
): GapBeyond[] | null {
  const { heard, slices } = tally;
  if (heard === null) return null;
  const there = new Set(heard.clips.map(({ condition }) => condition));
  const count = design.conditions.length;
  const weightsOf = (recognizer: number, pair: readonly Part[]) => {
    const measure = design.measures.findIndex(
      ({ kind, recognizers }) => kind === 'word error rate' && recognizers[0] === recognizer,
    );
    const counted = (condition: number) =>
      there.has(condition) &&
      kept.some((one) => one.kind === 'word error rate' && one.condition === condition && one.kept) &&
      !isAboveCeiling(pair, { measure, condition }, { tally, options });
    const families = design.families
      .map(({ conditions }) => conditions.filter(counted))
      .filter((conditions) => conditions.length > 0);
    const weights = design.conditions.map((_, condition) => {
      const own = families.find((conditions) => conditions.includes(condition));
      return own === undefined ? 0 : 1 / families.length / own.length;
    });
    weights[0] = families.length === 0 ? 0 : -1;
    return weights;
  };
  const clusters = createSpeakerClusters();
  const binned = binning(options);
  const places = new Map<string, { readonly speaker: number; readonly utterance: Utterance }>();
  const placeOf = ({ utterance }: HeardClip) => {
    let place = places.get(utterance.id);
    if (place === undefined) {
      place = { speaker: clusters.clusterOf(utterance), utterance: binned(utterance) };
      places.set(utterance.id, place);
    }
    return place;
  };
  const groups = Map.groupBy(slices.groups(), ({ group }) => group!.attribute);
  const questions = [...groups].flatMap(([attribute, parts]) => {
    return heard.machines.flatMap((recognizer) =>
      parts.flatMap((second, place) =>
        parts.slice(place + 1).map((first): BeyondQuestion => {
          const [value, other] = [nameOf(first), nameOf(second)];
          const sides = [value, other];
          const weights = weightsOf(recognizer, [first, second]);
          return {
            ...{
              recognizer,
              group: `${attribute} ${value}`,
              comparedWith: `${attribute} ${other}`,
              where: 'what is lost',
            },
            strata: sides.flatMap((_, side) =>
              weights.map((weight) => ({ weight: side === 0 ? weight : -weight, side })),
            ),
            stratumOf(clip) {
              const side = sides.indexOf(attributeOf(placeOf(clip).utterance, attribute) ?? '');
              return side < 0 ? null : side * count + clip.condition;
            },
            speakerOf: (clip) => placeOf(clip).speaker,
            same: JSON.stringify([attribute, value, other, recognizer]),
          };
        }),
      ),
    );
  });
  return gapsBeyondListeners(heard.clips, questions, options);
}

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
  readonly silent: readonly SilentGroup[];
}

/** Turns counts into estimates, intervals and tests. */
export function conclude(
  tally: Tally,
  design: Design,
  options: DegradationOptions,
  { seed, computing }: Pick<StudyContext, 'seed' | 'computing'>,
  validity: CaseValidity | null = null,
): Results {
  const known = { tally, design, options, seed, computing };
  const kept = keptConditions(tally, design, options, validity);
  const groups = Map.groupBy(tally.slices.groups(), ({ group }) => group!.attribute);
  const kinds = [...new Set(design.measures.map(({ kind }) => kind))];
  const found: Findings = { degradations: [], overall: [], before: [], details: [], rates: [], silent: [] };
  for (const [attribute, parts] of groups) {
    for (const kind of kinds) {
      const measures = design.measures.flatMap((measure, number) => (measure.kind === kind ? [number] : []));
      // Those at the ceiling are left out two groups by two groups.
      const conditions = kept
        .filter((one) => one.kind === kind && (one.kept || options.profile !== 'aequevox') && one.mean !== null)
        .map(({ condition }) => condition);
      const present = parts.filter((part) => measures.some((measure) => wordsBefore(part, measure, tally) > 0));
      for (const part of parts) {
        if (!present.includes(part)) found.silent.push({ attribute, group: nameOf(part), kind });
      }
      if (present.length < 2) continue;
      const side = { attribute, kind, measures, conditions, present };
      addDegradations(found, side, groups.size, known);
      found.rates.push(...groupRates(attribute, kind, { parts: present, measures, conditions }, known));
    }
    addFailures(found, attribute, parts, known);
  }
  return {
    ...found,
    kept,
    noRoom: groupsWithoutRoom(tally, design, options),
    published: publishedCounts(groups, kept, tally, design, options),
    beyond: lossBeyondListeners(tally, design, options, kept),
    overall: corrected(found.overall),
    before: corrected(found.before),
    details: corrected(found.details),
  };
}

function corrected(made: readonly MadeTest[]): GroupComparison[] {
  const comparisons = judgeTests(made.map(({ test }) => test));
  return made.map(({ place }, index) => ({ ...place, comparison: comparisons[index]! }));
}

/** What the parts of the finding are made from. */
export interface Known {
  readonly results: Results;
  readonly tally: Tally;
  readonly design: Design;
  readonly options: DegradationOptions;
  /** Null: everything counts. */
  readonly validity: CaseValidity | null;
  readonly normalizer: Normalizer;
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
export function publishedCounts(
  groups: ReadonlyMap<string, readonly Part[]>,
  kept: readonly KeptCondition[],
  tally: Tally,
  design: Design,
  options: DegradationOptions,
): PublishedCounts[] {
  const everybody = [tally.slices.whole()];
  const kinds = [...new Set(design.measures.map(({ kind }) => kind))];
  return [...groups].flatMap(([attribute, parts]) =>
    kinds.map((kind): PublishedCounts => {
      const counts = (condition: number, measure: number) =>
        kept.some((one) => one.kind === kind && one.condition === condition && one.kept) &&
        !isAboveCeiling(everybody, { measure, condition }, { tally, options });
      const tables = design.measures.flatMap((measure, number) =>
        measure.kind !== kind
          ? []
          : design.families.flatMap(({ name, conditions }) =>
              conditions
                .filter((condition) => counts(condition, number))
                .map((condition): PairDistances => {
                  const rates = (series: number) => parts.map((part) => rateOf(part, series));
                  return {
                    pair: measure.name,
                    transformation: name,
                    // Each condition has a baseline of its own: of what was answered in both.
                    distances: {
                      groups: parts.map(({ group }) => group!.value),
                      original: rates(tally.series.before(number, condition)),
                      transformed: [
                        {
                          parameter: design.conditions[condition]!.name,
                          distances: rates(tally.series.after(number, condition)),
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

/** Pooled; null where a group has no words. */
function rateOf(part: Part, series: number): number | null {
  const { errors, words } = part.counts(series)?.totals(part.rows) ?? { errors: 0, words: 0 };
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
export function keptConditions(
  tally: Tally,
  design: Design,
  options: DegradationOptions,
  validity: CaseValidity | null = null,
): KeptCondition[] {
  const kinds = [...new Set(design.measures.map(({ kind }) => kind))];
  const groups = [...Map.groupBy(tally.slices.groups(), ({ group }) => group!.attribute).values()];
  const pairs = groups.flatMap((parts) =>
    parts.flatMap((one, place) => parts.slice(place + 1).map((other) => [one, other])),
  );
  const nothing =
    validity === null
      ? 'nothing was answered in it and in the baseline'
      : `no clip that was answered in it and in the baseline counts (${validity.rule})`;
  return kinds.flatMap((kind) =>
    design.conditions.flatMap(({ name }, condition): KeptCondition[] => {
      if (condition === 0) return [];
      const mean = meanRate(tally, design, kind, condition);
      const place = { kind, condition, mean };
      if (mean === null) return [{ ...place, kept: false, reason: nothing }];
      if (options.profile === 'aequevox') {
        return leftOutByAequevox.includes(name)
          ? [{ ...place, kept: false, reason: 'AequeVox leaves it out' }]
          : [{ ...place, kept: true }];
      }
      const compared = design.measures.flatMap((measure, number) => {
        const leaf = { measure: number, condition };
        return measure.kind !== kind
          ? []
          : pairs
              .filter((pair) => pair.every((part) => hasWords(part, leaf, tally)))
              .map((pair) => isAboveCeiling(pair, leaf, { tally, options }));
      });
      const above = compared.filter((isAbove) => isAbove).length;
      if (above === 0) return [{ ...place, kept: true }];
      const reason = `above the ceiling of ${options.ceiling}${above < compared.length ? ` in ${above} of ${compared.length} comparisons` : ''}`;
      return [{ ...place, kept: above < compared.length, reason }];
    }),
  );
}

function meanRate({ slices, series }: Tally, { measures }: Design, kind: MeasureKind, condition: number) {
  const whole = slices.whole();
  const rates = measures.flatMap((measure, number) => {
    if (measure.kind !== kind) return [];
    const { errors, words } = whole.counts(series.after(number, condition))?.totals(whole.rows) ?? {
      errors: 0,
      words: 0,
    };
    return words === 0 ? [] : [errors / words];
  });
  return rates.length === 0 ? null : rates.reduce((sum, rate) => sum + rate, 0) / rates.length;
}

/** Groups whose baseline is above the ceiling already. */
interface NoRoom {
  readonly attribute: string;
  readonly group: string;
  readonly measure: number;
  readonly rate: number;
}

/** Groups that have no room to degrade: nothing they seem to be spared can be believed. */
function groupsWithoutRoom({ slices, series }: Tally, design: Design, { ceiling }: DegradationOptions): NoRoom[] {
  return slices.groups().flatMap((part) =>
    design.measures.flatMap((_, measure): NoRoom[] => {
      const { n, counts } = gather(part, series.baseline(measure));
      const rate = counts.numerators.reduce((sum, count) => sum + count, 0) / n.words;
      return n.words > 0 && rate > ceiling
        ? [{ attribute: part.group!.attribute, group: part.group!.value, measure, rate }]
        : [];
    }),
  );
}
