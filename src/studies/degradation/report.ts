import { asJson, type Json } from '../../base/json.ts';
import type { About, Estimate, Statement } from '../../model/finding.ts';
import { missingAttributeWarnings } from '../shared/attributes.ts';
import { claimFrom } from '../shared/claims.ts';
import { failureWarnings, namedTrials } from '../shared/failures.ts';
import { beyondStatements } from '../shared/listeners.ts';
import { slicedSamplingWarnings, speakerWarnings } from '../shared/speaker-warnings.ts';
import { gateInWords } from '../shared/validity/validity.ts';
import { counted, listed, named, percent, withSentence } from '../shared/wording.ts';
import { type Design, kindInWords, type MeasureKind } from './design.ts';
import type { GroupComparison } from './group-findings.ts';
import type { Known } from './results.ts';
import { countStatement, maxViolations } from './violation-counts.ts';

/** Comparisons that tell nothing are left to the table where there are more of them than this. */
const maxOpen = 4;

/**
 * Who loses more, by the measure that was asked first, then by the other, then what AequeVox would count; the other way round in its profile.
 */
export function answerOf(known: Known): Statement[] {
  const { results, options } = known;
  const sound = [
    ...comparisonsInOrder(known).map((one) => comparisonStatement(one, known)),
    ...(results.beyond === null ? [] : beyondStatements(results.beyond, known.design.recognizers)),
  ];
  const counts = results.published.flatMap((published) => {
    const { kind, tables } = published;
    const counted = new Set(tables.flatMap(({ distances }) => distances.transformed.map(({ parameter }) => parameter)));
    const conditions = [...known.design.conditions.keys()].filter((place) =>
      counted.has(known.design.conditions[place]!.name),
    );
    return countStatement(published, options.reference).map((statement) => {
      return {
        ...statement,
        about: aboutGroup(known, { ...published, kind, conditions }, maxViolations(published).group),
      };
    });
  });
  if (sound.length === 0 && counts.length === 0) {
    const text =
      results.before.length > 0
        ? 'Only the baseline is left, so there is no degradation to measure; gaps in the baseline are in their table.'
        : 'No two groups of speakers can be compared, so there is no result.';
    return [{ text }];
  }
  const all = options.profile === 'aequevox' ? [...counts, ...sound] : [...sound, ...counts];
  return withSentence(all, leftOutInWords(known));
}

/** What a claim is told of: all that stands beside it is of the same. */
export interface Asked {
  readonly attribute: string;
  readonly kind: MeasureKind;
}

/**
 * What the first claim is about: ranking and picture beside it are of the same groups and the same measure. Null where nothing is claimed.
 */
export function leadOf(known: Known): Asked | null {
  const { results, options } = known;
  const counted = results.published.find(({ violations }) => violations.compared > 0);
  if (options.profile === 'aequevox' && counted !== undefined) return counted;
  const [first] = comparisonsInOrder(known);
  return first === undefined ? (counted ?? null) : { attribute: first.attribute, kind: first.kind! };
}

/** Those of the lead before others, each in the order in which it came. */
export function leadFirst<One extends Asked>(rows: readonly One[], lead: Asked | null): One[] {
  const place = ({ attribute, kind }: Asked) => Number(attribute !== lead?.attribute) + 2 * Number(kind !== lead?.kind);
  return rows.toSorted((one, other) => place(one) - place(other));
}

/** By the measure that the study is about before the one that it has too; of each what is told, then some of what is open. */
function comparisonsInOrder({ results, design }: Known): GroupComparison[] {
  return [...new Set(design.measures.map(({ kind }) => kind))].flatMap((kind) => {
    const { told, open } = mostTelling(results.overall.filter((one) => one.kind === kind));
    return [...told, ...open.slice(0, maxOpen)];
  });
}

function leftOutInWords({ tally, design, validity }: Known): string {
  if (validity === null) return '';
  const { recognizers, drawn } = design;
  const heard = recognizers.some(({ input }) => input !== 'names');
  const each = drawn.slice(1).reduce((sum, draws) => sum + (heard ? draws : 1), 0);
  const all = tally.utterances * each;
  return gateInWords(validity.rule, { leftOut: all - tally.perturbed, all, of: 'perturbed clip' }, true);
}

function comparisonStatement(one: GroupComparison, known: Known): Statement {
  const { attribute, group, comparedWith, kind, comparison } = one;
  const [who, others] = [groupInWords(attribute, group), groupInWords(attribute, comparedWith)];
  const what = kindInWords(kind!);
  // Who loses less shows nothing.
  const about = aboutGroup(known, one, (comparison.difference.value ?? 0) < 0 ? comparedWith : group);
  const rests = restsInWords(one);
  return claimFrom({ comparison, kind: 'difference', about }, what, (apart, verdict) =>
    verdict === 'cannot tell'
      ? `Whether perturbed audio costs ${who} more or less than ${others} is open: ${apart}${rests}`
      : `Perturbed audio costs ${who} ${verdict === 'worse' ? 'more' : 'less'} than ${others}: ${apart}${rests}`,
  );
}

