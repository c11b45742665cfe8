import { badInput } from '../../base/errors.ts';
import { languageTag, undeterminedLanguage } from '../../base/language-tag.ts';
import { type TimeUnit, timeIn, toMicroseconds } from '../../base/time-text.ts';
import type { Utterance } from '../../model/utterance.ts';
import type { Row } from '../../system/delimited-rows.ts';
import { type Boundary, containedPath } from '../shared/folders.ts';
import { checkId } from '../shared/utterance-id.ts';
import type { ChannelColumn } from './channel-column.ts';
import type { ColumnOfRole } from './columns.ts';
import type { FileFinder } from './file-finder.ts';

/** What is known about the whole list when its rows are read. */
export interface RowContext {
  readonly columns: ColumnOfRole;
  /** Columns that become attributes. */
  readonly attributes: readonly string[];
  /** Units of the columns of times. */
  readonly units: ReadonlyMap<string, TimeUnit>;
  /** Of a file, in Hz; asked where times are in samples. */
  sampleRateOf(file: string): Promise<number>;
  /** Texts that mean "not known". */
  readonly missing: ReadonlySet<string>;
  /** Of these, what is known in the column of languages. */
  readonly languageCodes: readonly string[];
  /** Whether nobody speaks where a reference is empty; else it is not transcribed. */
  readonly isSilence: boolean;
  readonly language: string | undefined;
  /** What stands in the column of channels; null where none does. */
  readonly channels: ChannelColumn | null;
  /** Relative paths are meant from here. */
  readonly soundFolder: string;
  /** Taken away from the beginning of each path that has it. */
  readonly soundPrefix: string | undefined;
  /** Appended to each path. */
  readonly soundEnding: string;
  readonly boundary: Boundary;
  readonly files: FileFinder;
}

/** `key=value;key=value`, the way in which several facts share one column named `extra`. */
const facts = /^[\w .-]+=[^;=]*(?:;[\w .-]+=[^;=]*)*$/;

/**
 * What one row of a manifest says.
 *
 * @throws EarwitnessError `bad-input` with file, line and column
 */
export async function utteranceFromRow(row: Row, context: RowContext): Promise<Utterance> {
  const { columns, missing } = context;
  const known = (name: string | undefined) => {
    const text = name === undefined ? undefined : row.text(name);
    const trimmed = text?.trim() ?? '';
    const isCode = name === columns.language && context.languageCodes.includes(trimmed);
    return text === undefined || (missing.has(trimmed) && !isCode) ? undefined : trimmed;
  };
  const path =
    columns.path === undefined ? undefined : withoutPrefix(row.text(columns.path), context.soundPrefix) || undefined;
  const file = path === undefined ? undefined : fileOf(row, path, context);
  const stretch = file === undefined ? {} : await readStretch(row, context, file, known);
  const channel = context.channels?.channelOf(row) ?? null;
  const speaker = known(columns.speaker);
  const language = known(columns.language) ?? context.language ?? languageInName(path);
  const written = columns.reference === undefined ? undefined : row.text(columns.reference)?.trim();
  const reference = written === '' && !context.isSilence ? undefined : written;
  return {
    id: readId(row, columns, path, stretch, context.channels?.several ? known(columns.channel) : undefined),
    ...(file !== undefined && { sound: { file, ...stretch, ...(channel !== null && { channel }) } }),
    ...(reference !== undefined && { reference }),
    language: language === undefined ? undeterminedLanguage : languageTag(language, () => row.place(columns.language)),
    ...(speaker !== undefined && { speaker: checkId(speaker, 'speaker', () => row.place(columns.speaker)) }),
    attributes: readAttributes(context, known),
    tags: readTags(row, columns.tags, known),
  };
}

/** @example withoutPrefix('/data/speech/a/1.wav', '/data/speech/') // 'a/1.wav' */
export function withoutPrefix(path: string | undefined, prefix: string | undefined): string | undefined {
  return prefix !== undefined && path?.startsWith(prefix) ? path.slice(prefix.length) : path;
}

interface Times {
  readonly startSeconds?: number;
  readonly endSeconds?: number;
}

/** The file that a row means: as it is written, or as another system writes what is there; as written where nothing is. */
function fileOf(row: Row, path: string, { columns, soundFolder, soundEnding, boundary, files }: RowContext): string {
  const contained = (written: string) => containedPath(written, soundFolder, boundary, () => row.place(columns.path));
  const written = `${path}${soundEnding}`;
  const exact = contained(written);
  const found = files.find(exact, soundFolder);
  // A name may have a backslash in it; a path of Windows that is absolute is of another machine.
  if (found !== null || !written.includes('\\') || written.startsWith('\\')) return found ?? exact;
  return files.find(contained(written.replaceAll('\\', '/')), soundFolder) ?? exact;
}

