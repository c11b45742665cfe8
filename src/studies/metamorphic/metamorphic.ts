import { EarwitnessError } from '../../base/errors.ts';
import { asJson } from '../../base/json.ts';
import { clean } from '../../model/condition.ts';
import type { Finding, Section } from '../../model/finding.ts';
import { normalizerIdentity } from '../../scoring/normalizers/normalizer.ts';
import type { Answer, Batch, Study, StudyContext } from '../contract.ts';
import { failureWarnings, namedTrials, failuresSection as sectionOf } from '../shared/failures.ts';
import { chosenNormalizer, defaultNormalizer } from '../shared/options.ts';
import { fewUnits } from '../shared/speaker-warnings.ts';
import { comparedWithColumn, recognizerColumn, verdictCells, verdictColumns } from '../shared/tables.ts';
import { type JudgedCases, judgeCases } from '../shared/validity/gate.ts';
import type { CaseValidity } from '../shared/validity/validity.ts';
import { counted, named } from '../shared/wording.ts';
import { type Design, firstBatch, mainBatch, makeDesign } from './design.ts';
import { type FirstAnswers, readFirstAnswers, withContradictions } from './first-answers.ts';
import { type MetamorphicOptions, metamorphicOptions } from './options.ts';
import { curves, publishedSection } from './published-sections.ts';
import { answerOf, dataOf } from './report.ts';
import { conclude, type Results } from './results.ts';
import { prepareScoring } from './scoring.ts';
import { errorsSections, identitySection, setLabels, validitySection } from './sections.ts';
import { setsSections } from './sets-sections.ts';
import { addSimilarities, type SimilarityCounts, similarityBatch, similaritySample } from './similarity.ts';
import { type Tally, tallyAnswers } from './tally.ts';

const study = { name: 'metamorphic', version: 7 };

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
  about: 'Whether transcripts stay what they should be when the sound is changed, without references (SR-MT)',
  options: metamorphicOptions,
  async *run(
    options: MetamorphicOptions,
    context: StudyContext,
  ): AsyncGenerator<Batch, Finding, AsyncIterable<Answer>> {
    checkEmbedder(options, context);
    const name = options.normalizer ?? (options.profile === 'sr-mt' ? 'none' : defaultNormalizer);
    const normalizer = await chosenNormalizer(context, name);
    const utteranceCount = await countUtterances(context);
    const begun = await makeDesign(options, context, utteranceCount);
    const validity =
      options.validity === null ? null : yield* judgeCases(options.validity, relationCases(begun, options), context);

    const beginning = firstBatch(begun, context);
    const firstAnswers: AsyncIterable<Answer> | null = beginning === null ? null : yield beginning;
    const first = await readFirstAnswers(firstAnswers, begun, options.unit, normalizer);
    const design = withContradictions(begun, first);
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
      answer: answerOf(results, design),
      sections: sectionsOf(results, tally, design, first, validity, options.profile),
      warnings: warningsOf(tally, design, first, similarity, options.minimumSpeakers),
      data: dataOf(results, tally, design, similarity),
    };
    return finding;
  },
} satisfies Study<MetamorphicOptions>;

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
    draws: (condition) =>
      Math.max(0, ...design.recognizers.map((_, recognizer) => design.draws(condition, recognizer))),
    wanted: ({ sound }) => sound !== undefined,
    groupOf: (condition, relation) => relation ?? relationOf.get(condition ?? '') ?? null,
    corpusBy: 'corpus',
    means: { level, resamples, minimumSpeakers },
  };
}

/** Every part of the finding, in the order in which a reader wants them. */
function sectionsOf(
  results: Results,
  tally: Tally,
  design: Design,
  first: FirstAnswers,
  validity: CaseValidity | null,
  profile: MetamorphicOptions['profile'],
): Section[] {
  const [relations, ...others] = setsSections(results, design);
  const examples = tally.worst.items();
  return [
    relations ?? null,
    profile === 'sr-mt' ? publishedSection(results, design) : null,
    identitySection(results, design, first),
    curves(results, design),
    ...others,
    comparisonsSection(results, design),
    validitySection(results, tally, design, validity),
    ...errorsSections(results, design),
    failuresSection(tally, design),
    examples.length === 0
      ? null
      : {
          id: 'metamorphic-examples',
          title: 'Violations worth hearing',
          text: [
            'Clips that are recognized alike every time come first, those with the largest share of changed words before others. What counts as said is what was expected: the transcript of the clean clip.',
          ],
          examples,
        },
  ].filter((section) => section !== null);
}

