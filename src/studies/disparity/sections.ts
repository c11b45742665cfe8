import type { BarChart, HeatMap, Section } from '../../model/finding.ts';
import {
  column,
  comparedWithColumn,
  comparisonColumns,
  groupColumn,
  judgedColumns,
  recognizerColumn,
  recognizerIn,
  tableOf,
} from '../shared/tables.ts';
import { counted, listed } from '../shared/wording.ts';
import type { DomainShift } from './domain-shift.ts';
import type { DisparityFinding } from './finding.ts';
import type { RecognizerPair } from './pairs.ts';
import type { GroupResult } from './results.ts';
import { groupLabel } from './wording.ts';

/** Groups that are drawn, those first that lose most beside everybody; the table has all. */
const shiftBarsDrawn = 40;

/** Groups of a recognizer that are drawn; the table has all. */
const barsDrawn = 40;

/** Which groups are worse than average, for which recognizers. */
export function groupsSection({ design, results, options }: DisparityFinding): Section | null {
  const { subgroups, counted, recognizers } = design;
  if (subgroups.length === 0) return null;
  const names = recognizers.map(({ name }) => name);
  const at = (place: number, recognizer: number) => results.groups[place * recognizers.length + recognizer]!;
  const map: HeatMap = {
    title: 'Gap of each group to everybody',
    kind: 'difference',
    columns: names,
    rows: counted.map((place) => ({
      name: groupLabel(subgroups[place]!),
      cells: names.map((_, recognizer) => at(place, recognizer).gap),
    })),
  };
  const rateOf = (place: number, recognizer: number) => at(place, recognizer).wordErrorRate;
  const bars = names.map((name, recognizer): BarChart => {
    const everybody = results.recognizers[recognizer]!.wordErrorRate.value;
    const rates = counted.flatMap((place) => rateOf(place, recognizer).value ?? []);
    const plain = rates.length === 0 ? null : rates.reduce((sum, rate) => sum + rate, 0) / rates.length;
    const worse = counted
      .filter((place) => everybody !== null && (rateOf(place, recognizer).value ?? 0) > everybody)
      .toSorted((a, b) => rateOf(b, recognizer).value! - rateOf(a, recognizer).value!);
    return {
      title: `${name}: groups worse than everybody`,
      label: 'Word error rate',
      kind: 'rate',
      series: [name],
      rows: worse
        .slice(0, barsDrawn)
        .map((place) => ({ name: groupLabel(subgroups[place]!), values: [rateOf(place, recognizer)] })),
      means: [
        ...(everybody === null ? [] : [{ name: 'everybody', value: everybody }]),
        ...(plain === null ? [] : [{ name: 'plain mean of the groups', value: plain }]),
      ],
    };
  });
  return {
    id: 'disparity-groups',
    title: 'Group by group',
    text: [
      'A gap is the word error rate of the group less that of everybody: above zero the group is served worse. Whether it is more than chance was asked by exchanging attributes among speakers; one correction holds for all groups and recognizers together.',
    ],
    ...(counted.length > 0 && names.length > 0 && { heatMaps: [map] }),
    bars: bars.filter(({ rows }) => rows.length > 0),
    tables: [
      {
        ...tableOf('disparity-groups', 'Word error rates of groups', results.groups, [
          { ...groupColumn, of: ({ group }) => groupLabel(group) },
          recognizerIn(recognizers),
          { ...speakersColumn, of: ({ group }) => group.speakers },
          column('words', 'Words', 'count', ({ wordErrorRate }) => wordErrorRate.n.words ?? null),
          { key: 'wordErrorRate', label: 'Word error rate', kind: 'rate' },
          { key: 'gap', label: 'Gap to everybody', kind: 'difference', help: 'Above zero: more errors.' },
          ...judgedColumns(chanceHelp, ({ gap }: GroupResult) => gap),
          column('note', 'Counted', 'text', ({ group }) => group.why ?? 'yes'),
        ]),
        note: `Intervals of rates: ${options.profile === 'fairlens' ? 'BCa bootstrap over speakers, as FairLENS has it; they are too short with few speakers' : 'bootstrap over speakers, calibrated for few of them'}. A verdict is given only where interval and corrected test agree.`,
      },
    ],
  };
}

export const speakersColumn = {
  key: 'speakers',
  label: 'Speakers',
  kind: 'count',
  help: 'People who speak, and utterances whose speaker nobody knows. They decide how sure one can be.',
} as const;
export const chanceHelp = 'How often chance alone does as much, corrected for all comparisons made together.';

