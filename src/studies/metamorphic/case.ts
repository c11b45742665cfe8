import type { Wrong } from './add-case.ts';
import type { IdentityControl } from './identity-control.ts';

/** One case: a clip, changed, heard by one recognizer before and after. */
export interface Case {
  readonly recognizer: number;
  readonly condition: number;
  readonly draw: number;
  readonly expected: readonly string[];
  readonly followUp: readonly string[];
  readonly edits: number;
  /** Null: the clean clip was recognized once. */
  readonly control: IdentityControl | null;
  readonly wrong: Wrong | null;
}
