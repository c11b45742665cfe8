import type { Section } from '../../../model/finding.ts';
import { conditionColumn, recognizerColumn } from '../../shared/columns.ts';
import { toEstimate } from '../../shared/estimates.ts';
import type { Design } from '../design.ts';
import type { DrawSpread } from '../draws.ts';

/** How much chance in the sound does; null where nothing was drawn twice. */
export function drawsSection(spreads: readonly DrawSpread[], design: Design): Section | null {
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
