import { asJson } from '../../base/json.ts';
import { normalizerIdentity } from '../../scoring/normalizers/normalizer.ts';
import type { Answer, Study } from '../contract.ts';
import { checkUtterances, someUtterances } from '../shared/check-utterances.ts';
import { decidedRates } from '../shared/cube/decided.ts';
import { chosenNormalizer, namedNormalizer } from '../shared/options.ts';
import { machineVoices } from '../shared/speaker-warnings.ts';
import { type JudgedCases, judgeCases } from '../shared/validity/gate.ts';
import { type DegradationOptions, degradationOptions, makePlan, type Plan, plannedBatch, study } from './design.ts';
import { answerOf, scoresOf, warningsOf } from './report.ts';
import { conclude } from './results.ts';
import { sectionsOf } from './sections.ts';
import { countAnswers } from './tally.ts';

/**
 * Whether disturbed sound costs some groups of speakers more than others, without a reference: how far recognizers come apart
 * (S. S. Rajan, S. Udeshi and S. Chattopadhyay, "AequeVox", FASE 2022, arXiv 2110.09843v2, Algorithm 1). Beside the counts of
 * the paper stands what it lacks: intervals and tests that know how few speakers there are. With references the same is
 * asked of word error rates.
 *
 * @example
 * const asking = degradation.run(degradation.options.parse({ conditions: ['aequevox'], groupBy: ['sex'] }), context);
 */
export const degradation: Study<DegradationOptions> = {
  ...study,
  about: 'Whether perturbed audio costs some groups more than others, with or without references (AequeVox)',
  options: degradationOptions,
  async check(options, context) {
    const { groupBy, bins, reference, where } = options;
    const attributes = { groupBy: groupBy ?? [], bins: Object.keys(bins), reference: Object.keys(reference) };
    const needs = { texts: context.recognizers.length < 2, attributes };
    await checkUtterances('degradation', needs, await someUtterances(where, context));
  },
  asksOfFew: ({ where }) => where !== null,
  async *run(options, everything) {
    const context = await someUtterances(options.where, everything);
    const normalizer = await chosenNormalizer(context, namedNormalizer(options));
    const plan = await makePlan(options, context);
    const validity =
      options.validity === null ? null : yield* judgeCases(options.validity, judgedCases(plan, options), context);
    const answers: AsyncIterable<Answer> = yield await plannedBatch(plan, context, validity);
    const counted = await countAnswers(answers, plan, options, normalizer, context);
    const concluded = { ...counted, results: conclude(counted, context, validity), validity, normalizer };
    const answer = answerOf(concluded);
    const scores = scoresOf(concluded, answer);
    const { profile, tolerances, ceiling, groupBy, bins, reference, draws, level, resamples, permutations } = options;
    const ofWords = new Set(plan.measures.filter(({ kind }) => kind === 'word error rate').map(({ name }) => name));
    const decisive = (['all', 'group'] as const)
      .flatMap((slice) => counted.scores.decisive(slice, 'rate'))
      .toSorted((one, other) => Number(ofWords.has(other.series)) - Number(ofWords.has(one.series)));
    const decided = decidedRates('degradation', decisive, { measure: 'rate' });
    return {
      study,
      title: 'Degradation by group',
      settings: {
        normalizer: normalizerIdentity(normalizer),
        distance: 'edits over the words of the longer transcript, both added up over utterances',
        baseline: plan.conditions[0]!.name,
        conditions: plan.conditions.slice(1).map(({ name }) => name),
        profile,
        tolerances,
        ceiling: profile === 'aequevox' ? null : ceiling,
        validity: validity === null ? null : asJson({ rule: validity.rule, identity: validity.identity }),
        ...(options.people !== null && { people: options.people }),
        where: asJson(options.where),
        groupBy,
        bins: asJson(bins),
        reference,
        draws,
        level,
        resamples,
        permutations,
        minimumSpeakers: options.minimumSpeakers,
      },
      ...(scores !== null && { scores }),
      answer,
      sections: [...sectionsOf(concluded), ...decided.sections],
      warnings: [
        ...decided.warnings,
        ...warningsOf(concluded),
        ...(await machineVoices(context)),
        ...(validity?.warnings ?? []),
      ],
    };
  },
};

/** The changed clips that a gate judges. */
function judgedCases({ conditions, drawn }: Plan, options: DegradationOptions): JudgedCases {
  return {
    conditions: conditions.slice(1),
    ratable: conditions.slice(1).map(({ name }) => name),
    draws: (condition) => drawn[condition + 1]!,
    wanted: () => true,
    groupOf: (condition) => condition,
    corpusBy: 'corpus',
    means: options,
  };
}
