import { asJson } from '../../base/json.ts';
import type { Section, Statement } from '../../model/finding.ts';
import { normalizerIdentity } from '../../scoring/normalizers/normalizer.ts';
import type { Answer, Study } from '../contract.ts';
import { checkUtterances, someUtterances } from '../shared/check-utterances.ts';
import { failuresSection, failureWarnings, namedTrials } from '../shared/failures.ts';
import { chosenNormalizer } from '../shared/options.ts';
import { counted, named } from '../shared/wording.ts';
import { type Design, designedQuestions, makeDesign } from './design.ts';
import { type FaultValidationOptions, faultValidationOptions } from './options.ts';
import { conclude, type Tally, type Tried, tallyAnswers, type Validation } from './results.ts';

const study = { name: 'fault-validation', version: 5 };

/**
 * Whether words that the study `fault-words` calls not robust are really missed more often, in sentences that it has not seen: the
 * validation of AequeVox (S. S. Rajan, S. Udeshi and S. Chattopadhyay, FASE 2022, section on RQ5 and Table 7). Sentences with
 * one target word each are drawn for each recognizer from the corpus: texts of a grammar, spoken by a synthesizer.
 *
 * @example
 * const words = { one: { robust: ['call'], nonRobust: ['bags'] } };
 * const asking = faultValidation.run(faultValidation.options.parse({ words }), context);
 */
export const faultValidation: Study<FaultValidationOptions> = {
  ...study,
  about: 'Whether words that fault-words calls not robust are missed more often in new sentences (AequeVox, Table 7)',
  options: faultValidationOptions,
  async check({ where }, context) {
    await checkUtterances('fault-validation', { texts: true }, await someUtterances(where, context));
  },
  asksOfFew: () => true,
  async *run(options, everything) {
    const context = await someUtterances(options.where, everything);
    const normalizer = await chosenNormalizer(context, options.normalizer);
    const design = await makeDesign(options, normalizer, context);
    const answers: AsyncIterable<Answer> = yield {
      about: 'sentences with one target word',
      size: design.drawn.reduce((sum, own) => sum + own.size, 0) * design.conditions.length,
      questions: () => designedQuestions(design, context),
    };
    const tally = await tallyAnswers(answers, design, normalizer);
    const recognizers = design.recognizers.map((name) => ({ name }));
    const trials = namedTrials({ tally, design: { recognizers, conditions: design.conditions } });
    const results = conclude(tally, design, options, context.seed);
    const { words, where, sentences, level, resamples, permutations, minimumWords } = options;
    return {
      study,
      title: 'Words that vanish, tried again',
      settings: {
        normalizer: normalizerIdentity(normalizer),
        words: asJson(words),
        where: asJson(where),
        sentences,
        conditions: design.conditions.map(({ name }) => name),
        level,
        resamples,
        permutations,
        minimumWords,
      },
      answer: answerOf(results, design),
      sections: [
        validationSection(results, design),
        sentencesSection(tally, design, options.examples),
        failuresSection(study.name, 'A failed trial is no missed word: it is left out.', trials),
      ].filter((section) => section !== null),
      warnings: [
        ...warningsOf(design, options),
        ...failureWarnings(trials, 'they are left out, and are no missed words'),
        ...oneSided(results, design),
      ],
      data: asJson({
        trials,
        words: asJson(design.words),
        possible: design.recognizers.map((recognizer, number) => {
          const [robust, nonRobust] = design.possible[number]!;
          return { recognizer, robust, nonRobust };
        }),
        results: results.map(({ recognizer, condition, ...row }) => ({
          recognizer: recognizer === null ? null : design.recognizers[recognizer]!,
          condition: design.conditions[condition]!.name,
          ...row,
        })),
      }),
    };
  },
};

/** In the last condition, which was asked for; clean sound stands in the table. */
function answerOf(results: readonly Validation[], design: Design): Statement[] {
  if (design.recognizers.length === 0) {
    return [{ text: 'No words were named: take those of the study fault-words, and name them under words.' }];
  }
  return results
    .filter(({ condition }) => condition === design.conditions.length - 1)
    .map(({ recognizer, condition, robust, nonRobust, difference }) => {
      const who = recognizer === null ? 'All together' : named(design.recognizers[recognizer]!);
      const [one, other] = recognizer === null ? [1, 1] : design.possible[recognizer]!;
      if (one === 0 || other === 0) {
        const missing = one > 0 ? 'that is not robust' : other > 0 ? 'that is robust' : 'of either kind';
        return {
          text: `${who}: no sentence has a word ${missing}, so that there is nothing to compare, and it was not asked.`,
        };
      }
      const verdict = difference.verdict;
      const found =
        verdict === 'worse'
          ? 'words that were called not robust are missed more often, as was foretold'
          : verdict === 'better'
            ? 'words that were called not robust are missed less often, against what was foretold'
            : 'these data do not tell the two kinds of words apart';
      return {
        text: `${who} in ${named(design.conditions[condition]!.name)}: ${found} (missed: words called not robust in ${nonRobust.missed} of ${counted(nonRobust.sentences, 'sentence')}, robust ones in ${robust.missed} of ${robust.sentences}).`,
        verdict,
        comparison: difference,
        kind: 'difference',
      };
    });
}

/** Kinds of words that are left out in unequal numbers: what is left of the one may be the easier part. */
function oneSided(results: readonly Validation[], design: Design): string[] {
  return results.flatMap(({ recognizer, condition, robust, nonRobust }) => {
    const asked = [robust, nonRobust].map(({ sentences, failed }) => sentences + failed);
    const [one, other] = [robust.failed * asked[1]!, nonRobust.failed * asked[0]!];
    if (recognizer === null || one === other) return [];
    return [
      `${named(design.recognizers[recognizer]!)} gave no answer in ${named(design.conditions[condition]!.name)} to ${robust.failed} of ${counted(asked[0]!, 'sentence')} with a robust word and ${nonRobust.failed} of ${asked[1]} others: the two kinds are compared in what is left, which may be the easier part of the one.`,
    ];
  });
}

function warningsOf({ recognizers, drawn, possible }: Design, { sentences }: FaultValidationOptions): string[] {
  return recognizers.flatMap((name, number) => {
    const sizes = [0, 1].map((side) => [...drawn[number]!.values()].filter((one) => one.side === side).length);
    if (sizes.every((size) => size === sentences) || possible[number]!.includes(0)) return [];
    return [
      `${named(name)}: there are ${sizes[0]} sentences with one robust word and ${sizes[1]} with one that is not, of ${sentences} wanted each. A sentence counts where exactly one target stands in it.`,
    ];
  });
}

/** The table of AequeVox's Table 7: robust and other words side by side, and by how much the others are missed more often. */
function validationSection(results: readonly Validation[], design: Design): Section {
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
function sentencesSection({ tried }: Tally, { recognizers, conditions }: Design, examples: number): Section | null {
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
