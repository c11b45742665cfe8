import { grouped } from '../../base/number-format.ts';
import { counted } from '../../base/wording.ts';
import { shownDifference } from '../../model/comparison.ts';
import type { Section, Statement } from '../../model/finding.ts';
import type { Scores } from '../../model/scores.ts';
import { whyOpen } from '../shared/open-verdict.ts';
import { column, comparisonColumns, conditionIn, recognizerColumn, tableOf } from '../shared/tables.ts';
import { differenceInWords, named } from '../shared/wording.ts';
import { type Design, type FaultValidationOptions, possibleSentences } from './design.ts';
import type { Tally, Tried, Validation } from './results.ts';

/** In the last condition, which was asked for; clean sound stands in the table. */
export function answerOf(results: readonly Validation[], design: Design): Statement[] {
  if (design.recognizers.length === 0) {
    return [{ text: 'No words were named: take those of the study fault-words, and name them under words.' }];
  }
  return results
    .filter(({ condition }) => condition === design.conditions.length - 1)
    .map(({ recognizer, condition, robust, nonRobust, difference }) => {
      const who = recognizer === null ? 'Overall' : named(design.recognizers[recognizer]!);
      const [one, other] = recognizer === null ? [1, 1] : possibleSentences(design, design.recognizers[recognizer]!);
      if (one === 0 || other === 0) {
        const missing = one > 0 ? 'that is not robust' : other > 0 ? 'that is robust' : 'of either kind';
        return {
          text: `${who}: no sentence has a word ${missing}, so there is nothing to compare, and it was not asked.`,
        };
      }
      const verdict = difference.verdict;
      const found =
        verdict === 'worse'
          ? 'words that were called not robust are missed more often, as predicted'
          : verdict === 'better'
            ? 'words called not robust are missed less often, contrary to the prediction'
            : 'no significant difference between the two kinds of words';
      return {
        text: `${who} in ${named(design.conditions[condition]!.name)}: ${found} (missed: words called not robust in ${grouped(nonRobust.missed)} of ${counted(nonRobust.sentences, 'sentence')}, robust ones in ${grouped(robust.missed)} of ${grouped(robust.sentences)}; ${differenceInWords(shownDifference(difference), 'with words called not robust')}).${whyOpen(difference)}`,
        verdict,
        comparison: difference,
        kind: 'difference',
        about: {
          ...(recognizer !== null && { recognizer: design.recognizers[recognizer]! }),
          conditions: [design.conditions[condition]!.name],
        },
      };
    });
}

