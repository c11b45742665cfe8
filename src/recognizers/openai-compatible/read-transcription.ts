import { isUtf8 } from 'node:buffer';
import type { JsonObject } from '../../base/json.ts';
import { printable } from '../../base/printable.ts';
import type { Transcript, Word } from '../../model/observation.ts';
import { RecognitionError } from '../contract.ts';
import type { HiddenKey } from '../shared/hidden-key.ts';
import type { HttpAnswer } from '../shared/http-post.ts';
import type { OpenaiCompatibleOptions } from './options.ts';

/** More than the longest transcript that is kept, with the times of its words. */
export const maxAnswerBytes = 16 * 1024 * 1024;
const shownCharacters = 100;

type Members = Readonly<Record<string, unknown>>;

/**
 * A successful answer as a transcript: `text`, or JSON with `text` and, where it was asked for, words with their times
 * (OpenAI API reference, "Create transcription"; other servers have words in their segments).
 *
 * An answer that cannot be understood is not asked for again: it was given in full, perhaps for money, and the next one
 * would come from the same server.
 *
 * @throws RecognitionError `garbage`
 */
export function readTranscription(
  answer: HttpAnswer,
  { responseFormat }: Pick<OpenaiCompatibleOptions, 'responseFormat'>,
  hidden: HiddenKey,
): Transcript {
  const garbage = (what: string) => new RecognitionError('garbage', `the server answered with ${what}`);
  if (answer.isCut) throw garbage(`more than ${maxAnswerBytes} bytes`);
  if (!isUtf8(answer.body)) throw garbage('bytes that are no UTF-8 text');
  const body = answer.body.toString('utf8');
  const shown = () => printable(hidden.inMessage(body.trim()), shownCharacters);
  const type = answer.header('content-type') ?? '';
  if (/^text\/html\b/i.test(type) || /^\s*<(!doctype|html)\b/i.test(body)) throw garbage('a web page');
  if (responseFormat === 'text') return hidden.inAnswer({ text: body.trim() });

  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    throw garbage(body.trim() === '' ? 'nothing' : `no JSON: ${shown()}`);
  }
  const members = isObject(value) ? value : {};
  if (typeof members.text !== 'string') {
    throw garbage(`JSON without a text: ${shown()}`);
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
