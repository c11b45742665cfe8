import { existsSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { EarwitnessError } from '../base/errors.ts';
import { printable } from '../base/printable.ts';
import { configNames, findConfig } from '../session/config/find-config.ts';
import { loadConfig } from '../session/config/load-config.ts';

/** Where the store is when nobody says otherwise. */
const usualStore = '.earwitness/store.sqlite';

/** What a command that reads the store has no use for: a key that is not set now is no reason to show nothing. */
export const besideStore = [
  ...(['corpus', 'synthesizers', 'sounds', 'recognizers', 'studies', 'embedders', 'predictors', 'quality'] as const),
  'ladders',
] as const;

/** Lets a command name the store that it reads. */
export function addStoreOption(command: Command): Command {
  return command.option('--store <file>', `the store; else the config's, else ${usualStore}`);
}

/**
 * The store that a command means: the one given, or the one in the folder given; the config's where there is one in this folder, or the usual one.
 *
 * @throws EarwitnessError `bad-usage` for a folder without a store
 */
export async function storeFile(given: string | undefined): Promise<string> {
  if (given !== undefined) return storeAt(given);
  if (!configNames.some((name) => existsSync(name))) return resolve(usualStore);
  const { config, baseFolder } = await loadConfig(findConfig(process.cwd()), undefined, besideStore);
  return resolve(baseFolder, config.store);
}

function storeAt(given: string): string {
  const path = resolve(given);
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) return path;
  const inside = [join(path, 'store.sqlite'), join(path, usualStore)].find((file) => existsSync(file));
  if (inside !== undefined) return inside;
  throw new EarwitnessError(
    'bad-usage',
    `${printable(given)}: expected a store or a folder that has one, but there is no store.sqlite in it; name the file: --store ${printable(join(given, 'store.sqlite'))}`,
  );
}
