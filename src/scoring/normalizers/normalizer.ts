/**
 * A way of making texts comparable before they are scored: named and versioned, because it decides every number.
 */
export interface Normalizer {
  /** Kebab-case, the name of its file. */
  readonly name: string;
  /** Raised whenever some text comes out otherwise. */
  readonly version: number;
  /** One sentence for the list of normalizers. */
  readonly about: string;
  /** The words to be scored, none of them empty. Never throws, whatever the text. */
  words(text: string): string[];
}
