import type { Chart, Section } from '../../../model/finding.ts';
import type { Ladder } from '../../../perturbations/contract.ts';
import { familiesInWords } from '../../shared/comparisons.ts';
import { toEstimate } from '../../shared/estimates.ts';
import { namedTrials, failuresSection as sectionOf } from '../../shared/failures.ts';
import {
  comparedWithColumn,
  conditionColumn,
  recognizerColumn,
  verdictCells,
  verdictColumns,
} from '../../shared/tables.ts';
import { conditionFamilies } from '../conditions.ts';
import type { Design } from '../design.ts';
import type { DrawSpread } from '../draws.ts';
import { comparisonFamilies } from '../level-comparisons.ts';
import type { RobustnessOptions } from '../options.ts';
import type { Overview } from '../overview.ts';
import type { Results } from '../results.ts';
import type { Tally } from '../tally.ts';
import { conditionsSection, tableOneSection } from './conditions-section.ts';
import { factsSection } from './facts-section.ts';
import { groupRatiosSection, groupsSection, languagesSection } from './groups-section.ts';
import { levelsSections } from './levels-sections.ts';
import { levelComparisonsSection, validSections } from './valid-sections.ts';

/** Every part of the finding but speed, in the order in which a reader wants them. */
export function sectionsOf(
  results: Results,
  { levels, comparisons, ratios, gaps, draws, valid }: Overview,
  tally: Tally,
  design: Design,
  { options, ladders }: { readonly options: RobustnessOptions; readonly ladders: readonly Ladder[] },
): Section[] {
  return [
    ...levelsSections(levels, design, options),
    levelComparisonsSection(comparisons, design),
    languagesSection(gaps, levels, design),
    curves(results, design, ladders),
    conditionsSection(results, tally, design),
    comparisonsSection(results, design, options),
    groupsSection(results, design),
    groupRatiosSection(ratios, design),
    ...validSections(valid, { levels, results }, design),
    drawsSection(draws, design),
    factsSection(levels, design, options),
    difficultiesSection(design),
    tableOneSection(levels, design, options),
    misheardSection(tally, design),
    failuresSection(tally, design),
    ...examplesSections(tally),
  ].filter((section) => section !== null);
}

/** Trials without a transcript, and what that means for the numbers. */
function failuresSection(tally: Tally, design: Design): Section {
  return sectionOf(
    'robustness',
    'A failed trial is no empty transcript: it is left out of its rate, and in a comparison out of both sides, so that only trials answered on both are compared.',
    namedTrials({ tally, design }, tally.series.words),
  );
}

