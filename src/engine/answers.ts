import { callerNames } from '../base/caller.ts';
import { EarwitnessError } from '../base/errors.ts';
import type { JsonObject } from '../base/json.ts';
import type { AnsweredQuestion, Journal } from '../store/contract.ts';
import type { Answer, Batch, Question } from '../studies/contract.ts';
import { nextTurn } from './lane-context.ts';
import type { PredictionQuestion, SimilarityQuestion } from './text-models.ts';

const pageSize = 500;

/** Identities of the embedders and predictors of a run, by the names that the config gives them. */
export interface Models {
  embedder(name: string): Promise<JsonObject>;
  predictor(name: string): Promise<JsonObject>;
}

/** The answers of a batch, in the order asked, each with its question; read from the store a page at a time, each of which is told. */
export async function* answersOf(
  store: Journal,
  runId: string,
  batchNumber: number,
  batch: Batch,
  signal: AbortSignal,
  models: Models,
  told: (done: number) => void,
): AsyncGenerator<Answer> {
  let page: readonly AnsweredQuestion[] = [];
  let position = 0;
  for await (const question of batch.questions()) {
    const index = position % pageSize;
    if (index === 0) {
      await nextTurn();
      signal.throwIfAborted();
      told(position);
      page = store.answers(runId, batchNumber, { from: position, limit: pageSize });
    }
    const answered = page[index];
    if (!answered) throw differs(runId);
    if (question.ask === 'similarity') yield await toSimilarity(runId, question, answered, models);
    else if (question.ask === 'prediction') yield await toPrediction(runId, question, answered, models);
    else yield toAnswer(runId, question, answered);
    position++;
  }
}

async function toSimilarity(
  runId: string,
  question: SimilarityQuestion,
  { similarity }: AnsweredQuestion,
  models: Models,
): Promise<Answer> {
  if (!similarity) throw differs(runId);
  return { ...question, similarity, model: await models.embedder(question.embedder) };
}

async function toPrediction(
  runId: string,
  question: PredictionQuestion,
  { prediction }: AnsweredQuestion,
  models: Models,
): Promise<Answer> {
  if (!prediction) throw differs(runId);
  return { ...question, ...prediction, model: await models.predictor(question.predictor) };
}

function toAnswer(
  runId: string,
  question: Exclude<Question, SimilarityQuestion | PredictionQuestion>,
  { observation, measurement, elapsedSeconds }: AnsweredQuestion,
): Answer {
  if (question.ask === 'elapsed') {
    if (elapsedSeconds === null) throw differs(runId);
    return { ...question, seconds: elapsedSeconds };
  }
  if (question.ask === 'recognition') {
    if (!observation) throw differs(runId);
    return { ask: 'recognition', trial: question.trial, observation };
  }
  if (!measurement && !observation?.failure) throw differs(runId);
  return { ...question, measurement, ...(observation?.failure ? { failure: observation.failure } : {}) };
}

function differs(runId: string): EarwitnessError {
  return new EarwitnessError(
    'run-differs',
    `run ${runId} has no answer to a trial that its study needs now; continue it with \`earwitness resume\`, or start a new run with ${callerNames().newRun}`,
  );
}
