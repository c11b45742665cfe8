import { createRandom } from '../../base/random.ts';
import type { BarChart, Comparison, Estimate, Section } from '../../model/finding.ts';
import type { Reason } from '../../model/reason.ts';
import type { ClusteredCounts } from '../../statistics/bootstrap/clustered-counts.ts';
import { type DealtCell, dealGroups } from '../../statistics/fairness/deal-groups.ts';
import { rateContrast } from '../../statistics/fairness/rate-contrast.ts';
import { toComparison } from '../shared/comparisons.ts';
import { toEstimate } from '../shared/estimates.ts';
import { column, groupColumn, judgedColumns, recognizerColumn, tableOf } from '../shared/tables.ts';
import { listed } from '../shared/wording.ts';
import { chanceHelp, type DisparityDesign, groupLabel, type Subgroup, speakersColumn } from './design.ts';
import type { DisparityOptions } from './options.ts';
import { countsOf, type Gathered, gather, type Scores, unitsOf } from './scores.ts';

/** What one recognizer loses from the first domain to another, for one group. */
export interface DomainShift {
  readonly recognizer: string;
  readonly domain: string;
  /** Null: everybody. */
  readonly group: Subgroup | null;
  /** The two rates, the first domain's first. */
  readonly wordErrorRates: readonly [number | null, number | null];
  /** Rate in the domain less that in the first. */
  readonly change: Estimate;
  /** The group's change less that of everybody; null for everybody. */
  readonly excess: Comparison | null;
}

/**
 * How much more some groups lose than all do, from one recording or condition to another (FairLENS, section 4.3). Speakers
 * may have been recorded in both or in one. Intervals are those of `rateContrast`; the test deals attributes anew among
 * speakers of the same recordings (`presenceOf`), whose changes go with them (`changesOf`), one correction for all groups,
 * recognizers and domains.
 */
export function domainShifts(
  scores: Scores,
  design: DisparityDesign,
  { level, minimumSpeakers, permutations, domains: asked }: DisparityOptions,
  seed: number,
): DomainShift[] {
  const { domains, subgroups, survey, counted } = design;
  const ofSameClips = asked === null;
  const settings = { level, minimumClusters: minimumSpeakers };
  const compared = scores.domains.flatMap(({ recognizer, sums: [from, ...others] }) =>
    others.map((to, place) => ({ recognizer, domain: domains[place + 1]!, from: from!, to })),
  );
  if (compared.length === 0) return [];
  const shifts = compared.flatMap(({ from, to, ...which }, outcome) => {
    const everybody = changeOf(gather(survey, null, from), gather(survey, null, to), ofSameClips);
    return [null, ...subgroups].map((group) => {
      const mine =
        group === null ? everybody : changeOf(gather(survey, group, from), gather(survey, group, to), ofSameClips);
      const beside = everybody.terms.map(({ counts, weight }) => ({ counts, weight: -weight }));
      return {
        ...{ ...which, outcome, group, wordErrorRates: mine.rates, n: mine.n },
        change: rateContrast(mine.terms, settings),
        excess: group === null ? null : rateContrast([...mine.terms, ...beside], settings),
      };
    });
  });
  // A group of which too few are in one of the recordings has no interval, so that nothing could be claimed: it is not tested.
  const tested = counted.filter((place) =>
    shifts.some(({ group, excess }) => group === subgroups[place] && excess?.low != null),
  );
  const dealt = dealGroups(
    {
      ...unitsOf(design, []),
      groups: tested.map((place) => subgroups[place]!.profiles),
      outcomes: compared.map(({ from, to }) => changesOf(countsOf(from), countsOf(to))),
      strata: presenceOf(scores.domains.flatMap(({ sums }) => sums).map(countsOf)),
    },
    { permutations, random: createRandom({ seed, study: 'disparity', what: 'shift' }) },
  );
  return shifts.map(({ n, change, excess, outcome, ...rest }) => {
    const place = rest.group === null ? -1 : subgroups.indexOf(rest.group);
    const untested = {
      pValue: null,
      adjustedPValue: null,
      ...(excess?.reason === undefined ? {} : { reason: excess.reason }),
    };
    const cell = dealt.cells[outcome]![tested.indexOf(place)] ?? (counted.includes(place) ? untested : undefined);
    return {
      ...rest,
      change: toEstimate(change, n),
      excess: excess === null ? null : judged(toEstimate(excess, n), rest.group!, cell, dealt.test),
    };
  });
}

/** The rate of some in the one recording less that in the other, as what contrasts are made of. */
function changeOf(before: Gathered, after: Gathered, ofSameClips: boolean) {
  const both = ofSameClips ? Math.max : (one: number, other: number) => one + other;
  return {
    terms: [
      { counts: after.counts, weight: 1 },
      { counts: before.counts, weight: -1 },
    ],
    rates: [rateOf(before), rateOf(after)] as const,
    n: {
      utterances: both(before.n.utterances, after.n.utterances),
      speakers: Math.max(before.n.speakers, after.n.speakers),
      words: both(before.n.words, after.n.words),
      ...(ofSameClips && { pairs: Math.min(before.n.utterances, after.n.utterances) }),
    },
  };
}

function rateOf({ counts, n }: Gathered): number | null {
  return n.words === 0 ? null : counts.numerators.reduce((sum, errors) => sum + errors, 0) / n.words;
}

