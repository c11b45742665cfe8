import { posix, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { printable } from '../../base/printable.ts';
import { amount } from './amount.ts';
import { endingOf, readSoundTree } from './sound-tree.ts';

/** Files in a folder without sounds in which sounds may be packed. */
export interface PackedSounds {
  /** Whether they are Parquet files, which are nothing that lies about. */
  readonly parquet: boolean;
  /** How to get the sounds out of them: one or two sentences. */
  readonly advice: string;
}

const archive = /\.(?:zip|7z|rar|tar|tgz|tbz2|txz|tar\.(?:gz|bz2|xz|zst))$/i;

/**
 * @param path a folder, as the user wrote it
 * @param then what comes after: `init`
 * @returns null where there is no such file
 */
export async function packedSounds(path: string, baseFolder: string, then: string): Promise<PackedSounds | null> {
  const { others } = await readSoundTree(resolve(baseFolder, path), printable(path));
  const parquets = others.filter((other) => endingOf(other) === 'parquet');
  if (parquets.length > 0) {
    const program = fileURLToPath(new URL('../../../examples/parquet/unpack.mjs', import.meta.url));
    const near = relative(process.cwd(), program);
    const to = 'recordings';
    const command = `node ${word(near.startsWith('..') ? program : near)} ${word(path)} ${to}`;
    return {
      parquet: true,
      advice: `Hugging Face packs audio and text into Parquet files, and here ${named(parquets, 'such file')}. Unpack with: ${command}; then: earwitness ${then} ${to}`,
    };
  }
  const archives = others.filter((other) => archive.test(other) && !posix.basename(other).startsWith('earwitness-'));
  if (archives.length === 0) return null;
  return {
    parquet: false,
    advice: `Archives are not read, and here ${named(archives, 'archive')}: unpack those that hold recordings.`,
  };
}

/** @example named(['a.zip'], 'archive') // 'is 1 archive (a.zip)' */
function named(paths: readonly string[], noun: string): string {
  const more = paths.length > 1 ? ', …' : '';
  return `${paths.length === 1 ? 'is' : 'are'} ${amount(paths.length, noun)} (${printable(paths[0]!, 80)}${more})`;
}

/** A word of a command line, in quotes where it needs them. */
function word(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${printable(text).replaceAll("'", "'\\''")}'`;
}
