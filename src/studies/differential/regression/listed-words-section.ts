import { limitText } from '../../../base/limit-text.ts';
import type { Comparison, Section, Statement } from '../../../model/finding.ts';
import { counted } from '../../shared/wording.ts';
import type { ListedWord } from './listed-words.ts';

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
