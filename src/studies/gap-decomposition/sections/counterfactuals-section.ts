import type { Section } from '../../../model/finding.ts';
import { pairLabel } from '../../shared/group-pairs.ts';
import type { GapFinding } from '../finding.ts';

/** Gaps in sound as it is, and in sound that was made alike. */
export function counterfactualsSection({ design, counterfactuals, targets }: GapFinding): Section | null {
  if (counterfactuals.length === 0) return null;
  const aims = [
    targets.level === null
      ? null
      : `one level: ${targets.level.toFixed(0)} dB relative to full scale, in steps of 1 dB`,
    targets.noise === null
      ? null
      : `one noise: white noise was added up to a signal-to-noise ratio of ${targets.noise.toFixed(0)} dB; the tenth of the clips that are noisier stay as they are`,
    targets.rate === null ? null : `one rate: ${targets.rate.toFixed(1)} letters a second, in steps of 5 % of tempo`,
  ];
  const made = design.worlds.map(({ equalization }) => equalization);
  const order = ['level', 'noise', 'rate'] as const;
  return {
    id: 'gap-decomposition-counterfactuals',
    title: 'The same clips made alike',
    text: [
      'If a gap goes with a cause, it should change where the cause is the same for everybody. Noise and haste make errors for all, so that gaps may grow with the rates: look at both groups.',
      ...order.flatMap((name, place) => {
        const aim = aims[place];
        return made.includes(name) && aim != null ? [`${aim[0]!.toUpperCase()}${aim.slice(1)}.`] : [];
      }),
    ],
    tables: [
      {
        id: 'gap-decomposition-counterfactuals',
        title: 'Gaps in sound as it is and made alike',
        columns: [
          { key: 'recognizer', label: 'Recognizer', kind: 'text' },
          { key: 'pair', label: 'Groups', kind: 'text' },
          { key: 'world', label: 'Made alike', kind: 'text' },
          { key: 'before', label: 'Gap before', kind: 'difference' },
          { key: 'after', label: 'Gap after', kind: 'difference' },
          { key: 'change', label: 'Change', kind: 'difference', help: 'Below zero: less against the first group.' },
          { key: 'adjustedPValue', label: 'Adjusted p', kind: 'pvalue' },
          { key: 'group', label: 'First group, after', kind: 'rate' },
          { key: 'others', label: 'Second group, after', kind: 'rate' },
          { key: 'changed', label: 'Clips changed', kind: 'count' },
          { key: 'utterances', label: 'Clips', kind: 'count' },
          { key: 'speakers', label: 'Speakers', kind: 'count' },
        ],
        rows: counterfactuals.map(({ recognizer, pair, world, before, after, change, changed, n }) => ({
          recognizer: design.recognizers[recognizer]!.name,
          pair: pairLabel(pair),
          world: design.worlds[world]!.name,
          before: before.gap,
          after: after.gap,
          change,
          adjustedPValue: change.adjustedPValue,
          group: after.group,
          others: after.others,
          changed,
          utterances: n.utterances,
          speakers: n.speakers,
        })),
        note: 'On the clips that could be brought there and have transcripts in both; speakers are the same in both. Holm over all changes.',
      },
    ],
  };
}
