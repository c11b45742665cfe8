import { createHash } from 'node:crypto';
import { readdir, stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { z } from 'zod';
import { badConfig } from '../base/errors.ts';
import { hashJson } from '../base/hash.ts';
import type { Json } from '../base/json.ts';
import { list, matching } from '../base/option-kinds.ts';
import { printable } from '../base/printable.ts';
import type { ModelFileServices } from '../packages/model-files.ts';
import { type ProgramStart, programEnvironment } from './run-program.ts';

/** What an argument of a program is: a file by its content, a folder by its name alone, anything else as it stands. */
export async function argumentIdentity(part: string, { baseFolder, fileHash }: ModelFileServices): Promise<Json> {
  const path = resolve(baseFolder, part);
  const found = await stat(path).catch(() => null);
  if (found?.isFile()) return { file: await fileHash(path) };
  return found?.isDirectory() ? { folder: basename(path) } : { text: part };
}

/**
 * One hash of the contents of a file, or of all files of a folder with their names.
 *
 * @throws EarwitnessError `bad-config` where there is neither
 */
export async function modelIdentity(named: string, { baseFolder, fileHash }: ModelFileServices): Promise<string> {
  const path = resolve(baseFolder, named);
  const found = await stat(path).catch(() => null);
  if (found?.isFile()) return fileHash(path);
  if (!found?.isDirectory())
    throw badConfig(
      `models: expected a file or folder at ${printable(named, 200)}, but there is none; correct the path`,
    );
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const hash = createHash('sha256');
  for (const file of files.toSorted()) hash.update(`${file.slice(path.length)}\0${await fileHash(file)}\0`);
  return hash.digest('hex');
}

/** Option of members whose program stays. */
export const stayingProgram = list(z.string(), 1)
  .refine(([program]) => program?.trim() !== '', { error: 'expected a program, but its name is empty', path: [0] })
  .describe('Program and arguments, no shell. It stays, and speaks the protocol of docs/protocol.md.');

/** Option of members that start programs. */
export const seenVariables = z
  .array(matching(/^[A-Za-z_][A-Za-z0-9_]*$/, 'expected the name of an environment variable'))
  .default([])
  .describe('Names of environment variables it may see, besides PATH, HOME, LANG, LC_ALL and TMPDIR. Keys go here.');

/** Where a program is looked for: a name without a slash in PATH, a path from the folder. */
export function programPath(named: string, folder: string): string {
  return named.includes('/') ? resolve(folder, named) : named;
}

/** Variables that tell a process which of several it is, and where it computes. */
export function workerVariables(worker: number, device: string | undefined): Record<string, string> {
  return { EARWITNESS_WORKER: String(worker), ...(device !== undefined && { EARWITNESS_DEVICE: device }) };
}

/** A hash of a program and its arguments, files by their contents: arguments hold paths and sometimes what they should not. */
export async function programIdentity(parts: readonly string[], files: ModelFileServices): Promise<string> {
  const identities = parts.map((part, index) =>
    index === 0 && !part.includes('/') ? { name: part } : argumentIdentity(part, files),
  );
  return hashJson(await Promise.all(identities));
}

/** One of the processes of a program. */
export function programStart(
  {
    program: [named = '', ...more],
    environment,
  }: { readonly program: readonly string[]; readonly environment: readonly string[] },
  services: { readonly baseFolder: string; environment(name: string): string | undefined },
  worker: number,
  device: string | undefined,
): ProgramStart {
  return {
    program: programPath(named, services.baseFolder),
    arguments: more,
    folder: services.baseFolder,
    environment: { ...programEnvironment(environment, services.environment), ...workerVariables(worker, device) },
  };
}

/** Of a member that names any program: whether that is there shows when it is started. */
export const programReadiness = async () => ({
  ready: true,
  found: 'built in; the program is looked for when it is used',
});
