import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import type { Work } from './works.ts';

/** What SoX's effects write to. */
const nowhere = ['-t', 'raw', '-e', 'floating-point', '-b', '32', '/dev/null'];

/**
 * Processor seconds that SoX takes for an effect on a file; what it takes for one of .01 s is subtracted.
 *
 * @param folder with in.wav and short.wav
 */
export function soxSeconds(folder: string, effect: NonNullable<Work['sox']>): number {
  const all = (file: string): number => {
    if (typeof effect === 'string') return spent([join(folder, file), ...nowhere, ...effect.split(' ')]);
    const between = join(folder, `between.${effect.ending}`);
    return spent([join(folder, file), ...effect.through, between]) + spent([between, ...nowhere]);
  };
  return all('in.wav') - all('short.wav');
}

function spent(words: readonly string[]): number {
  const args = ['-c', 'time "$@" 2>/dev/null', 'bash', 'sox', '-D', '--single-threaded', ...words];
  const env = { ...process.env, TIMEFORMAT: '%U %S' };
  const { status, stderr } = spawnSync('bash', args, { encoding: 'utf8', env });
  if (status !== 0) throw new Error(`SoX could not do: ${words.join(' ')}`);
  const [user, system] = stderr.trim().split(' ').map(Number);
  return user! + system!;
}
