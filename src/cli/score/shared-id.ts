import { isCalled, type Role, usualRole } from '../../base/columns/roles.ts';
import { listed } from '../../studies/shared/wording.ts';
import type { SideText } from './side-text.ts';
import { idKeys } from './text-file.ts';

/** What names the texts of two files, whatever it is called. */
export interface SharedId {
  /** What is said of it after "by". */
  readonly told: string;
  /** Of each side the name of each text, in its order. */
  readonly said: readonly string[];
  readonly heard: readonly string[];
  of(id: string): string;
  /** Channels are a part of it. */
  readonly bySide?: boolean;
}

/** A column of a side, or the ids that its texts have without one. */
interface Candidate {
  /** Null for ids without a column. */
  readonly name: string | null;
  readonly values: readonly string[];
  readonly areNumbers: boolean;
  /** They count the rows: 0, 1, 2 or 1, 2, 3. */
  readonly isCount: boolean;
}

/** They may have a value of its own in each row of a short table, and name none. */
const neverIds: readonly (Role | undefined)[] = ['group', 'language', 'start', 'end', 'duration', 'channel', 'tags'];
/** So many values of the file that has fewer stand in the other. */
const minShared = 0.5;
/** Numbers of two files may agree without meaning the same: of these nearly all, in the file that has more. */
const minSharedNumbers = 0.9;

/**
 * The column by which two files name their texts, known by its values: in each file its own in each row, and the same in both. Names count only between
 * numbers, which have to stand under the same. Undefined where no column is so.
 *
 * @param without the column of the texts that were recognized, which never names them
 * @param channels what the file that has these texts calls otherwise than the other
 */
export function sharedId(
  said: readonly SideText[],
  heard: readonly SideText[],
  without: string | null,
  channels: ReadonlyMap<string, string>,
) {
  const others = candidatesIn(heard, without);
  const found = candidatesIn(said, null).flatMap((one) => others.flatMap((other) => agreeing(one, other) ?? []));
  const [best] = found.sort((a, b) => b.rank.reduce((order, own, place) => order || own - a.rank[place]!, 0));
  // A mere count of the rows says less than what names them together.
  return best?.rank[0] === 1 ? best.id : (composedId(said, heard, without, channels) ?? best?.id);
}

/** So many columns are tried together: speaker and prompt; file, start and end. */
const maxColumns = 8;

/** The fewest columns that both files have, two or three, which together have their own values in each row, and the same in both files. */
function composedId(
  said: readonly SideText[],
  heard: readonly SideText[],
  without: string | null,
  channels: ReadonlyMap<string, string>,
): SharedId | undefined {
  if ([said, heard].some((texts) => texts.length === 0 || texts.some(({ row }) => row === undefined))) return undefined;
  const names = (texts: readonly SideText[]) => [...new Set(texts.flatMap(({ row }) => row!.names))];
  const others = names(heard).filter((name) => name !== without);
  const columns = names(said).flatMap((name) => {
    const role = usualRole(name);
    if (role === 'group' || role === 'language') return [];
    const same = others.find((other) => other.toLowerCase() === name.toLowerCase());
    const other = same ?? (role === undefined ? undefined : others.find((one) => usualRole(one) === role));
    return other === undefined ? [] : [{ name, other }];
  });
  // Times alone say nothing where both files name their recordings.
  const paths = columns.filter(({ name }) => ['path', 'id'].includes(usualRole(name) ?? ''));
  const all = combinations(columns.slice(0, maxColumns));
  const found = all
    .filter((some) => paths.length === 0 || paths.some((one) => some.includes(one)))
    .flatMap((together) =>
      idKeys.flatMap(({ told, of }, strictness) => {
        const valuesOf = (texts: readonly SideText[], side: 'name' | 'other') =>
          texts.map(({ row }) =>
            joined(
              together.map((column) => {
                const value = row!.text(column[side])?.trim() ?? '';
                const isChannel = side === 'other' && usualRole(column.other) === 'channel';
                return [column.name, isChannel ? (channels.get(value) ?? value) : value];
              }),
              of,
            ),
          );
        const [one, other] = [valuesOf(said, 'name'), valuesOf(heard, 'other')];
        const [first, second] = [new Set(one), new Set(other)];
        const common = first.intersection(second).size;
        const areDistinct = first.size === one.length && second.size === other.length;
        if (!areDistinct || common === 0 || common < minShared * Math.min(first.size, second.size)) return [];
        const areNumbers = one.every((value) => !/\p{L}/u.test(value));
        if (areNumbers && common < minSharedNumbers * Math.max(first.size, second.size)) return [];
        const shown = together.map(({ name }) => name || 'the column without a name');
        const id = { told: `${listed(shown)}${told}`, said: one, heard: other, of: (value: string) => value };
        const bySide = together.some(({ name }) => usualRole(name) === 'channel');
        return [{ id: { ...id, bySide }, rank: [common, -together.length, -strictness] }];
      }),
    );
  return found.sort((a, b) => b.rank.reduce((order, own, place) => order || own - a.rank[place]!, 0))[0]?.id;
}

