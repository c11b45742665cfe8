import type { BarChart, HeatMap, Section } from '../../../model/finding.ts';
import { groupColumn, recognizerColumn, verdictColumn } from '../../shared/columns.ts';
import type { DisparityFinding } from '../finding.ts';
import { groupLabel } from '../wording.ts';
import { chanceColumn, speakersColumn } from './columns.ts';

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
        id: 'disparity-groups',
        title: 'Word error rates of groups',
        columns: [
          groupColumn,
          recognizerColumn,
          speakersColumn,
          { key: 'words', label: 'Words', kind: 'count' },
          { key: 'wordErrorRate', label: 'Word error rate', kind: 'rate' },
          { key: 'gap', label: 'Gap to everybody', kind: 'difference', help: 'Above zero: more errors.' },
          chanceColumn,
          verdictColumn,
          { key: 'note', label: 'Counted', kind: 'text' },
        ],
        rows: results.groups.map(({ group, recognizer, wordErrorRate, gap }) => ({
          group: groupLabel(group),
          recognizer: names[recognizer]!,
          speakers: group.speakers,
          words: wordErrorRate.n.words ?? null,
          wordErrorRate,
          gap,
          adjustedPValue: gap.adjustedPValue,
          verdict: gap.verdict,
          note: group.why ?? 'yes',
        })),
        note: `Intervals of rates: ${options.profile === 'fairlens' ? 'BCa bootstrap over speakers, as FairLENS has it; they are too short with few speakers' : 'bootstrap over speakers, calibrated for few of them'}. A verdict is given only where interval and corrected test agree.`,
      },
    ],
  };
}
