import type { Answer, Batch, Question, StudyRecognizer } from '../contract.ts';
import type { HeardPool } from './heard.ts';

/** Texts of a pool, and whom to ask about them. */
export interface WantedTexts {
  readonly pool: HeardPool;
  readonly texts: readonly number[];
  /** Places among those of the run; null: all of them. */
  readonly recognizers: readonly number[] | null;
}

/** One recognition that is not known yet. */
export interface OpenQuestion {
  readonly pool: HeardPool;
  readonly text: number;
  readonly recognizer: number;
}

/** What is not known yet, each once: text after text of one pool after the other. */
export function openQuestions(wanted: readonly WantedTexts[], recognizers: number): OpenQuestion[] {
  const everybody = Array.from({ length: recognizers }, (_, recognizer) => recognizer);
  const byPool = new Map<HeardPool, Map<number, Set<number>>>();
  for (const { pool, texts, recognizers: whom } of wanted) {
    const ofPool = byPool.get(pool) ?? new Map<number, Set<number>>();
    byPool.set(pool, ofPool);
    for (const text of texts) {
      const asked = pool.at(text)?.asked;
      const open = (whom ?? everybody).filter((recognizer) => asked?.[recognizer] !== true);
      if (open.length > 0) ofPool.set(text, new Set([...(ofPool.get(text) ?? []), ...open]));
    }
  }
  return [...byPool].flatMap(([pool, texts]) =>
    [...texts].flatMap(([text, open]) =>
      everybody.filter((recognizer) => open.has(recognizer)).map((recognizer) => ({ pool, text, recognizer })),
    ),
  );
}

/** The questions, in their order. */
export function questionBatch(
  about: string,
  open: readonly OpenQuestion[],
  recognizers: readonly StudyRecognizer[],
): Batch {
  return {
    about,
    size: open.length,
    async *questions(): AsyncGenerator<Question> {
      for (const { pool, text, recognizer } of open) {
        const { condition, texts } = pool.pool;
        const { utterance } = texts[text]!;
        const { name } = recognizers[recognizer]!;
        yield { ask: 'recognition', trial: { utterance, condition, draw: 0, recognizer: name, repeat: 0 } };
      }
    },
  };
}

/** Takes in the answers to `questionBatch`. */
export async function hearAnswers(answers: AsyncIterable<Answer>, open: readonly OpenQuestion[]): Promise<void> {
  let place = 0;
  for await (const answer of answers) {
    if (answer.ask !== 'recognition') continue;
    const { pool, text, recognizer } = open[place++]!;
    pool.take(text, recognizer, answer.observation);
  }
}
