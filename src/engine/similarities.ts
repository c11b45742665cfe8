import { hashJson } from '../base/hash.ts';
import type { JsonObject } from '../base/json.ts';
import type { TextSimilarity } from '../model/sentence-embedder.ts';
import type { Question } from '../studies/contract.ts';

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
