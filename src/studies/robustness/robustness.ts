import { badConfig } from '../../base/errors.ts';
import { asJson } from '../../base/json.ts';
import { printable } from '../../base/printable.ts';
import { counted } from '../../base/wording.ts';
import type { Finding } from '../../model/finding.ts';
import { clean } from '../../model/trial.ts';
import { countsCharacters } from '../../scoring/normalizers/by-language.ts';
import { type Normalizer, normalizerIdentity } from '../../scoring/normalizers/normalizer.ts';
import type { Answer, Study, StudyContext } from '../contract.ts';
import { missingAttributeWarnings } from '../shared/attributes.ts';
import { checkUtterances } from '../shared/check-utterances.ts';
import { decidedRates } from '../shared/cube/decided.ts';
import { failureWarnings } from '../shared/failures.ts';
import { chosenNormalizer, namedNormalizer } from '../shared/options.ts';
import { partSamplingWarnings, speakerWarnings } from '../shared/speaker-warnings.ts';
import { judgeCases } from '../shared/validity/gate.ts';
import type { CaseValidity } from '../shared/validity/validity.ts';
import { gateInWords } from '../shared/validity/validity.ts';
import { listed, named, withSentence } from '../shared/wording.ts';
import { answerOf } from './answer.ts';
import { knownLadders } from './conditions.ts';
import type { GroupPart } from './counts.ts';
import { type Design, designedBatch, makeDesign, surveyUtterances } from './design.ts';
import { gapStatements, groupGaps } from './group-gaps.ts';
import { groupRatios, languageGaps } from './group-ratios.ts';
import { concludeLevels, datasetName } from './levels.ts';
import { measureDifficulties } from './measured-difficulties.ts';
import { type RobustnessOptions, robustnessOptions } from './options.ts';
import { publishedFor } from './published-for.ts';
import { type Overview, sectionsOf } from './report.ts';
import { conclude, concludeValid, judgedCases } from './results.ts';
import { usesPublished } from './scenario-tree.ts';
import { scoresOf } from './scores.ts';
import { timingPart } from './speed.ts';
import { drawSpreads, type Tally, tallyAnswers } from './tally.ts';

const study = { name: 'robustness', version: 35 };

/**
 * How many words each recognizer gets wrong, on clean sound and in each condition, by family and category of conditions and
 * over all of them, for everybody and for the group that fares worst, in every language and corpus, and which recognizer
 * is better (M. A. Shah et al., "Speech Robust Bench", arXiv 2403.07937v3). Utterances without a reference are passed over.
 *
 * @example
 * const asking = robustness.run(robustness.options.parse({ conditions: ['aequevox/noise'] }), context);
 * const { value: batch } = await asking.next();
 * const { value: finding } = await asking.next(answersTo(batch));
 */
export const robustness: Study<RobustnessOptions> = {
  ...study,
  about: 'Word error rates on clean and perturbed audio, overall and by group, and which recognizer is better',
  options: robustnessOptions,
  async check(options, context) {
    const { groupBy, corpusBy } = options;
    const corpora = corpusBy === robustnessOptions.parse({}).corpusBy ? [] : [corpusBy];
    const attributes = { groupBy: groupBy ?? [], corpusBy: corpora };
    checkPairs(
      options.pairs,
      context.recognizers.map(({ name }) => name),
    );
    await checkUtterances('robustness', { texts: true, attributes }, context);
  },
  async *run(options, context) {
    const normalizer = await chosenNormalizer(context, namedNormalizer(options));
    const begun = await makeDesign(options, context, await surveyUtterances(options, context));
    const measured = options.difficulties === 'measured' ? yield* measureDifficulties(options, begun, context) : null;
    const validity =
      options.validity === null ? null : yield* judgeCases(options.validity, judgedCases(begun, options), context);
    const design = { ...begun, measured };
    const answers: AsyncIterable<Answer> = yield designedBatch(design, context);
    const tally = await tallyAnswers(answers, design, options, normalizer, { seed: context.seed, validity });
    const judged = usesPublished(design, options)
      ? { ...design, notPublishedFor: yield* publishedFor(design, context) }
      : design;
    return findingOf({ tally, design: judged, options, context, normalizer, validity });
  },
};

/** @throws EarwitnessError `bad-config` for a pair of one recognizer, or of one that is not asked */
function checkPairs(pairs: RobustnessOptions['pairs'], known: readonly string[]): void {
  for (const [first, second] of pairs) {
    const unknown = [first, second].find((name) => !known.includes(name));
    const expected = 'robustness: pairs: expected two of the recognizers in each';
    if (unknown !== undefined) {
      throw badConfig(`${expected} (${listed(known, 12)}), but got ${JSON.stringify(printable(unknown, 100))}`);
    }
    if (first === second) throw badConfig(`${expected}, but got ${JSON.stringify(printable(first, 100))} twice`);
  }
}

