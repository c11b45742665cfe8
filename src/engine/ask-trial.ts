import { durationSeconds } from '../audio/clip.ts';
import { callerNames } from '../base/caller.ts';
import { EarwitnessError, InapplicableStep } from '../base/errors.ts';
import { createRandom, type Random } from '../base/random.ts';
import { type Failure, type Observation, type Price, processorTime } from '../model/observation.ts';
import type { Utterance } from '../model/utterance.ts';
import type { Billing } from '../recognizers/contract.ts';
import type { AttemptEnd, PlannedQuestion } from '../store/contract.ts';
import type { NamedCondition, ReadyCondition } from './conditions.ts';
import { CallRecalled, type HeardClip, type Outcome } from './executors/contract.ts';
import { heardKey } from './keys.ts';
import type { Asking, LaneContext } from './lane-context.ts';
import type { RecognizerSetup } from './setup.ts';

/** For one answer, where nobody says another. */
const minTimeLimitSeconds = 300;

/** A trial that has been asked and is not kept yet: one of `keep` and `dismiss` is to be called. */
export interface AskedTrial {
  /** Null: there is an answer. */
  readonly failure: Failure | null;
  /** Keeps the answer, or the failure once asking again cannot mend it. */
  keep(): Promise<void>;
  /** Keeps that the call was made, and nothing of what it gave: it may be asked again. */
  dismiss(): Promise<void>;
}

/** An answer to another sound than was planned must not stand under the planned one's key. */
export function soundChanged(): string {
  return `expected the recording as it was when the run was planned, but it has changed since; start a new run with ${callerNames().newRun}`;
}

/** A trial that kills its engine so often is to blame for it. */
const crashesAllowed = 2;

/**
 * Asks one trial until there is an answer or a failure that asking again cannot mend.
 *
 * @throws the stop signal's reason; an error that no trial is to blame for
 */
export async function askTrial(context: LaneContext, asking: Asking, question: PlannedQuestion): Promise<AskedTrial> {
  const utterance = context.utterance(question.utterance);
  const condition = await context.conditions.namedAt(question.condition);
  let clip: HeardClip | null = null;
  if (asking.recognizer.input === 'sound') {
    const made = await makeSound(context, utterance, await context.conditions.at(question.condition), question.draw);
    if ('failure' in made) return asked(context, question, utterance, null, unheard(made.failure));
    const { hash, clip: heard } = made;
    if (heardKey(asking.identity, hash, utterance.language, question.repeat) !== question.key) {
      return asked(context, question, utterance, null, unheard({ kind: 'sound', message: soundChanged() }));
    }
    clip = heard;
  }
  return callUntilSettled(context, asking, question, utterance, condition, clip);
}

/** Why a sound cannot be read or made. */
export function failureOfSound(error: EarwitnessError): Failure {
  return { kind: error instanceof InapplicableStep ? 'inapplicable' : 'sound', message: error.message };
}

function unheard(failure: Failure): Observation {
  return { soundSeconds: null, timing: { seconds: 0, calls: 0 }, failure };
}

async function makeSound(
  { clips }: LaneContext,
  utterance: Utterance,
  condition: ReadyCondition,
  draw: number,
): Promise<{ clip: HeardClip; hash: string } | { failure: Failure }> {
  if (!utterance.sound) return { failure: { kind: 'sound', message: 'this utterance has no audio' } };
  try {
    return await clips.make(utterance, condition, draw);
  } catch (error) {
    if (error instanceof EarwitnessError && error.code === 'bad-input') return { failure: failureOfSound(error) };
    throw error;
  }
}

async function callUntilSettled(
  context: LaneContext,
  asking: Asking,
  question: PlannedQuestion,
  utterance: Utterance,
  condition: NamedCondition,
  clip: HeardClip | null,
  callsBefore = 0,
): Promise<AskedTrial> {
  const { setup, commit, stop } = context;
  const { limits } = asking.recognizer;
  let crashes = 0;
  for (let calls = callsBefore + 1; ; calls++) {
    const { outcome, ...call } = await callOnce(context, asking, question, utterance, condition, clip);
    if (outcome.failure) {
      const { kind } = outcome.failure;
      if (kind === 'crash') crashes++;
      const again = kind === 'crash' ? crashes < crashesAllowed : outcome.retryable && calls < limits.attempts;
      if (again && kind === 'timeout' && asking.hasty) {
        const { hasty: _, ...patient } = asking;
        return {
          failure: outcome.failure,
          async keep() {
            await commit.end({ ...call, state: 'again' }, null);
            const later = await callUntilSettled(context, patient, question, utterance, condition, clip, calls);
            await later.keep();
          },
          dismiss: () => commit.end({ ...call, state: 'failed' }, null),
        };
      }
      if (again) {
        const { retryAfterSeconds: asks } = outcome;
        const random = createRandom({ key: question.key, calls });
        const waitMs = kind === 'crash' ? 0 : backoffSeconds(calls, random, asks) * 1000;
        const againAtMs = Math.round(setup.clock.wallMs() + waitMs);
        const state = outcome.lost === true ? 'lost' : 'again';
        await commit.end({ ...call, state, ...(asks !== undefined && { againAtMs }) }, null);
        if (kind === 'crash') continue;
        if (asks && asking.rate.pause(asks)) {
          setup.on({
            type: 'waiting',
            recognizer: asking.recognizer.name,
            seconds: asks,
            why: outcome.failure.message,
          });
        }
        await setup.clock.sleep(waitMs, stop);
        continue;
      }
    }
    const soundSeconds = clip ? durationSeconds(clip) : null;
    const { seconds, stream } = outcome;
    const timing = { seconds, calls, ...(stream && { stream }) };
    const observation: Observation = outcome.failure
      ? { soundSeconds, timing, failure: outcome.failure }
      : {
          soundSeconds,
          timing: { ...timing, ...processorTime(outcome.processorSeconds ?? null, asking.recognizer.usesProcessor) },
          transcript: outcome.transcript,
        };
    return asked(context, question, utterance, call, observation, outcome.failure !== undefined && outcome.lost);
  }
}

