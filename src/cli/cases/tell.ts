import type { Json } from '../../base/json.ts';
import { printable } from '../../base/printable.ts';
import { printJson, printLine } from '../output.ts';

/** What most of these commands take. */
export interface CaseFlags {
  readonly store?: string;
  readonly json?: true;
}

export function nothingFailed(run: string): string {
  return `nothing was written: run ${run} has no failed cases`;
}

/** Data for programs, or a sentence for people. */
export async function tell(json: true | undefined, data: Json, sentence: string): Promise<void> {
  await (json ? printJson(data) : printLine(printable(sentence, 2000)));
}
