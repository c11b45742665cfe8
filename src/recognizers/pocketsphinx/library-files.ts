import { realpath, stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import type { RecognizerServices } from '../contract.ts';

/** The two shared libraries of PocketSphinx 0.8 and 5prealpha, whose functions and structures this member knows. */
export interface LibraryFiles {
  readonly decoder: string;
  readonly base: string;
  /** Real name of the decoder's file, with its version: `libpocketsphinx.so.3.0.0`. */
  readonly name: string;
}

const decoderName = 'libpocketsphinx.so.3';
const baseName = 'libsphinxbase.so.3';
const triplets: Readonly<Partial<Record<NodeJS.Architecture, string>>> = {
  x64: 'x86_64-linux-gnu',
  arm64: 'aarch64-linux-gnu',
  riscv64: 'riscv64-linux-gnu',
  ppc64: 'powerpc64le-linux-gnu',
};

/**
 * Where the libraries lie: the named folder, else LD_LIBRARY_PATH and the system's usual folders.
 *
 * @returns null where they are not
 */
export async function findLibraryFiles(
  services: RecognizerServices,
  folder: string | undefined,
): Promise<LibraryFiles | null> {
  const triplet = triplets[process.arch];
  const folders =
    folder !== undefined
      ? [resolve(services.baseFolder, folder)]
      : [
          ...(services.environment('LD_LIBRARY_PATH') ?? '').split(':').filter(Boolean),
          '/usr/local/lib',
          ...(triplet ? [`/usr/lib/${triplet}`, `/lib/${triplet}`] : []),
          '/usr/lib64',
          '/usr/lib',
        ];
  for (const place of folders) {
    const decoder = join(place, decoderName);
    const base = join(place, baseName);
    if ((await isFile(decoder)) && (await isFile(base))) {
      return { decoder, base, name: basename(await realpath(decoder)) };
    }
  }
  return null;
}

async function isFile(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null))?.isFile() ?? false;
}
