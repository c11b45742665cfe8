import { hashJson } from '../base/hash.ts';
import type { JsonObject } from '../base/json.ts';
import type { TextSimilarity } from '../model/sentence-embedder.ts';
import type { PlannedQuestion } from '../store/contract.ts';
import type { Batch, Question } from '../studies/contract.ts';

export type SimilarityQuestion = Extract<Question, { readonly ask: 'similarity' }>;

/** An opened embedder with what makes a number of two texts. */
export interface SimilarityMeter {
  /** Everything that can change a number: part of every key. */
  readonly identity: JsonObject;
  /** The model as findings show it. */
  readonly model: JsonObject;
  compare(question: SimilarityQuestion): Promise<TextSimilarity>;
}

/** The embedders of a run, each opened when it is first asked. */
export interface SimilarityMeters {
  readonly names: readonly string[];
  /** @throws EarwitnessError where the model or its engine is missing */
  meter(name: string): Promise<SimilarityMeter>;
}

/** The key of a question about two texts: who else said the same does not matter. */
export function similarityKey(
  { identity }: SimilarityMeter,
  { reference, hypothesis, utterance, anyLanguage }: SimilarityQuestion,
): string {
  return hashJson({ similarity: identity, reference, hypothesis, language: utterance.language, anyLanguage });
}

/** The meter of a name. A study asks for those alone that it was told of. */
export function meterNamed(meters: SimilarityMeters | undefined, name: string): Promise<SimilarityMeter> {
  if (!meters?.names.includes(name)) throw new Error(`a study asked the embedder ${name}, which is not in the run`);
  return meters.meter(name);
}

/**
 * Finds the questions that journaled ones stand for, by walking their batch once more: texts are not journaled. To be asked
 * in the order of the positions; the next may be asked before the last was found.
 */
export function similarityQuestions(batch: Batch): (planned: PlannedQuestion) => Promise<SimilarityQuestion> {
  const questions = batch.questions()[Symbol.asyncIterator]();
  let next = 0;
  let found: Promise<SimilarityQuestion | null> = Promise.resolve(null);
  const find = async (position: number): Promise<SimilarityQuestion> => {
    for (;;) {
      const { done, value } = await questions.next();
      if (done) throw new Error(`a batch had a question at ${position} when it was planned, and has none now`);
      if (next++ < position) continue;
      if (value.ask !== 'similarity') throw new Error(`the question at ${position} was another when it was planned`);
      return value;
    }
  };
  return ({ position }) => {
    const searched = found.then(() => find(position));
    found = searched;
    return searched;
  };
}
