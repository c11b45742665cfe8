import type { Word } from '../../model/observation.ts';

/**
 * Words as other programs write them in JSON: a list of texts, or of objects with `text` or `word`, `start` and `end` in
 * seconds, and `confidence`.
 *
 * @returns null where it is something else
 * @example recordedWords([{ word: 'hi', start: 0.1, end: 0.4 }]) // [{ text: 'hi', startSeconds: .1, endSeconds: .4 }]
 */
export function recordedWords(value: unknown): Word[] | null {
  if (!Array.isArray(value)) return null;
  const words: Word[] = [];
  for (const item of value as unknown[]) {
    if (typeof item === 'string') {
      words.push({ text: item });
      continue;
    }
    if (typeof item !== 'object' || item === null) return null;
    const fields = item as Readonly<Record<string, unknown>>;
    const text = fields.text ?? fields.word;
    const start = fields.startSeconds ?? fields.start;
    const end = fields.endSeconds ?? fields.end;
    const confidence = fields.confidence ?? fields.conf;
    if (typeof text !== 'string') return null;
    words.push({
      text,
      ...(isTime(start) ? { startSeconds: start } : {}),
      ...(isTime(end) ? { endSeconds: end } : {}),
      ...(isTime(confidence) && confidence <= 1 ? { confidence } : {}),
    });
  }
  return words;
}

function isTime(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}