/** The utterances that are most worth hearing. */
function examplesSections({ worst }: Tally): Section[] {
  const sections: Section[] = [];
  if (worst.newlyBroken.length > 0) {
    sections.push({
      id: 'robustness-newly-broken',
      title: 'Understood clean, lost in a condition',
      text: ['Utterances with at most one error in ten words when clean, by how many more of their words were lost.'],
      examples: worst.newlyBroken,
    });
  }
  if (worst.mostErrors.length > 0) {
    sections.push({
      id: 'robustness-most-errors',
      title: 'Most errors for their length',
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
  return charts.length === 0 ? null : { id: 'robustness-curves', title: 'Word error rate by severity', charts };
}

/** Which words were taken for which on clean sound, by recognizer. */
function misheardSection({ misheard }: Tally, { recognizers }: Design): Section | null {
  const rows = misheard.flatMap((pairs, recognizer) =>
    pairs.map(({ reference, hypothesis, count }) => ({
      recognizer: recognizers[recognizer]!.name,
      said: reference,
      heard: hypothesis,
      count,
    })),
  );
  if (rows.length === 0) return null;
  return {
    id: 'robustness-misheard',
    title: 'Words most often misheard, clean',
    summary: true,
    tables: [
      {
        id: 'robustness-misheard',
        title: 'Words most often misheard, clean',
        columns: [
          { key: 'recognizer', label: 'Recognizer', kind: 'text' },
          { key: 'said', label: 'Said', kind: 'text', transcript: true },
          { key: 'heard', label: 'Heard', kind: 'text', transcript: true },
          { key: 'count', label: 'Times', kind: 'count' },
        ],
        rows,
      },
    ],
  };
}

/** What was measured of the scenarios' sounds and made difficulties of; null where that was not asked for. */
function difficultiesSection({ measured, conditions, survey }: Design): Section | null {
  if (measured === null) return null;
  const several = survey.datasets.length > 1;
  return {
    id: 'robustness-difficulties',
    title: 'How hard the scenarios are',
    text: [
      `NWER and NWERD divide by difficulties from ${measured.about}, on the scale of Speech Robust Bench: more points are harder. Intervals of NWER and NWERD take the points as they are.`,
    ],
    tables: [
      {
        id: 'robustness-difficulties',
        title: 'Measured difficulties',
        columns: [
          conditionColumn,
          ...(several
            ? [
                { key: 'corpus', label: 'Corpus', kind: 'text' as const },
                { key: 'language', label: 'Language', kind: 'text' as const },
              ]
            : []),
          { key: 'points', label: 'Difficulty', kind: 'number' },
          { key: 'dnsmos', label: 'DNSMOS (P.808)', kind: 'number', help: 'Mean over clips; less is worse.' },
          { key: 'pesq', label: 'PESQ', kind: 'number', help: 'Wide-band, against the clean clip; less is worse.' },
        ],
        rows: measured.rows.map(({ condition, dataset, points, dnsmos, pesq }) => {
          const { corpus, language } = survey.datasets[dataset]!;
          return {
            condition: conditions[condition]!.name,
            ...(several ? { corpus: corpus ?? 'unnamed', language } : {}),
            points,
            dnsmos,
            pesq,
          };
        }),
      },
    ],
  };
}

/** How much chance in the sound does; null where nothing was drawn twice. */
function drawsSection(spreads: readonly DrawSpread[], design: Design): Section | null {
  if (spreads.length === 0) return null;
  return {
    id: 'robustness-draws',
    title: 'From draw to draw',
    text: [
      'The same condition with other random choices, all utterances each time. Intervals of rates hold this variance already: every speaker is resampled with all draws, and draws differ from utterance to utterance.',
    ],
    tables: [
      {
        id: 'robustness-draws',
        title: 'Word error rates of the draws',
        columns: [
          conditionColumn,
          recognizerColumn,
          { key: 'draws', label: 'Draws', kind: 'count' },
          { key: 'least', label: 'Least rate', kind: 'rate' },
          { key: 'most', label: 'Highest rate', kind: 'rate' },
          { key: 'deviation', label: 'Standard deviation', kind: 'difference' },
          {
            key: 'variance',
            label: 'Variance (WERV)',
            kind: 'number',
            help: 'Of rates as shares of 1, with divisor draws less 1: the measure of stability of Speech Robust Bench.',
          },
        ],
        rows: spreads.map(({ recognizer, condition, rates, variance, n }) => ({
          condition: design.conditions[condition]!.name,
          recognizer: design.recognizers[recognizer]!.name,
          draws: rates.length,
          least: rates.length === 0 ? null : Math.min(...rates),
          most: rates.length === 0 ? null : Math.max(...rates),
          deviation: variance.value === null ? null : Math.sqrt(variance.value),
          variance: toEstimate(variance, n),
        })),
      },
    ],
  };
}

/** Every pair of recognizers; null where there is one alone. */
function comparisonsSection(results: Results, design: Design, options: RobustnessOptions): Section | null {
  if (results.comparisons.length === 0) return null;
  const rows = results.comparisons.map(({ condition, group, recognizer, comparedWith, comparison }) => ({
    condition: design.conditions[condition]!.name,
    group:
      group === null
        ? 'everybody'
        : `${group.attribute}: ${group.value}${group.dataset === undefined ? '' : ` (${group.dataset})`}`,
    recognizer: design.recognizers[recognizer]!.name,
    comparedWith: design.recognizers[comparedWith]!.name,
    difference: comparison,
    ...verdictCells(comparison),
    pairs: comparison.difference.n.pairs ?? null,
  }));
  return {
    id: 'robustness-comparisons',
    title: 'Recognizers compared',
    text: [familiesInWords(comparisonFamilies, options.level, options.familyError)],
    tables: [
      {
        id: 'robustness-comparisons',
        title: 'Difference in word error rate on the trials that both answered',
        columns: [
          conditionColumn,
          { key: 'group', label: 'Who', kind: 'text' },
          recognizerColumn,
          comparedWithColumn,
          { key: 'difference', label: 'Difference', kind: 'difference', help: 'Below zero: fewer errors.' },
          ...verdictColumns('From swapping the two recognizers speaker by speaker'),
          { key: 'pairs', label: 'Trials', kind: 'count' },
        ],
        rows,
        note: 'A verdict is given only where interval and corrected test agree.',
      },
    ],
  };
}
