import type { Chart, Section } from '../../model/finding.ts';
import { reasonText } from '../../model/reason.ts';
import type { Ladder } from '../../perturbations/contract.ts';
import { familiesInWords } from '../shared/comparisons.ts';
import { toEstimate } from '../shared/estimates.ts';
import { failuresSection as sectionOf } from '../shared/failures.ts';
import {
  attributeColumn,
  column,
  comparedWithColumn,
  comparisonColumns,
  conditionIn,
  groupColumn,
  recognizerIn,
  tableOf,
} from '../shared/tables.ts';
import { attacksSection } from './attacks-section.ts';
import { comparisonFamilies } from './comparison-families.ts';
import { conditionFamilies } from './conditions.ts';
import { conditionsSection, levelComparisonsSection, tableOneSection, validSections } from './conditions-section.ts';
import type { Design } from './design.ts';
import { factsSection } from './facts-section.ts';
import type { Gaps } from './group-gaps.ts';
import type { GroupRatio, LanguageGap } from './group-ratios.ts';
import { datasetColumn, groupRatiosSection, groupsSection, languagesSection } from './groups-section.ts';
import type { LevelComparison, Levels } from './levels.ts';
import { levelsSections, lossOf } from './levels-section.ts';
import type { RobustnessOptions } from './options.ts';
import type { RecognizerComparison, Results, ValidResults } from './results.ts';
import { leavesOf } from './scenario-tree.ts';
import type { DrawSpread, Tally } from './tally.ts';

/** Every part of the finding but speed, in the order in which a reader wants them. */
export function sectionsOf(
  results: Results,
  { levels, comparisons, ratios, groupGaps, gaps, draws, valid }: Overview,
  tally: Tally,
  design: Design,
  { options, ladders }: { readonly options: RobustnessOptions; readonly ladders: readonly Ladder[] },
): Section[] {
  return [
    ...levelsSections(levels, design, options),
    attacksSection(levels, design, lossOf(levels, options)),
    levelComparisonsSection(comparisons, design),
    languagesSection(gaps, levels, design),
    curves(results, design, ladders),
    conditionsSection(results, tally, design),
    comparisonsSection(results, design, options),
    groupsSection(results, groupGaps.gaps, design),
    groupRatiosSection(ratios, design),
    ...validSections(valid, { levels, results }, design),
    drawsSection(draws, design),
    factsSection(levels, design, options),
    difficultiesSection(design, options),
    tableOneSection(levels, design, options),
    misheardSection(tally, design),
    failuresSection(tally),
    ...examplesSections(tally),
  ].filter((section) => section !== null);
}

/** Trials without a transcript, and what that means for the numbers. */
function failuresSection({ trials }: Tally): Section {
  return sectionOf(
    'robustness',
    'A failed trial does not count as an empty transcript: it is left out of the rate, and in a comparison out of both sides, so that only trials answered by both are compared.',
    trials,
  );
}

/** The utterances that are most worth hearing. */
function examplesSections({ worst }: Tally): Section[] {
  const sections: Section[] = [];
  if (worst.newlyBroken.length > 0) {
    sections.push({
      id: 'robustness-newly-broken',
      title: 'Recognized clean, lost in a condition',
      text: ['Utterances with a clean WER of at most 10 %, sorted by the increase in errors.'],
      examples: worst.newlyBroken,
    });
  }
  if (worst.mostErrors.length > 0) {
    sections.push({
      id: 'robustness-most-errors',
      title: 'Highest WER',
      examples: worst.mostErrors,
    });
  }
  return sections;
}

/** A chart for each family of severities, clean sound first; null where conditions stand alone. */
function curves(results: Results, design: Design, ladders: readonly Ladder[]): Section | null {
  const wordErrorRate = (condition: number, recognizer: number) =>
    results.conditions[condition * design.recognizers.length + recognizer]!.wordErrorRate;
  const charts = conditionFamilies(design.conditions, ladders).map((family): Chart => {
    const ticks = [0, ...family.conditions];
    return {
      title: family.about === '' ? family.name : `${family.name}: ${family.about}`,
      xLabel: family.axis,
      xTicks: ticks.map((condition) => design.conditions[condition]!.rung?.label ?? 'clean'),
      yLabel: 'Word error rate',
      yKind: 'rate',
      series: design.recognizers.map(({ name }, recognizer) => ({
        name,
        points: ticks.map((condition, x) => ({ x, estimate: wordErrorRate(condition, recognizer) })),
      })),
    };
  });
  return charts.length === 0 ? null : { id: 'robustness-curves', title: 'Word error rate at each severity', charts };
}

/** Which words were taken for which on clean sound, by recognizer. */
function misheardSection({ misheard }: Tally, { recognizers }: Design): Section | null {
  const rows = misheard.flatMap((pairs, recognizer) => pairs.map((pair) => ({ ...pair, recognizer })));
  if (rows.length === 0) return null;
  const id = 'robustness-misheard';
  const title = 'Words most often misrecognized, clean';
  const table = tableOf(id, title, rows, [
    recognizerIn(recognizers),
    { ...column('said', 'Reference', 'text', ({ reference }) => reference), transcript: true },
    { ...column('heard', 'Recognized', 'text', ({ hypothesis }) => hypothesis), transcript: true },
    { key: 'count', label: 'Count', kind: 'count' },
  ]);
  return { id, title, summary: true, tables: [table] };
}

