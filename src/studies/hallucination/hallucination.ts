import type { Condition } from '../../model/condition.ts';
import { normalizerIdentity } from '../../scoring/normalizers/normalizer.ts';
import type { Answer, Batch, Question, Study, StudyContext } from '../contract.ts';
import { checkUtterances } from '../shared/check-utterances.ts';
import { drawsOf } from '../shared/chosen-conditions.ts';
import { chosenNormalizer } from '../shared/normalizer-option.ts';
import { answerOf } from './answer.ts';
import { soundConditions } from './conditions.ts';
import { dataOf } from './data.ts';
import { type HallucinationOptions, hallucinationOptions } from './options.ts';
import { concludeSounds } from './results.ts';
import { sectionsOf } from './sections.ts';
import { tallySounds } from './tally.ts';
import { warningsOf } from './warnings.ts';

const study = { name: 'hallucination', version: 7 };

/**
 * What recognizers write down where nobody speaks: silence, noise, music. Every word is made up, so that no reference is
 * needed: how many words a minute, for how many of the sounds any, loops, and the commonest texts.
 *
 * @example
 * const asking = hallucination.run(hallucination.options.parse({ corpus: 'sounds', groupBy: ['kind'] }), context);
 */
export const hallucination: Study<HallucinationOptions> = {
  ...study,
  about: 'What is written down where nobody speaks: words a minute, loops, the commonest invented texts',
  options: hallucinationOptions,
  check(options, context) {
    return checkUtterances('hallucination', { attributes: { groupBy: options.groupBy } }, context);
  },
  async *run(options, context) {
    const normalizer = await chosenNormalizer(context, options.normalizer);
    const conditions = soundConditions(options, context.ladders);
    const recognizers = context.recognizers.map(({ name }) => name);
    const answers: AsyncIterable<Answer> = yield await soundBatch(conditions, options, context);
    const tally = await tallySounds(answers, recognizers, conditions, options, normalizer);
    const results = concludeSounds(tally, options, context.seed);
    const known = { results, tally, conditions, recognizers, options };
    const { corpus, draws, groupBy, level, resamples, minimumClips } = options;
    return {
      study,
      title: 'Hallucination',
      settings: {
        normalizer: normalizerIdentity(normalizer),
        corpus,
        conditions: conditions.map(({ name }) => name),
        draws,
        groupBy,
        loop: 'the same 1 to 20 words at least three times in a row',
        level,
        resamples,
        minimumClips,
      },
      answer: answerOf(known),
      sections: sectionsOf(known),
      warnings: warningsOf(known),
      data: dataOf(known),
    };
  },
};

/** Sound by sound, recognizers innermost. Sounds are drawn again only where chance is in them, for those who hear them. */
async function soundBatch(
  conditions: readonly Condition[],
  options: HallucinationOptions,
  context: StudyContext,
): Promise<Batch> {
  const drawsByPlace = await drawsOf(conditions, options.draws, context);
  const asked = (recognizer: StudyContext['recognizers'][number], draw: number) =>
    draw === 0 || recognizer.input === 'sound';
  const each = drawsByPlace.reduce(
    (sum, draws) => sum + context.recognizers.reduce((all, { input }) => all + (input === 'sound' ? draws : 1), 0),
    0,
  );
  return {
    about: `${conditions.length} ${conditions.length === 1 ? 'kind' : 'kinds'} of sound without speech`,
    size: context.utteranceCount * each,
    async *questions(): AsyncGenerator<Question> {
      for await (const utterance of context.utterances()) {
        for (const [place, condition] of conditions.entries()) {
          for (let draw = 0; draw < drawsByPlace[place]!; draw++) {
            for (const recognizer of context.recognizers) {
              if (!asked(recognizer, draw)) continue;
              yield {
                ask: 'recognition',
                trial: { utterance, condition, draw, recognizer: recognizer.name, repeat: 0 },
              };
            }
          }
        }
      }
    },
  };
}
