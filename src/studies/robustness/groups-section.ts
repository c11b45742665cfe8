import type { BarChart, Cell, Column, Estimate, Section, Table } from '../../model/finding.ts';
import {
  attributeColumn,
  column,
  comparedWithColumn,
  comparisonColumns,
  groupColumn,
  recognizerColumn,
  recognizerIn,
  speakersColumn,
  tableOf,
  wordsSaidColumn,
} from '../shared/tables.ts';
import { counted, named } from '../shared/wording.ts';
import { rateColumn } from './conditions-section.ts';
import type { Design } from './design.ts';
import type { Gap } from './group-gaps.ts';
import type { GroupRatio, LanguageGap } from './group-ratios.ts';
import { datasetName, type Levels } from './levels.ts';
import type { GroupResult, Results } from './results.ts';

/** Groups on clean sound and in the worst condition; null where there are none. */
export function groupsSection(results: Results, gaps: readonly Gap[], design: Design): Section | null {
  if (results.groups.length === 0) return null;
  const decisive = [...new Set(results.groups.map(({ condition }) => condition))].sort((a, b) => a - b);
  const several = results.groups.some(({ group }) => group.dataset !== undefined);
  const columns: Column[] = [
    ...(several ? [datasetColumn] : []),
    attributeColumn,
    groupColumn,
    recognizerColumn,
    rateColumn,
    wordsSaidColumn,
    speakersColumn,
  ];
  const ratesIn = (id: string, where: string, conditions: readonly number[]): Table[] =>
    conditions.length === 0
      ? []
      : [
          {
            id: `robustness-groups-${id}`,
            title: `Groups, ${where}`,
            columns,
            rows: results.groups
              .filter((row) => conditions.includes(row.condition))
              .map((row) => groupRow(row, design)),
          },
        ];
  const ofWorst = decisive.filter((condition) => condition > 0 && condition < design.disturbed);
  const tables = [
    ...ratesIn('clean', design.conditions[0]!.name, decisive.slice(0, decisive[0] === 0 ? 1 : 0)),
    ...ratesIn('worst-condition', ofWorst.map((condition) => design.conditions[condition]!.name).join(), ofWorst),
    ...ratesIn(
      'recorded',
      'recordings',
      decisive.filter((condition) => condition >= design.disturbed),
    ),
  ];
  return {
    id: 'robustness-groups',
    title: 'Groups of speakers',
    text: decisive.flatMap((condition) =>
      design.recognizers.flatMap((_, recognizer) =>
        [...new Set(results.groups.filter((row) => row.condition === condition).map(({ group }) => group.dataset))].map(
          (dataset) => worstGroupSentence(results, design, { condition, dataset }, recognizer),
        ),
      ),
    ),
    tables: [...tables, ...gapsTable(gaps, several, design)],
  };
}

function gapsTable(gaps: readonly Gap[], several: boolean, design: Design): Table[] {
  if (gaps.length === 0) return [];
  const table = tableOf('robustness-gaps', 'Gaps between groups, clean audio', gaps, [
    several && datasetColumn,
    attributeColumn,
    groupColumn,
    comparedWithColumn,
    recognizerIn(design.recognizers),
    {
      ...column('difference', 'Difference', 'difference', ({ comparison }) => comparison),
      help: 'Above zero: more errors in the first.',
    },
    ...comparisonColumns('Speakers dealt to the groups anew', ({ comparison }: Gap) => comparison),
  ]);
  return [
    { ...table, note: 'All recognizers and all pairs of groups were tested together; attributes share the error.' },
  ];
}

function groupRow({ group, recognizer, wordErrorRate }: GroupResult, design: Design): Record<string, Cell> {
  return {
    dataset: group.dataset ?? null,
    attribute: group.attribute,
    group: group.value,
    recognizer: design.recognizers[recognizer]!.name,
    wordErrorRate,
    words: wordErrorRate.n.words ?? null,
    speakers: wordErrorRate.n.speakers,
  };
}

function worstGroupSentence(
  results: Results,
  design: Design,
  { condition, dataset }: { readonly condition: number; readonly dataset: string | undefined },
  recognizer: number,
): string {
  const rows = results.groups.filter(
    (row) =>
      row.condition === condition &&
      row.group.dataset === dataset &&
      row.recognizer === recognizer &&
      row.wordErrorRate.value !== null,
  );
  const highest = (among: readonly GroupResult[]) =>
    among.toSorted((a, b) => b.wordErrorRate.value! - a.wordErrorRate.value!)[0];
  const name = named(design.recognizers[recognizer]!.name);
  const where = `${name} in ${named(design.conditions[condition]!.name)}${dataset === undefined || condition >= design.disturbed ? '' : ` of ${named(dataset)}`}`;
  const enough = highest(rows.filter(({ wordErrorRate }) => wordErrorRate.low !== null));
  const any = highest(rows);
  const inWords = ({ group }: GroupResult) => `${named(group.attribute)} ${named(group.value)}`;
  if (any === undefined) return `${where}: no group has a rate.`;
  if (rows.length > 1 && rows.every(({ wordErrorRate }) => wordErrorRate.value === any.wordErrorRate.value)) {
    return `${where}: all groups have the same measured rate.`;
  }
  if (enough === undefined) {
    return `${where}: ${inWords(any)} has the highest measured rate, but no group has enough speakers for an interval, so there is no verdict.`;
  }
  const few =
    any === enough
      ? ''
      : ` Higher measures ${inWords(any)}, from ${any.wordErrorRate.n.speakers === 0 ? 'unknown speakers' : counted(any.wordErrorRate.n.speakers, 'speaker')}: too few to claim anything.`;
  return `${where}: ${inWords(enough)} has the highest measured rate of the groups with speakers enough for an interval.${few}`;
}

