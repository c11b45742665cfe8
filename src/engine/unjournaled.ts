import type { PlannedQuestion } from '../store/contract.ts';
import type { Batch, Question } from '../studies/contract.ts';

/** Questions about texts: what they are about is not journaled, only its hash. */
export type TextQuestion = Extract<Question, { readonly ask: 'similarity' | 'prediction' }>;

/**
 * Finds the questions about texts that journaled ones stand for, by walking their batch once more. To be asked in the order of
 * the positions; the next may be asked before the last was found.
 */
export function textQuestions(batch: Batch): (planned: PlannedQuestion) => Promise<TextQuestion> {
  const questions = batch.questions()[Symbol.asyncIterator]();
  let next = 0;
  let found: Promise<TextQuestion | null> = Promise.resolve(null);
  const find = async (position: number): Promise<TextQuestion> => {
    for (;;) {
      const { done, value } = await questions.next();
      if (done) throw new Error(`a batch had a question at ${position} when it was planned, and has none now`);
      if (next++ < position) continue;
      if (value.ask !== 'similarity' && value.ask !== 'prediction')
        throw new Error(`the question at ${position} was another when it was planned`);
      return value;
    }
  };
  return ({ position }) => {
    const searched = found.then(() => find(position));
    found = searched;
    return searched;
  };
}
