import type { Section } from '../../model/finding.ts';
import type { Design } from './design.ts';
import type { Validation } from './results.ts';

/** The table of AequeVox's Table 7: robust and other words side by side, and by how much the others are missed more often. */
export function validationSection(results: readonly Validation[], design: Design): Section {
  return {
    id: 'fault-validation',
    title: 'Words that should be missed, and words that should not',
    tables: [
      {
        id: 'fault-validation',
        title: 'Target words that were missed in new sentences',
        columns: [
          { key: 'recognizer', label: 'Recognizer', kind: 'text' },
          { key: 'condition', label: 'Condition', kind: 'text' },
          { key: 'robustSentences', label: 'Sentences, robust word', kind: 'count' },
          { key: 'robustMissed', label: 'Missed', kind: 'count' },
          { key: 'robustFailed', label: 'No answer', kind: 'count' },
          { key: 'otherSentences', label: 'Sentences, other word', kind: 'count' },
          { key: 'otherMissed', label: 'Missed', kind: 'count' },
          { key: 'otherFailed', label: 'No answer', kind: 'count' },
          {
            key: 'difference',
            label: 'Difference of shares',
            kind: 'difference',
            help: 'Above zero: as was foretold.',
          },
          { key: 'adjustedPValue', label: 'Adjusted p', kind: 'pvalue' },
          { key: 'excess', label: 'Excess', kind: 'ratio', help: '1 means twice as often missed (AequeVox: 100 %).' },
          { key: 'robustErrors', label: 'Word errors, robust', kind: 'count' },
          { key: 'otherErrors', label: 'Word errors, other', kind: 'count' },
          { key: 'targets', label: 'Words', kind: 'text' },
          { key: 'units', label: 'Units', kind: 'text', help: 'What intervals and tests take for independent.' },
        ],
        rows: results.map(({ recognizer, condition, robust, nonRobust, difference, excess, units }) => ({
          recognizer: recognizer === null ? 'all together' : design.recognizers[recognizer]!,
          condition: design.conditions[condition]!.name,
          robustSentences: robust.sentences,
          robustMissed: robust.missed,
          robustFailed: robust.failed,
          otherSentences: nonRobust.sentences,
          otherMissed: nonRobust.missed,
          otherFailed: nonRobust.failed,
          difference,
          adjustedPValue: difference.adjustedPValue,
          excess,
          robustErrors: robust.errors,
          otherErrors: nonRobust.errors,
          targets: `${robust.targets} and ${nonRobust.targets}`,
          units,
        })),
        note: 'A word is missed where the alignment with least edits does not find it in its place. With few words sentences are the units: what is found then holds for these words, not for words that fault-words would name another time.',
      },
    ],
  };
}
