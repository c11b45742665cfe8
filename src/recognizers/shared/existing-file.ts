import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { EarwitnessError } from '../../base/errors.ts';
import type { RecognizerServices } from '../contract.ts';

/**
 * The absolute path of a file that an option names.
 *
 * @param option name of the option, for the error
 * @throws EarwitnessError `bad-config` where there is no such file
 */
export function existingFile(
  services: Pick<RecognizerServices, 'baseFolder'>,
  option: string,
  path: string,
): Promise<string> {
  return existing(services.baseFolder, option, path, 'file');
}

/**
 * The absolute path of a folder that an option names.
 *
 * @throws EarwitnessError `bad-config` where there is no such folder
 */
export function existingFolder(
  services: Pick<RecognizerServices, 'baseFolder'>,
  option: string,
  path: string,
): Promise<string> {
  return existing(services.baseFolder, option, path, 'folder');
}

async function existing(base: string, option: string, path: string, kind: 'file' | 'folder'): Promise<string> {
  const absolute = resolve(base, path);
  const found = await stat(absolute).catch(() => null);
  if (kind === 'file' ? found?.isFile() : found?.isDirectory()) return absolute;
  const problem = found === null ? 'there is none' : `it is ${found.isDirectory() ? 'a folder' : 'not one'}`;
  throw new EarwitnessError('bad-config', `${option}: expected a ${kind} at ${path}, but ${problem}; correct the path`);
}
