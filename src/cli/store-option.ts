import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { configNames, findConfig } from '../session/config/find-config.ts';
import { loadConfig } from '../session/config/load-config.ts';

/** Where the store is when nobody says otherwise. */
const usualStore = '.earwitness/store.sqlite';

/** What a command that reads the store has no use for: a key that is not set now is no reason to show nothing. */
const beside = [
  ...(['corpus', 'synthesizers', 'sounds', 'recognizers', 'studies', 'embedders', 'predictors', 'quality'] as const),
  'ladders',
] as const;

/** Lets a command name the store that it reads. */
export function addStoreOption(command: Command): Command {
  return command.option('--store <file>', `the store; else the config's, else ${usualStore}`);
}

/** The store that a command means: the one given, the config's where there is one in this folder, or the usual one. */
export async function storeFile(given: string | undefined): Promise<string> {
  if (given !== undefined) return resolve(given);
  if (!configNames.some((name) => existsSync(name))) return resolve(usualStore);
  const { config, baseFolder } = await loadConfig(findConfig(process.cwd()), undefined, beside);
  return resolve(baseFolder, config.store);
}
