import { EarwitnessError } from '../base/errors.ts';
import type { JsonObject } from '../base/json.ts';
import type { AnsweredQuestion, Store } from '../store/contract.ts';
import type { Answer, Batch, Question } from '../studies/contract.ts';
import { nextTurn } from './next-turn.ts';
import type { SimilarityQuestion } from './similarities.ts';

const pageSize = 500;

/** The answers of a batch, in the order asked, each with its question; read from the store a page at a time. */
export async function* answersOf(
  store: Store,
  runId: string,
  batchNumber: number,
  batch: Batch,
  signal: AbortSignal,
  modelOf: (embedder: string) => Promise<JsonObject>,
): AsyncGenerator<Answer> {
  let page: readonly AnsweredQuestion[] = [];
  let position = 0;
  for await (const question of batch.questions()) {
    const index = position % pageSize;
    if (index === 0) {
      await nextTurn();
      signal.throwIfAborted();
      page = store.answers(runId, batchNumber, { from: position, limit: pageSize });
    }
    const answered = page[index];
    if (!answered) throw differs(runId);
    yield question.ask === 'similarity'
      ? await toSimilarity(runId, question, answered, modelOf)
      : toAnswer(runId, question, answered);
    position++;
  }
}

async function toSimilarity(
  runId: string,
  question: SimilarityQuestion,
  { similarity }: AnsweredQuestion,
  modelOf: (embedder: string) => Promise<JsonObject>,
): Promise<Answer> {
  if (!similarity) throw differs(runId);
  return { ...question, similarity, model: await modelOf(question.embedder) };
}

function toAnswer(
  runId: string,
  question: Exclude<Question, SimilarityQuestion>,
  { observation, measurement }: AnsweredQuestion,
): Answer {
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
    `run ${runId} has no answer to a question that its study asks now; continue it with \`earwitness resume\`, or start a new run with --new`,
  );
}
