import { badConfig } from '../../base/errors.ts';
import { nearestName } from '../../base/nearest-name.ts';
import { limitText } from '../../base/printable.ts';
import { scriptOf } from '../../base/scripts.ts';
import type { Condition } from '../../model/trial.ts';
import { normalizerOf } from '../../scoring/normalizers/by-language.ts';
import { normalizerIdentity } from '../../scoring/normalizers/normalizer.ts';
import { plainEnglish } from '../../scoring/normalizers/plain-english/plain-english.ts';
import type { Study, StudyContext } from '../contract.ts';
import { checkUtterances } from '../shared/check-utterances.ts';
import { chosenNormalizer, listedConditions } from '../shared/options.ts';
import { ofWords } from '../shared/tables.ts';
import { study, tolerantRule } from './case.ts';
import { casesOf, keepCases } from './cases-section.ts';
import { causesSections } from './causes.ts';
import { conduct } from './conduct.ts';
import { HeardPool } from './heard.ts';
import { type DifferentialOptions, differentialOptions, usualNormalizers } from './options.ts';
import { gatherPools } from './pool.ts';
import { answerOf, scores, sectionsOf, timingOf, warningsOf } from './report.ts';
import { concludeSearches } from './results.ts';

/** CrossASR's rules read English numbers and abbreviations: of other languages they make what nobody says. */
async function usualNormalizer(context: StudyContext): Promise<(typeof usualNormalizers)[number]> {
  for await (const { language } of context.utterances()) {
    if (scriptOf(language) !== null && normalizerOf(language) !== plainEnglish) return usualNormalizers[1];
  }
  return usualNormalizers[0];
}

/**
 * Which texts a recognizer gets wrong although another gets them right, found from text alone: texts are spoken by synthesizers, and
 * a predictor that learns from every iteration chooses the next (M. H. Asyrofi et al., "CrossASR: Efficient Differential Testing of
 * Automatic Speech Recognition via Text-To-Speech", ICSME 2020).
 *
 * @example
 * const asking = differential.run(differential.options.parse({ replicates: 3 }), context);
 */
export const differential: Study<DifferentialOptions> = {
  ...study,
  about:
    'Texts that one recognizer gets wrong and another right, spoken by synthesizers and chosen by a predictor (CrossASR)',
  options: differentialOptions,
  check(_options, context) {
    return checkUtterances('differential', { texts: true }, context);
  },
  asksOfFew: () => true,
  async *run(given, context) {
    const { recognizers } = context;
    checkRun(given, context);
    // Equal spellings alone are put on the usual one.
    const isWhole = given.normalizer !== null && !given.normalizer.startsWith('+');
    const usual = isWhole ? '' : await usualNormalizer(context);
    const options = { ...given, normalizer: usual + (given.normalizer ?? '') };
    const normalizer = await chosenNormalizer(context, options.normalizer);
    const tolerance = await chosenNormalizer(context, options.tolerant.normalizer);
    const conditions = uniqueConditions(listedConditions(options.conditions, context.ladders));
    const { pools, dropped } = await gatherPools(context, conditions, normalizer, options.voiceBy);
    const judging = { normalizer, tolerant: tolerantRule(options.tolerant, tolerance) };
    const known = pools.map((pool) => new HeardPool(pool, recognizers, judging));
    const conducted = yield* conduct(known, options, context);

    const results = concludeSearches(conducted, { options, recognizers, dropped });
    const cases = [...casesOf(results.searches, recognizers, options.rule)];
    const kept = keepCases(cases, options.maxCases);
    const { batch, keep, learnAfter, ranking, asking, askedOpenly, acrossVoices, candidates, stop, rule, tolerant } =
      options;
    const { voiceBy, replicates, wholePool, level } = options;
    return {
      study,
      title: 'Differential testing',
      settings: {
        normalizer: normalizerIdentity(normalizer),
        predictor: options.predictor,
        model: conducted.predictor,
        batch: batch ?? 'a tenth of the texts, at most 210',
        keep: keep ?? '400 for 210',
        learnAfter: learnAfter ?? 'a third of the batch',
        ranking,
        asking,
        askedOpenly: asking === 'all' ? null : askedOpenly,
        acrossVoices,
        candidates,
        stop,
        rule,
        tolerant: { ...tolerant, normalizer: normalizerIdentity(tolerance), variants: tolerant.variants.length },
        conditions: conditions.map(({ name }) => name),
        voiceBy,
        replicates,
        wholePool,
        level,
        causes: options.causes,
      },
      ...(pools.length > 0 && { scores }),
      answer: answerOf(results),
      sections: ofWords(sectionsOf(results, kept, causesSections(cases, options.causes)), normalizer.name),
      warnings: warningsOf(results),
      timing: timingOf(results),
    };
  },
};

/** @throws EarwitnessError `bad-config` for what a config can get wrong that its schema does not see */
function checkRun({ predictor }: DifferentialOptions, { recognizers, predictors = [] }: StudyContext): void {
  if (recognizers.length < 2) {
    throw badConfig(
      `differential: expected at least two recognizers, but the config has ${recognizers.length}: two are needed to decide whether the synthesizer or the recognizer is at fault; add another under \`recognizers\``,
    );
  }
  if (predictor === null || predictors.includes(predictor)) return;
  const near = nearestName(predictor, predictors);
  const hint = near === null ? `it has ${predictors.join(', ') || 'none'}` : `did you mean "${near}"?`;
  throw badConfig(
    `differential: expected predictor to be one that the config names under \`predictors\`, but got ${JSON.stringify(limitText(predictor, 64))}; ${hint}`,
  );
}

function uniqueConditions(conditions: readonly Condition[]): Condition[] {
  return [...new Map(conditions.map((condition) => [condition.name, condition])).values()];
}
