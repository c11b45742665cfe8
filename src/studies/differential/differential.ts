import { EarwitnessError } from '../../base/errors.ts';
import { limitText } from '../../base/limit-text.ts';
import { nearestName } from '../../base/nearest-name.ts';
import type { Condition } from '../../model/condition.ts';
import type { Finding, Statement } from '../../model/finding.ts';
import { normalizerIdentity } from '../../scoring/normalizers/normalizer.ts';
import type { Study, StudyContext } from '../contract.ts';
import { checkUtterances } from '../shared/check-utterances.ts';
import { failuresSection } from '../shared/failures.ts';
import { chosenNormalizer, listedConditions } from '../shared/options.ts';
import { counted, named, percent } from '../shared/wording.ts';
import { study, tolerantRule } from './case.ts';
import { casesOf, casesSection, keepCases } from './cases-section.ts';
import { comparisonSections } from './comparison-section.ts';
import { conduct } from './conduct.ts';
import { firstIterationSection, rulesSection, searchesSection, wholePoolSection } from './count-sections.ts';
import { dataOf } from './data.ts';
import { failedTrials } from './failed-trials.ts';
import { followUp } from './follow-up/follow-up.ts';
import { groupsOf } from './groups.ts';
import { HeardPool } from './heard.ts';
import { iterationsSections } from './iterations-section.ts';
import { type DifferentialOptions, differentialOptions } from './options.ts';
import { gatherPools, type Pool, type SpokenText } from './pool.ts';
import { concludeSearches, type DifferentialResults } from './results.ts';
import { countTests, failedShare } from './tests-of.ts';
import { warningsOf } from './warnings.ts';

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
  async *run(options, context) {
    const { recognizers } = context;
    checkRun(options, context);
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
    const follow = yield* followUp({
      context,
      options,
      cases,
      collected: collectedTexts(pools),
      conditions,
      rule: options.rule,
      ...judging,
      predictor: options.predictor,
      level: options.level,
      resamples: options.resamples,
    });
    const { batch, keep, learnAfter, ranking, asking, askedOpenly, acrossVoices, candidates, stop, rule, tolerant } =
      options;
    const { voiceBy, replicates, wholePool, level, minimumTexts } = options;
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
        minimumTexts,
        shrinking: options.shrinking,
        mutation: { ...options.mutation, alternatives: options.mutation.alternatives.length },
      },
      answer: [...answerOf(results), ...follow.answer],
      sections: [
        searchesSection(results),
        ...comparisonSections(results),
        ...iterationsSections(results),
        firstIterationSection(results),
        wholePoolSection(results),
        rulesSection(results),
        casesSection(results, kept),
        ...follow.sections,
        failuresSection(
          study.name,
          'A recognition without a transcript is no test: the others are compared without it.',
          failedTrials(results),
        ),
      ].filter((section) => section !== null),
      warnings: [...warningsOf(results), ...follow.warnings],
      data: { ...dataOf(results, kept), ...follow.data },
      timing: timingOf(results),
    };
  },
};

/** @throws EarwitnessError `bad-config` for what a config can get wrong that its schema does not see */
function checkRun({ predictor }: DifferentialOptions, { recognizers, predictors = [] }: StudyContext): void {
  if (recognizers.length < 2) {
    throw new EarwitnessError(
      'bad-config',
      `differential: expected at least two recognizers, but the config has ${recognizers.length}: it takes two to tell whether the synthesizer or the recognizer is at fault; add another under \`recognizers\``,
    );
  }
  if (predictor === null || predictors.includes(predictor)) return;
  const near = nearestName(predictor, predictors);
  const hint = near === null ? `it has ${predictors.join(', ') || 'none'}` : `did you mean "${near}"?`;
  throw new EarwitnessError(
    'bad-config',
    `differential: expected predictor to be one that the config names under \`predictors\`, but got ${JSON.stringify(limitText(predictor, 64))}; ${hint}`,
  );
}

/** Conditions change no text: each voice's once. */
function collectedTexts(pools: readonly Pool[]): SpokenText[] {
  return [...new Map(pools.map(({ voice, texts }) => [voice, texts])).values()].flat();
}