export const datasetColumn = {
  key: 'dataset',
  label: 'Data set',
  kind: 'text',
  help: 'A corpus in one language, or recordings that are a scenario; they are never put together.',
} as const;
const categoryColumn = { key: 'category', label: 'Scenarios', kind: 'text' } as const;
const eachAlone = 'Intervals are not corrected for their number.';

/** Charts of pairs of groups in a data set; the table has all. */
const maxCharts = 12;

/** How many times as many errors groups suffer, by data set and category (Fig. 7 of Speech Robust Bench); null where there are no groups. */
export function groupRatiosSection(ratios: readonly GroupRatio[], design: Design): Section | null {
  if (ratios.length === 0) return null;
  const manyDatasets = design.survey.datasets.length > 1;
  const ofDataset = (dataset: number) => (manyDatasets ? `, ${datasetName(dataset, design)}` : '');
  const pairs = [
    ...Map.groupBy(ratios, ({ attribute, group, comparedWith, dataset }) =>
      JSON.stringify([attribute, group, comparedWith, dataset]),
    ).values(),
  ];
  const bars = pairs.slice(0, maxCharts).map((rows): BarChart => {
    const { attribute, group, comparedWith, dataset } = rows[0]!;
    return {
      title: `${attribute}: ${group} over ${comparedWith}${ofDataset(dataset)}`,
      label: 'LWERR: above 0 more errors, 1 twice as many',
      kind: 'number',
      series: design.recognizers.map(({ name }) => name),
      rows: [...Map.groupBy(rows, ({ category }) => category)].map(([name, own]) => ({
        name,
        values: design.recognizers.map(
          (_, recognizer) => own.find((row) => row.recognizer === recognizer)?.ratio ?? null,
        ),
      })),
    };
  });
  return {
    id: 'robustness-group-ratios',
    title: 'Groups by category',
    text:
      pairs.length > maxCharts ? [`${maxCharts} of ${pairs.length} pairs of groups are drawn; the table has all.`] : [],
    bars,
    tables: [
      {
        id: 'robustness-group-ratios',
        title: 'Ratio of error rates between groups',
        columns: [
          ...(manyDatasets ? [datasetColumn] : []),
          attributeColumn,
          groupColumn,
          comparedWithColumn,
          categoryColumn,
          recognizerColumn,
          {
            key: 'ratio',
            label: 'LWERR',
            kind: 'number',
            help: 'Logarithm to base 2 of the ratio of word error rates: 1 is twice as many errors, 0 the same, below 0 fewer.',
          },
          { key: 'groupRate', label: 'Rate of the group', kind: 'rate' },
          { key: 'otherRate', label: 'Rate of the other', kind: 'rate' },
        ],
        rows: ratios.map((row) => ({
          dataset: datasetName(row.dataset, design),
          attribute: row.attribute,
          group: row.group,
          comparedWith: row.comparedWith,
          category: row.category,
          recognizer: design.recognizers[row.recognizer]!.name,
          ratio: row.ratio,
          groupRate: row.wordErrorRates[0],
          otherRate: row.wordErrorRates[1],
        })),
        note: `Each group's rates are averaged over the scenarios, and then divided. ${eachAlone}`,
      },
    ],
  };
}

/** Fig. 6 of Speech Robust Bench: a chart for each recognizer, categories by language. */
function languageBars(
  gaps: readonly LanguageGap[],
  lost: (gap: LanguageGap, language: string) => Estimate | null,
  { recognizers }: Design,
): BarChart[] {
  const languages = [...new Set(gaps.flatMap(({ comparedWith, language }) => [comparedWith, language]))];
  return recognizers.flatMap(({ name }, recognizer): BarChart[] => {
    const own = Map.groupBy(
      gaps.filter((gap) => gap.recognizer === recognizer),
      ({ category }) => category,
    );
    if (own.size === 0) return [];
    const rows = [...own].map(([category, [gap]]) => ({
      name: category,
      values: languages.map((language) => lost(gap!, language)),
    }));
    return [
      {
        title: `${named(name)}: change from clean`,
        label: 'Change from clean',
        kind: 'difference',
        series: languages,
        rows,
      },
    ];
  });
}

/** What is lost in each language beside the others; null where there is one alone. */
export function languagesSection(gaps: readonly LanguageGap[], levels: Levels, design: Design): Section | null {
  if (gaps.length === 0) return null;
  const lost = ({ recognizer, category }: LanguageGap, language: string): Estimate | null =>
    levels.rows.find(
      (row) =>
        row.recognizer === recognizer &&
        row.level === 'category' &&
        row.name === category &&
        row.scope.kind === 'language' &&
        row.scope.name === language,
    )?.degradation ?? null;
  return {
    id: 'robustness-languages',
    title: 'Languages side by side',
    bars: languageBars(gaps, lost, design),
    tables: [
      {
        ...tableOf('robustness-languages', 'Change from clean by language', gaps, [
          categoryColumn,
          recognizerIn(design.recognizers),
          { key: 'language', label: 'Language', kind: 'text' },
          column('degradation', 'Change from clean', 'difference', (gap) => lost(gap, gap.language)),
          comparedWithColumn,
          column('otherDegradation', 'Change there', 'difference', (gap) => lost(gap, gap.comparedWith)),
          {
            key: 'difference',
            label: 'Difference',
            kind: 'difference',
            help: 'Above zero: more is lost in the first.',
          },
        ]),
        note: `Texts and recordings differ between languages too. Differences are of the scenarios that both have, and nothing is clipped in them. ${eachAlone}`,
      },
    ],
  };
}
