import type { ComparisonSettings } from '../comparisons.ts';
import { groupsOf } from './contract.ts';
import { openCube } from './cube.ts';

/**
 * Failed trials of recognizers over all that each was asked, by group and speaker: of a sound one after another what became of it, by recognizer.
 *
 * @param groupBy null: every attribute with 2 to 8 values
 * @example openFailedTrials(['one', 'two'], ['sex'], settings).add(utterance, [{ failed: true }, { failed: false }])
 */
export function openFailedTrials(
  recognizers: readonly string[],
  groupBy: readonly string[] | null,
  settings: ComparisonSettings,
) {
  return openCube<{ readonly failed: boolean }>()({
    series: recognizers,
    conditions: [],
    counts: {
      failed: { label: 'Failed', of: ({ failed }) => Number(failed) },
      asked: { label: 'Trials', of: () => 1 },
    },
    ratios: { share: { label: 'Share of failed trials', kind: 'rate', over: ['failed', 'asked'], proportion: true } },
    slices: { group: groupsOf(groupBy) },
    unit: 'speaker',
    words: 'asked',
    paired: false,
    settings,
  });
}
