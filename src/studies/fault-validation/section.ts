import type { Section } from '../../model/finding.ts';
import type { Design } from './design.ts';
import type { Validation } from './results.ts';
import type { Tally, Tried } from './tally.ts';

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
        rows: results
          .filter(
            ({ robust, nonRobust }) => robust.sentences + robust.failed + nonRobust.sentences + nonRobust.failed > 0,
          )
          .map(({ recognizer, condition, robust, nonRobust, difference, excess, units }) => ({
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

/**
 * Sentences of either kind with their word marked, and what was heard in the last condition: AequeVox's Table 6 with the answers to it; null
 * where there is none.
 */
export function sentencesSection(
  { tried }: Tally,
  { recognizers, conditions }: Design,
  examples: number,
): Section | null {
  const last = conditions.length - 1;
  const rows = recognizers.flatMap((name, recognizer) =>
    ([0, 1] as const).flatMap((side) => {
      const own = tried.filter((one) => one.recognizer === recognizer && one.condition === last && one.side === side);
      return inTurn(own.toSorted((a, b) => Number(b.missed) - Number(a.missed)))
        .slice(0, examples)
        .map(({ word, missed, said, heard }) => ({
          recognizer: name,
          kind: side === 0 ? 'robust' : 'not robust',
          sentence: said.map((one) => (one === word ? `**${one}**` : one)).join(' '),
          missed: missed ? 'yes' : 'no',
          heard: heard.join(' '),
        }));
    }),
  );
  if (rows.length === 0) return null;
  return {
    id: 'fault-validation-sentences',
    title: `Sentences, and what was heard of them in ${conditions[last]!.name}`,
    tables: [
      {
        id: 'fault-validation-sentences',
        title: 'Sentences with the word that is tried',
        columns: [
          { key: 'recognizer', label: 'Recognizer', kind: 'text' },
          { key: 'kind', label: 'Word called', kind: 'text' },
          { key: 'sentence', label: 'Sentence', kind: 'text', transcript: true, help: 'The word stands between **.' },
          { key: 'missed', label: 'Missed', kind: 'text' },
          { key: 'heard', label: 'Heard', kind: 'text', transcript: true },
        ],
        rows,
        note: 'Missed words first, word by word in turn. Layout of AequeVox’s Table 6.',
      },
    ],
  };
}

/** The first of each word, then the second of each. */
function inTurn(sentences: readonly Tried[]): Tried[] {
  const words = [...Map.groupBy(sentences, ({ word }) => word).values()];
  return words
    .flatMap((own) => own.map((one, turn) => ({ one, turn })))
    .sort((a, b) => a.turn - b.turn)
    .map(({ one }) => one);
}
