import { formatFixed } from '../../base/number-format.ts';
import type { Comparison, Section, Statement } from '../../model/finding.ts';
import type { Reason } from '../../model/reason.ts';
import { minimumListeners } from '../../statistics/fairness/crossed-contrast.ts';
import type { Interval } from '../../statistics/interval.ts';
import { type Jackknife, jackknifeDifference, jackknifeLess } from '../../statistics/psychometric/jackknife.ts';
import { receptionThreshold } from '../../statistics/psychometric/reception-threshold.ts';
import { correctByHolm, toComparison } from '../shared/comparisons.ts';
import { toEstimate } from '../shared/estimates.ts';
import { column, judgedColumns, recognizerColumn, tableOf } from '../shared/tables.ts';
import { named } from '../shared/wording.ts';
import type { Axis } from './axes.ts';
import type { Listeners } from './clips.ts';
import type { ThresholdOptions } from './options.ts';
import { differenceUnit } from './report.ts';
import { comparedAlong, inSteps } from './results.ts';
import { type Asked, questionsOf, type ThresholdSearch } from './search.ts';

/** How much farther apart a machine's thresholds for two groups are than those of people. */
export interface ThresholdGapBeyond {
  readonly axis: Axis;
  readonly recognizer: string;
  /** The group that the machine puts at a disadvantage beyond people, and the other one. */
  readonly group: NonNullable<Listeners['group']>;
  readonly comparedWith: NonNullable<Listeners['group']>;
  /** On the same clips at the same levels; in units of the axis, or in octaves where it is logarithmic. */
  readonly machineGap: number | null;
  readonly peopleGap: number | null;
  readonly listeners: number;
  /** How many answers of people there are. */
  readonly heard: number;
  /** The machine's difference less that of people. */
  readonly beyond: Comparison;
}

/** One group: a machine and people on what both answered. Null instead of an estimate: no threshold. */
interface Heard {
  readonly group: NonNullable<Listeners['group']>;
  readonly asked: readonly Asked[];
  readonly machine: Jackknife | null;
  readonly people: Jackknife | null;
  readonly byListener: Jackknife | null;
  readonly byBoth: Jackknife | null;
}

/**
 * Differences of machines' thresholds between groups beyond those of people. The thresholds are estimated anew from clips and levels that both
 * a machine and people answered, all panels together; a speaker is left out of both at once. All are corrected together by Holm.
 */
export function thresholdsBeyondListeners(
  searches: readonly ThresholdSearch[],
  people: readonly string[],
  { level, minimumSpeakers }: Pick<ThresholdOptions, 'level' | 'minimumSpeakers'>,
): ThresholdGapBeyond[] {
  const machines = searches.filter(({ recognizer }) => !people.includes(recognizer));
  const heard = machines.flatMap((machine) => {
    const { group } = machine.listeners;
    if (group === null) return [];
    const same = searches.filter(
      ({ axis, listeners, recognizer }) =>
        axis === machine.axis && listeners === machine.listeners && people.includes(recognizer),
    );
    return [{ search: machine, ...heardBoth(machine, same, group) }];
  });
  const tested = heard.flatMap((one, place) =>
    heard.slice(place + 1).flatMap((other) => {
      const alike =
        one.search.axis === other.search.axis &&
        one.search.recognizer === other.search.recognizer &&
        one.group.attribute === other.group.attribute;
      if (!alike) return [];
      const asked = contrast(one, other, { level, minimumClusters: minimumSpeakers });
      // The group that is at a disadvantage beyond people stands first.
      return asked.interval.value !== null && asked.interval.value < 0
        ? [{ first: other, second: one, ...contrast(other, one, { level, minimumClusters: minimumSpeakers }) }]
        : [{ first: one, second: other, ...asked }];
    }),
  );
  const { adjusted, correction } = correctByHolm(
    tested.map(({ pValue }) => pValue),
    'each is about clips of its own',
  );
  return tested.map(({ first, second, interval, pValue }, place): ThresholdGapBeyond => {
    const { axis, recognizer } = first.search;
    const asked = [...first.asked, ...second.asked];
    const gap = (one: Jackknife | null, other: Jackknife | null) =>
      one === null || other === null
        ? null
        : inSteps({ ...interval, value: one.value - other.value, low: null, high: null }, axis).value;
    const difference = toEstimate(interval, {
      utterances: new Set(asked.map(({ clip }) => clip.utterance.id)).size,
      speakers: new Set(asked.flatMap(({ clip }) => clip.utterance.speaker ?? [])).size,
    });
    const test = 't test of the jackknife with speakers and listeners as clusters';
    return {
      ...{ axis, recognizer, group: first.group, comparedWith: second.group },
      machineGap: gap(first.machine, second.machine),
      peopleGap: gap(first.people, second.people),
      listeners: new Set(asked.map(({ listener }) => listener)).size,
      heard: asked.length,
      beyond: comparedAlong(axis, toComparison(difference, { pValue, test }, adjusted[place]!, correction)),
    };
  });
}

