import type { Finding } from '../../model/finding.ts';
import { type Normalizer, normalizerIdentity } from '../../scoring/normalizers/normalizer.ts';
import type { Answer, Study, StudyContext } from '../contract.ts';
import { asJson } from '../shared/as-json.ts';
import { checkUtterances } from '../shared/check-utterances.ts';
import { chosenNormalizer, defaultNormalizer } from '../shared/normalizer-option.ts';
import type { CaseValidity } from '../shared/validity/case-judgement.ts';
import { judgeCases } from '../shared/validity/case-validity.ts';
import { answerOf, cleanLeader } from './answer.ts';
import { knownLadders } from './conditions.ts';
import { dataOf } from './data.ts';
import { type Design, designedBatch, makeDesign } from './design.ts';
import { drawSpreads } from './draws.ts';
import { gapStatement } from './gap-statement.ts';
import { groupRatios } from './group-ratios.ts';
import { languageGaps } from './language-gaps.ts';
import { concludeLevels } from './levels.ts';
import { measureDifficulties } from './measured-difficulties.ts';
import { type RobustnessOptions, robustnessOptions } from './options.ts';
import type { Overview } from './overview.ts';
import { conclude } from './results.ts';
import { sectionsOf } from './sections/sections.ts';
import { warningsOf } from './sections/warnings.ts';
import { surveyUtterances } from './survey.ts';
import { type Tally, tallyAnswers } from './tally.ts';
import { timingPart } from './timing-part.ts';
import { concludeValid, judgedCases } from './valid-results.ts';

const study = { name: 'robustness', version: 10 };

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
  about: 'Word error rates on clean and disturbed sound, for everybody and by group, and which recognizer is better',
  options: robustnessOptions,
  check(options, context) {
    const { groupBy, corpusBy } = options;
    const corpora = corpusBy === robustnessOptions.parse({}).corpusBy ? [] : [corpusBy];
    const attributes = { groupBy: groupBy ?? [], corpusBy: corpora };
    return checkUtterances('robustness', { texts: true, attributes }, context);
  },
  async *run(options, context) {
    const normalizer = await chosenNormalizer(
      context,
      options.normalizer ?? (options.profile === 'sound' ? defaultNormalizer : 'srb'),
    );
    const begun = await makeDesign(options, context, await surveyUtterances(options, context));
    const measured = options.difficulties === 'measured' ? yield* measureDifficulties(options, begun, context) : null;
    const validity =
      options.validity === null ? null : yield* judgeCases(options.validity, judgedCases(begun, options), context);
    const design = { ...begun, measured };
    const answers: AsyncIterable<Answer> = yield designedBatch(design, context);
    const tally = await tallyAnswers(answers, design, options, normalizer, validity);
    return findingOf({ tally, design, options, context, normalizer, validity });
  },
};

function findingOf(known: {
  readonly tally: Tally;
  readonly design: Design;
  readonly options: RobustnessOptions;
  readonly context: StudyContext;
  readonly normalizer: Normalizer;
  readonly validity: CaseValidity | null;
}): Finding {
  const { tally, design, options, context, normalizer, validity } = known;
  const { draws, repeats, level, resamples, minimumSpeakers, familyError, groupBy, profile, difficulties, corpusBy } =
    options;
  const { seed } = context;
  const results = conclude(tally, design, options, context);
  const overview: Overview = {
    levels: concludeLevels(tally, design, options, seed),
    comparisons: results.levelComparisons,
    ratios: groupRatios(tally, design, options, seed),
    gaps: languageGaps(tally, design, options, seed),
    draws: drawSpreads(tally, design, level),
    valid: concludeValid(tally, validity, design, options, context),
  };
  const gap = gapStatement(cleanLeader(results, design), tally, design, options, seed);
  return {
    study,
    title: 'Robustness',
    settings: {
      normalizer: normalizerIdentity(normalizer),
      alignment: 'least edits (Levenshtein), each counting 1; characters are code points, blanks included',
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
      // Told only where it is not what stands elsewhere too.
      ...(familyError === 'fwer' ? {} : { familyError }),
      groupBy,
    },
    answer: answerOf(results, overview, design, gap),
    sections: sectionsOf(results, overview, tally, design, {
      options,
      ladders: knownLadders(options, context.ladders),
    }),
    warnings: warningsOf(tally, design, options, normalizer.name),
    data: dataOf(results, overview, tally, design, options),
    timing: timingPart(tally, design),
  };
}
