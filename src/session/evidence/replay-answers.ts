import { EarwitnessError } from '../../base/errors.ts';
import { canonicalJson } from '../../base/hash.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import { printable } from '../../base/printable.ts';
import { predictionKey, similarityKey } from '../../engine/text-models.ts';
import type { Observation } from '../../model/observation.ts';
import { type ClipMeasurement, type Condition, withoutRate } from '../../model/trial.ts';
import type { Answer, Batch, Question } from '../../studies/contract.ts';
import type { BundleLine } from './bundle-line.ts';
import type { KnownParts, Plan } from './known-parts.ts';

/** Hands studies the answers of a bundle in place of an engine. */
export interface AnswerReplay {
  /** The answers of the next batch, each checked to be the answer to the question that is asked now. */
  answers(study: string, batch: Batch): Promise<AsyncIterable<Answer>>;
  /** Passes over what is left of a study that was given up. */
  skip(study: string): Promise<void>;
  /** The study of the next batch that nobody has asked; null where none is left. */
  left(): Promise<string | null>;
  close(): Promise<void>;
}

type AnswerLines = AsyncIterator<BundleLine<'answer' | 'batch'>>;

/** @param lines the answers of the bundle, read again from its beginning */
export function createAnswerReplay(known: KnownParts, plan: Plan, lines: AnswerLines): AnswerReplay {
  const models = new Map(known.materials.map(({ kind, name, value }) => [JSON.stringify([kind, name]), value]));
  const positions = new Map(known.utterances.map(({ utterance }, position) => [utterance.id, position]));
  const conditions = new Map(known.conditions.map(({ condition }, index) => [condition.name, index]));
  // Studies leave the rate that steps are made at to the run, which adds it.
  const steps = known.conditions.map(({ condition }) =>
    [condition.steps, withoutRate(condition.steps)].map((some) => canonicalJson(some as unknown as Json)),
  );
  const recognizers = new Map(plan.recognizers.map(({ name }, index) => [name, index]));
  const measures = new Map(plan.quality?.map(({ name, key }) => [name, key]));
  let next: BundleLine<'answer' | 'batch'> | null = null;
  let begun = false;

  const advance = async (): Promise<void> => {
    const step = await lines.next();
    next = step.done ? null : step.value;
    begun = true;
  };
  const toBatch = async (): Promise<BundleLine<'batch'> | null> => {
    if (!begun) await advance();
    while (next !== null && next.part !== 'batch') await advance();
    return next as BundleLine<'batch'> | null;
  };
  const modelOf = (kind: string, name: string): { readonly identity: JsonObject; readonly model: JsonObject } => {
    const found = models.get(JSON.stringify([kind, name]));
    if (typeof found !== 'object' || found === null)
      throw differs(`it asks the ${kind} ${name}, which is not in the bundle`);
    return found as { identity: JsonObject; model: JsonObject };
  };

  const same = (question: Question, line: BundleLine<'answer'>): boolean => {
    if (question.ask === 'elapsed') return line.asks === 'elapsed';
    if (question.ask === 'prediction') {
      return (
        line.asks === 'prediction' && line.key === predictionKey(modelOf('predictor', question.predictor), question)
      );
    }
    if (question.ask === 'similarity') {
      const meter = { ...modelOf('embedder', question.embedder), compare: never };
      return line.asks === 'similarity' && line.key === similarityKey(meter, question);
    }
    const about = question.ask === 'recognition' ? question.trial : question;
    const sameSound =
      line.asks === undefined &&
      line.utterance === positions.get(about.utterance.id) &&
      line.draw === about.draw &&
      line.condition === conditions.get(about.condition.name) &&
      steps[line.condition]!.includes(stepsOf(about.condition));
    if (!sameSound) return false;
    if (question.ask === 'recognition') {
      return line.recognizer === recognizers.get(question.trial.recognizer) && line.repeat === question.trial.repeat;
    }
    const wanted = (question.quality ?? []).map((name) => measures.get(name));
    return line.recognizer === null && sameSet(wanted, line.quality ?? []);
  };

  const asAsked = (question: Question, { condition: place }: BundleLine<'answer'>): Question => {
    if (question.ask !== 'recognition' && question.ask !== 'measurement') return question;
    const condition = known.conditions[place]!.condition as Condition;
    return question.ask === 'measurement'
      ? { ...question, condition }
      : { ...question, trial: { ...question.trial, condition } };
  };

  async function* answersOf(opening: BundleLine<'batch'>, batch: Batch): AsyncGenerator<Answer> {
    let position = 0;
    for await (const question of batch.questions()) {
      if (next?.part !== 'answer')
        throw differs(`batch ${opening.batch} has ${position} answers, but the study asks for more`);
      if (!same(question, next))
        throw differs(`question ${position} of batch ${opening.batch} is not the one that the run asked`);
      yield answerOf(asAsked(question, next), next, modelOf);
      position++;
      await advance();
    }
    if (next?.part === 'answer')
      throw differs(`batch ${opening.batch} has answers to questions that the study does not ask`);
  }

  return {
    async answers(study, batch) {
      const opening = await toBatch();
      if (opening?.study !== study) {
        throw differs(`it asks a batch ("${printable(batch.about, 80)}") that the run did not ask`);
      }
      await advance();
      return answersOf(opening, batch);
    },
    async skip(study) {
      for (let batch = await toBatch(); batch !== null && batch.study === study; batch = await toBatch())
        await advance();
    },
    async left() {
      return (await toBatch())?.study ?? null;
    },
    async close() {
      await lines.return?.();
    },
  };
}

