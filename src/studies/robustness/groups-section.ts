import type { BarChart, Estimate, Section, Table } from '../../model/finding.ts';
import {
  attributeColumn,
  column,
  comparedWithColumn,
  comparisonColumns,
  groupColumn,
  recognizerIn,
  speakersColumn,
  tableOf,
  wordsSaidColumn,
} from '../shared/tables.ts';
import { named } from '../shared/wording.ts';
import { rateColumn } from './conditions-section.ts';
import type { Design } from './design.ts';
import type { Gap } from './group-gaps.ts';
import type { GroupRatio, LanguageGap } from './group-ratios.ts';
import { datasetName, type Levels } from './levels.ts';
import type { Results } from './results.ts';

/** Groups on clean sound and in the worst condition; null where there are none. */
export function groupsSection({ groups }: Results, gaps: readonly Gap[], design: Design): Section | null {
  if (groups.length === 0) return null;
  const several = groups.some(({ group }) => group.dataset !== undefined);
  const ratesIn = (id: string, where: string, isIn: (condition: number) => boolean): Table[] => {
    const rows = groups.filter(({ condition }) => isIn(condition));
    const table = tableOf(`robustness-groups-${id}`, `Groups, ${where}`, rows, [
      several && { ...datasetColumn, of: ({ group }) => group.dataset ?? null },
      { ...attributeColumn, of: ({ group }) => group.attribute },
      { ...groupColumn, of: ({ group }) => group.value },
      recognizerIn(design.recognizers),
      rateColumn,
      { ...wordsSaidColumn, of: ({ wordErrorRate }) => wordErrorRate.n.words ?? null },
      { ...speakersColumn, of: ({ wordErrorRate }) => wordErrorRate.n.speakers },
    ]);
    return rows.length === 0 ? [] : [table];
  };
  const { disturbed, conditions } = design;
  const worst = groups.find(({ condition }) => condition > 0 && condition < disturbed)?.condition ?? -1;
  return {
    id: 'robustness-groups',
    title: 'Groups of speakers: who is misheard more',
    tables: [
      ...ratesIn('clean', conditions[0]!.name, (condition) => condition === 0),
      ...ratesIn('worst-condition', conditions[worst]?.name ?? '', (condition) => condition === worst),
      ...ratesIn('recorded', 'recordings', (condition) => condition >= disturbed),
      ...gapsTable(gaps, several, design),
    ],
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
      label: 'Times as many errors, as a power of 2 (LWERR)',
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
  const table = tableOf('robustness-group-ratios', 'Ratio of error rates between groups', ratios, [
    manyDatasets && { ...datasetColumn, of: ({ dataset }) => datasetName(dataset, design) },
    attributeColumn,
    groupColumn,
    comparedWithColumn,
    categoryColumn,
    recognizerIn(design.recognizers),
    {
      ...{ key: 'ratio', label: 'Times as many errors, as a power of 2 (LWERR)', kind: 'number' },
      help: 'Logarithm to base 2 of the ratio of word error rates: 1 is twice as many errors, 0 the same, below 0 fewer.',
    },
    { key: 'groupRate', label: 'Rate of the group', kind: 'rate' },
    { key: 'otherRate', label: 'Rate of the other', kind: 'rate' },
  ]);
  const note = `Each group's rates are averaged over the scenarios, and then divided. ${eachAlone}`;
  return {
    id: 'robustness-group-ratios',
    title: 'Groups of speakers: by kind of disturbance',
    text:
      pairs.length > maxCharts ? [`${maxCharts} of ${pairs.length} pairs of groups are drawn; the table has all.`] : [],
    bars,
    tables: [{ ...table, note }],
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
