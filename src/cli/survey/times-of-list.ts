import { usualColumn } from '../../base/columns/roles.ts';
import type { Column } from '../../base/columns/texts.ts';
import { printable } from '../../base/printable.ts';
import { type TimeUnit, timeIn } from '../../base/time-text.ts';
import { type NamedUnit, timeColumns, unitInName } from '../../corpora/manifest/times.ts';
import { usuallyMissing } from '../../corpora/shared/attributes.ts';

/** A way to read the times of a list: options of `manifest`, of its columns these alone. */
export interface ReadTimes {
  readonly columns: { readonly [role in Role]?: string | null };
  readonly timeUnit?: TimeUnit;
  /** `times in "start" and "end"`: for people; null: none are read. */
  readonly told: string | null;
  /** What the user should know of it, one sentence; null: nothing. */
  readonly note: string | null;
  /** To be checked by the lengths of the files: where most segments end after these, the list is refused with these words, or (null) the next way counts. */
  readonly tooLong: { readonly refusal: string | null } | null;
}

/** So many segments that end after they start show what the columns are: rows with a mistake are told where the list is read. */
const minShareOfRows = 0.8;

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
 * Ways to read the times of a list, the likeliest first, to be checked by the lengths of the files. Where a file stands on several rows,
 * these are segments of it: what `manifest` cannot read of them it refuses. Where each file stands on one, times may be those of the
 * session that it was cut from.
 *
 * @param sound the column of the files
 */
export function timesOfList(columns: readonly Column[], sound: string): readonly ReadTimes[] {
  const names = columns.map(({ name }) => name);
  const textsOf = (name: string) => columns.find((column) => column.name === name)!.values;
  const areTimes = (name: string) =>
    textsOf(name).every((text) => noTime.has(text.trim()) || timeIn(text, namedUnit(name)) !== null);
  const usual = roles.flatMap((role) => {
    const name = usualColumn(names, role);
    return name === undefined ? [] : [{ role, name }];
  });
  const files = textsOf(sound).map((value) => value.trim());
  const segments = new Set(files).size < files.length;
  const without = (those: readonly { readonly role: Role }[], note: string | null): ReadTimes => ({
    columns: Object.fromEntries(those.map(({ role }) => [role, null])),
    told: null,
    note,
    tooLong: null,
  });
  // What is no time stops the reading of a list.
  const unread = without(segments ? [] : usual.filter(({ name }) => !areTimes(name)), null);
  const place = timePlace(usual, names);
  if (place === null) return [unread];

  const { start, other, otherIsEnd } = place;
  const shown = [start, other].map((name) => JSON.stringify(printable(name, 60))).join(' and ');
  const way = (timeUnit: TimeUnit | null): ReadTimes => {
    const byName = unitInName(start) ?? unitInName(other);
    const unit =
      timeUnit !== null
        ? ` (${timeUnit}, as the lengths of the files show)`
        : byName === null || byName === 'seconds' || unitInName(start) !== unitInName(other)
          ? ''
          : ` (${byName})`;
    return {
      columns: place.columns,
      ...(timeUnit !== null && { timeUnit }),
      told: `times in ${shown}${unit}`,
      note: null,
      tooLong: { refusal: null },
    };
  };
  const readable = areTimes(start) && areTimes(other);
  /** Most segments end after they start. */
  const isRight = (timeUnit: TimeUnit | null) => {
    const [from, to] = [start, other].map((name) =>
      textsOf(name).map((text) => comparableTime(text, timeUnit ?? namedUnit(name))),
    );
    const right = from!.filter((time, row) => (to![row] ?? Infinity) > (otherIsEnd ? (time ?? 0) : 0));
    return right.length >= minShareOfRows * from!.length;
  };
  if (!segments) {
    return readable && isRight(null)
      ? [way(null), without(usual, `${shown} are not read as times: most end after their file does.`)]
      : [unread];
  }
  const guessed = readable ? unitsFor([start, other], textsOf).filter(isRight) : [];
  const units = [...(isRight(null) || guessed.length === 0 ? [null] : []), ...guessed];
  const refusal = `expected times within the files, but by ${shown} most segments end after their file does${guessed.length === 0 ? '' : `, also if they are ${guessed.join(' or ')}`}; write them in seconds from the beginning of the file`;
  return units.map((unit, index) => (index < units.length - 1 ? way(unit) : { ...way(unit), tooLong: { refusal } }));
}

/** Other units in which the times may be, where a name says none: in columns of whole numbers. */
function unitsFor(names: readonly string[], textsOf: (name: string) => readonly string[]): TimeUnit[] {
  const named = names.map(unitInName);
  const unnamed = names.filter((name) => unitInName(name) === null);
  const areWhole = unnamed.every((name) =>
    textsOf(name).every((text) => noTime.has(text.trim()) || /^\d+$/.test(text.trim())),
  );
  const fits = (unit: NamedUnit) => named.every((one) => one === null || one === unit);
  return unnamed.length === 0 || !areWhole ? [] : (['milliseconds', 'samples'] as const).filter(fits);
}

/** As far as a name says it; frames are left to `manifest`. */
function namedUnit(name: string): TimeUnit {
  const unit = unitInName(name) ?? 'seconds';
  return unit === 'frames' ? 'samples' : unit;
}

/** In milliseconds, or in samples, which stand beside samples alone; null where the text says no time. */
function comparableTime(text: string, unit: TimeUnit): number | null {
  const time = timeIn(text, unit);
  return time === null ? null : time.unit === 'seconds' ? time.value * 1000 : time.value;
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
  const columns = timeColumns(names);
  if (columns === null) return null;
  return {
    columns: { ...columns },
    start: columns.start,
    other: (columns.end ?? columns.duration)!,
    otherIsEnd: columns.end !== undefined,
  };
}
