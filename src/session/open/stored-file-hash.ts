import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { createFileHasher } from '../../decoders/contract.ts';
import type { FileHashes } from '../../store/contract.ts';

/**
 * SHA-256 of files, known from the store as long as size and time of change stay the same: a second run reads none.
 *
 * @param remember keeps what was not known
 */
export function storedFileHash(
  store: Pick<FileHashes, 'fileHash'>,
  remember: FileHashes['rememberFileHash'] = () => {},
): (path: string) => Promise<string> {
  const fileHash = createFileHasher();
  return async (path) => {
    const whole = resolve(path);
    const { size, mtimeNs } = await stat(whole, { bigint: true });
    const known = store.fileHash(whole, Number(size), String(mtimeNs));
    if (known !== null) return known;
    const hash = await fileHash(whole);
    remember(whole, Number(size), String(mtimeNs), hash);
    return hash;
  };
}
