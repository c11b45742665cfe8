import { asJson } from '../../base/json.ts';
import { counted } from '../../base/wording.ts';
import type { Section } from '../../model/finding.ts';
import { normalizerIdentity } from '../../scoring/normalizers/normalizer.ts';
import type { Answer, Study } from '../contract.ts';
import { attributeReader } from '../shared/attributes.ts';
import { checkUtterances } from '../shared/check-utterances.ts';
import { decidedRates } from '../shared/cube/decided.ts';
import { failureGaps, failureGapsSection } from '../shared/failure-gaps.ts';
import { failuresSection } from '../shared/failures.ts';
import { chosenNormalizer } from '../shared/options.ts';
import { otherVerdicts } from '../shared/other-verdicts.ts';

import { targetsOf } from './causes.ts';
import { clipQuestions, makeDesign, recognitionQuestions } from './design.ts';
import { type GapDecompositionOptions, gapDecompositionOptions } from './options.ts';
import { answerOf, type GapFinding, warningsOf } from './report.ts';
import { conclude, counterfactuals } from './results.ts';
import { causesSection, counterfactualsSection, partsSection, scoresOf } from './sections.ts';
import { tallyAnswers, tallyClips } from './tally.ts';

const study = { name: 'gap-decomposition', version: 22 };

/**
 * How much of a gap between groups goes with how they were recorded, how they speak and what they say, and what remains: an
 * Oaxaca-Blinder decomposition of word errors by Poisson regression with Shapley values (`decomposeGap`). Beside it the gap in
 * sound that was made alike: every clip brought to one level, one noise, one rate of speech.
 *
 * @example
 * const asking = gapDecomposition.run(gapDecomposition.options.parse({ groupBy: ['sex'] }), context);
 */
export const gapDecomposition: Study<GapDecompositionOptions> = {
  ...study,
  about: 'How much of a gap between groups is associated with recording, speaking style and text, and what remains',
  options: gapDecompositionOptions,
  check(options, context) {
    const { groupBy, bins, reference } = options;
    const attributes = {
      ...{ groupBy: groupBy ?? [], bins: Object.keys(bins), reference: Object.keys(reference) },
      attributes: Object.keys(options.attributes),
    };
    return checkUtterances('gap-decomposition', { texts: true, attributes }, context);
  },
  async *run(options, context) {
    const normalizer = await chosenNormalizer(context, options.normalizer);
    const design = await makeDesign(options, normalizer, context);
    const measured: AsyncIterable<Answer> = yield {
      about: 'what clips are like',
      size: null,
      questions: () => clipQuestions(design, context),
    };
    const clips = await tallyClips(measured, design);
    const targets = targetsOf(clips);
    const answers: AsyncIterable<Answer> = yield {
      about:
        design.variants.length === 1
          ? 'clean'
          : `clean, and made alike in ${counted(design.variants.length - 1, 'way')}`,
      size: null,
      questions: () => recognitionQuestions(design, clips, targets, context),
    };
    const tally = await tallyAnswers(answers, design, clips, targets, {
      normalizer,
      read: attributeReader(options.bins),
      settings: { level: options.level, resamples: 2000, minimumSpeakers: options.minimumSpeakers, seed: context.seed },
    });
    const results = conclude({ design, clips, tally }, options, context.seed);
    const { level, minimumSpeakers, reference } = options;
    const settings = { level, minimumSpeakers, seed: context.seed, study: study.name };
    const known = {
      design,
      options,
      clips,
      targets,
      tally,
      results,
      failures: failureGaps(tally.groupTrials, design.recognizers, reference, settings),
      counterfactuals: counterfactuals({ design, tally }, options, context.seed),
    };
    const gaps = results.map(({ recognizer, pair, gap: comparison }) => {
      return { recognizer: design.recognizers[recognizer]!.name, pair, comparison };
    });
    const decided = decidedRates(study.name, tally.decided, { measure: 'WER' });
    const scores = scoresOf(known);
    const allTranscribed = design.survey.withoutReference === 0;
    return {
      study,
      title: 'Gap decomposition',
      settings: {
        normalizer: normalizerIdentity(normalizer),
        alignment: 'least edits (Levenshtein), each counting 1',
        method: 'Poisson regression with an indicator of the group, Shapley values, jackknife over speakers',
        groupBy: design.survey.groupBy,
        bins: asJson(options.bins),
        reference: options.reference,
        causes: options.causes,
        attributes: options.attributes,
        frequencies: options.frequencies,
        bent: options.bent,
        measures: design.measures,
        variants: design.variants.map(({ name }) => name),
        level: options.level,
        minimumSpeakers: options.minimumSpeakers,
      },
      ...(scores !== null && { scores }),
      answer: [...answerOf(known), ...otherVerdicts(study.name, gaps, context.findings ?? [], allTranscribed)],
      sections: [...sectionsOf(known), ...decided.sections],
      warnings: [...decided.warnings, ...warningsOf(known)],
    };
  },
};

/** Every part of the finding, in the order in which a reader wants it. */
function sectionsOf(known: GapFinding): Section[] {
  return [
    partsSection(known),
    counterfactualsSection(known),
    causesSection(known),
    failuresSection(study.name, 'A failed trial is no empty transcript: it is left out.', known.tally.trials),
    failureGapsSection('gap-decomposition', known.failures),
  ].filter((section) => section !== null);
}
