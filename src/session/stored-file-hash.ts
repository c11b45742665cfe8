import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { createFileHash } from '../decoders/file-hash.ts';
import type { Store } from '../store/contract.ts';

/** SHA-256 of files, remembered in the store as long as size and time of change stay the same: a second run reads none. */
export function storedFileHash(store: Store): (path: string) => Promise<string> {
  const fileHash = createFileHash();
  return async (path) => {
    const whole = resolve(path);
    const { size, mtimeNs } = await stat(whole, { bigint: true });
    const known = store.fileHash(whole, Number(size), String(mtimeNs));
    if (known !== null) return known;
    const hash = await fileHash(whole);
    store.rememberFileHash(whole, Number(size), String(mtimeNs), hash);
    return hash;
  };
}
