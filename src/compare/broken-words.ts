import type { Section } from '../model/finding.ts';
import { align } from '../scoring/alignment/align.ts';
import { conditionColumn } from '../studies/shared/tables.ts';

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

/** So many different ones are counted, those that come first. */
const maxCounted = 100_000;
const maxListed = 200;

/** Counts words that are newly broken, over all trials that both sides answered. */
export class BrokenWords {
  readonly #counted = new Map<string, BrokenWord>();

  /** @param before words that were heard, and after: of the same reference */
  see(place: Place, reference: readonly string[], before: readonly string[], after: readonly string[]): void {
    if (before.join(' ') === after.join(' ')) return;
    const [were, are] = [before, after].map((heard) =>
      align(reference, heard).filter((one) => one.reference !== null),
    ) as [ReturnType<typeof align>, ReturnType<typeof align>];
    for (const [at, { reference: said, hypothesis: heard }] of are.entries()) {
      if (heard === said || were[at]!.hypothesis !== said) continue;
      const key = `${said}\n${heard ?? ''}`;
      const known = this.#counted.get(key);
      if (known !== undefined) known.times++;
      else if (this.#counted.size < maxCounted) this.#counted.set(key, { said: said!, heard, times: 1, first: place });
    }
  }

  /** The most frequent in a table; null where there are none. */
  section(): Section | null {
    const all = [...this.#counted.values()].sort((a, b) => b.times - a.times);
    if (all.length === 0) return null;
    const table = {
      ...{ id: 'comparison-words', title: 'Words newly broken' },
      columns: [
        { key: 'said', label: 'Right before', kind: 'text', transcript: true },
        { key: 'heard', label: 'Now', kind: 'text', transcript: true, help: 'Empty: deleted.' },
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
    return { id: 'comparison-words', title: 'Words newly broken', text, tables: [table] };
  }
}
