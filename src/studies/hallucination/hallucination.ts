import { EarwitnessError } from '../../base/errors.ts';
import { asJson, type Json } from '../../base/json.ts';
import { type Condition, clean } from '../../model/trial.ts';
import type { Ladder } from '../../perturbations/contract.ts';
import { earwitness } from '../../perturbations/ladders/earwitness.ts';
import { normalizerIdentity } from '../../scoring/normalizers/normalizer.ts';
import type { Answer, Batch, Question, Study, StudyContext } from '../contract.ts';
import { checkUtterances } from '../shared/check-utterances.ts';
import { namedTrials } from '../shared/failures.ts';
import { chosenConditions, chosenNormalizer, drawsOf, listedConditions } from '../shared/options.ts';
import { type HallucinationOptions, hallucinationOptions } from './options.ts';
import { answerOf, type Known, sectionsOf, warningsOf } from './report.ts';
import { concludeSounds } from './results.ts';
import { tallySounds } from './tally.ts';

const study = { name: 'hallucination', version: 11 };

/**
 * What recognizers write down where nobody speaks: silence, noise, music. Every word is made up, so that no reference is
 * needed: how many words a minute, for how many of the sounds any, loops, and the commonest texts.
 *
 * @example
 * const asking = hallucination.run(hallucination.options.parse({ corpus: 'sounds', groupBy: ['kind'] }), context);
 */
export const hallucination: Study<HallucinationOptions> = {
  ...study,
  about: 'What is transcribed where nobody speaks: words per minute, loops, the most frequent hallucinated texts',
  options: hallucinationOptions,
  check(options, context) {
    return checkUtterances('hallucination', { attributes: { groupBy: options.groupBy } }, context);
  },
  async *run(options, context) {
    const normalizer = await chosenNormalizer(context, options.normalizer);
    const conditions = soundConditions(options, context.ladders);
    const { recognizers } = context;
    const names = recognizers.map(({ name }) => name);
    const answers: AsyncIterable<Answer> = yield await soundBatch(conditions, options, context);
    const tally = await tallySounds(answers, names, conditions, options, normalizer);
    const results = concludeSounds(tally, options, context.seed);
    const known = { results, tally, design: { recognizers, conditions }, options };
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

/**
 * What is to be heard in which nobody speaks.
 *
 * @throws EarwitnessError `bad-config` for clean recordings of speech, names that stand for nothing or for two conditions
 */
function soundConditions(options: HallucinationOptions, fromConfig: readonly Ladder[]): Condition[] {
  const ladders = fromConfig.some(({ name }) => name === earwitness.name) ? fromConfig : [...fromConfig, earwitness];
  const wanted = options.conditions ?? (options.corpus === 'speech' ? ['earwitness/silence'] : [clean.name]);
  const listed = listedConditions(wanted, ladders);
  if (options.corpus === 'speech' && listed.some(({ steps }) => steps.length === 0)) {
    throw new EarwitnessError(
      'bad-config',
      'expected conditions that remove the speech, but clean keeps it; remove clean, or set corpus: sounds if nobody speaks in the recordings',
    );
  }
  const names = new Set(listed.map(({ name }) => name));
  return chosenConditions(wanted, ladders).filter(({ name }) => names.has(name));
}

/** All numbers as plain rows. */
function dataOf({ results, tally, design, options }: Known): Json {
  const { recognizers } = design;
  return asJson({
    recordings: tally.recordings,
    parts: results.parts.map(({ part, shareWithWords, wordsPerMinute }) => ({
      kind: part.kind,
      recognizer: recognizers[part.recognizer]!.name,
      name: part.name,
      attribute: part.attribute ?? null,
      sounds: part.sums.sounds,
      withWords: part.sums.withWords,
      words: part.sums.words,
      withLoops: part.sums.withLoops,
      minutes: part.sums.minutes,
      shareWithWords,
      wordsPerMinute,
    })),
    trials: namedTrials({ tally, design }),
    texts: tally.texts.map((own, recognizer) => ({
      recognizer: recognizers[recognizer]!.name,
      different: own.different,
      uncounted: own.uncounted,
      commonest: own.commonest(options.texts),
    })),
    comparisons: results.comparisons.map(({ first, second, comparison }) => ({
      recognizer: recognizers[second]!.name,
      comparedWith: recognizers[first]!.name,
      comparison,
    })),
  });
}
