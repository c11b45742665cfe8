import { EarwitnessError } from '../../base/errors.ts';
import { asJson, type Json } from '../../base/json.ts';
import { type Condition, clean } from '../../model/condition.ts';
import type { Statement } from '../../model/finding.ts';
import type { Ladder } from '../../perturbations/contract.ts';
import { earwitness } from '../../perturbations/ladders/earwitness.ts';
import { normalizerIdentity } from '../../scoring/normalizers/normalizer.ts';
import type { Answer, Batch, Question, Study, StudyContext } from '../contract.ts';
import { checkUtterances } from '../shared/check-utterances.ts';
import { failureWarnings } from '../shared/failures.ts';
import { whyOpen } from '../shared/open-verdict.ts';
import { chosenConditions, chosenNormalizer, drawsOf, listedConditions } from '../shared/options.ts';
import { listed, named } from '../shared/wording.ts';
import type { Known } from './known.ts';
import { type HallucinationOptions, hallucinationOptions } from './options.ts';
import { concludeSounds } from './results.ts';
import { sectionsOf, trialsOf } from './sections.ts';
import { tallySounds } from './tally.ts';

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
      'expected conditions that take the speech away, but clean leaves it as it is; take it out, or set corpus: sounds if nobody speaks in the recordings',
    );
  }
  const names = new Set(listed.map(({ name }) => name));
  return chosenConditions(wanted, ladders).filter(({ name }) => names.has(name));
}

/** What a reader must know before believing the numbers. */
function warningsOf(known: Known): string[] {
  const { tally, options } = known;
  const warnings = failureWarnings(trialsOf(known), 'they are left out, which may flatter it');
  if (tally.recordings < options.minimumClips) {
    warnings.push(
      `An interval needs ${options.minimumClips} recordings, and there ${tally.recordings === 1 ? 'is' : 'are'} ${tally.recordings}: no interval is given and nothing is claimed.`,
    );
  }
  if (tally.merged) {
    warnings.push(
      `There are more than ${tally.recordings} recordings: they were merged at random into that many units.`,
    );
  }
  if (tally.manyValued.length > 0)
    warnings.push(`Not looked at by group, because of too many values: ${listed(tally.manyValued)}.`);
  if (options.corpus === 'speech') {
    warnings.push('That the conditions leave no speech is taken on trust: where they do, words are not made up.');
  }
  return warnings;
}

/** How much each recognizer makes up, and who makes up more. */
function answerOf({ results, recognizers }: Known): Statement[] {
  const own = results.parts.filter(({ part }) => part.kind === 'all');
  const rates = own.flatMap(({ part, shareWithWords, wordsPerMinute }): Statement[] => {
    const name = named(recognizers[part.recognizer]!);
    const share = {
      text: `${name} writes something for this share of the sounds in which nobody speaks.`,
      estimate: shareWithWords,
    };
    if (wordsPerMinute.value === null) return [share];
    const text = `${name} makes up this many words in a minute without speech.`;
    return [share, { text, estimate: wordsPerMinute, kind: 'number' }];
  });
  const compared = results.comparisons.map(({ first, second, comparison }): Statement => {
    const [one, other] = [named(recognizers[first]!), named(recognizers[second]!)];
    const text =
      comparison.verdict === 'cannot tell'
        ? `For how many sounds ${one} and ${other} write something cannot be told apart.${whyOpen(comparison)}`
        : `${other} writes something for ${comparison.verdict === 'better' ? 'fewer' : 'more'} of the sounds than ${one}.`;
    return { text, verdict: comparison.verdict, comparison, kind: 'difference' };
  });
  if (rates.length === 0) return [{ text: 'Nothing was answered, so nothing can be said.' }];
  return [...rates, ...compared];
}

/** All numbers as plain rows. */
function dataOf({ results, tally, conditions, recognizers, options }: Known): Json {
  return asJson({
    recordings: tally.recordings,
    parts: results.parts.map(({ part, shareWithWords, wordsPerMinute }) => ({
      kind: part.kind,
      recognizer: recognizers[part.recognizer]!,
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
    trials: conditions.flatMap((condition, place) =>
      recognizers.map((recognizer, number) => ({
        condition: condition.name,
        recognizer,
        ...tally.trials.at(number * conditions.length + place),
      })),
    ),
    texts: tally.texts.map((own, recognizer) => ({
      recognizer: recognizers[recognizer]!,
      different: own.different,
      uncounted: own.uncounted,
      commonest: own.commonest(options.texts),
    })),
    comparisons: results.comparisons.map(({ first, second, comparison }) => ({
      recognizer: recognizers[second]!,
      comparedWith: recognizers[first]!,
      comparison,
    })),
  });
}
