import type { Section, Table } from '../model/finding.ts';
import { align } from '../scoring/alignment/align.ts';
import { likelyWords } from '../scoring/alignment/open-words.ts';
import { conditionColumn } from '../studies/shared/tables.ts';
import type { SidesInWords } from './sides-in-words.ts';

/** A word of references that was right before and is not now, and what stands in its place. */
interface BrokenWord {
  readonly said: string;
  /** Null: nothing. */
  readonly heard: string | null;
  times: number;
  /** Where that happened first. */
  readonly first: Place;
}

interface Place {
  readonly utteranceId: string;
  readonly conditionName: string;
}

/** How often a word of references is wrong on either side, of how often it was said. */
interface WrongWord {
  said: number;
  before: number;
  after: number;
}

/** So many different ones are counted, those that come first. */
const maxCounted = 100_000;
const maxListed = 200;

/** Counts words that are newly broken, and those that are wrong, over all trials that both sides answered. */
export class BrokenWords {
  readonly #counted = new Map<string, BrokenWord>();
  readonly #wrong = new Map<string, WrongWord>();

  /** @param before words that were heard, and after: of the same reference */
  see(place: Place, reference: readonly string[], before: readonly string[], after: readonly string[]): void {
    const said = reference.join(' ');
    const alignedWith = (heard: readonly string[]) =>
      heard.join(' ') === said
        ? likelyWords(reference).map((word) => ({ reference: word, hypothesis: word }))
        : align(reference, heard).filter((one) => one.reference !== null);
    const were = alignedWith(before);
    const are = before.join(' ') === after.join(' ') ? were : alignedWith(after);
    for (const [at, { reference: said, hypothesis: heard }] of are.entries()) {
      const was = were[at]!.hypothesis;
      this.#count(said!, was, heard);
      if (heard === said || was !== said) continue;
      const key = `${said}\n${heard ?? ''}`;
      const known = this.#counted.get(key);
      if (known !== undefined) known.times++;
      else if (this.#counted.size < maxCounted) this.#counted.set(key, { said: said!, heard, times: 1, first: place });
    }
  }

  #count(said: string, before: string | null, after: string | null): void {
    const word = this.#wrong.get(said) ?? { said: 0, before: 0, after: 0 };
    word.said++;
    if (before !== said) word.before++;
    if (after !== said) word.after++;
    if (word.said > 1 || this.#wrong.size < maxCounted) this.#wrong.set(said, word);
  }

  /** The most frequent in a table; null where there are none. */
  section({ broken: [title, right, now] }: Pick<SidesInWords, 'broken'>): Section | null {
    const all = [...this.#counted.values()].sort((a, b) => b.times - a.times);
    if (all.length === 0) return null;
    const table = {
      ...{ id: 'comparison-words', title },
      columns: [
        { key: 'said', label: right, kind: 'text', transcript: true },
        { key: 'heard', label: now, kind: 'text', transcript: true, help: 'Empty: deleted.' },
        { key: 'times', label: 'Times', kind: 'count' },
        { key: 'utterance', label: 'First in', kind: 'text' },
        conditionColumn,
      ] as const,
      rows: all.slice(0, maxListed).map(({ said, heard, times, first: { utteranceId, conditionName } }) => ({
        ...{ said, heard: heard ?? '', times },
        ...{ utterance: utteranceId, condition: conditionName },
      })),
    };
    const text =
      all.length > maxListed ? [`The ${maxListed} most frequent of ${all.length.toLocaleString('en-US')}.`] : [];
    return { id: 'comparison-words', title, text, tables: [table] };
  }

  /** Words that one side has wrong, most often first; null where it has none. */
  wrong(side: 'before' | 'after', title: string): Table | null {
    const all = [...this.#wrong].filter(([, word]) => word[side] > 0);
    if (all.length === 0) return null;
    return {
      id: 'comparison-wrong',
      title,
      columns: [
        { key: 'word', label: 'Word', kind: 'text', transcript: true },
        { key: 'wrong', label: 'Wrong', kind: 'count' },
        { key: 'said', label: 'Said', kind: 'count' },
      ],
      rows: all
        .toSorted(([, a], [, b]) => b[side] - a[side] || a.said - b.said)
        .slice(0, maxListed)
        .map(([word, counts]) => ({ word, wrong: counts[side], said: counts.said })),
    };
  }
}
