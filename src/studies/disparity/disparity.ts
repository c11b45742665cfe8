import type { Finding } from '../../model/finding.ts';
import { type Normalizer, normalizerIdentity } from '../../scoring/normalizers/normalizer.ts';
import type { Answer, Study } from '../contract.ts';
import { asJson } from '../shared/as-json.ts';
import { checkUtterances } from '../shared/check-utterances.ts';
import { chosenNormalizer } from '../shared/normalizer-option.ts';
import { type SoundOrigins, soundOrigins } from '../shared/plain/sound-origins.ts';
import { answerOf } from './answer.ts';
import { dataOf } from './data.ts';
import { designedBatch, makeDesign } from './design.ts';
import { domainShifts } from './domain-shift.ts';
import type { DisparityFinding } from './finding.ts';
import { modelGaps } from './model-gaps.ts';
import { type DisparityOptions, disparityOptions } from './options.ts';
import { plainSummaryOf } from './plain-summary.ts';
import { conclude } from './results.ts';
import { sectionsOf } from './sections/sections.ts';
import { tallyAnswers } from './tally.ts';
import { warningsOf } from './warnings.ts';

const study = { name: 'disparity', version: 10 };

/**
 * Whether recognizers serve groups of speakers unequally: error rates of groups and their intersections, how far they lie
 * from everybody's, which recognizer is less unequal, and whether any of it is more than chance (FairLENS: Y. Wang and
 * others, "FairLENS: Assessing Fairness in Law Enforcement Speech Recognition"; beside it tests over speakers and a
 * mixed-effects model). Utterances without a reference are passed over.
 *
 * @example
 * const asking = disparity.run(disparity.options.parse({ attributes: ['sex', 'accent'] }), context);
 * const { value: batch } = await asking.next();
 * const { value: finding } = await asking.next(answersTo(batch));
 */
export const disparity: Study<DisparityOptions> = {
  ...study,
  about: 'Whether groups of speakers are served unequally, by how much, by which recognizer, and whether it is chance',
  options: disparityOptions,
  check(options, context) {
    const { bins, values, pairs, domains } = options;
    const own = (names: readonly string[]) => names.filter((name) => !Object.hasOwn(pairs, name));
    const attributes = {
      attributes: own(options.attributes ?? []),
      bins: own(Object.keys(bins)),
      values: own(Object.keys(values)),
      pairs: Object.values(pairs).flatMap(({ of }) => of),
      domains: own(domains === null ? [] : [domains.attribute]),
    };
    return checkUtterances('disparity', { texts: true, attributes }, context);
  },
  async *run(options, context) {
    const normalizer = await chosenNormalizer(context, options.normalizer);
    const design = await makeDesign(options, context);
    const answers: AsyncIterable<Answer> = yield designedBatch(design, context);
    const tally = await tallyAnswers(answers, design, normalizer);
    return findingOf(
      {
        tally,
        design,
        options,
        results: conclude(tally, design, options, context),
        shifts: domainShifts(tally, design, options, context.seed),
        model: options.model ? modelGaps(tally, design, options) : null,
      },
      normalizer,
      await soundOrigins(context),
    );
  },
};

function findingOf(known: DisparityFinding, normalizer: Normalizer, origins: SoundOrigins): Finding {
  const { design, options } = known;
  return {
    study,
    title: 'Who is served worse',
    settings: {
      normalizer: normalizerIdentity(normalizer),
      alignment: 'least edits (Levenshtein), each counting 1',
      attributes: design.survey.attributes.map(({ name }) => name),
      orders: asJson([...new Set(design.subgroups.map(({ attributes }) => attributes.length))]),
      bins: asJson(options.bins),
      pairs: asJson(options.pairs),
      values: asJson(options.values),
      other: options.other,
      minimumSpeakers: options.minimumSpeakers,
      profile: options.profile,
      baseline: options.baseline,
      domains: asJson(options.domains),
      conditions: design.conditions.map(({ name }) => name),
      model: options.model,
      permutations: options.permutations,
      level: options.level,
      resamples: options.resamples,
    },
    plain: plainSummaryOf(known, origins),
    answer: answerOf(known),
    sections: sectionsOf(known),
    warnings: warningsOf(known),
    data: dataOf(known),
  };
}
