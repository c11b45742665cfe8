import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '../base/json.ts';
import { loadMember, memberNames } from '../session/members/load-member.ts';

/** A corpus that reads what lies in a folder. */
export type KnownDataSet = {
  readonly type: string;
  /** Without `folder`. */
  readonly options: JsonObject;
};

/**
 * The published data set that a folder holds, by the signs that corpora give; null where none is known.
 *
 * @example await knownDataSet('/data/LibriSpeech') // { type: 'librispeech', options: { split: 'test-clean' } }
 */
export async function knownDataSet(folder: string): Promise<KnownDataSet | null> {
  for (const type of memberNames('corpora')) {
    const { member } = await loadMember('corpora', type, folder);
    const sign = member.signs?.find(({ path }) => existsSync(join(folder, path)));
    if (sign !== undefined) return { type, options: sign.options };
  }
  return null;
}