/** Thresholds of a machine and of people on clips and levels that both answered. */
function heardBoth(machine: ThresholdSearch, people: readonly ThresholdSearch[], group: Heard['group']): Heard {
  const { axis } = machine;
  const keyOf = ({ clip, place }: Asked) => JSON.stringify([clip.utterance.id, place]);
  const byMachine = new Set(machine.answered.map(keyOf));
  const asked = people.flatMap(({ answered }) => answered).filter((one) => byMachine.has(keyOf(one)));
  const byPeople = new Set(asked.map(keyOf));
  const jackknife = (list: readonly Asked[], clusterOf: (one: Asked) => string) =>
    // Nobody reads an interval of this one.
    receptionThreshold(axis.space, questionsOf(axis, list, clusterOf), { minimumClusters: Number.POSITIVE_INFINITY })
      .jackknife;
  const speakerOf = ({ clip }: Asked) => clip.cluster;
  return {
    ...{ group, asked },
    machine: jackknife(
      machine.answered.filter((one) => byPeople.has(keyOf(one))),
      speakerOf,
    ),
    people: jackknife(asked, speakerOf),
    byListener: jackknife(asked, ({ listener }) => listener),
    byBoth: jackknife(asked, ({ clip, listener }) => JSON.stringify([clip.cluster, listener])),
  };
}

/** In coordinates of the axis: above 0 where the first group needs easier levels than the second, beyond people. */
function contrast(
  one: Heard,
  other: Heard,
  options: { readonly level: number; readonly minimumClusters: number },
): { readonly interval: Interval; readonly pValue: number | null } {
  const { machine, people, byListener, byBoth } = one;
  if (machine === null || people === null || other.machine === null || other.people === null) {
    const who = machine === null || other.machine === null ? 'recognizer' : 'listeners';
    const reason: Reason = { code: 'no-threshold-of-group', who };
    const interval = { value: null, low: null, high: null, level: options.level, reason, method: 'jackknife' };
    return { interval, pValue: null };
  }
  return jackknifeDifference(jackknifeLess(other.machine, other.people), jackknifeLess(machine, people), {
    ...options,
    listeners: {
      by: jackknifeLess(byListener!, other.byListener!),
      both: jackknifeLess(byBoth!, other.byBoth!),
    },
  });
}

const maxStatements = 4;