/** @param channel as it is written, where the list names several */
function readId(
  row: Row,
  columns: ColumnOfRole,
  path: string | undefined,
  stretch: Times,
  channel: string | undefined,
): string {
  if (columns.id !== undefined) {
    const id = row.text(columns.id);
    if (id !== undefined) return checkId(id, 'id', () => row.place(columns.id));
  }
  if (path === undefined) {
    const wanted = columns.id ?? columns.path;
    throw badInput(`${row.place()}: expected a value for "${wanted}", but there is none; add it or take the line out`);
  }
  const stem = path.replace(/(?<=[^/\\])\.[A-Za-z0-9]{1,5}$/, '');
  const { startSeconds, endSeconds } = stretch;
  const suffix =
    startSeconds === undefined && endSeconds === undefined ? '' : `@${startSeconds ?? 0}-${endSeconds ?? ''}`;
  const side = channel === undefined ? '' : `#${channel}`;
  return checkId(stem + side + suffix, 'id', () => row.place(columns.path));
}

/** How times are written in each unit, for errors. */
const written = { seconds: '12.5 or 0:00:12.5', milliseconds: '12500', samples: '200000' };

async function readStretch(
  row: Row,
  { columns, units, sampleRateOf }: RowContext,
  file: string,
  known: (name: string | undefined) => string | undefined,
): Promise<Times> {
  const timeOf = (name: string | undefined) => {
    const text = known(name);
    if (text === undefined) return undefined;
    const unit = units.get(name!) ?? 'seconds';
    const time = timeIn(text, unit);
    if (time !== null) return time;
    throw badInput(
      `${row.place(name)}: expected ${unit} from 0 for "${name}", but found ${JSON.stringify(text.slice(0, 50))}; write them like ${written[unit]}`,
    );
  };
  const times = [columns.start, columns.end, columns.duration].map(timeOf);
  const rate = times.some((time) => time?.unit === 'samples') ? await sampleRateOf(file) : 1;
  const perSecond = { seconds: 1, milliseconds: 1000, samples: rate };
  const [start, writtenEnd, duration] = times.map((time) =>
    time === undefined || time.unit === 'seconds' ? time?.value : toMicroseconds(time.value / perSecond[time.unit]),
  );
  const end =
    writtenEnd ?? (start !== undefined && duration !== undefined ? toMicroseconds(start + duration) : undefined);
  if (end !== undefined && end <= (start ?? 0)) {
    const name = known(columns.end) === undefined ? columns.duration : columns.end;
    throw badInput(
      `${row.place(name)}: expected an end after the start at ${start ?? 0} s, but it is at ${end} s; correct the times`,
    );
  }
  return { ...(start !== undefined && { startSeconds: start }), ...(end !== undefined && { endSeconds: end }) };
}

function readAttributes(
  { attributes }: RowContext,
  known: (name: string | undefined) => string | undefined,
): Readonly<Record<string, string>> {
  const pairs: [string, string][] = [];
  for (const name of attributes) {
    const value = known(name);
    if (value === undefined) continue;
    if (name === 'extra' && facts.test(value)) pairs.push(...factsIn(value));
    else pairs.push([name, value]);
  }
  return Object.fromEntries(pairs);
}

function factsIn(text: string): [string, string][] {
  return text.split(';').map((fact) => {
    const equals = fact.indexOf('=');
    return [fact.slice(0, equals).trim(), fact.slice(equals + 1).trim()];
  });
}

function readTags(
  row: Row,
  name: string | undefined,
  known: (name: string | undefined) => string | undefined,
): readonly string[] {
  if (name === undefined) return [];
  const tags = row.list(name) ?? known(name)?.split(/[,;]/) ?? [];
  return tags.map((tag) => tag.trim()).filter((tag) => tag !== '');
}

/** Common Voice names its clips `common_voice_<language>_<number>`; older releases have no `locale` column. */
function languageInName(path: string | undefined): string | undefined {
  return path === undefined
    ? undefined
    : /(?:^|[/\\])common_voice_([a-z]{2,3}(?:-[A-Za-z]+)*)_\d+\.[a-z0-9]+$/.exec(path)?.[1];
}
