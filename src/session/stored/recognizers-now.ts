import { EarwitnessError } from '../../base/errors.ts';
import { canonicalJson } from '../../base/hash.ts';
import type { JsonObject } from '../../base/json.ts';
import { printable } from '../../base/printable.ts';
import type { RunRecord } from '../../store/contract.ts';
import { named } from '../../studies/shared/wording.ts';
import type { Config } from '../config/config.ts';
import { loadMember } from '../members/load-member.ts';
import { createServices } from '../open/services.ts';
import { changedValues, optionsOf } from './what-changed.ts';

/** What is known of a recognizer as it would be asked now, without asking it. */
export interface RecognizerNow {
  /** By which a run has it; of an entry that stands for several and cannot be read, that of the entry. */
  readonly name: string;
  /** Some members of its identity, or all. Null: it cannot be had. */
  readonly identity: JsonObject | null;
  /** Why not. */
  readonly why: string | null;
}

/**
 * What the recognizers of a config are now, as far as that is known without starting a program or asking anybody: above all by the hashes of
 * their files. Those whose engine is not installed here are left out: runs of other machines are judged too.
 *
 * @param fileHash SHA-256 of a file
 */
export async function recognizersNow(
  config: Pick<Config, 'recognizers'>,
  baseFolder: string,
  fileHash: (path: string) => Promise<string>,
): Promise<readonly RecognizerNow[]> {
  const services = createServices({ baseFolder, fileHash }).recognizer;
  const found = await Promise.all(
    Object.entries(config.recognizers).map(async ([entry, { type, options: configured }]): Promise<RecognizerNow[]> => {
      try {
        const { member } = await loadMember('recognizers', type, baseFolder);
        const own = (await member.several?.(configured, services)) ?? [{ name: entry, options: configured }];
        return await Promise.all(
          own.map(async ({ name, options }) => {
            const resting = await member.restingIdentity?.(options, services);
            return { name, identity: resting ?? (await member.describe(options, services)).identity, why: null };
          }),
        );
      } catch (error) {
        if (!(error instanceof EarwitnessError)) throw error;
        return error.code === 'missing-program' ? [] : [{ name: entry, identity: null, why: error.message }];
      }
    }),
  );
  return found.flat();
}

/** What is another recognizer now than in a run, a part of a sentence each: `recognizer asr (contents of asr.tsv 05eb298f1ffd → 4499e781289f)`. */
export function changedRecognizers(
  run: Pick<RunRecord, 'recognizers' | 'config'>,
  now: readonly RecognizerNow[],
): string[] {
  return now.flatMap(({ name, identity, why }) => {
    if (identity === null) return [`recognizer ${named(name)} (${printable(why!.split('; ', 1)[0]!, 100)})`];
    const before = run.recognizers.find((one) => one.name === name)?.identity;
    if (before === undefined) return [`recognizer ${named(name)} (not in that run)`];
    const known = Object.fromEntries(Object.entries(before).filter(([key]) => Object.hasOwn(identity, key)));
    if (canonicalJson(known) === canonicalJson(identity)) return [];
    const [first] = changedValues(known, identity, optionsOf(run, name));
    return [
      `recognizer ${named(name)}${first === undefined ? '' : ` (${first.what} ${first.before} → ${first.after})`}`,
    ];
  });
}
