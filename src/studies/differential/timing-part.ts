import type { Finding } from '../../model/finding.ts';
import { groupsOf } from './groups.ts';
import type { DifferentialResults } from './results.ts';
import { countTests } from './tests-of.ts';

/** How fast failed tests were found: differs from run to run. */
export function timingOf({ searches, options, seconds }: DifferentialResults): NonNullable<Finding['timing']> {
  const rows = groupsOf(searches).map(({ name, items }) => {
    const members = items.map(({ heard, tried }) => ({ heard, texts: tried }));
    const { failed } = countTests({ members, recognizer: null }, options.rule);
    const recognition = members.reduce(
      (sum, { heard, texts }) => sum + texts.reduce((part, text) => part + (heard.at(text)?.seconds ?? 0), 0),
      0,
    );
    const prediction = items.reduce((sum, one) => sum + one.predictionSeconds.reduce((a, b) => a + b, 0), 0);
    const work = recognition + prediction;
    return { voice: name, failed, recognition, prediction, perHour: work === 0 ? null : (3600 * failed) / work };
  });
  return {
    answer: [],
    sections: [
      {
        id: 'differential-speed',
        title: 'How fast failed tests were found',
        text: [
          `The searches took ${seconds.toFixed(1)} s by the clock, in which answers stored before take no time. The table counts what each call took when it was made, and what the predictor took; calls that are made side by side count each for itself. Speaking the texts is not counted.`,
        ],
        tables: [
          {
            id: 'differential-speed',
            title: 'Failed tests for an hour of calls',
            columns: [
              { key: 'voice', label: 'Voice', kind: 'text' },
              { key: 'failed', label: 'Failed tests', kind: 'count' },
              { key: 'recognition', label: 'Seconds of recognition', kind: 'seconds' },
              { key: 'prediction', label: 'Seconds of prediction', kind: 'seconds' },
              { key: 'perHour', label: 'Failed tests per hour', kind: 'number' },
            ],
            rows,
          },
        ],
      },
    ],
  };
}
