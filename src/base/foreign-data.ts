import { printable } from './printable.ts';

// What other programs, servers, files and stores give passes here: one set of limits, and one check of each kind.

/** What is taken of anybody else. */
export const foreignLimits = {
  /** Of one answer or line: more than the longest transcript that is kept, with the times of its words. */
  answerBytes: 16 * 2 ** 20,
  /** Objects and lists in each other. */
  depth: 64,
  /** Of a transcript: more than anybody says in the longest clip. Of the texts of its words together as well. */
  textCharacters: 1_000_000,
  /** Eighteen hours of speech. */
  words: 200_000,
  /** Of the JSON of what an engine says beside a transcript, and of its facts. */
  detailsCharacters: 65_536,
  /** Nobody waits longer within a run; `run --retry-failed` asks again when it is time. */
  waitSeconds: 3600,
} as const;

const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * The text of bytes that must be UTF-8.
 *
 * @returns or what is wrong with them, as the end of a sentence
 * @example utf8Text(Uint8Array.of(0x63, 0xe9)) // { problem: 'byte 2 (0xe9) is not part of any UTF-8 character' }
 */
export function utf8Text(bytes: Uint8Array): { readonly text: string } | { readonly problem: string } {
  try {
    return { text: strictUtf8.decode(bytes) };
  } catch {
    const at = firstBadByte(bytes);
    const line = bytes.subarray(0, at).reduce((lines, byte) => lines + (byte === 10 ? 1 : 0), 1);
    const where = line === 1 ? '' : `, in line ${line},`;
    const byte = (bytes[at] ?? 0).toString(16).padStart(2, '0');
    return { problem: `byte ${at + 1}${where} (0x${byte}) is not part of any UTF-8 character` };
  }
}

/** Place of the first byte that is not UTF-8: where the replacement character stands that the bytes do not really hold. */
export function firstBadByte(bytes: Uint8Array): number {
  const lenient = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  let offset = 0;
  for (const part of lenient.split('\uFFFD')) {
    offset += Buffer.byteLength(part);
    if (bytes[offset] !== 0xef || bytes[offset + 1] !== 0xbf || bytes[offset + 2] !== 0xbd) return offset;
    offset += 3;
  }
  return offset;
}

/**
 * What is wrong with a JSON value of somebody else, as the end of a sentence; null where nothing is. Whoever walks such a value by calls in each
 * other, as checks of its form do, asks this first.
 *
 * @param problemOf of each text in it
 * @example jsonProblem({ a: ['x\0'] }) // '"a" has the character U+0000, which no text has'
 */
export function jsonProblem(value: unknown, problemOf = textProblem): string | null {
  const waiting: { readonly value: unknown; readonly depth: number; readonly top: string | null }[] = [
    { value, depth: 0, top: null },
  ];
  const where = (top: string | null) => (top === null ? '' : `${JSON.stringify(printable(top, 60))} `);
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { value: here, depth, top } = next;
    if (typeof here === 'string') {
      const problem = problemOf(here);
      if (problem !== null) return `${where(top)}${problem}`;
    }
    if (typeof here !== 'object' || here === null) continue;
    if (depth === foreignLimits.depth)
      return `${where(top)}has more than ${foreignLimits.depth} lists and objects in each other`;
    if (Array.isArray(here)) {
      for (const item of here)
        if (typeof item === 'string' || typeof item === 'object') waiting.push({ value: item, depth: depth + 1, top });
      continue;
    }
    for (const [name, member] of Object.entries(here)) {
      const problem = problemOf(name);
      if (problem !== null) return `${where(top)}has a member whose name ${problem}`;
      waiting.push({ value: member, depth: depth + 1, top: depth === 0 ? name : top });
    }
  }
  return null;
}

/** What is wrong with a text of somebody else, as the end of a sentence; null where nothing is. */
export function textProblem(text: string): string | null {
  if (text.includes('\0')) return 'has the character U+0000, which no text has';
  return text.isWellFormed() ? null : 'has half of a surrogate pair (U+D800 to U+DFFF), which is no character';
}

/** What is wrong with what was heard, as the end of a sentence; null where it can be kept. */
export function transcriptProblem(heard: {
  readonly text: string;
  readonly words?: readonly unknown[] | undefined;
  readonly details?: unknown;
}): string | null {
  const { text, words, details } = heard;
  const { textCharacters, words: maxWords } = foreignLimits;
  if (text.length > textCharacters) return `"text" has ${text.length} characters, more than ${textCharacters}`;
  if (words !== undefined && words.length > maxWords)
    return `"words" has ${words.length} entries, more than ${maxWords}`;
  const problem = jsonProblem({ text, words, details });
  if (problem !== null) return problem;
  let characters = 0;
  for (const word of words ?? []) {
    const { text: one, word: other } = (typeof word === 'object' && word !== null ? word : { text: word }) as {
      readonly text?: unknown;
      readonly word?: unknown;
    };
    characters += String(one ?? other ?? '').length;
  }
  if (characters > textCharacters)
    return `the texts of "words" have ${characters} characters, more than ${textCharacters}`;
  return details === undefined ? null : detailsProblem('details', details);
}

/** As `transcriptProblem`, of an object that is kept beside an answer: `details`, `facts`. Of one that `jsonProblem` has nothing against. */
export function detailsProblem(name: string, value: unknown): string | null {
  const { detailsCharacters } = foreignLimits;
  let characters: number;
  try {
    characters = JSON.stringify(value)?.length ?? 0;
  } catch {
    return `"${name}" is nothing that JSON can hold`;
  }
  return characters > detailsCharacters
    ? `"${name}" has ${characters} characters of JSON, more than ${detailsCharacters}`
    : null;
}

/** A year. */
const maxToldSeconds = 365 * 24 * 3600;

/**
 * Why what somebody asks to be waited for is not waited for, as the end of a message; null where it is.
 *
 * @example tooLongToWait(60_000) // ', to be asked again in 16.7 hours'
 */
export function tooLongToWait(seconds: number | undefined): string | null {
  if (seconds === undefined || seconds <= foreignLimits.waitSeconds) return null;
  // Nobody means such numbers by the hour.
  if (seconds > maxToldSeconds) return ', to be asked again after more than an hour';
  return `, to be asked again in ${(seconds / 3600).toFixed(1)} hours`;
}
