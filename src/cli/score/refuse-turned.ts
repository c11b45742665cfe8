import { markOf, sideOfPath } from '../../base/columns/roles.ts';
import { badInput } from '../../base/errors.ts';
import { printable } from '../../base/printable.ts';
import { openTable } from './open-table.ts';
import { columnsOfSide, type TextColumn } from './table.ts';
import type { TextFile } from './text-file.ts';

/** What a file says that its texts are, and by what. */
interface Mark {
  readonly side: TextColumn;
  readonly by: string;
}

/**
 * Refuses files in the other order than their formats, columns or names say: an output in place of the references.
 *
 * @param files the references, then outputs
 * @param command that was asked
 * @throws EarwitnessError `bad-input`
 */
export async function refuseTurned(files: readonly TextFile[], command: 'score' | 'compare'): Promise<void> {
  const [first, ...others] = files.map(({ name }) => name);
  const [mark, ...marks] = await Promise.all(
    files.map((file, place) => markOfFile(file, place === 0 ? 'reference' : 'hypothesis')),
  );
  const found = marks.findIndex((one) => one?.side === 'reference');
  const isOutput = mark?.side === 'hypothesis' && marks.some((one) => one?.side !== 'hypothesis');
  if (mark?.side === 'reference' || (found === -1 && !isOutput)) return;
  const place = found === -1 ? marks.findIndex((one) => one?.side !== 'hypothesis') : found;
  const turned = [others[place]!, ...[first!, ...others].filter((name) => name !== others[place])];
  const why =
    found === -1 ? `${first} holds an output (${mark!.by})` : `${others[place]} holds references (${marks[found]!.by})`;
  const meant =
    command === 'score'
      ? `--reference ${printable(first!)} --hypothesis ${printable(others[0]!)}`
      : `--reference ${printable(first!)}`;
  throw badInput(
    `expected the references first, but ${why}; turn them: earwitness ${command} ${turned.map((name) => printable(name)).join(' ')}, or if they are meant so: ${meant}`,
  );
}

/** Null where nothing says what a file holds. */
export async function markOfFile(file: TextFile, as: TextColumn): Promise<Mark | null> {
  if (file.format === 'ctm') return { side: 'hypothesis', by: 'words with times' };
  if (file.format === 'stm') return { side: 'reference', by: 'segments with times' };
  const column = await columnOf(file, as);
  const own = column === null ? 'unknown' : markOf(column);
  if (own === 'output' || own === 'reference') return { side: sides[own], by: `its column ${printable(column!, 40)}` };
  const named = file.path === null ? null : sideOfPath(file.name);
  return named === null ? null : { side: sides[named], by: 'by its name' };
}

const sides = { output: 'hypothesis', reference: 'reference' } as const;

async function columnOf(file: TextFile, as: TextColumn): Promise<string | null> {
  // What comes on stdin is read once.
  if (file.format !== 'table' || file.path === null) return null;
  for (const side of [as, as === 'reference' ? 'hypothesis' : 'reference'] as const) {
    try {
      return columnsOfSide(await openTable(file), side, undefined).text;
    } catch {
      // Of the other side then, or said where the file is read.
    }
  }
  return null;
}
