import { EarwitnessError } from '../../base/errors.ts';
import { limitText } from '../../base/printable.ts';
import { openTable } from './open-table.ts';
import { sideOf } from './side.ts';
import { idKeys, type TextFile } from './text-file.ts';

/** What the options call the columns of the texts, and the tier. */
interface NamedColumns {
  readonly referenceColumn?: string;
  readonly hypothesisColumn?: string;
  readonly tier?: string;
}

/**
 * Two files as they are read beside each other: lines beside what is about one recording are its words too; beside names of utterances that they begin
 * with, each is of one.
 *
 * @throws EarwitnessError `bad-input`: the lines of both begin with names, and these have nothing in common
 */
export async function alike(
  one: TextFile,
  other: TextFile,
  options: NamedColumns,
): Promise<readonly [TextFile, TextFile]> {
  const beside = async (file: TextFile, by: TextFile): Promise<TextFile> => {
    if (file.format !== 'lines') return file;
    if (by.format === 'recording') return { ...file, format: 'whole' };
    const isNamed = by.format === 'folder' || by.format === 'texts' || by.format === 'ids';
    if (isNamed || (await beginWithIds(file, by, options))) return { ...file, format: 'ids' };
    return by.format === 'stm' || by.format === 'ctm' ? { ...file, format: 'whole' } : file;
  };
  return [await beside(one, other), await beside(other, one)];
}

const quoted = (text: string) => JSON.stringify(limitText(text, 60));

/** So many names tell whether lines begin with names. */
const maxPeeked = 300;

async function beginWithIds(file: TextFile, by: TextFile, options: NamedColumns): Promise<boolean> {
  if (file.leading === undefined) return false;
  const ids = by.format === 'lines' ? [by.leading ?? []] : [await someIds(by, options), ...(await columnsOf(by))];
  const { leading } = file;
  const areIds = ids.some((some) =>
    idKeys.some(({ of }) => {
      const [one, other] = [new Set(leading.map(of)), new Set(some.map(of))];
      const common = one.intersection(other).size;
      const enough = common > 0 && common * 2 >= Math.min(one.size, other.size);
      return enough && one.size === leading.length && (some.length === other.size || common > 1);
    }),
  );
  // Numbers may be words.
  const areNames = (some: readonly string[] | undefined) => some?.every((id) => /\p{L}|[_/]/u.test(id)) === true;
  if (!areIds && by.format === 'lines' && areNames(leading) && areNames(by.leading)) {
    throw new EarwitnessError(
      'bad-input',
      `expected the names that lines of ${file.name} begin with (such as ${quoted(leading[0]!)}) in ${by.name} too, but none of them is there (it has ${quoted(by.leading![0]!)}); do the files belong together?`,
    );
  }
  return areIds;
}

/** Of a table what stands in its columns: whichever names the utterances. */
async function columnsOf(file: TextFile): Promise<readonly (readonly string[])[]> {
  if (file.format !== 'table' || file.path === null) return [];
  const table = await openTable(file);
  await table.close();
  return table.columns.map(({ values }) => values).filter((values) => new Set(values).size === values.length);
}

async function someIds(file: TextFile, { referenceColumn, hypothesisColumn, tier }: NamedColumns): Promise<string[]> {
  if (file.path === null) return [];
  const ids: string[] = [];
  for (const [side, column] of [['reference', referenceColumn] as const, ['hypothesis', hypothesisColumn] as const]) {
    try {
      for await (const { id } of sideOf(file, side, { column, alternatives: false, tier, named: true }).texts()) {
        if (id === null || ids.push(id) === maxPeeked) break;
      }
    } catch {
      // Said where the file is read.
    }
    if (ids.length > 0) break;
  }
  return ids;
}
