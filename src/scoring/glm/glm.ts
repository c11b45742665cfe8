/** One rule of rewriting: `input` between its contexts becomes `output`. */
export interface GlmRule {
  readonly input: string;
  readonly output: string;
  /** What must stand before the input; it stays. Empty for anything. */
  readonly leftContext: string;
  readonly rightContext: string;
  /** For which side the rule was written (`ref` or `hyp`, as a regular expression); null for both. */
  readonly side: string | null;
}

/** A global mapping file: the rules by which an evaluation makes the writings of a word equal or acceptable. */
export interface Glm {
  readonly name: string;
  readonly rules: readonly GlmRule[];
  readonly caseSensitive: boolean;
  /** Whether text that no rule meets is kept. */
  readonly keepUnmatched: boolean;
}
