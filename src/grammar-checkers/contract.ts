import type { JsonObject } from '../base/json.ts';
import type { GrammarComplaint } from '../model/text-services.ts';

/** An opened checker. Nothing leaves the machine. */
export interface GrammarChecker {
  /** Engine and version, and the settings that change an answer. */
  readonly identity: JsonObject & { readonly engine: string; readonly version: string };
  /** What it is known to miss, in sentences for readers of a report. */
  readonly limits: string;
  /**
   * What is wrong with one sentence, which is written as in a book: a capital letter first, a full stop at the end. The same sentence
   * has the same complaints, whatever was checked before.
   */
  check(sentence: string): Promise<readonly GrammarComplaint[]>;
  close(): Promise<void>;
}

/** One grammar checker: what a member's folder exports. */
export interface GrammarCheckerKind {
  /** Kebab-case, the name of its folder. */
  readonly name: string;
  readonly about: string;
  /** @throws EarwitnessError `missing-program` where the engine is not installed, or does not load */
  open(): Promise<GrammarChecker>;
  readiness(): Promise<{ readonly ready: boolean; readonly found: string; readonly install?: string }>;
}
