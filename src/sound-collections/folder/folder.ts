import { join, resolve } from 'node:path';
import { z } from 'zod';
import type { SoundCollectionKind } from '../contract.ts';
import { listedSounds } from '../shared/listed-sounds.ts';
import { factsByName } from './facts-by-name.ts';

const options = z.strictObject({
  folder: z.string().min(1).max(4096).describe('Folder of sound files; those in folders inside of it count too'),
  manifest: z
    .string()
    .min(1)
    .max(4096)
    .optional()
    .describe(
      'A TSV, CSV or JSONL file with a column `path` (from the manifest or from the folder); its other columns become facts: category, licence, rt60Seconds, srmr, speaker, … Where one is given, only the files it names belong to the collection',
    ),
});

/** Any folder of sound files, with a table of what is known of them. */
export const folder: SoundCollectionKind<z.infer<typeof options>> = {
  name: 'folder',
  about: 'Any folder of sound files, with facts of them in a table if there is one.',
  options,
  async list({ folder: given, manifest }, { baseFolder, rows }) {
    const found = { folder: resolve(baseFolder, given), shownName: given };
    const sounds = await listedSounds(found, () => ({}));
    if (manifest === undefined) return sounds;
    const file = resolve(baseFolder, manifest);
    const facts = await factsByName(rows(file, manifest), {
      manifestFolder: join(file, '..'),
      folder: found.folder,
      shownName: manifest,
      known: new Set(sounds.map(({ name }) => name)),
    });
    return sounds.filter(({ name }) => facts.has(name)).map((sound) => ({ ...sound, facts: facts.get(sound.name)! }));
  },
};
