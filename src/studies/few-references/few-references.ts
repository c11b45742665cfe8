import { normalizerIdentity } from '../../scoring/normalizers/normalizer.ts';
import type { Answer, Study } from '../contract.ts';
import { asJson } from '../shared/as-json.ts';
import { checkUtterances } from '../shared/check-utterances.ts';
import { failureGaps } from '../shared/failure-gaps.ts';
import { chosenNormalizer } from '../shared/normalizer-option.ts';
import { answerOf } from './answer.ts';
import { dataOf } from './data.ts';
import { designedBatch, makeDesign } from './design.ts';
import { nextRecordings } from './next-recordings.ts';
import { type FewReferencesOptions, fewReferencesOptions } from './options.ts';
import { conclude } from './results.ts';
import { sectionsOf } from './sections/sections.ts';
import { tallyAnswers } from './tally.ts';
import { warningsOf } from './warnings.ts';

const study = { name: 'few-references', version: 7 };

/**
 * Error rates of all recordings, and gaps between groups, where only a sample is transcribed: verdicts that need no reference,
 * calibrated on that sample (prediction-powered inference, `predictionPoweredRate`). Says beside it what the sample alone tells,
 * and which recordings to transcribe next.
 *
 * @example
 * const asking = fewReferences.run(fewReferences.options.parse({ groupBy: ['sex'], next: 100 }), context);
 */
export const fewReferences: Study<FewReferencesOptions> = {
  ...study,
  about: 'Error rates and gaps of all recordings where few have references, and which to transcribe next',
  options: fewReferencesOptions,
  check(options, context) {
    const { groupBy, bins, reference, strata } = options;
    const attributes = { groupBy: groupBy ?? [], bins: Object.keys(bins), reference: Object.keys(reference), strata };
    return checkUtterances('few-references', { attributes }, context);
  },
  async *run(options, context) {
    const normalizer = await chosenNormalizer(context, options.normalizer);
    const design = await makeDesign(options, context);
    const answers: AsyncIterable<Answer> = yield designedBatch(design, context);
    const tally = await tallyAnswers(answers, design, options, normalizer);
    const results = conclude(tally, design, options);
    const next = nextRecordings(tally, design, results.rates, options);
    const { level, minimumSpeakers, reference } = options;
    const settings = { level, minimumSpeakers, seed: context.seed, study: study.name };
    const failures = failureGaps(tally.groupTrials, design.recognizers, reference, settings);
    const known = { design, options, tally, results, failures, next };
    return {
      study,
      title: 'Few references, many recordings',
      settings: {
        normalizer: normalizerIdentity(normalizer),
        alignment: 'least edits (Levenshtein), each counting 1',
        method: 'prediction-powered inference with tuned weight, speakers as units',
        verdict: options.verdict,
        judges: options.judges,
        groupBy: design.survey.groupBy,
        bins: asJson(options.bins),
        reference: options.reference,
        share: options.share,
        strata: options.strata,
        next: options.next,
        level: options.level,
        minimumSpeakers: options.minimumSpeakers,
      },
      answer: answerOf(known),
      sections: sectionsOf(known),
      warnings: warningsOf(known),
      data: dataOf(known),
    };
  },
};
