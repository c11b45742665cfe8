import type { JsonObject } from '../../base/json.ts';
import type { HttpAnswer } from '../../http/connections.ts';
import type { HiddenKey } from '../../http/hidden-key.ts';
import { beginningOf, jsonOf, textOf } from '../../http/read-json.ts';
import type { Transcript, Word } from '../../model/observation.ts';
import { RecognitionError } from '../contract.ts';
import { recognitionFailure } from '../shared/recognition-failure.ts';
import type { OpenaiCompatibleOptions } from './options.ts';

type Members = Readonly<Record<string, unknown>>;

/**
 * A successful answer as a transcript: `text`, or JSON with `text` and, where it was asked for, words with their times
 * (OpenAI API reference, "Create transcription"; other servers have words in their segments).
 *
 * @throws RecognitionError `garbage`
 */
export function readTranscription(
  answer: HttpAnswer,
  { responseFormat }: Pick<OpenaiCompatibleOptions, 'responseFormat'>,
  hidden: HiddenKey,
): Transcript {
  const body = textOf(answer, recognitionFailure);
  if (responseFormat === 'text') return hidden.inAnswer({ text: body.trim() });

  const value = jsonOf(answer, hidden, recognitionFailure);
  const members = isObject(value) ? value : {};
  if (typeof members.text !== 'string') {
    throw new RecognitionError('garbage', `the server answered with JSON without a text: ${beginningOf(body, hidden)}`);
  }
  const words = wordsIn(members);
  const details = detailsIn(members);
  return hidden.inAnswer({
    text: members.text,
    ...(words.length > 0 ? { words } : {}),
    ...(Object.keys(details).length > 0 ? { details } : {}),
  });
}

function wordsIn({ words, segments }: Members): Word[] {
  if (Array.isArray(words) && words.length > 0) return words.flatMap(wordOf);
  if (!Array.isArray(segments)) return [];
  return segments.flatMap((segment) =>
    isObject(segment) && Array.isArray(segment.words) ? segment.words.flatMap(wordOf) : [],
  );
}

function wordOf(item: unknown): Word[] {
  if (!isObject(item)) return [];
  const text = item.word ?? item.text;
  if (typeof text !== 'string' || text.trim() === '') return [];
  const { start, end } = item;
  const timed = isTime(start) && isTime(end) && end >= start;
  const confidence = item.probability ?? item.confidence ?? item.score;
  return [
    {
      text: text.trim(),
      ...(timed ? { startSeconds: start, endSeconds: end } : {}),
      ...(isTime(confidence) && confidence <= 1 ? { confidence } : {}),
    },
  ];
}

/** What the server says of the whole sound: the language it heard, its length, what it counts for the bill. */
function detailsIn({ language, duration, usage }: Members): JsonObject {
  const counts = isObject(usage)
    ? Object.fromEntries(Object.entries(usage).filter(([, value]) => isTime(value) || isShort(value)))
    : {};
  return {
    ...(isShort(language) ? { language } : {}),
    ...(isTime(duration) ? { durationSeconds: duration } : {}),
    ...(Object.keys(counts).length > 0 ? { usage: counts as JsonObject } : {}),
  };
}

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isTime(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}

function isShort(value: unknown): value is string {
  return typeof value === 'string' && value.length <= 100;
}
