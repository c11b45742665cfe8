import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';

/** Files whose hash is remembered; about 200 bytes each. */
const mostRemembered = 1_000_000;

/**
 * SHA-256 of files by path, streaming, remembered as long as size and time of change stay the same.
 *
 * @example
 * const fileHash = createFileHash();
 * await fileHash('model/mdef');
 */
export function createFileHash(): (path: string) => Promise<string> {
  const remembered = new Map<string, { readonly state: string; readonly hash: Promise<string> }>();
  return async (path) => {
    const { size, mtimeMs, ino } = await stat(path);
    const state = `${size}:${mtimeMs}:${ino}`;
    const known = remembered.get(path);
    if (known?.state === state) return known.hash;
    const hash = hashOf(path);
    remembered.set(path, { state, hash });
    if (remembered.size > mostRemembered) remembered.delete(remembered.keys().next().value!);
    // One that failed is asked again.
    hash.catch(() => remembered.delete(path));
    return hash;
  };
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) hash.update(chunk);
  return hash.digest('hex');
}
