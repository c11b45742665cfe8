import { limitText } from '../../../base/limit-text.ts';
import type { Comparison, Section, Statement } from '../../../model/finding.ts';
import { align } from '../../../scoring/alignment/align.ts';
import { counted } from '../../shared/wording.ts';
import type { ComparedTest } from './compared-tests.ts';

/** What became of one entry of a list. */
export interface ListedWord {
  readonly words: string;
  /** How often texts have it. */
  readonly said: number;
  /** How often it was heard where the text has it. */
  readonly before: number;
  readonly after: number;
  /** How often it was written where the text has it not. */
  readonly addedBefore: number;
  readonly addedAfter: number;
}

/** What became of all entries in the tests of one text. */
export interface ListedText {
  readonly tests: number;
  readonly before: number;
  readonly after: number;
}

/**
 * How often the words of a list, of hints say, were heard before and are heard now, and written where nobody said them.
 *
 * @param list normalized words; several with blanks between them are one entry
 * @returns those that any text has or any transcript, in their order; and the sums of each text that has any
 * @example countListed(compared, ['rapporteur']).words // [{ words: 'rapporteur', said: 18, before: 0, after: 12, … }]
 */
export function countListed(
  compared: readonly ComparedTest[],
  list: readonly string[],
): { readonly words: readonly ListedWord[]; readonly texts: readonly ListedText[] } {
  const entries = [...new Set(list)].map((words) => ({
    parts: words.split(' '),
    counts: { words, said: 0, before: 0, after: 0, addedBefore: 0, addedAfter: 0 },
  }));
  const texts = new Map<string, { tests: number; before: number; after: number }>();
  for (const { before, after } of compared) {
    const [reference, once, now] = [wordsOf(before.text), heardIn(before), heardIn(after)];
    const sums = texts.get(before.text) ?? { tests: 0, before: 0, after: 0 };
    for (const { parts, counts } of entries) {
      const [said, rightOnce, rightNow] = [count(reference, parts), count(once.right, parts), count(now.right, parts)];
      counts.said += said;
      counts.before += rightOnce;
      counts.after += rightNow;
      counts.addedBefore += count(once.written, parts) - rightOnce;
      counts.addedAfter += count(now.written, parts) - rightNow;
      sums.tests += said;
      sums.before += rightOnce;
      sums.after += rightNow;
    }
    if (sums.tests > 0) texts.set(before.text, sums);
  }
  return {
    words: entries
      .map(({ counts }) => counts)
      .filter(({ said, addedBefore, addedAfter }) => said + addedBefore + addedAfter > 0),
    texts: [...texts.values()],
  };
}

/** The words that were written, and those of the text in its order with null for each that was not heard. */
function heardIn({ text, transcript }: ComparedTest['before']) {
  const written = wordsOf(transcript);
  const right: (string | null)[] = [];
  for (const pair of align(wordsOf(text), written)) {
    if (pair.reference === null) right.push(null);
    else right.push(pair.reference === pair.hypothesis ? pair.reference : null);
  }
  return { written, right };
}

function wordsOf(text: string): string[] {
  return text.split(' ').filter((word) => word !== '');
}

function count(words: readonly (string | null)[], parts: readonly string[]): number {
  return words.filter((_, start) => parts.every((part, place) => words[start + place] === part)).length;
}

/** What became of a list of words for one recognizer. */
export interface ListedChange {
  readonly name: string;
  readonly words: readonly ListedWord[];
  /** Null where the tests were chosen, or no text has any of the words. */
  readonly change: Comparison | null;
}

const maxShown = 100;

/** Whether a list helped, in a sentence. */
export function listedStatement({ name, words, change }: ListedChange): Statement {
  const sum = (key: 'said' | 'before' | 'after' | 'addedBefore' | 'addedAfter') =>
    words.reduce((total, word) => total + word[key], 0);
  return {
    text: `${name}: words of the list are said ${counted(sum('said'), 'time')}, heard before ${sum('before')}, now ${sum('after')}; written where nobody says them before ${sum('addedBefore')}, now ${sum('addedAfter')}`,
    ...(change === null ? {} : { comparison: change, kind: 'rate' as const }),
  };
}

/** The words of a list one by one. */
export function listedSection(changes: readonly ListedChange[]): Section {
  const rows = changes.flatMap(({ name, words }) =>
    words.map((word) => ({ recognizer: name, ...word, words: limitText(word.words, 200) })),
  );
  return {
    id: 'listed-words',
    title: 'Words of the list',
    tables: [
      {
        id: 'listed-words',
        title: 'Heard where they are said, and written where they are not',
        columns: [
          { key: 'recognizer', label: 'Recognizer', kind: 'text' },
          { key: 'words', label: 'Words', kind: 'text', transcript: true },
          { key: 'said', label: 'Said', kind: 'count', help: 'In the texts of tests before and after.' },
          { key: 'before', label: 'Heard before', kind: 'count' },
          { key: 'after', label: 'Heard now', kind: 'count' },
          { key: 'addedBefore', label: 'Not said, written before', kind: 'count' },
          { key: 'addedAfter', label: 'Not said, written now', kind: 'count' },
        ],
        rows: rows.slice(0, maxShown),
        ...(rows.length > maxShown ? { note: `${rows.length - maxShown} more in the data of this finding.` } : {}),
      },
    ],
  };
}