/** Every two recognizers, by sound tests and by FairLENS' own rules, and where the two part. */
export function pairsSection({ design, results, options }: DisparityFinding): Section | null {
  if (results.pairs.length === 0) return null;
  const names = design.recognizers.map(({ name }) => name);
  const columns = [
    { ...recognizerColumn, of: ({ second }: RecognizerPair) => names[second]! },
    { ...comparedWithColumn, of: ({ first }: RecognizerPair) => names[first]! },
  ];
  const parting = results.pairs.filter(({ disagree }) => disagree).length;
  const alpha = 1 - options.level + 1e-12;
  const wApart = ({ wTest }: RecognizerPair) => (wTest?.wilcoxon.pValue ?? 1) <= alpha;
  const partingInFairness = results.pairs.filter(
    (pair) => wApart(pair) !== (pair.disparity.verdict !== 'cannot tell'),
  ).length;
  return {
    id: 'disparity-pairs',
    title: 'Recognizers compared',
    text: [
      parting === 0
        ? 'In error rates, overlap of intervals (FairLENS’ rule) and the paired test agree on every pair.'
        : `In error rates, overlap of intervals (FairLENS’ rule) and the paired test part on ${counted(parting, 'pair')} of ${results.pairs.length}: intervals may overlap although the same speakers are served better by one.`,
      partingInFairness === 0
        ? 'In disparity, the uncorrected W-test and the test over speakers agree on every pair.'
        : `In disparity, the uncorrected W-test and the test over speakers part on ${counted(partingInFairness, 'pair')} of ${results.pairs.length}. The W-test takes overlapping groups for independent, and a recognizer with more errors for less fair because it varies more.`,
    ],
    tables: [
      tableOf(
        'disparity-pairs-errors',
        'Difference in word error rate on the trials that both answered',
        results.pairs,
        [
          ...columns,
          {
            ...column('difference', 'Difference', 'difference', ({ wordErrorRate }) => wordErrorRate),
            help: 'Below zero: fewer errors.',
          },
          ...comparisonColumns(
            'From swapping the two recognizers speaker by speaker',
            ({ wordErrorRate }: RecognizerPair) => wordErrorRate,
          ),
          {
            ...column('overlap', 'Intervals overlap', 'text', ({ overlap }) => whether(overlap, 'yes', 'no')),
            help: 'FairLENS: no difference if they do.',
          },
          column('rules', 'The two rules', 'text', ({ overlap, disagree }) =>
            whether(overlap === null ? null : disagree, 'disagree', 'agree'),
          ),
        ],
      ),
      {
        ...tableOf('disparity-pairs-fairness', 'Difference in mean disparity', results.pairs, [
          ...columns,
          {
            ...column('difference', 'Difference', 'difference', ({ disparity }) => disparity),
            help: 'Below zero: less unequal.',
          },
          ...comparisonColumns(
            'From exchanging attributes among speakers',
            ({ disparity }: RecognizerPair) => disparity,
          ),
          {
            ...column('wTest', 'W-test p', 'pvalue', ({ wTest }) => wTest?.wilcoxon.pValue ?? null),
            help: 'Wilcoxon’s signed-rank test on the groups’ disparities, uncorrected, as FairLENS has it.',
          },
          column('wHolm', 'W-test p, Holm', 'pvalue', ({ wTest }) => wTest?.holmPValue ?? null),
          column(
            'wDiscovery',
            'W-test p, Benjamini-Hochberg',
            'pvalue',
            ({ wTest }) => wTest?.falseDiscoveryPValue ?? null,
          ),
          column('wForm', 'W-test', 'text', ({ wTest }) =>
            wTest === null ? null : `${wTest.wilcoxon.method}, ${wTest.groups} groups`,
          ),
        ]),
        note: 'Both know distances alone: a recognizer that is worse for the weak and one that is better for them may have the same mean disparity. The gaps of groups have signs.',
      },
    ],
  };
}

/** Which of two words; null where it is not known. */
function whether(known: boolean | null, yes: string, no: string): string | null {
  return known === null ? null : known ? yes : no;
}

/** What groups lose from one recording or condition to another, beside what all lose. */
export function shiftSection({ design, shifts }: DisparityFinding): Section | null {
  const { domains, recognizers } = design;
  if (domains.length === 0) return null;
  const bars = domains.slice(1).flatMap((domain, offset) =>
    recognizers.map(({ name }, recognizer): BarChart => {
      const own = shifts.filter((shift) => shift.domain === offset + 1 && shift.recognizer === recognizer);
      const everybody = own.find(({ group }) => group === null);
      return {
        title: `${name}: ${domains[0]} and ${domain}`,
        label: 'Word error rate',
        kind: 'rate',
        series: [domains[0]!, domain],
        rows: own
          .filter(
            ({ group, wordErrorRates }) => group?.counted === true && wordErrorRates.every((rate) => rate !== null),
          )
          .toSorted((a, b) => (b.excess?.difference.value ?? 0) - (a.excess?.difference.value ?? 0))
          .slice(0, shiftBarsDrawn)
          .map(({ group, wordErrorRates }) => ({ name: groupLabel(group!), values: wordErrorRates })),
        means: [domains[0]!, domain].flatMap((name, place) => {
          const value = everybody?.wordErrorRates[place] ?? null;
          return value === null ? [] : [{ name: `everybody, ${name}:`, value }];
        }),
      };
    }),
  );
  return {
    id: 'disparity-shift',
    title: `From ${domains[0]} to ${listed(domains.slice(1))}`,
    text: [
      'The change of each group’s word error rate, and by how much it exceeds that of everybody. A group with an excess above zero loses more than others where recordings get harder.',
    ],
    bars: bars.filter(({ rows }) => rows.length > 0),
    tables: [
      {
        ...tableOf('disparity-shift', 'Change by group', shifts, [
          column('domain', 'To', 'text', ({ domain }) => domains[domain]!),
          { ...groupColumn, of: ({ group }) => (group === null ? 'everybody' : groupLabel(group)) },
          recognizerIn(recognizers),
          { ...speakersColumn, of: ({ group, change }) => group?.speakers ?? change.n.speakers },
          column('before', `In ${domains[0]}`, 'rate', ({ wordErrorRates }) => wordErrorRates[0]),
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
