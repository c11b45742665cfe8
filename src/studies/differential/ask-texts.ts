import type { Observation } from '../../model/observation.ts';
import type { Answer, Batch, Question, StudyRecognizer } from '../contract.ts';
import type { HeardPool } from './heard.ts';

/** Texts that every recognizer is to be asked about. */
export interface WantedTexts {
  readonly heard: HeardPool;
  readonly texts: readonly number[];
}

/** Texts of one pool each once, those that are known already left out. */
export function unheard(wanted: readonly WantedTexts[]): WantedTexts[] {
  const byPool = new Map<HeardPool, Set<number>>();
  for (const { heard, texts } of wanted) {
    const known = byPool.get(heard) ?? new Set();
    byPool.set(heard, known);
    for (const text of texts) if (heard.at(text) === undefined) known.add(text);
  }
  return [...byPool].flatMap(([heard, texts]) => (texts.size === 0 ? [] : [{ heard, texts: [...texts] }]));
}

/** All recognizers about each text, one text after the other. */
export function textBatch(
  about: string,
  wanted: readonly WantedTexts[],
  recognizers: readonly StudyRecognizer[],
): Batch {
  const texts = wanted.reduce((sum, one) => sum + one.texts.length, 0);
  return {
    about,
    size: texts * recognizers.length,
    async *questions(): AsyncGenerator<Question> {
      for (const { heard, texts: places } of wanted) {
        const { condition, texts: spoken } = heard.pool;
        for (const place of places) {
          const { utterance } = spoken[place]!;
          for (const { name } of recognizers) {
            yield { ask: 'recognition', trial: { utterance, condition, draw: 0, recognizer: name, repeat: 0 } };
          }
        }
      }
    },
  };
}

/** Takes in the answers to `textBatch`. */
export async function hearTexts(
  answers: AsyncIterable<Answer>,
  wanted: readonly WantedTexts[],
  recognizers: number,
): Promise<void> {
  const places = wanted.flatMap(({ heard, texts }) => texts.map((text) => ({ heard, text })));
  let place = 0;
  let observations: Observation[] = [];
  for await (const answer of answers) {
    if (answer.ask !== 'recognition') continue;
    observations.push(answer.observation);
    if (observations.length < recognizers) continue;
    const { heard, text } = places[place++]!;
    heard.take(text, observations);
    observations = [];
  }
}
