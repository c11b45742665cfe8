import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { EarwitnessError } from '../../base/errors.ts';

const versions = new Map<string, string>();

/**
 * Version of an installed package, from its package.json. Packages need not export that file, so it is looked for from
 * their entry upwards.
 *
 * @throws EarwitnessError `missing-program` where the package is not installed
 */
export function libraryVersion(packageName: string): string {
  const known = versions.get(packageName);
  if (known !== undefined) return known;
  let entry: string;
  try {
    entry = fileURLToPath(import.meta.resolve(packageName));
  } catch (cause) {
    throw missingLibrary(packageName, cause);
  }
  for (let folder = dirname(entry); folder !== dirname(folder); folder = dirname(folder)) {
    const described = readDescription(join(folder, 'package.json'));
    if (described?.name !== packageName || described.version === undefined) continue;
    versions.set(packageName, described.version);
    return described.version;
  }
  throw missingLibrary(packageName);
}

/** The sentence for an optional package that is not there. */
export function missingLibrary(packageName: string, cause?: unknown): EarwitnessError {
  return new EarwitnessError(
    'missing-program',
    `expected the package ${packageName}, which reads this kind of sound file, but it is not installed; type: npm install ${packageName}`,
    { cause },
  );
}

/** Whether an import failed because the package itself is absent, and not because something in it broke. */
export function isAbsent(thrown: unknown, packageName: string): boolean {
  if (!(thrown instanceof Error) || !('code' in thrown)) return false;
  const absent = thrown.code === 'ERR_MODULE_NOT_FOUND' || thrown.code === 'MODULE_NOT_FOUND';
  return absent && thrown.message.includes(packageName);
}

function readDescription(path: string): { name?: string; version?: string } | null {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return null;
  }
}