/** `, over 9 of 10 conditions (+31.2 points, compared with +9.5)`, where the groups do not share all; else nothing. */
function restsInWords({ rests }: GroupComparison): string {
  if (rests === null) return '';
  const points = ({ value }: Estimate) =>
    value === null ? '–' : `${value < 0 ? '−' : '+'}${Math.abs(100 * value).toFixed(1)}`;
  return `, over ${rests.over} (${points(rests.own)} points, compared with ${points(rests.others)})`;
}

/** What perturbed clips of a group lose beside the baseline; where only recognizers are compared, how its transcripts change. */
function aboutGroup(
  { design }: Known,
  { kind, attribute, conditions }: Pick<GroupComparison, 'kind' | 'attribute' | 'conditions'>,
  group: string,
): About {
  return {
    conditions: conditions.map((condition) => design.conditions[condition]!.name),
    group: { [attribute]: group },
    than: { condition: design.conditions[0]!.name },
    ...(kind === 'distance' && { by: 'change' }),
  };
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

/** `native English` */
function groupInWords(attribute: string, group: string): string {
  return `${named(attribute)} ${named(group)}`;
}

/** Over what a number was averaged: `all`, a pair of recognizers, a family of conditions. */
export function scopeInWords(
  { measure, family }: { readonly measure: number | null; readonly family: string | null },
  { measures }: Design,
): string {
  if (measure !== null) return measures[measure]!.name;
  return family ?? 'all';
}

/** What a reader must know before believing the numbers. */
export function warningsOf(known: Known): string[] {
  const { results, tally, design, options, normalizer } = known;
  const { measures, recognizers, conditions } = design;
  const warnings: string[] = [];
  if (!measures.some(({ kind }) => kind === 'distance')) {
    warnings.push(
      `Without references two recognizers are compared, but there ${recognizers.length === 1 ? 'is one' : 'are none'}: only word error rates are compared.`,
    );
  }
  if (options.wordErrors && tally.withReference < tally.utterances) {
    const without = tally.utterances - tally.withReference;
    warnings.push(
      tally.withReference === 0
        ? 'No utterance has a reference: only distances between recognizers are compared. Recognizers that make the same mistakes are close to each other.'
        : `${counted(without, 'utterance')} without a reference ${without === 1 ? 'counts' : 'count'} for distances alone.`,
    );
  }
  if (options.profile === 'aequevox' && normalizer.name !== 'aequevox') {
    warnings.push(
      'The counts are those of AequeVox, but the words are not: set normalizer: aequevox to split texts as it does.',
    );
  }
  const groups = tally.slices.groups();
  if (groups.length === 0) {
    warnings.push(
      'No attribute divides the speakers into groups: name attributes in groupBy, or add attributes to the utterances.',
    );
  }
  for (const attribute of options.groupBy ?? []) {
    if (groups.some(({ group }) => group?.attribute === attribute) || tally.slices.manyValued.has(attribute)) continue;
    warnings.push(`${named(attribute)} gives no groups: fewer than two of its values are known.`);
  }
  for (const [attribute, value] of Object.entries(options.reference)) {
    if (!groups.some(({ group }) => group?.attribute === attribute && group.value === value))
      warnings.push(`The reference group ${groupInWords(attribute, value)} is not there.`);
  }
  warnings.push(...missingAttributeWarnings(tally.slices.missing(), tally.utterances), ...groupWarnings(known));
  for (const kind of new Set(measures.map((measure) => measure.kind))) {
    const gone = results.kept.filter((one) => one.kind === kind && one.reason !== undefined && one.mean !== null);
    if (gone.length === 0) continue;
    const byReason = Map.groupBy(gone, ({ reason }) => (options.profile === 'aequevox' ? 'as AequeVox did' : reason));
    const names = [...byReason].map(
      ([why, those]) => `${listed(those.map(({ condition }) => conditions[condition]!.name))} (${why})`,
    );
    warnings.push(
      `Left out for the ${kindInWords(kind)}: ${listed(names)}, because where everything is lost no group can lose more than another.`,
    );
  }
  warnings.push(
    ...failureWarnings(namedTrials(known), 'they are left out of rates, so see whether one group has more of them'),
  );
  warnings.push(
    ...speakerWarnings(tally.slices, {
      utterances: tally.utterances,
      withoutSpeaker: tally.withoutSpeaker,
      minimumSpeakers: options.minimumSpeakers,
    }),
    ...slicedSamplingWarnings(
      tally.slices,
      measures.flatMap(({ kind, name }, number) =>
        kind === 'distance' ? [] : [{ name, series: tally.series.baseline(number) }],
      ),
      options.minimumSpeakers,
      normalizer,
    ),
  );
  return warnings;
}

function groupWarnings({ results, tally, design, options }: Known): string[] {
  const warnings = results.noRoom.map(
    ({ attribute, group, measure, rate }) =>
      `${groupInWords(attribute, group)} has a ${kindInWords(design.measures[measure]!.kind)} of ${percent(rate, 1)} for ${named(design.measures[measure]!.name)} before any perturbation: it cannot lose much more, so a small degradation is not a good sign.`,
  );
  for (const { attribute, group, kind } of results.silent) {
    const why =
      kind === 'distance'
        ? 'no recognizer gave any words, or all trials failed'
        : 'it has no references, or all trials failed';
    warnings.push(`${groupInWords(attribute, group)} is not compared by ${kindInWords(kind)}: ${why}.`);
  }
  const few = tally.slices.groups().flatMap((part) => {
    const speakers = new Set(part.rows.map((row) => part.clusterOf(row))).size;
    const { attribute, value } = part.group!;
    return speakers < options.minimumSpeakers ? [`${groupInWords(attribute, value)} (${speakers})`] : [];
  });
  if (few.length > 0) {
    warnings.push(
      `Fewer than ${options.minimumSpeakers} speakers, or speakers unknown, so no interval and no verdict: ${listed(few)}.`,
    );
  }
  const shared = [...Map.groupBy(tally.slices.groups(), ({ group }) => group!.attribute)].filter(([, parts]) => {
    const seen = new Set<number>();
    return parts.some((part) =>
      [...new Set(part.rows.map((row) => part.clusterOf(row)))].some((cluster) => {
        const before = seen.has(cluster);
        seen.add(cluster);
        return before;
      }),
    );
  });
  for (const [attribute] of shared) {
    warnings.push(`Some speakers have several values of ${named(attribute)}: its groups are compared within speakers.`);
  }
  return warnings;
}

/** All numbers as plain rows, with the distances that violations are counted from. */
export function dataOf({ results, tally, design, validity }: Known): Json {
  const { measures, conditions, recognizers } = design;
  const measureNamed = (measure: number | null) => (measure === null ? null : measures[measure]!.name);
  const conditionNamed = (condition: number) => conditions[condition]!.name;
  const comparison = (one: GroupComparison) => ({
    ...one,
    conditions: one.conditions.map(conditionNamed),
    measure: measureNamed(one.measure),
    recognizer: one.recognizer === null ? null : recognizers[one.recognizer]!.name,
  });
  return asJson({
    utterances: {
      asked: tally.utterances,
      withReference: tally.withReference,
      withoutSpeaker: tally.withoutSpeaker,
    },
    clusters: { count: tally.slices.clusters.count, merged: tally.slices.clusters.merged },
    measures: measures.map(({ kind, name }) => ({ kind, name })),
    conditions: results.kept.map((one) => ({ ...one, condition: conditionNamed(one.condition) })),
    validity:
      validity === null ? null : { rule: validity.rule, conditions: validity.conditions, ratings: validity.ratings },
    degradations: results.degradations.map((one) => ({ ...one, measure: measureNamed(one.measure) })),
    overall: results.overall.map(comparison),
    ...(results.beyond !== null && {
      beyondListeners: results.beyond.map((one) => ({ ...one, recognizer: recognizers[one.recognizer]!.name })),
    }),
    before: results.before.map(comparison),
    details: results.details.map(comparison),
    rates: results.rates.map((one) => ({ ...one, condition: conditionNamed(one.condition) })),
    violations: results.published.map(({ attribute, kind, violations, tables }) => ({
      attribute,
      kind,
      ...violations,
      distances: tables.flatMap(({ pair, transformation, distances }) =>
        distances.transformed.flatMap((row) =>
          distances.groups.map((group, place) => ({
            pair,
            transformation,
            condition: row.parameter,
            group,
            before: distances.original[place]!,
            after: row.distances[place]!,
          })),
        ),
      ),
    })),
    noRoom: results.noRoom.map((one) => ({ ...one, measure: measureNamed(one.measure) })),
    silent: results.silent,
    trials: recognizers.flatMap(({ name }, recognizer) =>
      conditions.map((condition, number) => ({
        recognizer: name,
        condition: condition.name,
        ...tally.trials.at(recognizer * conditions.length + number),
      })),
    ),
  });
}
