import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import type { RecognizerServices } from '../contract.ts';

/**
 * Where downloaded models are kept: the folder that is named, else EARWITNESS_CACHE, else the system's folder for caches (XDG
 * Base Directory Specification; on macOS ~/Library/Caches, on Windows %LOCALAPPDATA%).
 *
 * @param named as an option names it
 */
export function modelCacheFolder(
  named: string | undefined,
  { baseFolder, environment }: Pick<RecognizerServices, 'baseFolder' | 'environment'>,
  platform: NodeJS.Platform = process.platform,
): string {
  if (named !== undefined) return resolve(baseFolder, named);
  const own = environment('EARWITNESS_CACHE');
  if (own) return resolve(baseFolder, own, 'models');
  return join(systemCache(environment, platform), 'earwitness', 'models');
}

function systemCache(environment: RecognizerServices['environment'], platform: NodeJS.Platform): string {
  if (platform === 'win32') return environment('LOCALAPPDATA') || join(homedir(), 'AppData', 'Local');
  if (platform === 'darwin') return join(homedir(), 'Library', 'Caches');
  return environment('XDG_CACHE_HOME') || join(homedir(), '.cache');
}
