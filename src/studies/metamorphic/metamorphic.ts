import { badConfig } from '../../base/errors.ts';
import { asJson } from '../../base/json.ts';
import type { Finding } from '../../model/finding.ts';
import { normalizerIdentity } from '../../scoring/normalizers/normalizer.ts';
import type { Answer, Batch, Study, StudyContext } from '../contract.ts';
import { decidedRates } from '../shared/cube/decided.ts';
import { chosenNormalizer, namedNormalizer } from '../shared/options.ts';
import { ofWords } from '../shared/tables.ts';
import { type JudgedCases, judgeCases } from '../shared/validity/gate.ts';
import { type CaseValidity, gateInWords } from '../shared/validity/validity.ts';
import { withSentence } from '../shared/wording.ts';
import { readCases } from './cases.ts';
import { firstBatch, mainBatch, makeDesign, type RelationDesign } from './design.ts';
import { readFirstAnswers, recheckContradicted } from './first-answers.ts';
import { type MetamorphicOptions, metamorphicOptions, tokensOf, type Unit, unitOf } from './options.ts';
import { relationCube } from './relation-cube.ts';
import { answerOf, scoresOf, sectionsOf, warningsOf } from './report.ts';
import { conclude, type RelationResults } from './results.ts';
import { publishedBleu, soundBleu } from './scoring.ts';
import { addSimilarities, similarityBatch, similaritySample } from './similarity.ts';

const study = { name: 'metamorphic', version: 23 };

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
    const unit = (language: string) => unitOf(language, options.unit);
    const tokens = (text: string, of: Unit, language?: string) => tokensOf(text, of, normalizer, language);
    const first = await readFirstAnswers(firstAnswers, begun, (text, language) =>
      tokens(text, unit(language), language),
    );
    const design = recheckContradicted(begun, first);
    const criticalOf = (of: Unit) => new Set(options.robustness.criticalWords.flatMap((word) => tokens(word, of)));
    const critical = { words: criticalOf('words'), characters: criticalOf('characters') };
    const bleu = options.profile === 'sr-mt' ? publishedBleu : soundBleu;
    const cube = relationCube(design, options, context.seed);
    const answers: AsyncIterable<Answer> = yield mainBatch(design, context);
    const cases = await readCases(answers, cube, {
      design,
      first,
      validity,
      bleu,
      unitOf: unit,
      tokens,
      critical: (of) => critical[of],
      similaritySample: similaritySample(options.similarity, utteranceCount, context),
    });
    const similarity =
      options.similarity !== null && cases.similarityCases.length > 0
        ? await addSimilarities(
            yield similarityBatch(cases.similarityCases, options.similarity),
            cases.similarityCases,
            cube,
            context,
          )
        : null;

    const results = conclude(cube, design, options, [...cases.languages.keys()]);
    const concluded = { results, cube, cases, design, first };
    const decided = decidedRates(study.name, cube.decisive('cases', 'accuracy'), {
      measure: 'error rate against the clean transcript',
      counts: options.profile === 'sr-mt' ? ['edits per word', 'cases'] : ['edits', 'words'],
    });
    return {
      study,
      title: 'Metamorphic relations',
      settings: {
        profile: options.profile,
        normalizer: normalizerIdentity(normalizer),
        units: Object.fromEntries(cases.languages),
        relations: asJson(
          design.relations.map(({ name: relation, output }, place) => ({
            name: relation,
            output,
            conditions: design.conditions.flatMap(({ name }, at) => (design.relationOf[at] === place ? [name] : [])),
          })),
        ),
        conditions: design.conditions.map(({ name: condition }) => condition),
        source: sourceInWords(design, options),
        accuracy:
          options.profile === 'sr-mt'
            ? 'mean over cases of 1 - edits / length of the source; cases with an empty source left out'
            : '1 - all edits / length of all sources',
        bleu: bleu.about,
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
      scores: scoresOf(results),
      answer: withSentence(answerOf(results, design), notValid(results, validity)),
      sections: [...ofWords(sectionsOf(concluded, validity, options.profile), normalizer.name), ...decided.sections],
      warnings: [
        ...decided.warnings,
        ...warningsOf(concluded, similarity, options.minimumSpeakers),
        ...(validity?.warnings ?? []),
      ],
    };
  },
} satisfies Study<MetamorphicOptions>;

/** How many of the cases that the answer counts are not valid. */
function notValid({ sets }: RelationResults, validity: CaseValidity | null): string {
  if (validity === null) return '';
  const relations = sets.filter(({ set }) => set.kind === 'relation').map(({ counts }) => counts);
  const leftOut = relations.reduce((sum, { excluded, unrated }) => sum + excluded + unrated, 0);
  const all = relations.reduce((sum, { pairs }) => sum + pairs, 0);
  return gateInWords(validity.rule, { leftOut, all, of: 'case' }, false);
}

function sourceInWords(design: RelationDesign, { profile }: MetamorphicOptions): string {
  return profile === 'sr-mt'
    ? `the clean clip recognized anew for each of ${design.conditions.length} conditions, in their order`
    : 'the first recognition of the clean clip';
}

/** @throws EarwitnessError `bad-config` where the config has no such embedder */
function checkEmbedder({ similarity }: MetamorphicOptions, { embedders = [] }: StudyContext): void {
  if (similarity === null || embedders.includes(similarity.embedder)) return;
  const there = embedders.length === 0 ? 'it has none' : `it has ${embedders.join(', ')}`;
  throw badConfig(
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
  design: RelationDesign,
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
