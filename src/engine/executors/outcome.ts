import { messageOf } from '../../base/errors.ts';
import { foreignLimits, tooLongToWait, transcriptProblem } from '../../base/foreign-data.ts';
import { type FailureKind, recognizerFailureKinds, type StreamTiming, type Word } from '../../model/observation.ts';
import type { Recognition, RecognitionError } from '../../recognizers/contract.ts';
import type { Outcome } from './contract.ts';

const maxMessageCharacters = 2_000;

/** A failed call, its message cut to a length worth keeping. */
export function failed(
  kind: FailureKind,
  message: string,
  seconds: number,
  again: { retryable?: boolean; retryAfterSeconds?: number | undefined; unheard?: boolean } = {},
): Outcome {
  // Modules of users have failures of their own.
  const tooLong = again.retryable === true ? tooLongToWait(again.retryAfterSeconds) : null;
  const whole = `${message}${tooLong ?? ''}`;
  const cut = whole.length > maxMessageCharacters ? `${whole.slice(0, maxMessageCharacters)}…` : whole;
  return {
    seconds,
    failure: { kind, message: cut },
    ...(again.unheard === true && { unheard: true }),
    retryable: (again.retryable ?? false) && tooLong === null,
    retryAfterSeconds: tooLong === null ? again.retryAfterSeconds : undefined,
  };
}

/** What a thrown error says of a call. */
export function failedWith(error: unknown, seconds: number): Outcome {
  // By name as well: an error that crossed a module boundary or a process is no longer an instance.
  const known = error instanceof Error && error.name === 'RecognitionError' ? (error as RecognitionError) : null;
  const kind = known && recognizerFailureKinds.find((one) => one === known.kind);
  if (known && kind) return failed(kind, known.message, seconds, known);
  return failed('error', messageOf(error), seconds);
}

/**
 * Checks what an engine gave before anything is kept of it: engines, and users' own members, can give anything.
 *
 * @param processorSeconds of the process that the engine is alone in; an engine with processes of its own tells their time itself
 */
export function answered(value: unknown, seconds: number, processorSeconds: number | null = null): Outcome {
  const transcript = value as Partial<Recognition> | null;
  if (typeof transcript !== 'object' || transcript === null || typeof transcript.text !== 'string') {
    return failed('garbage', 'the recognizer gave an answer without text', seconds);
  }
  const { price, details, timing } = transcript;
  if (price && !(Number.isFinite(price.amount) && price.amount >= 0 && typeof price.currency === 'string')) {
    return failed('garbage', 'the recognizer answered with a price that is no amount of money', seconds);
  }
  const words = Array.isArray(transcript.words) ? transcript.words.filter(isWord) : undefined;
  const unfit = transcriptProblem({ text: transcript.text, words, details });
  if (unfit !== null) return failed('garbage', `the recognizer answered with what cannot be kept: ${unfit}`, seconds);
  if (!canBeKept(words)) return failed('garbage', 'the recognizer answered with words that JSON cannot hold', seconds);
  return {
    seconds,
    transcript: {
      text: transcript.text,
      ...(words && words.length > 0 ? { words } : {}),
      ...(details ? { details } : {}),
      ...(price ? { price } : {}),
    },
    processorSeconds: toldProcessorSeconds(timing?.processorSeconds) ?? processorSeconds,
    ...(isStreamTiming(timing?.stream) ? { stream: timing.stream } : {}),
  };
}

function toldProcessorSeconds(told: unknown): number | null {
  return typeof told === 'number' && Number.isFinite(told) && told >= 0 ? told : null;
}

function isStreamTiming(timing: unknown): timing is StreamTiming {
  if (typeof timing !== 'object' || timing === null) return false;
  const { firstPartialSeconds, finalLatencySeconds, waitedSeconds } = timing as Partial<StreamTiming>;
  return (
    (firstPartialSeconds === null || Number.isFinite(firstPartialSeconds)) &&
    Number.isFinite(finalLatencySeconds) &&
    Number.isFinite(waitedSeconds)
  );
}

/** One answer that cannot be written would take all those with it that are written in the same transaction. */
function canBeKept(words: unknown): boolean {
  try {
    return (JSON.stringify(words)?.length ?? 0) <= foreignLimits.answerBytes;
  } catch {
    return false;
  }
}

function isWord(word: unknown): word is Word {
  return typeof word === 'object' && word !== null && 'text' in word && typeof word.text === 'string';
}