function answerOf(
  question: Question,
  line: BundleLine<'answer'>,
  modelOf: (kind: string, name: string) => { readonly model: JsonObject },
): Answer {
  const missing = () => differs(`answer ${line.position} is missing`);
  const observation = line.observation as Observation | undefined;
  switch (question.ask) {
    case 'elapsed':
      if (line.elapsedSeconds === undefined) throw missing();
      return { ...question, seconds: line.elapsedSeconds };
    case 'prediction': {
      if (line.prediction === undefined) throw missing();
      const { determinable, failing, seconds } = line.prediction;
      return {
        ...question,
        determinable: Float64Array.from(determinable),
        failing: Float64Array.from(failing),
        seconds,
        model: modelOf('predictor', question.predictor).model,
      };
    }
    case 'similarity': {
      if (line.similarity === undefined) throw missing();
      const { value, reason } = line.similarity;
      return {
        ...question,
        similarity: { value, ...(reason === undefined ? {} : { reason }) },
        model: modelOf('embedder', question.embedder).model,
      };
    }
    case 'recognition':
      if (observation === undefined) throw missing();
      return { ask: 'recognition', trial: question.trial, observation };
    case 'measurement': {
      const measurement = (line.measurement as ClipMeasurement | undefined) ?? null;
      if (measurement === null && observation?.failure === undefined) throw missing();
      return { ...question, measurement, ...(observation?.failure ? { failure: observation.failure } : {}) };
    }
  }
}

const known = new WeakMap<Condition, string>();

/** Studies ask about the same few conditions thousands of times. */
function stepsOf(condition: Condition): string {
  let text = known.get(condition);
  if (text === undefined) {
    text = canonicalJson(condition.steps as unknown as Json);
    known.set(condition, text);
  }
  return text;
}

function sameSet(wanted: readonly (string | undefined)[], keys: readonly string[]): boolean {
  return wanted.length === keys.length && wanted.every((key) => key !== undefined && keys.includes(key));
}

async function never(): Promise<never> {
  throw new Error('a bundle holds no embedder');
}

function differs(what: string): EarwitnessError {
  return new EarwitnessError('run-differs', what);
}
