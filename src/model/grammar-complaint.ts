/** What a grammar checker has against a sentence. */
export interface GrammarComplaint {
  /** The checker's own word for it: `Agreement`, `Spelling`. */
  readonly kind: string;
  /** Against the rules of the language, or only hard to read. */
  readonly about: 'correctness' | 'clarity';
  readonly message: string;
  /** The words of the sentence that it is about. */
  readonly words: string;
}