async function callOnce(
  { setup, batch, commit, budget, stop, recall }: LaneContext,
  { recognizer, permits, rate, processor }: Asking,
  question: PlannedQuestion,
  utterance: Utterance,
  condition: NamedCondition,
  clip: HeardClip | null,
): Promise<Pick<AttemptEnd, 'attempt' | 'price' | 'unheard'> & { outcome: Outcome }> {
  const release = await permits.acquire(stop);
  let releaseProcessor = () => {};
  try {
    // Nobody keeps the processor from others while waiting for a rate limit.
    for (let waitMs = -1; waitMs !== 0; ) {
      if (waitMs > 0) await setup.clock.sleep(waitMs, stop);
      if (recognizer.usesProcessor) releaseProcessor = await processor.acquire(stop);
      waitMs = rate.take();
      if (waitMs > 0) releaseProcessor();
    }
    const audioSeconds = clip ? durationSeconds(clip) : 0;
    const reservedPrice = priceOf(recognizer, audioSeconds);
    budget.reserve({ audioSeconds, price: reservedPrice });
    const attempt = await commit.begin({
      place: { batch, position: question.position },
      key: question.key,
      sentAtMs: setup.clock.wallMs(),
      reservedSeconds: audioSeconds,
      reservedPrice,
    });
    const request = {
      utteranceId: utterance.id,
      ...channelOf(utterance),
      conditionName: condition.condition.name,
      repeat: question.repeat,
      language: utterance.language,
      key: question.key,
    };
    const { openTimeLimitSeconds } = recognizer.limits;
    const timeLimitSeconds =
      recognizer.limits.timeLimitSeconds ?? Math.max(minTimeLimitSeconds, Math.ceil(10 * audioSeconds));
    const job = { recognizer: recognizer.name, request, timeLimitSeconds, openTimeLimitSeconds, attempt };
    const nothing = reservedPrice && { ...reservedPrice, amount: 0 };
    let isFree = false;
    const free = () => {
      isFree = true;
      budget.giveBack(audioSeconds);
      if (nothing) budget.settle(reservedPrice, nothing);
    };
    let noted = Promise.resolve();
    const alreadyPaid = () => {
      if (isFree) return noted;
      free();
      // A kill while it waits must not leave it counted.
      noted = commit.end({ attempt, state: 'resumed', price: nothing, unheard: true }, null);
      return noted;
    };
    const outcome = await setup.executor.run(job, clip, setup.abort, alreadyPaid, recall).catch(async (error) => {
      if (error instanceof CallRecalled)
        await commit.end({ attempt, state: 'recalled', price: nothing, unheard: true }, null);
      throw error;
    });
    await noted;
    if (!isFree && outcome.failure !== undefined && outcome.unheard === true) free();
    if (isFree) return { attempt, outcome, price: nothing, unheard: true };
    const price = outcome.transcript?.price ?? null;
    if (price) budget.settle(reservedPrice, price);
    return { attempt, outcome, price };
  } finally {
    releaseProcessor();
    release();
  }
}

function priceOf({ pricePerMinute, billing }: RecognizerSetup, seconds: number): Price | null {
  if (pricePerMinute === null) return null;
  const { amount, currency } = pricePerMinute;
  return { amount: (amount * (billing ? billedSeconds(billing, seconds) : seconds)) / 60, currency };
}

/** @example billedSeconds({ minSeconds: 15, stepSeconds: 15 }, 16) // 30 */
export function billedSeconds({ minSeconds, stepSeconds }: Billing, seconds: number): number {
  // A sound of 15 s is one step of 15 s, whatever its last sample says.
  const steps = Math.ceil(seconds / stepSeconds - 1e-9);
  return Math.max(minSeconds, steps * stepSeconds);
}

function asked(
  { batch, commit }: LaneContext,
  { position, key }: PlannedQuestion,
  { id, speaker }: Utterance,
  ended: Omit<AttemptEnd, 'state' | 'againAtMs'> | null,
  observation: Observation,
  isLost = false,
): AskedTrial {
  const failure = observation.failure ?? null;
  const state: AttemptEnd['state'] = failure === null ? 'answered' : isLost ? 'lost' : 'failed';
  const end = ended && { ...ended, state };
  return {
    failure,
    keep: () =>
      commit.end(end, {
        place: { batch, position },
        key,
        utteranceId: id,
        speaker: speaker ?? null,
        observation,
      }),
    dismiss: () => commit.end(end, null),
  };
}

function channelOf({ sound }: Utterance): { readonly channel?: number } {
  return sound !== undefined && 'file' in sound && typeof sound.channel === 'number' ? { channel: sound.channel } : {};
}

const firstSeconds = 1;
const maxSeconds = 60;

/**
 * How long to wait before asking again: doubling from 1 s to 60 s, each by chance between half of it and all of it, so
 * that many who failed together do not come back together ("equal jitter": M. Brooker, Exponential Backoff And Jitter,
 * 2015). What the service asked for is waited for in full.
 *
 * @param failures how many times the call has failed, from 1
 */
export function backoffSeconds(failures: number, random: Random, retryAfterSeconds?: number): number {
  const whole = Math.min(maxSeconds, firstSeconds * 2 ** (failures - 1));
  const jittered = whole * (0.5 + random.next() / 2);
  return Math.max(jittered, retryAfterSeconds ?? 0);
}
