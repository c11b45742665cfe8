import type { BarChart, Section } from '../../../model/finding.ts';
import { attributeColumn, comparedWithColumn, groupColumn, recognizerColumn } from '../../shared/columns.ts';
import type { Design } from '../design.ts';
import type { GroupRatio } from '../group-ratios.ts';
import type { LanguageGap } from '../language-gaps.ts';
import { datasetName, type Levels } from '../levels.ts';

export const datasetColumn = {
  key: 'dataset',
  label: 'Data set',
  kind: 'text',
  help: 'A corpus in one language, or recordings that are a scenario; they are never put together.',
} as const;
const categoryColumn = { key: 'category', label: 'Scenarios', kind: 'text' } as const;
const eachAlone = 'Intervals stand each for itself: they are not corrected for their number.';

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

/** What is lost in each language beside the others; null where there is one alone. */
export function languagesSection(gaps: readonly LanguageGap[], levels: Levels, design: Design): Section | null {
  if (gaps.length === 0) return null;
  const lost = (recognizer: number, category: string, language: string) =>
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
    tables: [
      {
        id: 'robustness-languages',
        title: 'Change from clean by language',
        columns: [
          categoryColumn,
          recognizerColumn,
          { key: 'language', label: 'Language', kind: 'text' },
          { key: 'degradation', label: 'Change from clean', kind: 'difference' },
          comparedWithColumn,
          { key: 'otherDegradation', label: 'Change there', kind: 'difference' },
          {
            key: 'difference',
            label: 'Difference',
            kind: 'difference',
            help: 'Above zero: more is lost in the first.',
          },
        ],
        rows: gaps.map(({ recognizer, category, language, comparedWith, difference }) => ({
          category,
          recognizer: design.recognizers[recognizer]!.name,
          language,
          degradation: lost(recognizer, category, language),
          comparedWith,
          otherDegradation: lost(recognizer, category, comparedWith),
          difference,
        })),
        note: `Texts and recordings differ between languages too. Differences are of the scenarios that both have, and nothing is clipped in them. ${eachAlone}`,
      },
    ],
  };
}