/** Two of them, or three. */
function combinations<T>(all: readonly T[]): readonly (readonly T[])[] {
  const pairs = all.flatMap((one, place) => all.slice(place + 1).map((other) => [one, other]));
  const threes = pairs.flatMap(([one, other]) =>
    all.slice(all.indexOf(other!) + 1).map((third) => [one!, other!, third]),
  );
  return [...pairs, ...threes];
}

/** What names a row, as people read it: `talk.wav 1.5 2.25`. Numbers count by their value, to a thousandth. */
function joined(values: readonly (readonly [string, string])[], of: (id: string) => string): string {
  return values
    .map(([name, value]) => {
      if (/^-?\d+(?:\.\d+)?$/.test(value)) return String(Number(Number(value).toFixed(3)));
      const role = usualRole(name);
      return role === 'path' || role === 'id' ? of(value) : value;
    })
    .join(' ');
}

function candidatesIn(texts: readonly SideText[], without: string | null): readonly Candidate[] {
  const named = texts.every(({ row }) => row !== undefined);
  const names = named ? new Set(texts.flatMap(({ row }) => ['', ...row!.names])) : [null];
  return [...names].flatMap((name) => {
    if (name !== null && (name === without || neverIds.includes(usualRole(name)))) return [];
    const values = texts.map(({ id, row }) => (name === null ? (id ?? '') : (row!.text(name)?.trim() ?? '')));
    const distinct = new Set(values).size;
    if (values.includes('') || distinct < values.length || (name !== null && distinct < 2)) return [];
    const areNumbers = values.every((value) => /^[-+]?\d+(?:\.\d+)?$/.test(value));
    const isCount = areNumbers && Number(values[0]) <= 1 && values.every((value, row) => +value === +values[0]! + row);
    return [{ name, values, areNumbers, isCount }];
  });
}

/** As programs and people call the number of a row. */
const numberings = /^(?:|unnamed: ?\d+|index|idx|row|row_?id|line|item|no|nr|num|number|#)\.?$/i;

function agreeing(
  one: Candidate,
  other: Candidate,
): { readonly id: SharedId; readonly rank: readonly number[] } | null {
  const isUsual = ({ name }: Candidate) => name === null || isCalled(name, 'id') || isCalled(name, 'path');
  const areUsual = isUsual(one) && isUsual(other);
  const isSame =
    one.name?.toLowerCase() === other.name?.toLowerCase() ||
    areUsual ||
    [one, other].every((candidate) => isUsual(candidate) || numberings.test(candidate.name!));
  const areNumbers = one.areNumbers && other.areNumbers;
  if (areNumbers && !isSame) return null;
  const number = { told: '', of: (id: string) => String(Number(id)) };
  for (const [strictness, { told, of }] of (areNumbers ? [number] : idKeys).entries()) {
    const [first, second] = [new Set(one.values.map(of)), new Set(other.values.map(of))];
    if (first.size < new Set(one.values).size || second.size < new Set(other.values).size) continue;
    const common = first.intersection(second).size;
    const enough = areNumbers
      ? minSharedNumbers * Math.max(first.size, second.size)
      : minShared * Math.min(first.size, second.size);
    if (common === 0 || common < enough) continue;
    const names = [
      ...new Set([one, other].map(({ name }) => (name === null ? 'id' : name || 'the column without a name'))),
    ];
    return {
      id: { told: `${names.join(' and ')}${told}`, said: one.values, heard: other.values, of },
      // A mere count of the rows says least, then numbers.
      rank: [
        one.isCount && other.isCount ? 0 : 1,
        areNumbers ? 0 : 1,
        common,
        areUsual ? 1 : 0,
        isSame ? 1 : 0,
        -strictness,
      ],
    };
  }
  return null;
}
