import type { TriedText } from '../../../predictors/contract.ts';
import type { Answer, Question } from '../../contract.ts';

// For tests: what a run answers beside recognitions.

/** Predicts from texts alone; the clock stands still unless it is told to go on. */
export function othersAnswer(
  predict: (tried: readonly TriedText[], text: string) => { readonly determinable: number; readonly failing: number },
  secondsAtEachLook = 0,
): (question: Exclude<Question, { readonly ask: 'recognition' }>) => Answer {
  let looks = 0;
  return (question) => {
    if (question.ask === 'elapsed') return { ask: 'elapsed', seconds: secondsAtEachLook * looks++ };
    if (question.ask !== 'prediction') throw new Error('only predictions and the time are invented');
    const chances = question.pool.map((text) => predict(question.tried, text));
    return {
      ...question,
      determinable: Float64Array.from(chances, ({ determinable }) => determinable),
      failing: Float64Array.from(chances, ({ failing }) => failing),
      seconds: 0.5,
      model: { method: 'invented' },
    };
  };
}