/** What machines do to groups beyond what people do: what is shown, or that nothing is. */
export function beyondStatements(gaps: readonly ThresholdGapBeyond[]): Statement[] {
  // Units of axes differ, so the clearest comes first, not the largest.
  const sized = gaps
    .filter(({ beyond }) => beyond.difference.value !== null)
    .toSorted((a, b) => (a.beyond.pValue ?? 1) - (b.beyond.pValue ?? 1));
  const proven = sized.filter(({ beyond }) => beyond.verdict !== 'cannot tell').slice(0, maxStatements);
  const where = ({ axis, recognizer }: ThresholdGapBeyond) => `${named(axis.name)}, ${named(recognizer)}`;
  const apart = ({ axis, machineGap, peopleGap }: ThresholdGapBeyond) =>
    `its thresholds differ by ${sizeOf(machineGap, axis)}, those of listeners on the same clips by ${sizeOf(peopleGap, axis)} (difference beyond listeners in ${differenceUnit(axis)})`;
  const statement = (gap: ThresholdGapBeyond, text: string): Statement => ({
    ...{ text, verdict: gap.beyond.verdict, comparison: gap.beyond },
    kind: gap.axis.unit === ' dB' && gap.axis.scale === 'linear' ? 'decibels' : 'number',
  });
  if (proven.length > 0)
    return proven.map((gap) =>
      statement(
        gap,
        `${where(gap)}: speakers with ${groupName(gap.group)} need an easier level than ${groupName(gap.comparedWith)}, beyond what listeners need: ${apart(gap)}.`,
      ),
    );
  const none = 'No difference between groups is shown to be larger than that of people who heard the same clips';
  const [clearest] = sized;
  if (clearest === undefined) return [{ text: `${none}: none of them can be measured.`, verdict: 'cannot tell' }];
  const about = `${groupName(clearest.group)} and ${groupName(clearest.comparedWith)}`;
  return [statement(clearest, `${none}. The clearest: ${where(clearest)}, ${about}: ${apart(clearest)}.`)];
}

/** Pair of groups by pair of groups. */
export function beyondSection(gaps: readonly ThresholdGapBeyond[]): Section {
  return {
    id: 'threshold-beyond-listeners',
    title: 'Gaps beyond listeners',
    text: [
      'People heard the same clips at the same levels, and thresholds here rest on these alone. What is left of a difference between groups when that of people is taken off is not explained by audio that is hard for everybody. An unintelligible clip counts as no words.',
      `Intervals are jackknife intervals whose clusters are speakers and listeners; with fewer than ${minimumListeners} listeners there is none. Panels whose answers name nobody count as one listener each.`,
    ],
    tables: [
      tableOf('threshold-beyond-listeners', 'Differences of machines less those of listeners on the same clips', gaps, [
        column('axis', 'Axis', 'text', ({ axis }) => axis.name),
        column('group', 'Of', 'text', ({ group }) => groupName(group)),
        column('comparedWith', 'Compared with', 'text', ({ comparedWith }) => groupName(comparedWith)),
        { ...recognizerColumn, of: ({ recognizer }) => recognizer },
        column('speakers', 'Speakers', 'count', ({ beyond }) => beyond.difference.n.speakers),
        column('listeners', 'Listeners', 'count', ({ listeners }) => listeners),
        column('heard', 'Clips heard', 'count', ({ heard }) => heard),
        column('machineGap', 'Difference', 'number', ({ machineGap }) => machineGap),
        column('peopleGap', 'Difference of listeners', 'number', ({ peopleGap }) => peopleGap),
        column('beyond', 'Beyond listeners', 'number', ({ beyond }) => beyond),
        column('unit', 'In', 'text', ({ axis }) => differenceUnit(axis)),
        ...judgedColumns(
          'From a t test with speakers and listeners as clusters; corrected by Holm for all rows.',
          ({ beyond }: ThresholdGapBeyond) => beyond,
        ),
      ]),
    ],
  };
}

function groupName({ attribute, value }: ThresholdGapBeyond['group']): string {
  return `${named(attribute)} ${named(value)}`;
}

/** `6.1 dB`, `0.45 octaves` */
function sizeOf(gap: number | null, axis: Axis): string {
  if (gap === null) return 'an unknown amount';
  const decimals = Math.abs(gap) >= 2 ? 1 : Math.abs(gap) >= 0.1 ? 2 : 4;
  return `${formatFixed(gap, axis.unit === ' dB' && axis.scale === 'linear' ? 1 : decimals)} ${differenceUnit(axis)}`;
}