/** Recognizers by conditions: how much more often words called not robust are missed. */
export function scoresOf(results: readonly Validation[], design: Design): Scores {
  const last = results.filter(({ condition }) => condition === design.conditions.length - 1);
  const known = last.filter(({ difference }) => difference.difference.value !== null);
  const told = known.find(({ recognizer }) => recognizer === null) ?? known[0];
  const found =
    told === undefined
      ? []
      : [
          `${nameOf(told, design)} in ${named(design.conditions[told.condition]!.name)}: words called not robust are missed in ${grouped(told.nonRobust.missed)} of ${counted(told.nonRobust.sentences, 'sentence')}, robust ones in ${grouped(told.robust.missed)} of ${grouped(told.robust.sentences)}.`,
        ];
  return {
    measure: 'Missed more often',
    found,
    columns: design.conditions.map(({ name, rung }) => ({
      ...{ words: `in ${name}`, kind: 'difference', best: null },
      head: rung === undefined ? [name] : [rung.family.replace(/^.*\//, ''), rung.label],
      rates: { table: 'fault-validation', column: 'difference', where: { condition: name } },
    })),
    ranks: design.conditions.length - 1,
  };
}

function nameOf({ recognizer }: Validation, { recognizers }: Design): string {
  return recognizer === null ? together : recognizers[recognizer]!;
}

const together = 'all together';

/** Kinds of words that are left out in unequal numbers: what is left of the one may be the easier part. */
export function oneSided(results: readonly Validation[], design: Design): string[] {
  return results.flatMap(({ recognizer, condition, robust, nonRobust }) => {
    const asked = [robust, nonRobust].map(({ sentences, failed }) => sentences + failed);
    const [one, other] = [robust.failed * asked[1]!, nonRobust.failed * asked[0]!];
    if (recognizer === null || one === other) return [];
    return [
      `${named(design.recognizers[recognizer]!)} in ${named(design.conditions[condition]!.name)}: no answer to ${counted(robust.failed, 'sentence')} with a robust word, besides ${grouped(robust.sentences)} answered, and to ${grouped(nonRobust.failed)} with another, besides ${grouped(nonRobust.sentences)}. The two kinds are compared on what was answered, which may be easier for one of them.`,
    ];
  });
}

/** Where there are fewer sentences than were wanted. */
export function warningsOf(design: Design, { sentences }: FaultValidationOptions): string[] {
  return design.recognizers.flatMap((name, number) => {
    const sizes = [0, 1].map((side) => [...design.drawn[number]!.values()].filter((one) => one.side === side).length);
    if (sizes.every((size) => size === sentences) || possibleSentences(design, name).includes(0)) return [];
    return [
      `${named(name)}: there are ${grouped(sizes[0]!)} sentences with one robust word and ${grouped(sizes[1]!)} with one that is not, of ${grouped(sentences)} wanted each. A sentence counts if it contains exactly one target word.`,
    ];
  });
}

/** The table of AequeVox's Table 7: robust and other words side by side, and by how much the others are missed more often. */
export function validationSection(results: readonly Validation[], design: Design): Section {
  const rows = results.filter(
    ({ robust, nonRobust }) => robust.sentences + robust.failed + nonRobust.sentences + nonRobust.failed > 0,
  );
  return {
    id: 'fault-validation',
    title: 'Words expected to be missed, and words not',
    tables: [
      {
        ...tableOf('fault-validation', 'Target words that were missed in new sentences', rows, [
          {
            ...recognizerColumn,
            of: (row) => nameOf(row, design),
          },
          conditionIn(design.conditions),
          column('robustSentences', 'Sentences, robust word', 'count', ({ robust }) => robust.sentences),
          column('robustMissed', 'Missed', 'count', ({ robust }) => robust.missed),
          column('robustFailed', 'No answer', 'count', ({ robust }) => robust.failed),
          column('otherSentences', 'Sentences, other word', 'count', ({ nonRobust }) => nonRobust.sentences),
          column('otherMissed', 'Missed', 'count', ({ nonRobust }) => nonRobust.missed),
          column('otherFailed', 'No answer', 'count', ({ nonRobust }) => nonRobust.failed),
          {
            key: 'difference',
            label: 'Difference of shares',
            kind: 'difference',
            help: 'Above zero: as predicted.',
          },
          ...comparisonColumns(
            'From dealing the words, or the sentences, anew between the two kinds',
            ({ difference }: Validation) => difference,
          ),
          { key: 'excess', label: 'Excess', kind: 'ratio', help: '1 means twice as often missed (AequeVox: 100 %).' },
          column('robustErrors', 'Word errors, robust', 'count', ({ robust }) => robust.errors),
          column('otherErrors', 'Word errors, other', 'count', ({ nonRobust }) => nonRobust.errors),
          column('targets', 'Words', 'text', ({ robust, nonRobust }) => `${robust.targets} and ${nonRobust.targets}`),
          { key: 'units', label: 'Units', kind: 'text', help: 'What intervals and tests take for independent.' },
        ]),
        note: 'A word is missed if the minimum-edit alignment does not find it in its place. With few words, sentences are the units: the result then holds for these words, not for words that fault-words would name another time.',
      },
      tableOf('fault-validation-words', 'Words that are tried', design.targets, [
        ...[recognizerColumn, { key: 'word', label: 'Word', kind: 'text' } as const],
        { ...calledColumn, of: ({ side }) => called[side] },
        { key: 'sentences', label: 'Sentences there are', kind: 'count', help: 'With no other word that is tried.' },
      ]),
    ],
  };
}

const calledColumn = { key: 'kind', label: 'Word called', kind: 'text' } as const;
const called = ['robust', 'not robust'] as const;

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
          kind: called[side],
          sentence: said.map((one) => (one === word ? `**${one}**` : one)).join(' '),
          missed: missed ? 'yes' : 'no',
          heard: heard.join(' '),
        }));
    }),
  );
  if (rows.length === 0) return null;
  return {
    id: 'fault-validation-sentences',
    title: `Sentences and their transcripts in ${conditions[last]!.name}`,
    tables: [
      {
        ...tableOf('fault-validation-sentences', 'Sentences with the word that is tried', rows, [
          recognizerColumn,
          calledColumn,
          { key: 'sentence', label: 'Sentence', kind: 'text', transcript: true, help: 'The word is marked by **.' },
          { key: 'missed', label: 'Missed', kind: 'text' },
          { key: 'heard', label: 'Transcript', kind: 'text', transcript: true },
        ]),
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
