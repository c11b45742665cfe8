import { printable } from '../../base/printable.ts';
import { timeColumns, unitInName, usualColumn } from '../../corpora/manifest/columns.ts';
import { usuallyMissing } from '../../corpora/shared/attributes.ts';
import { type Column, wholeShare } from './survey-table.ts';

/** A way to read the times of a list: options of `manifest`, of its columns these alone. */
export interface ReadTimes {
  readonly columns: { readonly [role in Role]?: string | null };
  readonly timeUnit?: 'milliseconds';
  /** `times in "start" and "end"`: for people; null: none are read. */
  readonly told: string | null;
  /** What the user should know of it, one sentence; null: nothing. */
  readonly note: string | null;
}

const roles = ['start', 'end', 'duration'] as const;

type Role = (typeof roles)[number];

/** Where the times stand: in columns that `manifest` knows, or in those that its options name. */
interface TimePlace {
  readonly columns: ReadTimes['columns'];
  readonly start: string;
  /** An end or a duration. */
  readonly other: string;
  readonly otherIsEnd: boolean;
}

const noTime = new Set(usuallyMissing);

/**
 * Ways to read the times of a list, the likeliest first; each but the last is to be checked by the lengths of the files. Where a file
 * stands on several rows, these are segments of it. Where each file stands on one, times may be those of the session that it was cut from.
 *
 * @param sound the column of the files
 */
export function timesOfList(columns: readonly Column[], sound: string): readonly ReadTimes[] {
  const names = columns.map(({ name }) => name);
  const valuesOf = (name: string) =>
    columns
      .find((column) => column.name === name)!
      .values.map((value) => (noTime.has(value.trim()) ? null : Number(value)));
  const areNumbers = (name: string) =>
    valuesOf(name).every((value) => value === null || (Number.isFinite(value) && value >= 0));
  const usual = roles.flatMap((role) => {
    const name = usualColumn(names, role);
    return name === undefined ? [] : [{ role, name }];
  });
  const without = (those: readonly { readonly role: Role }[], note: string | null): ReadTimes => ({
    columns: Object.fromEntries(those.map(({ role }) => [role, null])),
    told: null,
    note,
  });
  // What is no number stops the reading of a list.
  const unread = (note: string | null) => [
    without(
      usual.filter(({ name }) => !areNumbers(name)),
      note,
    ),
  ];
  const place = timePlace(usual, names);
  if (place === null) return unread(null);

  const files = columns.find(({ name }) => name === sound)!.values.map((value) => value.trim());
  const segments = new Set(files).size < files.length;
  const { start, other, otherIsEnd } = place;
  const shown = [start, other].map((name) => JSON.stringify(printable(name, 60))).join(' and ');
  const refused = (why: string) => unread(segments ? `${shown} look like times, but ${why}.` : null);
  const unit = unitInName(start);
  if (unit === 'samples') return refused('count samples: divide them by the sampling rate');
  if (!areNumbers(start) || !areNumbers(other)) return refused('not all are numbers: write them in seconds, like 12.5');
  const [from, to] = [valuesOf(start), valuesOf(other)];
  const right = from.filter((value, row) => (to[row] ?? Infinity) > (otherIsEnd ? (value ?? 0) : 0));
  if (right.length < wholeShare * from.length) return refused('many do not end after they start');

  const told = `times in ${shown}`;
  const asNamed = {
    columns: place.columns,
    told: unit === 'milliseconds' ? `${told} (milliseconds)` : told,
    note: null,
  };
  const guessed = {
    ...asNamed,
    timeUnit: 'milliseconds',
    told: `${told} (milliseconds, as the lengths of the files show)`,
  } as const;
  if (!segments) return [asNamed, without(usual, `${shown} are not read as times: most end after their file does.`)];
  const whole = [...from, ...to].every((value) => value === null || Number.isInteger(value));
  return unit === null && whole ? [asNamed, guessed, asNamed] : [asNamed];
}

function timePlace(
  usual: readonly { readonly role: Role; readonly name: string }[],
  names: readonly string[],
): TimePlace | null {
  const start = usual.find(({ role }) => role === 'start');
  const other = usual.find(({ role }) => role !== 'start');
  if (start !== undefined && other !== undefined) {
    return { columns: {}, start: start.name, other: other.name, otherIsEnd: other.role === 'end' };
  }
  const found = timeColumns(names);
  if (found === null) return null;
  const { unit: _, ...columns } = found;
  const end = found.end ?? found.duration!;
  return { columns, start: found.start, other: end, otherIsEnd: found.end !== undefined };
}