function uniqueConditions(conditions: readonly Condition[]): Condition[] {
  return [...new Map(conditions.map((condition) => [condition.name, condition])).values()];
}

/** How fast failed tests were found: differs from run to run. */
function timingOf({ searches, options, seconds }: DifferentialResults): NonNullable<Finding['timing']> {
  const rows = groupsOf(searches).map(({ name, items }) => {
    const members = items.map(({ heard, tried }) => ({ heard, texts: tried }));
    const { failed } = countTests({ members, recognizer: null }, options.rule);
    const recognition = members.reduce(
      (sum, { heard, texts }) => sum + texts.reduce((part, text) => part + (heard.at(text)?.seconds ?? 0), 0),
      0,
    );
    const prediction = items.reduce((sum, one) => sum + one.predictionSeconds.reduce((a, b) => a + b, 0), 0);
    const work = recognition + prediction;
    return { voice: name, failed, recognition, prediction, perHour: work === 0 ? null : (3600 * failed) / work };
  });
  return {
    answer: [],
    sections: [
      {
        id: 'differential-speed',
        title: 'How fast failed tests were found',
        text: [
          `The searches took ${seconds.toFixed(1)} s by the clock, in which answers stored before take no time. The table counts what each call took when it was made, and what the predictor took; calls that are made side by side count each for itself. Speaking the texts is not counted.`,
        ],
        tables: [
          {
            id: 'differential-speed',
            title: 'Failed tests for an hour of calls',
            columns: [
              { key: 'voice', label: 'Voice', kind: 'text' },
              { key: 'failed', label: 'Failed tests', kind: 'count' },
              { key: 'recognition', label: 'Seconds of recognition', kind: 'seconds' },
              { key: 'prediction', label: 'Seconds of prediction', kind: 'seconds' },
              { key: 'perHour', label: 'Failed tests per hour', kind: 'number' },
            ],
            rows,
          },
        ],
      },
    ],
  };
}

/** What was found, whom it concerns, and whether the predictor was worth it. */
function answerOf(results: DifferentialResults): Statement[] {
  const { searches, options, recognizers, worth } = results;
  const groups = groupsOf(searches);
  const found = groups.map(({ name, items }): Statement => {
    const members = items.map(({ heard, tried }) => ({ heard, texts: tried }));
    const { texts, determinable, failing, failed } = countTests({ members, recognizer: null }, options.rule);
    if (texts === 0) return { text: `${named(name)}: no text was tried.` };
    return {
      text: `${named(name)}: ${counted(failed, 'failed test')} in ${counted(failing, 'text')}, of ${counted(texts, 'text')} tried; ${determinable} (${percent(determinable, texts)}) were determinable.`,
    };
  });
  const whole = searches.length > 0 && searches.every(({ known }) => known.whole);
  const random = searches.map(({ known, sample }) => ({
    heard: known,
    texts: whole ? [...known.pool.texts.keys()] : sample,
  }));
  const shares = recognizers.map(
    ({ name }, recognizer): Statement => ({
      text: `${named(name)}: share of failed tests among determinable texts ${whole ? 'of the whole pool' : 'drawn at random'}.`,
      estimate: failedShare({ members: random, recognizer }, options.rule, 'determinable', options),
      kind: 'rate',
    }),
  );
  const knowing = options.asking === 'all' ? 'knowing all answers' : 'knowing all answers and asking everybody';
  const speedUps = worth.flatMap(({ name, speedUp, shareOfOracle }): Statement[] => [
    {
      text: `${named(name)}: failed tests with the predictor for each found at random, for as many recognitions.`,
      estimate: speedUp,
      kind: 'ratio',
    },
    ...(shareOfOracle === null
      ? []
      : [
          {
            text: `${named(name)}: what the predictor gains over chance, of what ${knowing} would gain.`,
            estimate: shareOfOracle,
            kind: 'rate' as const,
          },
        ]),
  ]);
  return searches.length === 0 ? [{ text: 'There is no text to be spoken.' }] : [...found, ...speedUps, ...shares];
}
