import type { Clock } from '../base/clock.ts';
import { hashJson } from '../base/hash.ts';
import type { Json, JsonObject } from '../base/json.ts';
import type { TextSimilarity } from '../model/text-services.ts';
import type { Predictor } from '../predictors/contract.ts';
import type { Measurements } from '../store/contract.ts';
import type { Question } from '../studies/contract.ts';

export type PredictionQuestion = Extract<Question, { readonly ask: 'prediction' }>;

/** The predictors of a run, each opened when it is first asked. */
export interface Predictors {
  readonly names: readonly string[];
  /** @throws EarwitnessError where a model or its engine is missing */
  predictor(name: string): Promise<Pick<Predictor, 'identity' | 'predict'>>;
}

/** The key of a prediction: who asks, and in which run, does not matter. */
export function predictionKey(
  { identity }: Pick<Predictor, 'identity'>,
  { tried, pool, seed }: PredictionQuestion,
): string {
  return hashJson({ prediction: identity, tried: tried as unknown as Json, pool, seed });
}

/** The key of how long a run has been at work, asked at a place of its journal. */
export function elapsedKey(runId: string, batch: number, position: number): string {
  return hashJson({ elapsed: runId, batch, position });
}

/** The predictor of a name. A study asks for those alone that it was told of. */
export function predictorNamed(
  predictors: Predictors | undefined,
  name: string,
): Promise<Pick<Predictor, 'identity' | 'predict'>> {
  if (!predictors?.names.includes(name))
    throw new Error(`a study asked the predictor ${name}, which is not in the run`);
  return predictors.predictor(name);
}

/** Lets a predictor predict, and keeps what it said with the seconds that it took. */
export async function predictAndKeep(
  predictor: Pick<Predictor, 'predict'>,
  { key, question }: { readonly key: string; readonly question: PredictionQuestion },
  { store, clock, signal }: { readonly store: Measurements; readonly clock: Clock; readonly signal: AbortSignal },
): Promise<void> {
  const { tried, pool, seed } = question;
  const started = clock.monotonicMs();
  const { determinable, failing } = await predictor.predict(tried, pool, seed, signal);
  for (const chances of [determinable, failing]) {
    if (chances.length === pool.length && chances.every((chance) => chance >= 0 && chance <= 1)) continue;
    throw new Error(`a predictor must give ${pool.length} probabilities from 0 to 1, one for each text of the pool`);
  }
  store.savePrediction(key, { determinable, failing, seconds: (clock.monotonicMs() - started) / 1000 });
}

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
