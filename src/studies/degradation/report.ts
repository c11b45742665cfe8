import { counted } from '../../base/wording.ts';
import type { About, Estimate, Statement } from '../../model/finding.ts';
import type { Scores } from '../../model/scores.ts';
import { missingAttributeWarnings } from '../shared/attributes.ts';
import { claimFrom } from '../shared/claims.ts';
import { failureWarnings } from '../shared/failures.ts';
import { beyondStatements } from '../shared/listeners.ts';
import { partSamplingWarnings, speakerWarnings } from '../shared/speaker-warnings.ts';
import { gateInWords } from '../shared/validity/validity.ts';
import { listed, named, percent, withSentence } from '../shared/wording.ts';
import { kindInWords, type MeasureKind } from './design.ts';
import type { GroupComparison } from './group-findings.ts';
import type { Concluded } from './results.ts';
import type { ScoredPart } from './tally.ts';
import { countStatement, maxViolations } from './violation-counts.ts';

/** Comparisons that tell nothing are left to the table where there are more of them than this. */
const maxOpen = 4;

/**
 * Who loses more, by the measure that was asked first, then by the other, then what AequeVox would count; the other way round in its profile.
 */
export function answerOf(known: Concluded): Statement[] {
  const { results, options } = known;
  const sound = [
    ...comparisonsInOrder(known).map((one) => comparisonStatement(one, known)),
    ...(results.beyond === null ? [] : beyondStatements(results.beyond, known.plan.recognizers)),
  ];
  const counts = results.published.flatMap((published) => {
    const { kind, tables } = published;
    const counted = new Set(tables.flatMap(({ distances }) => distances.transformed.map(({ parameter }) => parameter)));
    const conditions = known.plan.conditions.flatMap(({ name }) => (counted.has(name) ? [name] : []));
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
export function leadOf(known: Concluded): Asked | null {
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
function comparisonsInOrder({ results, plan }: Concluded): GroupComparison[] {
  return [...new Set(plan.measures.map(({ kind }) => kind))].flatMap((kind) => {
    const { told, open } = mostTelling(results.overall.filter((one) => one.kind === kind));
    return [...told, ...open.slice(0, maxOpen)];
  });
}

/** The groups that the first claim is about: what each had before, and what it loses. */
export function scoresOf(known: Concluded, answer: readonly Statement[]): Scores | null {
  const lead = leadOf(known);
  if (lead === null) return null;
  const { attribute, kind } = lead;
  const where = { attribute, kind };
  const [first] = answer;
  const isOpen = first === undefined || first.verdict === 'cannot tell';
  const kinds = new Set(known.plan.measures.map((measure) => measure.kind));
  return {
    ...{ measure: kind === 'distance' ? 'Distance' : 'WER', of: 'group' },
    found: [isOpen ? 'No two groups are shown to lose unlike much.' : first.text],
    columns: [
      {
        ...{ words: 'before', head: ['before, %'], best: null },
        rates: { table: 'degradation-groups', column: 'baseline', where },
      },
      {
        ...{ words: 'more when perturbed', kind: 'difference', head: ['lost'] },
        rates: { table: 'degradation-groups', column: 'degradation', where },
        comparisons: { table: 'degradation-comparisons', column: 'comparison', where },
      },
    ],
    ranks: 1,
    left: `${named(attribute)}, by ${kindInWords(kind)}${kinds.size > 1 ? ', one of two measures' : ''}`,
  };
}

function leftOutInWords({ plan, utterances, perturbed, validity }: Concluded): string {
  if (validity === null) return '';
  const { recognizers, drawn } = plan;
  const heard = recognizers.some(({ input }) => input !== 'names');
  const each = drawn.slice(1).reduce((sum, draws) => sum + (heard ? draws : 1), 0);
  const all = utterances * each;
  return gateInWords(validity.rule, { leftOut: all - perturbed, all, of: 'perturbed clip' }, true);
}

function comparisonStatement(one: GroupComparison, known: Concluded): Statement {
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
  { plan }: Concluded,
  { kind, attribute, conditions }: Pick<GroupComparison, 'kind' | 'attribute' | 'conditions'>,
  group: string,
): About {
  return {
    conditions,
    group: { [attribute]: group },
    than: { condition: plan.conditions[0]!.name },
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

/** What a reader must know before believing the numbers. */
export function warningsOf(known: Concluded): string[] {
  const { results, plan, options, normalizer, scores, trials, utterances, withReference, withoutSpeaker } = known;
  const { measures, recognizers, conditions } = plan;
  const warnings: string[] = [];
  if (!measures.some(({ kind }) => kind === 'distance')) {
    warnings.push(
      `Without references two recognizers are compared, but there ${recognizers.length === 1 ? 'is one' : 'are none'}: only word error rates are compared.`,
    );
  }
  if (options.wordErrors && withReference < utterances) {
    const without = utterances - withReference;
    warnings.push(
      withReference === 0
        ? 'No utterance has a reference: only distances between recognizers are compared. Recognizers that make the same mistakes are close to each other.'
        : `${counted(without, 'utterance')} without a reference ${without === 1 ? 'counts' : 'count'} for distances alone.`,
    );
  }
  if (options.profile === 'aequevox' && normalizer.name !== 'aequevox') {
    warnings.push(
      'The counts are those of AequeVox, but the words are not: set normalizer: aequevox to split texts as it does.',
    );
  }
  const met = scores.groupsIn('group');
  const groups = met.groups();
  if (groups.length === 0) {
    warnings.push(
      'No attribute divides the speakers into groups: name attributes in groupBy, or add attributes to the utterances.',
    );
  }
  for (const attribute of options.groupBy ?? []) {
    if (groups.some(({ group }) => group?.attribute === attribute) || met.manyValued.has(attribute)) continue;
    warnings.push(`${named(attribute)} gives no groups: fewer than two of its values are known.`);
  }
  for (const [attribute, value] of Object.entries(options.reference)) {
    if (!groups.some(({ group }) => group?.attribute === attribute && group.value === value))
      warnings.push(`The reference group ${groupInWords(attribute, value)} is not there.`);
  }
  warnings.push(...missingAttributeWarnings(met.missing(), utterances), ...groupWarnings(known, groups));
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
  const { minimumSpeakers } = options;
  const atBaseline = { path: [conditions[0]!.name], ratio: 'rate' } as const;
  const ownRates = measures.flatMap(({ kind, name }, series) =>
    kind === 'distance' ? [] : [{ name, countsIn: (part: ScoredPart) => part.withoutLoops({ series, ...atBaseline }) }],
  );
  warnings.push(
    ...failureWarnings(trials, 'they are left out of rates, so see whether one group has more of them'),
    ...speakerWarnings(met, { utterances, withoutSpeaker, minimumSpeakers }),
    ...partSamplingWarnings(scores.parts('all')[0]!, groups, ownRates, minimumSpeakers, normalizer),
  );
  return warnings;
}

function groupWarnings({ results, plan, options }: Concluded, groups: readonly ScoredPart[]): string[] {
  const warnings = results.noRoom.map(({ attribute, group, measure, rate }) => {
    const { kind, name } = plan.measures[measure]!;
    return `${groupInWords(attribute, group)} has a ${kindInWords(kind)} of ${percent(rate, 1)} for ${named(name)} before any perturbation: it cannot lose much more, so a small degradation is not a good sign.`;
  });
  for (const { attribute, group, kind } of results.silent) {
    const why =
      kind === 'distance'
        ? 'no recognizer gave any words, or all trials failed'
        : 'it has no references, or all trials failed';
    warnings.push(`${groupInWords(attribute, group)} is not compared by ${kindInWords(kind)}: ${why}.`);
  }
  const few = groups.flatMap(({ group, units }) =>
    units.length < options.minimumSpeakers ? [`${groupInWords(group!.attribute, group!.value)} (${units.length})`] : [],
  );
  if (few.length > 0) {
    warnings.push(
      `Fewer than ${options.minimumSpeakers} speakers, or speakers unknown, so no interval and no verdict: ${listed(few)}.`,
    );
  }
  for (const [attribute, parts] of Map.groupBy(groups, ({ group }) => group!.attribute)) {
    const units = parts.flatMap((part) => part.units);
    if (new Set(units).size === units.length) continue;
    warnings.push(`Some speakers have several values of ${named(attribute)}: its groups are compared within speakers.`);
  }
  return warnings;
}
