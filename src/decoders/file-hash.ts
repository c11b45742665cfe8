import { createHash } from 'node:crypto';
import { open, stat } from 'node:fs/promises';

/** Files whose hash is remembered; about 200 bytes each. */
const maxRemembered = 1_000_000;

const chunkBytes = 1 << 20;

/**
 * SHA-256 of files by path, streaming, remembered as long as size and time of change stay the same.
 *
 * @example
 * const fileHash = createFileHasher();
 * await fileHash('model/mdef');
 */
export function createFileHasher(): (path: string) => Promise<string> {
  const remembered = new Map<string, { readonly state: string; readonly hash: Promise<string> }>();
  return async (path) => {
    const { size, mtimeMs, ino } = await stat(path);
    const state = `${size}:${mtimeMs}:${ino}`;
    const known = remembered.get(path);
    if (known?.state === state) return known.hash;
    const hash = hashOf(path);
    remembered.set(path, { state, hash });
    if (remembered.size > maxRemembered) remembered.delete(remembered.keys().next().value!);
    // One that failed is asked again.
    hash.catch(() => remembered.delete(path));
    return hash;
  };
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  await using file = await open(path);
  // One buffer for the whole file: a stream makes a new one for each chunk, and hundreds of megabytes of a model then cost
  // more in collected garbage than in hashing.
  const buffer = Buffer.allocUnsafeSlow(chunkBytes);
  for (;;) {
    const { bytesRead } = await file.read(buffer, 0, chunkBytes);
    if (bytesRead === 0) return hash.digest('hex');
    hash.update(buffer.subarray(0, bytesRead));
  }
}