/**
 * What each row has to do with the change of the rate of all: how far its errors exceed the rate in the one recording, less
 * the same in the other, each over all words there. Over a group's share of words they make its excess change, as far as
 * it has the same share of both; where attributes do not matter they are exchangeable whatever its shares are.
 */
export function changesOf(before: ClusteredCounts, after: ClusteredCounts): ClusteredCounts {
  const sum = (values: Float64Array) => values.reduce((total, value) => total + value, 0);
  const sides = [
    { counts: after, sign: 1 },
    { counts: before, sign: -1 },
  ].map((side) => ({ ...side, errors: sum(side.counts.numerators), words: sum(side.counts.denominators) }));
  const numerators = new Float64Array(before.numerators.length);
  const denominators = new Float64Array(before.numerators.length);
  // Without words in one of the two there is no change.
  if (sides.every(({ words }) => words > 0)) {
    for (const { counts, sign, errors, words } of sides) {
      counts.denominators.forEach((own, row) => {
        numerators[row]! += (sign * (counts.numerators[row]! - (errors / words) * own)) / words;
        denominators[row]! += own / words / 2;
      });
    }
  }
  return { numerators, denominators };
}

/**
 * Of each row in which recordings it is, as a number. Attributes are dealt among speakers of the same: how a group is spread over the
 * recordings is no matter of chance, and a group that is mostly in one of them has an uncertain change.
 */
export function presenceOf(recordings: readonly ClusteredCounts[]): number[] {
  const present = Array.from(recordings[0]!.denominators, (_, row) =>
    recordings.map(({ denominators }) => Number(denominators[row]! > 0)).join(''),
  );
  // Numbered in an order of their own, not of rows.
  const numbers = new Map([...new Set(present)].sort().map((kind, number) => [kind, number]));
  return present.map((kind) => numbers.get(kind)!);
}

/**
 * A gap with the test of its group. Interval and corrected test must agree, or nothing is claimed; of a group that is not
 * counted nothing is claimed at all.
 *
 * @param cell absent for a group that is not counted
 */
export function judged(difference: Estimate, group: Subgroup, cell: DealtCell | undefined, test: string): Comparison {
  if (cell === undefined) {
    const reason: Reason = { code: 'not-counted', why: group.why ?? null };
    const why = difference.value === null ? (difference.reason ?? reason) : reason;
    const bare = { ...difference, low: null, high: null, reason: why };
    return toComparison(bare, { pValue: null, test: 'no test', reason }, null, null);
  }
  return toComparison(
    difference,
    { pValue: cell.pValue, test, ...(cell.reason === undefined ? {} : { reason: cell.reason }) },
    cell.adjustedPValue,
    null,
  );
}

/** Groups that are drawn, those first that lose most beside everybody; the table has all. */
const shiftBarsDrawn = 40;

/** What groups lose from one recording or condition to another, beside what all lose. */
export function shiftSection(
  { domains, recognizers }: DisparityDesign,
  shifts: readonly DomainShift[],
): Section | null {
  const [first, ...others] = domains;
  if (first === undefined) return null;
  const bars = others.flatMap((domain) =>
    recognizers.map(({ name }): BarChart => {
      const own = shifts.filter((shift) => shift.domain === domain && shift.recognizer === name);
      const everybody = own.find(({ group }) => group === null);
      return {
        title: `${name}: ${first} and ${domain}`,
        label: 'Word error rate',
        kind: 'rate',
        series: [first, domain],
        rows: own
          .filter(
            ({ group, wordErrorRates }) => group?.counted === true && wordErrorRates.every((rate) => rate !== null),
          )
          .toSorted((a, b) => (b.excess?.difference.value ?? 0) - (a.excess?.difference.value ?? 0))
          .slice(0, shiftBarsDrawn)
          .map(({ group, wordErrorRates }) => ({ name: groupLabel(group!), values: wordErrorRates })),
        means: [first, domain].flatMap((name, place) => {
          const value = everybody?.wordErrorRates[place] ?? null;
          return value === null ? [] : [{ name: `everybody, ${name}:`, value }];
        }),
      };
    }),
  );
  return {
    id: 'disparity-shift',
    title: `From ${first} to ${listed(others)}`,
    text: [
      'The change of each group’s word error rate, and by how much it exceeds that of everybody. A group with an excess above zero loses more than others on the harder recordings.',
    ],
    bars: bars.filter(({ rows }) => rows.length > 0),
    tables: [
      {
        ...tableOf('disparity-shift', 'Change by group', shifts, [
          { key: 'domain', label: 'To', kind: 'text' },
          { ...groupColumn, of: ({ group }) => (group === null ? 'everybody' : groupLabel(group)) },
          recognizerColumn,
          { ...speakersColumn, of: ({ group, change }) => group?.speakers ?? change.n.speakers },
          column('before', `In ${first}`, 'rate', ({ wordErrorRates }) => wordErrorRates[0]),
          column('after', 'There', 'rate', ({ wordErrorRates }) => wordErrorRates[1]),
          { key: 'change', label: 'Change', kind: 'difference' },
          { key: 'excess', label: 'More than everybody', kind: 'difference' },
          ...judgedColumns(chanceHelp, ({ excess }: DomainShift) => excess),
        ]),
        note: 'Rates are of the trials answered in each.',
      },
    ],
  };
}
