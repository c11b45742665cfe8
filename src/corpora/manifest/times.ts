import { type TimeUnit, timeUnits } from '../../base/time-text.ts';

/** What the name of a column may say: what a frame is depends on who wrote it. */
export type NamedUnit = TimeUnit | 'frames';

/** Columns that look like the times of segments, by their names. */
export interface TimeColumns {
  readonly start: string;
  /** Either of the two. */
  readonly end?: string;
  readonly duration?: string;
}

const timeName =
  /^(?:(?:segment|seg|utterance|utt|clip|chunk|turn|speech|audio|time|t)_?)?(?:(?<start>start|begin|beginning|beginn|anfang|from|onset|offset|xmin|tmin)|(?<end>end|ende|stop|finish|to|until|xmax|tmax)|(?<duration>duration|dur|dauer|length|len))(?:_?(?:time|timestamp))?(?:_in)?(?:_?(?:(?<seconds>s|secs?|seconds?)|(?<milliseconds>ms|msecs?|millis|milliseconds?)|(?<samples>samples?)|(?<frames>frames?)))?$/;

interface TimeName {
  readonly name: string;
  readonly role: 'start' | 'end' | 'duration';
  readonly unit: NamedUnit | null;
  /** It may also be a length in words or the word of a text. */
  readonly weak: boolean;
}

function readTimeName(name: string): TimeName | null {
  const written = name
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1_$2')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .replace(/^_|_$/g, '');
  const found = timeName.exec(written)?.groups;
  if (found === undefined) return null;
  const unit = ([...timeUnits, 'frames'] as const).find((one) => found[one] !== undefined) ?? null;
  const role = (['start', 'end', 'duration'] as const).find((one) => found[one] !== undefined)!;
  return { name, role, unit, weak: unit === null && /^len/.test(found.duration ?? '') };
}

/**
 * In which unit the name of a column says that its times are; null where it says nothing.
 *
 * @example unitInName('start_ms') // 'milliseconds'
 */
export function unitInName(name: string): NamedUnit | null {
  return readTimeName(name)?.unit ?? null;
}

/** Whether the name of a column says that it holds times. */
export function isTimeName(name: string): boolean {
  const found = readTimeName(name);
  return found !== null && !found.weak;
}

/**
 * The columns whose names say that they are times of segments: a start with an end or a duration, of samples both or none. Names tell
 * no more than that: a start may be that of a session from which the file was cut.
 *
 * @returns null where there are no two such columns
 * @example timeColumns(['file', 'start_ms', 'dur_s']) // { start: 'start_ms', duration: 'dur_s' }
 */
export function timeColumns(names: readonly string[]): TimeColumns | null {
  const read = names.map(readTimeName).filter((found) => found !== null);
  // Of an onset the offset is the end.
  const withOnset = read.some(({ name }) => /onset/i.test(name));
  const roleOf = ({ name, role }: TimeName) => (withOnset && /offset/i.test(name) ? 'end' : role);
  const counts = ({ unit }: TimeName) => (unit === 'samples' || unit === 'frames' ? unit : null);
  const pairs = read
    .filter((one) => roleOf(one) === 'start')
    .flatMap((start) =>
      read
        .filter((other) => roleOf(other) !== 'start' && counts(other) === counts(start))
        .map((other) => ({ start, other, role: roleOf(other) })),
    );
  const rank = ({ start, other, role }: (typeof pairs)[number]) =>
    (other.weak ? 4 : 0) + (other.unit === start.unit ? 0 : 2) + (role === 'end' ? 0 : 1);
  const [best] = pairs.sort((a, b) => rank(a) - rank(b));
  return best === undefined ? null : { start: best.start.name, [best.role]: best.other.name };
}