function findingOf(known: {
  readonly tally: Tally;
  readonly design: Design;
  readonly options: RobustnessOptions;
  readonly context: StudyContext;
  readonly normalizer: Normalizer;
  readonly validity: CaseValidity | null;
}): Finding {
  const { tally, design, options, context, normalizer, validity } = known;
  const { draws, repeats, level, resamples, minimumSpeakers, groupBy, profile, difficulties, corpusBy } = options;
  const numbers = { cells: tally.cells, design, options, seed: context.seed };
  const { count, isSpeaker } = tally.cells.units;
  const speakers = Array.from({ length: count }, (_, unit) => unit).filter(isSpeaker).length;
  const results = conclude(tally, numbers, context.computing);
  const overview: Overview = {
    levels: concludeLevels(numbers),
    comparisons: results.levelComparisons,
    ratios: groupRatios(tally, numbers),
    groupGaps: groupGaps(tally, numbers),
    gaps: languageGaps(numbers),
    draws: drawSpreads(tally, design, level),
    valid: concludeValid(tally.valid, validity, numbers),
  };
  const decided = decidedIn(tally, design);
  return {
    study,
    title: 'Robustness',
    settings: {
      normalizer: normalizerIdentity(normalizer),
      alignment: `least edits (Levenshtein), each counting 1; characters are code points, blanks included${countsCharacters(normalizer) ? ' but beside characters that are words' : ''}`,
      conditions: design.conditions.map(({ name }) => name),
      profile,
      difficulties: design.measured?.about ?? difficulties,
      validity: validity === null ? null : asJson({ rule: validity.rule, identity: validity.identity }),
      corpusBy,
      recorded: asJson(options.recorded),
      draws,
      repeats,
      level,
      resamples,
      minimumSpeakers,
      groupBy,
      ...(options.pairs.length === 0 ? {} : { pairs: asJson(options.pairs) }),
    },
    scores: scoresOf(design, results, overview, options),
    answer: withSentence(
      answerOf(results, overview, design, gapStatements(overview.groupGaps, design)),
      notValid(overview),
    ),
    sections: [
      ...sectionsOf(results, overview, tally, design, { options, ladders: knownLadders(options, context.ladders) }),
      ...decided.sections,
    ],
    warnings: [...decided.warnings, ...warningsOf(tally, design, options, normalizer), ...(validity?.warnings ?? [])],
    timing: timingPart(tally.speeds, speakers),
  };
}

/** Which utterances and speakers decide rates of everybody, and of groups. */
function decidedIn({ cells, groups }: Tally, design: Design) {
  const several = design.survey.datasets.length > 1;
  const inDataset = (path: readonly string[], dataset: number) =>
    several ? [...path, datasetName(dataset, design)] : [...path];
  const ofCells = cells.decisive('condition', 'wer').map((cell) => {
    const [dataset, condition] = cell.path as readonly [string, string];
    return { ...cell, path: inDataset([condition], Number(dataset)) };
  });
  const ofGroups = groups.flatMap((cube, dataset) =>
    cube.decisive('group', 'wer').map((cell) => ({ ...cell, path: inDataset(cell.path, dataset) })),
  );
  return decidedRates('robustness', [...ofCells, ...ofGroups], { measure: 'WER' });
}

/** What a reader must know before believing the numbers. */
function warningsOf(
  tally: Tally,
  design: Design,
  { minimumSpeakers, profile, corpusBy }: RobustnessOptions,
  normalizer: Normalizer,
): string[] {
  const warnings: string[] = [];
  const { cells, everybody, utterances, withoutSpeaker, withoutWords } = tally;
  const met = everybody.groupsIn('group');
  const { skipped, merged } = design.survey;
  if (skipped > 0) {
    warnings.push(
      `${counted(skipped, 'utterance')} without a reference ${skipped === 1 ? 'was' : 'were'} not asked about.`,
    );
  }
  if (utterances === 0) warnings.push('No utterance has a reference, so nothing was scored.');
  if (withoutWords > 0) {
    warnings.push(
      `${counted(withoutWords, 'utterance')} ${withoutWords === 1 ? 'has' : 'have'} no words in the reference: what is recognized there counts as added words.`,
    );
  }
  if (merged) {
    warnings.push(`There are too many corpora by ${named(corpusBy)}, or languages, to be kept apart; they are pooled.`);
  }
  if (profile !== 'sound' && normalizer.name !== 'srb') {
    warnings.push(
      `The averages are those of Speech Robust Bench (${profile}), but not the words: set normalizer: srb to count errors as it does.`,
    );
  }
  warnings.push(...failureWarnings(tally.trials, 'they are left out of its rates, which may flatter it'));
  const heard = design.recognizers.map(({ name }, series) => ({
    name,
    countsIn: (part: GroupPart) => part.withoutLoops({ series, path: [clean.name], ratio: 'wer' }),
  }));
  const [all] = everybody.parts('clean');
  warnings.push(...partSamplingWarnings(all!, met.groups(), heard, minimumSpeakers, normalizer));
  // Of all speakers together the next ones say it.
  if (cells.units.count >= minimumSpeakers) warnings.push(...design.survey.shortages);
  warnings.push(...speakerWarnings(met, { utterances, withoutSpeaker, minimumSpeakers, from: design.speakersFrom }));
  warnings.push(...missingAttributeWarnings(met.missing(), utterances));
  return warnings;
}

/** How many of the trials that the answer counts are not valid. */
function notValid({ valid }: Overview): string {
  if (valid === null) return '';
  const { judged, excluded, unrated } = valid;
  const leftOut = [...excluded, ...unrated].reduce((sum, count) => sum + count, 0);
  return gateInWords(valid.validity.rule, { leftOut, all: judged, of: 'trial' }, false);
}
