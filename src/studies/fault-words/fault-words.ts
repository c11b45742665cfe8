import { asJson } from '../../base/json.ts';
import { counted } from '../../base/wording.ts';
import { normalizerIdentity } from '../../scoring/normalizers/normalizer.ts';
import { defaultMinimumClusters } from '../../statistics/bootstrap/cluster-spread.ts';
import type { Answer, Study } from '../contract.ts';
import { allTrials } from '../shared/all-trials.ts';
import { checkUtterances, someUtterances } from '../shared/check-utterances.ts';
import { failureGaps, failureStatements } from '../shared/failure-gaps.ts';
import { chosenNormalizer } from '../shared/options.ts';
import { ofWords } from '../shared/tables.ts';

import { biasAgreementStatement, biasesOf } from './bias.ts';
import { type FaultWordsOptions, faultWordsOptions, makeDesign } from './design.ts';
import { countWords } from './heard-words.ts';
import { answerOf, scoresOf, sectionsOf, warningsOf } from './report.ts';
import { averageDrops, localiseFaults } from './results.ts';

const study = { name: 'fault-words', version: 17 };

/** Groups with more failures that have a sentence of their own. */
const maxFailures = 4;

/**
 * Which words vanish from transcripts when sound is disturbed, for whom and for which recognizer: the fault localiser of
 * AequeVox (S. S. Rajan, S. Udeshi and S. Chattopadhyay, FASE 2022, arXiv 2110.09843v2, Algorithm 2), which needs no
 * reference. With references, words that were said are looked at, also those that nobody ever hears.
 *
 * @example
 * const asking = faultWords.run(faultWords.options.parse({ conditions: ['aequevox/noise'], omega: 3 }), context);
 */
export const faultWords: Study<FaultWordsOptions> = {
  ...study,
  about:
    'Which words are no longer recognized in perturbed audio, by group and recognizer (AequeVox’s fault localiser)',
  options: faultWordsOptions,
  async check(options, context) {
    const { groupBy, bins, where } = options;
    const attributes = { groupBy: groupBy ?? [], bins: Object.keys(bins) };
    await checkUtterances('fault-words', { attributes }, await someUtterances(where, context));
  },
  asksOfFew: ({ where }) => where !== null,
  async *run(options, everything) {
    const context = await someUtterances(options.where, everything);
    const normalizer = await chosenNormalizer(context, options.normalizer);
    const design = makeDesign(options, context);
    const answers: AsyncIterable<Answer> = yield await allTrials(
      context,
      design.conditions,
      `baseline and ${counted(design.conditions.length - 1, 'condition')}`,
    );
    const settings = { level: 0.95, resamples: 2000, minimumSpeakers: defaultMinimumClusters, seed: context.seed };
    const heard = await countWords(answers, design, options, normalizer, settings);
    const drops = localiseFaults(heard, design, options);
    const averages = averageDrops(drops, heard.groups, design);
    const names = design.recognizers.map((name) => ({ name }));
    const failures = failureGaps(heard.failures, names, {}, settings);
    const biases = biasesOf(drops, heard.groups, context.findings ?? []);
    const answer = answerOf(drops, design);
    const { baseline, except, where, omega, groupBy, bins } = options;
    return {
      study,
      title: 'Words no longer recognized',
      settings: {
        normalizer: normalizerIdentity(normalizer),
        baseline,
        conditions: design.conditions.slice(1).map(({ name }) => name),
        except,
        where: asJson(where),
        omega,
        groupBy,
        bins: asJson(bins),
      },
      scores: scoresOf(design, answer),
      answer: [...answer, ...biases.map(biasAgreementStatement), ...failureStatements(failures).slice(0, maxFailures)],
      sections: ofWords(sectionsOf({ drops, averages, biases, failures, heard, design, options }), normalizer.name),
      warnings: warningsOf(drops, heard, design, options),
    };
  },
};