/** Trials without a transcript. */
function failuresSection(tally: Tally, design: Design): Section {
  return sectionOf(
    'metamorphic',
    'A case counts only where clean and changed clip were both answered; a failed trial is no empty transcript.',
    namedTrials({ tally, design: withClean(design) }),
  );
}

/** Every pair of recognizers; null where there is one alone. */
function comparisonsSection({ comparisons }: Results, design: Design): Section | null {
  if (comparisons.length === 0) return null;
  const id = 'metamorphic-comparisons';
  return {
    id,
    title: 'Recognizers compared',
    tables: [
      {
        id,
        title: 'Difference in violations on the cases that both answered',
        columns: [
          { key: 'kind', label: 'What', kind: 'text' },
          { key: 'set', label: 'Name', kind: 'text' },
          recognizerColumn,
          comparedWithColumn,
          { key: 'difference', label: 'Difference', kind: 'difference', help: 'Below zero: fewer violations.' },
          ...verdictColumns('From swapping the two recognizers speaker by speaker'),
          { key: 'pairs', label: 'Cases', kind: 'count' },
        ],
        rows: comparisons.map(({ set, first, second, comparison }) => ({
          kind: setLabels[set.kind],
          set: set.name,
          recognizer: design.recognizers[second]!.name,
          comparedWith: design.recognizers[first]!.name,
          difference: comparison,
          ...verdictCells(comparison),
          pairs: comparison.difference.n.pairs ?? null,
        })),
        note: 'A verdict is given only where interval and corrected test agree.',
      },
    ],
  };
}

/** What a reader must know before believing the numbers. */
function warningsOf(
  tally: Tally,
  design: Design,
  first: FirstAnswers,
  similarity: SimilarityCounts | null,
  minimumSpeakers: number,
): string[] {
  const { clusters, utterances, withoutSpeaker, trials } = tally;
  const warnings: string[] = [];
  if (utterances === 0) warnings.push('The corpus has no utterances, so nothing was asked.');
  if (design.recognitions < 2) {
    warnings.push('There is no identity control: some violations may come without any change.');
  }
  design.recognizers.forEach(({ name }, recognizer) => {
    if (first.contradicted[recognizer]) {
      warnings.push(
        `${named(name)} declares itself deterministic, but gave different transcripts of the same sound; every clip was checked.`,
      );
    }
    for (const id of design.appended) {
      if (first.appendedText(id, recognizer) === null) {
        warnings.push(
          `${named(name)}: the appended utterance ${named(id)} has no transcript, so its relations have no cases.`,
        );
      }
    }
  });
  warnings.push(
    ...failureWarnings(namedTrials({ tally: { trials }, design: withClean(design) }), 'these cases are left out'),
  );
  if (withoutSpeaker > 0) {
    const which = withoutSpeaker === utterances ? 'all utterances' : counted(withoutSpeaker, 'utterance');
    warnings.push(
      `The speakers of ${which} are unknown: such utterances are taken to be independent of each other, and intervals are too narrow where one person spoke several.`,
    );
  }
  if (utterances > 0) warnings.push(...fewUnits(clusters, minimumSpeakers));
  for (const { reason, count: pairs } of similarity?.missing ?? []) {
    warnings.push(`${counted(pairs, 'case')} without a similarity of meaning: ${named(reason)}.`);
  }
  return warnings;
}

/** Trials are counted of clean sound first. */
function withClean(design: Design): Pick<Design, 'recognizers' | 'conditions'> {
  return { ...design, conditions: [clean, ...design.conditions] };
}
