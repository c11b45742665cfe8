import { normalizerIdentity } from '../../scoring/normalizers/normalizer.ts';
import type { Answer, Study } from '../contract.ts';
import { checkUtterances } from '../shared/check-utterances.ts';
import { chosenNormalizer, defaultNormalizer } from '../shared/options.ts';
import { counted, listed } from '../shared/wording.ts';
import { findBreaking } from './breaking.ts';
import { breakingAnswer, breakingData, breakingSection } from './breaking-section.ts';
import { attackBatch, planAttacks, testedSpeakers } from './design.ts';
import { searchHalfLost } from './half-lost-search.ts';
import { type AdversarialOptions, adversarialOptions } from './options.ts';
import { answerOf, dataOf, sectionsOf, warningsOf } from './report.ts';
import { conclude } from './results.ts';
import { tallyAttacks } from './tally.ts';

const study = { name: 'adversarial', version: 3 };

/**
 * How many words recognizers lose to sounds that were made to be misheard, beside white noise of the same SNR: by projected gradient descent
 * on the recognizer itself (Speech Robust Bench, section 3.2), by taking the weakest parts of the spectrum away (Kenansville), and by sounds
 * that were made against another recognizer. WER, CER and the share of clips for which an attack succeeds, with intervals by speaker.
 *
 * @example
 * const asking = adversarial.run(adversarial.options.parse({ snrDb: [30, 20], steps: 20 }), context);
 */
export const adversarial: Study<AdversarialOptions> = {
  ...study,
  about: 'Words lost to sounds that were made to be misheard, beside noise of the same SNR, and what passes to others',
  options: adversarialOptions,
  async check(options, context) {
    planAttacks(options, context);
    await testedSpeakers(options, context);
    await checkUtterances('adversarial', { texts: true, attributes: { groupBy: options.groupBy } }, context);
  },
  async *run(options, whole) {
    const { context, fitted, tested } = await testedSpeakers(options, whole);
    const own = options.profile === 'srb' ? 'srb' : defaultNormalizer;
    const normalizer = await chosenNormalizer(context, options.normalizer ?? own);
    const design = planAttacks(options, context);
    const answers: AsyncIterable<Answer> = yield attackBatch(design, context);
    const tally = await tallyAttacks(answers, design, options, normalizer);
    const breaking = options.breaking ? yield* findBreaking(design, options, context, normalizer) : null;
    const found = options.halfLost ? yield* searchHalfLost(design, options, context, normalizer) : [];
    const known = { design, options, tally, results: conclude(tally, design, options, context, found) };
    const { attacks, snrDb, steps, relativeStep, calls, transfer, profile, successCer, groupBy } = options;
    const beside = design.attacks.flatMap(({ kind, condition }) => (kind === 'beside' ? [condition.name] : []));
    const { level, resamples, minimumSpeakers } = options;
    return {
      study,
      title: 'Adversarial attacks',
      settings: {
        normalizer: normalizerIdentity(normalizer),
        alignment: 'least edits (Levenshtein), each counting 1',
        ...{ attacks, sources: design.sources.map((place) => design.recognizers[place]!.name) },
        ...{
          snrDb,
          steps,
          relativeStep,
          calls,
          transfer,
          beside,
          profile,
          successCer,
          ...(fitted !== null && {
            fit: {
              fittedSpeakers: fitted,
              testedSpeakers: tested,
              recipe: options.fitRecipe,
              maxEpochs: options.fitEpochs,
            },
          }),
          ...(attacks.includes('prepend') && {
            prepend: { lengthSeconds: options.prependSeconds, peak: options.prependPeak },
          }),
          ...(options.halfLost && { halfLost: options.halfLost }),
          ...(options.breaking && { breakingCer: options.breakingCer }),
          groupBy,
          level,
          resamples,
          minimumSpeakers,
        },
      },
      answer: [...answerOf(known), ...(breaking === null ? [] : breakingAnswer(breaking, design))],
      sections: [
        ...sectionsOf(known),
        ...(breaking === null ? [] : [breakingSection(breaking, design, options.breakingCer)]),
      ],
      warnings: [...fittedNote(options.attacks, fitted, tested), ...warningsOf(known)],
      data: breaking === null ? dataOf(known) : { ...dataOf(known), breaking: breakingData(breaking, design) },
    };
  },
};

function fittedNote(attacks: AdversarialOptions['attacks'], fitted: number | null, tested: number): string[] {
  const names = attacks.filter((attack) => attack === 'universal' || attack === 'prepend');
  return fitted === null
    ? []
    : [
        `The sound of ${listed(names)} was fitted on clips of ${counted(fitted, 'speaker')}; everything here is counted on the clips of the other ${tested}.`,
      ];
}