/** What NWER and NWERD are divided by, in each data set; null where nothing is. */
function difficultiesSection(design: Design, options: RobustnessOptions): Section | null {
  const { measured, conditions, survey } = design;
  const leaves = leavesOf(design, options).filter(({ adversarial }) => !adversarial);
  if (measured === null && leaves.every(({ difficulty }) => difficulty.value === null)) return null;
  const several = survey.datasets.length > 1;
  const rows = leaves.map(({ condition, dataset, difficulty }) => {
    const found = measured?.rows.find((row) => row.condition === condition && row.dataset === dataset);
    return { ...found, condition, dataset, points: found?.points ?? difficulty.value, reason: difficulty.reason };
  });
  const source =
    measured?.about ??
    (typeof options.difficulties === 'string' ? publishedTables[options.difficulties] : undefined) ??
    'the config';
  return {
    id: 'robustness-difficulties',
    title: 'Difficulty of the scenarios',
    text: [
      `NWER and NWERD divide by difficulties from ${source}${measured === null ? '' : ', on the scale of Speech Robust Bench'}: more points are harder. Intervals of NWER and NWERD take the points as they are.`,
    ],
    tables: [
      tableOf('robustness-difficulties', `${measured === null ? 'Points' : 'Measured difficulties'}`, rows, [
        conditionIn(conditions),
        several && column('corpus', 'Corpus', 'text', ({ dataset }) => survey.datasets[dataset]!.corpus ?? 'unnamed'),
        several && column('language', 'Language', 'text', ({ dataset }) => survey.datasets[dataset]!.language),
        { key: 'points', label: 'Difficulty', kind: 'number' },
        measured !== null && {
          ...column('dnsmos', 'DNSMOS (P.808)', 'number', ({ dnsmos }) => dnsmos ?? null),
          help: 'Mean over clips; lower is worse.',
        },
        measured !== null && {
          ...column('pesq', 'PESQ', 'number', ({ pesq }) => pesq ?? null),
          help: 'Wide-band, against the clean clip; lower is worse.',
        },
        rows.some(({ points }) => points === null) &&
          column('reason', 'Why none', 'text', ({ reason }) => (reason === undefined ? '' : reasonText(reason))),
      ]),
    ],
  };
}

/** Where published points stand, for people. */
const publishedTables: Readonly<Record<string, string>> = {
  srb: 'Speech Robust Bench, by corpus, as its program has them',
  'srb-table-3': 'Table 3 of the paper of Speech Robust Bench, over its corpora',
};

/** How much chance in the sound does; null where nothing was drawn twice. */
function drawsSection(spreads: readonly DrawSpread[], design: Design): Section | null {
  if (spreads.length === 0) return null;
  return {
    id: 'robustness-draws',
    title: 'Variation between draws',
    text: [
      'The same condition with other random choices, all utterances each time. Intervals of rates already include this variance: speakers are resampled with all their draws.',
    ],
    tables: [
      tableOf('robustness-draws', 'Word error rates of the draws', spreads, [
        conditionIn(design.conditions),
        recognizerIn(design.recognizers),
        column('draws', 'Draws', 'count', ({ rates }) => rates.length),
        column('least', 'Min rate', 'rate', ({ rates }) => (rates.length === 0 ? null : Math.min(...rates))),
        column('most', 'Max rate', 'rate', ({ rates }) => (rates.length === 0 ? null : Math.max(...rates))),
        column('deviation', 'Standard deviation', 'points', ({ variance: { value } }) =>
          value === null ? null : Math.sqrt(value),
        ),
        {
          ...column('variance', 'Variance (WERV)', 'number', ({ variance, n }) => toEstimate(variance, n)),
          help: 'Of rates as shares of 1, with divisor draws minus 1: the measure of stability of Speech Robust Bench.',
        },
      ]),
    ],
  };
}

/** Every pair of recognizers; null where there is one alone. */
function comparisonsSection(results: Results, design: Design, options: RobustnessOptions): Section | null {
  if (results.comparisons.length === 0) return null;
  const ofGroups = results.comparisons.flatMap(({ group }) => group ?? []);
  const id = 'robustness-comparisons';
  const title = 'Difference in word error rate on the trials that both answered';
  const table = tableOf(id, title, results.comparisons, [
    conditionIn(design.conditions),
    ofGroups.length > 0 && { ...attributeColumn, of: ({ group }) => group?.attribute ?? null },
    { ...groupColumn, of: ({ group }) => group?.value ?? 'everybody' },
    ofGroups.some(({ dataset }) => dataset !== undefined) && {
      ...datasetColumn,
      of: ({ group }) => group?.dataset ?? null,
    },
    recognizerIn(design.recognizers),
    { ...comparedWithColumn, of: ({ comparedWith }) => design.recognizers[comparedWith]!.name },
    {
      ...column('difference', 'Difference', 'difference', ({ comparison }) => comparison),
      help: 'Below zero: fewer errors.',
    },
    ...comparisonColumns(
      'Permutation test: the two recognizers are swapped speaker by speaker',
      ({ comparison }: RecognizerComparison) => comparison,
    ),
    column('pairs', 'Trials', 'count', ({ comparison }) => comparison.difference.n.pairs ?? null),
  ]);
  return {
    id,
    title: 'Recognizers compared: in each condition',
    text: [familiesInWords(comparisonFamilies(options), options.level)],
    tables: [{ ...table, note: 'A verdict is given only if the interval and the adjusted p agree.' }],
  };
}

/** What is concluded over many scenarios together. */
export interface Overview {
  readonly levels: Levels;
  readonly comparisons: readonly LevelComparison[];
  readonly ratios: readonly GroupRatio[];
  readonly groupGaps: Gaps;
  readonly gaps: readonly LanguageGap[];
  readonly draws: readonly DrawSpread[];
  /** With only the sounds that a validity gate keeps; null without one. */
  readonly valid: ValidResults | null;
}
