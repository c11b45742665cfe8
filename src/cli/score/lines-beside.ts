import { isCalled } from '../../base/columns/roles.ts';
import { badInput } from '../../base/errors.ts';
import { limitText } from '../../base/printable.ts';
import { openTable } from './open-table.ts';
import { sideOf } from './side.ts';
import { idKeys, type TextFile } from './text-file.ts';

/**
 * Two files as they are read beside each other: lines beside what is about one recording are its words too; beside names of utterances that they begin
 * with, each is of one.
 *
 * @param tier of the words, in files with several
 * @throws EarwitnessError `bad-input`: the lines of both begin with names, and these have nothing in common
 */
export async function alike(
  one: TextFile,
  other: TextFile,
  tier: string | undefined,
): Promise<readonly [TextFile, TextFile]> {
  const beside = async (file: TextFile, by: TextFile): Promise<TextFile> => {
    if (file.format !== 'lines') return file;
    if (by.format === 'recording') return { ...file, format: 'whole' };
    const isNamed = by.format === 'folder' || by.format === 'texts' || by.format === 'ids';
    if (isNamed || (await beginWithIds(file, by, tier))) return { ...file, format: 'ids' };
    return by.format === 'stm' || by.format === 'ctm' ? { ...file, format: 'whole' } : file;
  };
  return [await beside(one, other), await beside(other, one)];
}

const quoted = (text: string) => JSON.stringify(limitText(text, 60));

/** So many names tell whether lines begin with names. */
const maxPeeked = 300;

async function beginWithIds(file: TextFile, by: TextFile, tier: string | undefined): Promise<boolean> {
  if (file.leading === undefined) return false;
  const ids =
    by.format === 'lines'
      ? [by.leading ?? []]
      : by.format === 'table'
        ? await columnsOf(by)
        : [await someIds(by, tier)];
  const { leading } = file;
  const areNames = (some: readonly string[] | undefined) => some?.every((id) => /\p{L}|[_/]/u.test(id)) === true;
  const areIds = ids.some((some) =>
    idKeys.some(({ of }) => {
      const [own, others] = [leading.map(of), some.map(of)];
      const [one, other] = [new Set(own), new Set(others)];
      const common = one.intersection(other).size;
      const enough = common > 0 && common * 2 >= Math.min(one.size, other.size);
      // Numbers that were misheard are words: at one place each file has one that the other has nowhere.
      const areWords =
        by.format === 'lines' &&
        !areNames(leading) &&
        own.some((number, place) => place < others.length && !other.has(number) && !one.has(others[place]!));
      return enough && !areWords && one.size === leading.length && (some.length === other.size || common > 1);
    }),
  );
  if (!areIds && by.format === 'lines' && areNames(leading) && areNames(by.leading)) {
    throw badInput(
      `expected the names that lines of ${file.name} begin with (such as ${quoted(leading[0]!)}) in ${by.name} too, but none of them is there (it has ${quoted(by.leading![0]!)}); do the files belong together?`,
    );
  }
  return areIds;
}

/** Of a table what stands in its columns: what is called so, or whichever names the utterances. */
async function columnsOf(file: TextFile): Promise<readonly (readonly string[])[]> {
  const { columns } = await openTable(file);
  const isNamed = (name: string) => isCalled(name, 'id') || isCalled(name, 'path');
  return columns.flatMap(({ name, values }) =>
    isNamed(name) || new Set(values).size === values.length ? [values] : [],
  );
}

async function someIds(file: TextFile, tier: string | undefined): Promise<string[]> {
  const ids: string[] = [];
  // What comes on stdin is read once.
  if (file.path === null) return ids;
  try {
    for await (const { id } of sideOf(file, 'reference', { alternatives: false, tier, named: true }).texts()) {
      if (id === null || ids.push(id) === maxPeeked) break;
    }
  } catch {
    // Said where the file is read.
  }
  return ids;
}
