import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { EarwitnessError } from '../base/errors.ts';

const versions = new Map<string, string>();

/**
 * Version of an installed npm package, from its package.json. Packages need not export that file, so it is looked for from
 * their entry upwards.
 *
 * @param purpose what it is for, as a clause: `which reads this kind of sound file`
 * @param install the line to type where it is missing
 * @throws EarwitnessError `missing-program` where the package is not installed
 * @example packageVersion('onnxruntime-node', 'which computes DNSMOS') // '1.30.0'
 */
export function packageVersion(name: string, purpose: string, install?: string): string {
  const known = versions.get(name);
  if (known !== undefined) return known;
  let entry: string;
  try {
    entry = fileURLToPath(import.meta.resolve(name));
  } catch (cause) {
    throw missingPackage(name, purpose, install, cause);
  }
  for (let folder = dirname(entry); folder !== dirname(folder); folder = dirname(folder)) {
    const described = readDescription(join(folder, 'package.json'));
    if (described?.name !== name || described.version === undefined) continue;
    versions.set(name, described.version);
    return described.version;
  }
  throw missingPackage(name, purpose, install);
}

/** The sentence for an optional package that is not there; parameters as of `packageVersion`. */
export function missingPackage(
  name: string,
  purpose: string,
  install = `npm install ${name}`,
  cause?: unknown,
): EarwitnessError {
  return new EarwitnessError(
    'missing-program',
    `expected the package ${name}, ${purpose}, but it is not installed; type: ${install}`,
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
