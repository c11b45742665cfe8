import { join, relative, resolve, sep } from 'node:path';
import { z } from 'zod';
import { badInput } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json.ts';
import { nonEmpty } from '../../base/option-kinds.ts';
import { limitText, printable } from '../../base/printable.ts';
import type { FactRow, SoundCollectionKind } from '../contract.ts';
import { listedSounds } from '../shared/listed-sounds.ts';

/** Columns that may hold the path. */
const pathColumns = ['path', 'file', 'filename'];
/** Facts are carried along with every sound. */
const longestFact = 1000;

const options = z.strictObject({
  folder: nonEmpty(4096).describe('Folder of audio files; those in folders inside of it count too'),
  manifest: nonEmpty(4096)
    .optional()
    .describe(
      'A TSV, CSV or JSONL file with a column `path` (from the manifest or from the folder); its other columns become facts: category, licence, rt60Seconds, srmr, speaker, … Where one is given, only the files it names belong to the collection',
    ),
});

/** Any folder of sound files, with a table of what is known of them. */
export const folder: SoundCollectionKind<z.infer<typeof options>> = {
  name: 'folder',
  about: 'Any folder of audio files, with facts of them in a table if there is one.',
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

interface Places {
  readonly manifestFolder: string;
  readonly folder: string;
  readonly shownName: string;
  /** Paths inside of the folder that there are. */
  readonly known: ReadonlySet<string>;
}

/**
 * What a table knows of the files in a folder, by their paths inside of it. Rows of files elsewhere are passed over: one
 * table may describe several folders. Numbers become numbers.
 *
 * @throws EarwitnessError `bad-input`: no column with a path, a file of the folder that is not there or is named twice, or
 * no row about the folder
 */
async function factsByName(
  rows: AsyncIterable<FactRow>,
  { manifestFolder, folder, shownName, known }: Places,
): Promise<ReadonlyMap<string, JsonObject>> {
  const facts = new Map<string, JsonObject>();
  for await (const row of rows) {
    const column = pathColumns.find((name) => row.text(name) !== undefined);
    if (column === undefined) {
      throw badInput(
        `${row.place()}: expected a column ${pathColumns.join(' or ')} with the path of an audio file, but there is none; name it so`,
      );
    }
    const path = row.text(column)!;
    const name = [manifestFolder, folder]
      .map((from) => inside(folder, resolve(from, path)))
      .find((way) => known.has(way));
    if (name === undefined) {
      const missing = inside(folder, resolve(manifestFolder, path));
      if (missing.startsWith('../')) continue;
      throw badInput(
        `${row.place(column)}: expected the path of an audio file, but there is no ${JSON.stringify(limitText(path, 200))}; correct it, or take the row out`,
      );
    }
    if (facts.has(name)) {
      throw badInput(
        `${row.place(column)}: expected every file once, but ${JSON.stringify(limitText(path, 200))} stands here again; take one of the rows out`,
      );
    }
    facts.set(name, factsOf(row, column));
  }
  if (facts.size === 0) {
    throw badInput(`${printable(shownName)}: expected rows about files of the folder, but none is; check both paths`);
  }
  return facts;
}

function inside(folder: string, file: string): string {
  return relative(folder, file).split(sep).join('/');
}

function factsOf(row: FactRow, pathColumn: string): JsonObject {
  return Object.fromEntries(
    row.names.flatMap((name) => {
      const text = name === pathColumn ? undefined : row.text(name)?.trim();
      return text === undefined || text === '' ? [] : [[name, factOf(text)]];
    }),
  );
}

function factOf(text: string): string | number | boolean {
  if (text === 'true' || text === 'false') return text === 'true';
  return /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,15})?(?:e[-+]?\d{1,2})?$/i.test(text)
    ? Number(text)
    : limitText(text, longestFact);
}
