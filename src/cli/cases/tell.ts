import { resolve } from 'node:path';
import type { Json } from '../../base/json.ts';
import { printable } from '../../base/printable.ts';
import { sameLetters } from '../../cases/summarize-verdicts.ts';
import { plainEnglish } from '../../scoring/normalizers/plain-english/plain-english.ts';
import type { TrustedCode } from '../../session/cases/run-sounds.ts';
import type { Flag, FlagsOf } from '../flags.ts';
import { printJson, printLine } from '../output.ts';

export function nothingFailed(run: string): string {
  return `nothing was written: run ${run} has no failed cases`;
}

/** Data for programs, or a sentence for people. */
export async function tell(json: true | undefined, data: Json, sentence: string): Promise<void> {
  await (json ? printJson(data) : printLine(printable(sentence, 2000)));
}

/** What a command may run of a config that stands in a store, and so may be somebody else's. */
export const trustedFlags = [
  ['--modules <folder>', "load the run's own modules from this folder, those whose hashes still match"],
  ['--programs', "start the programs that the run's config names"],
] as const satisfies readonly Flag[];

export function trustedCode({ modules, programs }: FlagsOf<typeof trustedFlags>): TrustedCode {
  return { modules: modules === undefined ? null : resolve(modules), programs: programs === true };
}

/** Whether two texts are the same but for their spelling: their letters, or what our English normalizer makes of them. */
export function sameSpelling(a: string, b: string): boolean {
  const spelled = (text: string) => plainEnglish.words(text).join('');
  return sameLetters(a, b) || spelled(a) === spelled(b);
}
