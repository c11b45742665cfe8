import type { NormalizerStep } from '../normalizer.ts';

/** The named groups of a match; one that took no part is undefined. */
export type Groups = Readonly<Record<string, string | undefined>>;

/** What stands beside a match, cut at this many characters so that a long text costs no more than its length. */
const reach = 60;

export interface Surroundings {
  /** The last characters before the match. */
  readonly before: string;
  /** The first characters after it. */
  readonly after: string;
}

const wordSign = /[\p{L}\p{N}]/u;

/**
 * Each match replaced by the words that a reader would say for it, kept apart from letters and digits beside it.
 *
 * @param pattern global, with named groups; it must not take square time
 * @param say the words, or undefined to leave what is written
 * @example rewrite('a5b', /(?<digit>\d)/g, ({ digit }) => cardinal(digit!)) // 'a five b'
 */
export function rewrite(
  text: string,
  pattern: RegExp,
  say: (groups: Groups, surroundings: Surroundings, match: string) => string | undefined,
): string {
  const pieces: string[] = [];
  let end = 0;
  for (const match of text.matchAll(pattern)) {
    const matchEnd = match.index + match[0].length;
    const before = text.slice(Math.max(0, match.index - reach), match.index);
    const after = text.slice(matchEnd, matchEnd + reach);
    const words = say(match.groups ?? {}, { before, after }, match[0]);
    if (words === undefined) continue;
    const previous = match.index > end ? text.charAt(match.index - 1) : (pieces.at(-1)?.slice(-1) ?? '');
    if (match.index > end) pieces.push(text.slice(end, match.index));
    if (wordSign.test(previous)) pieces.push(' ');
    if (words !== '') pieces.push(words);
    if (wordSign.test(after.charAt(0))) pieces.push(' ');
    end = matchEnd;
  }
  pieces.push(text.slice(end));
  return pieces.join('');
}

/** A step that texts without any of these signs are spared. */
export const onlyWith = (sign: RegExp, step: NormalizerStep): NormalizerStep => ({
  step: step.step,
  apply: (text) => (sign.test(text) ? step.apply(text) : text),
});

/** Words by blanks and line ends. */
export const wordSet = (words: string): ReadonlySet<string> => new Set(words.trim().split(/\s+/));

/**
 * A table of written forms and what they stand for, an entry from its first blank on, entries divided by bars and line ends.
 *
 * @example wordTable('mr mister|etc et cetera').get('etc') // 'et cetera'
 */
export function wordTable(entries: string): ReadonlyMap<string, string> {
  const pairs = entries.trim().split(/\s*[|\n]\s*/);
  return new Map(pairs.map((entry) => [entry.replace(/ .*/, ''), entry.replace(/^\S+ /, '')]));
}

/** A pattern that matches any of these words, the longest first. */
export function anyOf(words: Iterable<string>): string {
  return [...words]
    .sort((left, right) => right.length - left.length)
    .map((word) => word.replaceAll(/[$.*+?^()[\]{}|\\/]/g, '\\$&'))
    .join('|');
}
