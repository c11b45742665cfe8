import { createHash } from 'node:crypto';
import { callerNames } from '../base/caller.ts';
import { EarwitnessError } from '../base/errors.ts';
import { type Condition, clean } from '../model/trial.ts';
import type { Utterance } from '../model/utterance.ts';
import type { BatchRecord, Journal, Place, PlannedQuestion, RunReader } from '../store/contract.ts';
import type { Batch, Question } from '../studies/contract.ts';
import type { ConditionBook } from './conditions.ts';
import type { OnEvent } from './events.ts';
import type { Identities, UtteranceQuestion } from './identities.ts';
import { nextTurn } from './lane-context.ts';
import type { RecognizerSetup } from './setup.ts';
import { elapsedKey, type Predictors, predictionKey, predictorNamed } from './text-models.ts';

const chunkSize = 1000;

export interface Planner {
  readonly store: Journal & RunReader;
  readonly runId: string;
  readonly recognizers: readonly RecognizerSetup[];
  readonly conditions: ConditionBook;
  readonly identities: Identities;
  readonly predictors: Predictors | undefined;
  /** Position in the run of an utterance; one that the study made gets one. */
  place(utterance: Utterance): number;
  /** Keeps those; said before the questions about them are journaled. */
  keepMade(): void;
  /** Keeps what the sounds of the questions were; said after each chunk of them. */
  keepSounds(): void;
  /** Key of a measure of quality, by its name. */
  qualityKey(name: string): string;
  /** Sees to it that the recognizers answer; said as soon as there are questions. */
  preflight(batch: number): Promise<void>;
  readonly on: OnEvent;
  readonly signal: AbortSignal;
}

/**
 * Journals the questions of a batch in order, each with its key. A batch that is in the journal already must be the same
 * question for question: resuming is replaying.
 *
 * @throws EarwitnessError `run-differs` where it is not; `nothing-answered` where a recognizer does not answer
 */
export async function planBatch(
  planner: Planner,
  batchNumber: number,
  study: string,
  batch: Batch,
): Promise<BatchRecord> {
  const { store, runId, recognizers, qualityKey, on, signal } = planner;
  const journaled = store.batches(runId).find((record) => record.batch === batchNumber) ?? null;
  const planned = journaled !== null && journaled.keysHash !== null;
  if (!planned) store.beginBatch(runId, batchNumber, study);

  const indexes = new Map(recognizers.map(({ name }, index) => [name, index]));
  const keys = createHash('sha256');
  const seen = createSeenKeys(batch.size);
  let size = 0;
  let chunk: PlannedQuestion[] = [];
  const flush = () => {
    planner.keepMade();
    if (!planned && chunk.length > 0) store.plan(runId, batchNumber, chunk);
    planner.keepSounds();
    chunk = [];
    on({ type: 'planned', questions: size, size: batch.size });
  };

  for await (const question of batch.questions()) {
    signal.throwIfAborted();
    const about = await asPlanned(planner, question, { batch: batchNumber, position: size });
    const { key } = about;
    const quality = question.ask === 'measurement' ? (question.quality ?? []).map(qualityKey) : [];
    keys.update(key);
    for (const measure of quality) keys.update(measure);
    chunk.push({
      position: size++,
      ...about,
      recognizer: question.ask === 'recognition' ? indexes.get(question.trial.recognizer)! : null,
      repeat: question.ask === 'recognition' ? question.trial.repeat : 0,
      twin: seen.see(key),
      ...(quality.length === 0 ? {} : { quality }),
      ...(question.ask === 'recognition' || question.ask === 'measurement' ? {} : { asks: question.ask }),
    });
    if (chunk.length === chunkSize) {
      flush();
      await nextTurn();
      // The first thousand are enough to ask from, and of a hundred thousand recordings the rest takes a while to look at.
      if (!planned) await planner.preflight(batchNumber);
    }
  }
  flush();

  const keysHash = keys.digest('hex');
  if (!planned) {
    store.completeBatch(runId, batchNumber, keysHash, size);
  } else if (journaled.keysHash === keysHash && journaled.study === study) {
    store.linkBatch(runId, batchNumber);
  } else {
    throw new EarwitnessError(
      'run-differs',
      `run ${runId} has other trials than its ${study} study needs now (recordings, recognizers or the study have changed); start a new run with ${callerNames().newRun}: it reuses every answer that still applies`,
    );
  }
  await planner.preflight(batchNumber);
  return { batch: batchNumber, study, keysHash, size };
}

/** The key of a question and what it is about. */
async function asPlanned(
  { runId, conditions, identities, predictors, place }: Planner,
  question: Question,
  where: Place,
): Promise<Pick<PlannedQuestion, 'key' | 'utterance' | 'condition' | 'draw'>> {
  const aboutNoUtterance = { utterance: -1, condition: -1, draw: 0 };
  if (question.ask === 'elapsed') return { key: elapsedKey(runId, where.batch, where.position), ...aboutNoUtterance };
  if (question.ask === 'prediction') {
    const predictor = await predictorNamed(predictors, question.predictor);
    return { key: predictionKey(predictor, question), ...aboutNoUtterance };
  }
  const { utterance, condition, draw } = subjectOf(question);
  const position = place(utterance);
  if (question.ask === 'recognition' && !identities.hears(question)) {
    const named = await conditions.named(condition);
    return { key: identities.named(question.trial, named), utterance: position, condition: named.index, draw };
  }
  const ready = await conditions.ready(condition);
  const key = await identities.key(question, ready);
  return { key, utterance: position, condition: ready.index, draw };
}

/** Texts are about an utterance, and about no sound. */
function subjectOf(question: UtteranceQuestion): {
  readonly utterance: Utterance;
  readonly condition: Condition;
  readonly draw: number;
} {
  if (question.ask === 'recognition') return question.trial;
  return question.ask === 'measurement' ? question : { utterance: question.utterance, condition: clean, draw: 0 };
}

/** Remembers which keys it has seen, in a bounded amount of memory: it may take a new key for a known one, never the reverse. */
interface SeenKeys {
  /** Whether the key may have been seen before; from now on it has. */
  see(key: string): boolean;
}

const [minBits, usualBits, maxBits] = [2 ** 10, 2 ** 25, 2 ** 30];
const bitsOfKey = 16;

/**
 * A Bloom filter (B. Bloom, Communications of the ACM 13(7), 1970) with three probes and 16 bits or more a key: at the most one key in 200 is
 * taken for a known one, up to 60 million keys in 128 MiB at the most; of 100 million one in 70. Such a question is looked up in the store by
 * its whole key before it is asked (`run-batch.ts`): the filter alone decides nothing.
 *
 * @param expected how many keys there will be; null: nobody knows
 */
function createSeenKeys(expected: number | null): SeenKeys {
  const wanted = expected === null ? usualBits : 2 ** Math.ceil(Math.log2(bitsOfKey * Math.max(1, expected)));
  const bits = Math.min(maxBits, Math.max(minBits, wanted));
  const words = new Uint32Array(bits / 32);
  return {
    // Hexadecimal digits of a hash, at least 24.
    see(key) {
      let known = true;
      for (let probe = 0; probe < 3; probe++) {
        const bit = Number.parseInt(key.slice(probe * 8, probe * 8 + 8), 16) % bits;
        const mask = 1 << (bit & 31);
        const word = bit >>> 5;
        if ((words[word]! & mask) === 0) known = false;
        words[word]! |= mask;
      }
      return known;
    },
  };
}
