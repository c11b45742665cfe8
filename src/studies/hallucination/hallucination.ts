import { limitText } from '../../base/printable.ts';
import { counted } from '../../base/wording.ts';
import type { Example } from '../../model/finding.ts';
import { repeatedLoops } from '../../scoring/analysis/repeated-loops.ts';
import { normalizerIdentity } from '../../scoring/normalizers/normalizer.ts';
import type { Answer, Study } from '../contract.ts';
import { allTrials } from '../shared/all-trials.ts';
import { checkUtterances } from '../shared/check-utterances.ts';
import { decidedRates } from '../shared/cube/decided.ts';
import { alignedTranscript, keepBest } from '../shared/examples.ts';
import { chosenNormalizer } from '../shared/options.ts';
import { named } from '../shared/wording.ts';
import { type HallucinationOptions, hallucinationOptions, soundConditions, soundCube } from './design.ts';
import { answerOf, scoresOf, sectionsOf, warningsOf } from './report.ts';

const study = { name: 'hallucination', version: 18 };

const shownExamples = 12;
/** Of each recognizer. */
const shownTexts = 20;

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
    const kinds = counted(conditions.length, 'kind of sound', 'kinds of sound');
    const answers: AsyncIterable<Answer> = yield await allTrials(
      context,
      conditions,
      `${kinds} without speech`,
      options.draws,
    );
    const cube = soundCube(context, conditions, options);
    const texts = new Map(context.recognizers.map(({ name }) => [name, new InventedTexts()]));
    const longest = keepBest<Example>(shownExamples);
    await cube.fill(answers, ({ trial, observation }) => {
      const { utterance, condition, draw, recognizer } = trial;
      const words = (text: string) => normalizer.words(text, utterance.language);
      const written = words(observation.transcript.text);
      const loops = repeatedLoops(written).length;
      if (written.length > 0) texts.get(recognizer)?.add(written);
      if (written.length > 0 && longest.wants([written.length])) {
        longest.offer([written.length], {
          title: `${named(recognizer)} writes ${counted(written.length, 'word')} for ${named(utterance.id)}${loops > 0 ? ', in a loop' : ''}`,
          utteranceId: utterance.id,
          conditionName: condition.name,
          draw,
          transcripts: [alignedTranscript(recognizer, [], observation, words)],
        });
      }
      return { condition: condition.name, heard: written, seconds: observation.soundSeconds, loops };
    });
    const commonest = [...texts].map(([recognizer, own]) => ({
      recognizer,
      different: own.different,
      uncounted: own.uncounted,
      rows: own.commonest(shownTexts),
    }));
    const known = { cube, conditions, texts: commonest, examples: longest.items(), pairs: cube.pairs('share') };
    const { corpus, draws, groupBy, level, resamples } = options;
    const decided = decidedRates(
      study.name,
      (['all', 'condition', 'group'] as const).flatMap((slice) => cube.decisive(slice, 'pace')),
      { measure: 'words per minute', counts: ['words', 'minutes'], unit: '' },
      ([shown, ...others]) => (others.length === 1 && others[0] === shown ? shown! : [shown, ...others].join(', ')),
    );
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
      },
      scores: scoresOf(known),
      answer: answerOf(known),
      sections: [...sectionsOf(known), ...decided.sections],
      warnings: [...decided.warnings, ...warningsOf(known, options)],
    };
  },
};

/** A text that was written though nobody spoke. */
interface InventedText {
  readonly text: string;
  /** How many sounds it was written for. */
  readonly sounds: number;
}

const maxTexts = 20_000;
const maxCharacters = 200;

/** Counts invented texts; those that come after the first 20,000 different ones are counted together. */
class InventedTexts {
  readonly #counts = new Map<string, number>();
  #rest = 0;

  /** @param words of the transcript, at least one */
  add(words: readonly string[]): void {
    // Long ones are cut; through JSON, because parts of a string keep all of it alive.
    const text: string = JSON.parse(JSON.stringify(limitText(words.slice(0, maxCharacters).join(' '), maxCharacters)));
    const count = this.#counts.get(text);
    if (count === undefined && this.#counts.size >= maxTexts) this.#rest++;
    else this.#counts.set(text, (count ?? 0) + 1);
  }

  get different(): number {
    return this.#counts.size;
  }

  /** How many sounds had a text that was not counted by itself. */
  get uncounted(): number {
    return this.#rest;
  }

  /** Commonest first; of equals in the order of code units. */
  commonest(most: number): InventedText[] {
    return [...this.#counts]
      .map(([text, sounds]) => ({ text, sounds }))
      .sort((a, b) => b.sounds - a.sounds || (a.text < b.text ? -1 : 1))
      .slice(0, most);
  }
}
