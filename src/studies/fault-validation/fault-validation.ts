import { asJson } from '../../base/json.ts';
import { normalizerIdentity } from '../../scoring/normalizers/normalizer.ts';
import type { Answer, Study } from '../contract.ts';
import { checkUtterances, someUtterances } from '../shared/check-utterances.ts';
import { failuresSection, failureWarnings } from '../shared/failures.ts';
import { chosenNormalizer } from '../shared/options.ts';
import { ofWords } from '../shared/tables.ts';
import { designedQuestions, type FaultValidationOptions, faultValidationOptions, makeDesign } from './design.ts';
import { answerOf, oneSided, scoresOf, sentencesSection, validationSection, warningsOf } from './report.ts';
import { conclude, tallyAnswers } from './results.ts';

const study = { name: 'fault-validation', version: 12 };

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
    const results = conclude(tally, design, options, context.seed);
    const { words, where, sentences, level, resamples, permutations, minimumWords } = options;
    return {
      study,
      title: 'Words no longer recognized, tested again',
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
      scores: scoresOf(results, design),
      answer: answerOf(results, design),
      sections: ofWords(
        [
          validationSection(results, design),
          sentencesSection(tally, design, options.examples),
          failuresSection(study.name, 'A failed trial is no missed word: it is left out.', tally.trials),
        ].filter((section) => section !== null),
        normalizer.name,
      ),
      warnings: [
        ...warningsOf(design, options),
        ...failureWarnings(tally.trials, 'they are left out, and are no missed words'),
        ...oneSided(results, design),
      ],
    };
  },
};
