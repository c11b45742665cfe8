import { limitText } from '../../base/limit-text.ts';

/** A text that was written though nobody spoke. */
export interface InventedText {
  readonly text: string;
  /** How many sounds it was written for. */
  readonly sounds: number;
}

const mostTexts = 20_000;
const mostCharacters = 200;

/** Counts invented texts; those that come after the first 20,000 different ones are counted together. */
export class InventedTexts {
  readonly #counts = new Map<string, number>();
  #rest = 0;

  /** @param words of the transcript, at least one */
  add(words: readonly string[]): void {
    // Long ones are cut; through JSON, because parts of a string keep all of it alive.
    const text: string = JSON.parse(
      JSON.stringify(limitText(words.slice(0, mostCharacters).join(' '), mostCharacters)),
    );
    const count = this.#counts.get(text);
    if (count === undefined && this.#counts.size >= mostTexts) this.#rest++;
    else this.#counts.set(text, (count ?? 0) + 1);
  }

  get different(): number {
    return this.#counts.size;
  }

  /** How many sounds had a text that was not counted by itself. */
  get uncounted(): number {
    return this.#rest;
  }

  /** Commonest first; of equals in the order of code units. */
  commonest(most: number): InventedText[] {
    return [...this.#counts]
      .map(([text, sounds]) => ({ text, sounds }))
      .sort((a, b) => b.sounds - a.sounds || (a.text < b.text ? -1 : 1))
      .slice(0, most);
  }
}
