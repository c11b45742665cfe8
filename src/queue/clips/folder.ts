import { readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { badConfig } from '../../base/errors.ts';
import type { ClipPlace } from './contract.ts';

const isAbsent = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ENOENT';

/**
 * A folder that all machines share.
 *
 * @throws EarwitnessError `bad-config` by its methods where the folder is not there: it is never made, for an empty one in its place would be no share
 */
export function folderPlace(folder: string): ClipPlace {
  const refuseAbsent = async (cause: unknown): Promise<void> => {
    const there = await stat(folder).catch(() => null);
    if (there?.isDirectory()) return;
    throw badConfig(
      `clips: expected a folder that all machines share at ${folder}, but there is none; mount it, or correct \`clips\` here`,
      { cause },
    );
  };
  return {
    async put(name, bytes) {
      try {
        // Nobody reads half of it.
        const unfinished = join(folder, `${name}.unfinished`);
        await writeFile(unfinished, bytes);
        await rename(unfinished, join(folder, name));
      } catch (error) {
        await refuseAbsent(error);
        throw badConfig(
          `clips: expected a folder with room that can be written, but at ${folder} came ${(error as NodeJS.ErrnoException).code}; correct its rights, free some space, or correct \`clips\``,
          { cause: error },
        );
      }
    },
    async get(name) {
      try {
        return await readFile(join(folder, name));
      } catch (error) {
        await refuseAbsent(error);
        if (isAbsent(error)) return null;
        throw error;
      }
    },
    async remove(name) {
      await Promise.all([name, `${name}.unfinished`].map((file) => rm(join(folder, file), { force: true })));
    },
  };
}
