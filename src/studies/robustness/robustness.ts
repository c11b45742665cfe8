import type { Finding } from '../../model/finding.ts';
import type { Normalizer } from '../../scoring/normalizers/normalizer.ts';
import { normalizerIdentity } from '../../scoring/normalizers/normalizer-identity.ts';
import type { Answer, Study, StudyContext } from '../contract.ts';
import { chosenNormalizer } from '../shared/normalizer-option.ts';
import { answerOf } from './answer.ts';
import { knownLadders } from './conditions.ts';
import { dataOf } from './data.ts';
import { type Design, designedBatch, makeDesign } from './design.ts';
import { type RobustnessOptions, robustnessOptions } from './options.ts';
import { conclude } from './results.ts';
import { sectionsOf } from './sections/sections.ts';
import { warningsOf } from './sections/warnings.ts';
import { type Tally, tallyAnswers } from './tally.ts';
import { timingPart } from './timing-part.ts';

const study = { name: 'robustness', version: 1 };

/**
 * How many words each recognizer gets wrong, on clean sound and in each condition, for everybody and for the group that
 * fares worst, and which recognizer is better. Utterances without a reference are passed over.
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
  async *run(options, context) {
    const normalizer = await chosenNormalizer(context, options.normalizer);
    const design = await makeDesign(options, context);
    const { scored, skipped } = await countReferences(context);
    const answers: AsyncIterable<Answer> = yield designedBatch(design, context, scored);
    const tally = await tallyAnswers(answers, design, options, normalizer);
    return findingOf({ tally, design, options, context, normalizer, skipped });
  },
};

async function countReferences(context: StudyContext): Promise<{ scored: number; skipped: number }> {
  const counts = { scored: 0, skipped: 0 };
  for await (const { reference } of context.utterances()) counts[reference === undefined ? 'skipped' : 'scored']++;
  return counts;
}

function findingOf(known: {
  readonly tally: Tally;
  readonly design: Design;
  readonly options: RobustnessOptions;
  readonly context: StudyContext;
  readonly normalizer: Normalizer;
  readonly skipped: number;
}): Finding {
  const { tally, design, options, context, normalizer, skipped } = known;
  const { draws, repeats, level, resamples, minimumSpeakers, groupBy } = options;
  const results = conclude(tally, design, options, context.seed);
  return {
    study,
    title: 'Robustness',
    settings: {
      normalizer: normalizerIdentity(normalizer),
      alignment: 'least edits (Levenshtein), each counting 1; characters are code points, blanks included',
      conditions: design.conditions.map(({ name }) => name),
      draws,
      repeats,
      level,
      resamples,
      minimumSpeakers,
      groupBy,
    },
    answer: answerOf(results, design),
    sections: sectionsOf(results, tally, design, knownLadders(options, context.ladders)),
    warnings: warningsOf(tally, design, skipped, minimumSpeakers),
    data: dataOf(results, tally, design, skipped),
    timing: timingPart(tally, design),
  };
}
