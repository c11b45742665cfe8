import { EarwitnessError } from '../../base/errors.ts';
import { asJson } from '../../base/json.ts';
import type { Finding } from '../../model/finding.ts';
import { normalizerIdentity } from '../../scoring/normalizers/normalizer.ts';
import type { Answer, Batch, Study, StudyContext } from '../contract.ts';
import { chosenNormalizer, namedNormalizer } from '../shared/options.ts';
import { ofWords } from '../shared/tables.ts';
import { type JudgedCases, judgeCases } from '../shared/validity/gate.ts';
import { type CaseValidity, gateInWords } from '../shared/validity/validity.ts';
import { withSentence } from '../shared/wording.ts';
import { type Design, firstBatch, mainBatch, makeDesign } from './design.ts';
import { readFirstAnswers, recheckContradicted } from './first-answers.ts';
import { type MetamorphicOptions, metamorphicOptions } from './options.ts';
import { answerOf, dataOf, sectionsOf, warningsOf } from './report.ts';
import { conclude } from './results.ts';
import { prepareScoring } from './scoring.ts';
import { addSimilarities, similarityBatch, similaritySample } from './similarity.ts';
import { type Tally, tallyAnswers } from './tally.ts';

const study = { name: 'metamorphic', version: 15 };

/**
 * What recognizers make of clips that were changed in ways that should not matter, without any reference: the transcript of
 * the clean clip says what should come (Wang, Ben and Zhang, "SR-MT", MET 2022). What changes when nothing is changed is
 * measured too, and taken out.
 *
 * @example
 * const asking = metamorphic.run(metamorphic.options.parse({ relations: [{ name: 'noise', conditions: ['aequevox/noise'] }] }), context);
 */
export const metamorphic = {
  ...study,
  about: 'Whether transcripts change as expected when the audio is changed, without references (SR-MT)',
  options: metamorphicOptions,
  async *run(
    options: MetamorphicOptions,
    context: StudyContext,
  ): AsyncGenerator<Batch, Finding, AsyncIterable<Answer>> {
    checkEmbedder(options, context);
    const normalizer = await chosenNormalizer(context, namedNormalizer(options));
    const utteranceCount = await countUtterances(context);
    const begun = await makeDesign(options, context, utteranceCount);
    const validity =
      options.validity === null ? null : yield* judgeCases(options.validity, relationCases(begun, options), context);

    const beginning = firstBatch(begun, context);
    const firstAnswers: AsyncIterable<Answer> | null = beginning === null ? null : yield beginning;
    const first = await readFirstAnswers(firstAnswers, begun, options.unit, normalizer);
    const design = recheckContradicted(begun, first);
    const scoring = prepareScoring({
      design,
      options,
      first,
      validity,
      normalizer,
      similaritySample: similaritySample(options.similarity, utteranceCount, context),
    });
    const answers: AsyncIterable<Answer> = yield mainBatch(design, context);
    const tally = await tallyAnswers(answers, scoring);
    const similarity =
      options.similarity !== null && tally.similarityCases.length > 0
        ? await addSimilarities(yield similarityBatch(tally.similarityCases, options.similarity), tally)
        : null;

    const results = conclude(tally, design, options, context.seed);
    const finding: Finding = {
      study,
      title: 'Metamorphic relations',
      settings: {
        profile: options.profile,
        normalizer: normalizerIdentity(normalizer),
        units: Object.fromEntries(tally.languages.map(({ language, unit }) => [language, unit])),
        relations: asJson(design.relations.map(({ name: relation, output }) => ({ name: relation, output }))),
        conditions: design.conditions.map(({ name: condition }) => condition),
        source: sourceInWords(design, options),
        accuracy:
          options.profile === 'sr-mt'
            ? 'mean over cases of 1 - edits / length of the source; cases with an empty source left out'
            : '1 - all edits / length of all sources',
        bleu: scoring.bleu.about,
        robustness: asJson(options.robustness),
        identity: asJson(options.identity),
        draws: options.draws,
        similarity: asJson(
          options.similarity === null ? null : { ...options.similarity, model: similarity?.model ?? null },
        ),
        validity: validity === null ? null : asJson({ rule: validity.rule, identity: validity.identity }),
        level: options.level,
        resamples: options.resamples,
        minimumSpeakers: options.minimumSpeakers,
      },
      answer: withSentence(answerOf(results, design), notValid(tally, validity)),
      sections: ofWords(sectionsOf(results, tally, design, first, validity, options.profile), normalizer.name),
      warnings: [
        ...warningsOf(tally, design, first, similarity, options.minimumSpeakers),
        ...(validity?.warnings ?? []),
      ],
      data: dataOf(results, tally, design, similarity),
    };
    return finding;
  },
} satisfies Study<MetamorphicOptions>;

/** How many of the cases that the answer counts are not valid. */
function notValid({ judged, excluded, unrated }: Tally, validity: CaseValidity | null): string {
  if (validity === null) return '';
  const leftOut = [...excluded, ...unrated].reduce((sum, count) => sum + count, 0);
  return gateInWords(validity.rule, { leftOut, all: judged, of: 'case' }, false);
}

function sourceInWords(design: Design, { profile }: MetamorphicOptions): string {
  return profile === 'sr-mt'
    ? `the clean clip recognized anew for each of ${design.conditions.length} conditions, in their order`
    : 'the first recognition of the clean clip';
}

/** @throws EarwitnessError `bad-config` where the config has no such embedder */
function checkEmbedder({ similarity }: MetamorphicOptions, { embedders = [] }: StudyContext): void {
  if (similarity === null || embedders.includes(similarity.embedder)) return;
  const there = embedders.length === 0 ? 'it has none' : `it has ${embedders.join(', ')}`;
  throw new EarwitnessError(
    'bad-config',
    `similarity: expected the name of one of the config's embedders, but got ${JSON.stringify(similarity.embedder)}, and ${there}; add it under "embedders"`,
  );
}

async function countUtterances(context: StudyContext): Promise<number> {
  let count = 0;
  for await (const _ of context.utterances()) count++;
  return count;
}

/** The changed clips that a gate judges; ratings are of a relation, or of one of its conditions. */
function relationCases(
  design: Design,
  { level, resamples, minimumSpeakers }: Pick<MetamorphicOptions, 'level' | 'resamples' | 'minimumSpeakers'>,
): JudgedCases {
  const relationOf = new Map(
    design.conditions.map(({ name }, index) => [name, design.relations[design.relationOf[index]!]!.name]),
  );
  return {
    conditions: design.conditions,
    ratable: [...design.relations, ...design.conditions.filter(({ steps }) => steps.length > 0)].map(
      ({ name }) => name,
    ),
    draws: (condition) =>
      Math.max(0, ...design.recognizers.map((_, recognizer) => design.draws(condition, recognizer))),
    wanted: ({ sound }) => sound !== undefined,
    groupOf: (condition, relation) => relation ?? relationOf.get(condition ?? '') ?? null,
    corpusBy: 'corpus',
    means: { level, resamples, minimumSpeakers },
  };
}
