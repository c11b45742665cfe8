import { readFile } from 'node:fs/promises';
import { sha256 } from '../../base/hash.ts';
import type { RecognizerServices } from '../contract.ts';

/** Services as the program gives them, for tests and measurements. */
export function plainServices(
  baseFolder: string,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): RecognizerServices {
  const hashes = new Map<string, Promise<string>>();
  return {
    baseFolder,
    environment: (name) => environment[name],
    fileHash(path) {
      const known = hashes.get(path) ?? readFile(path).then((bytes) => sha256(bytes));
      hashes.set(path, known);
      return known;
    },
  };
}
