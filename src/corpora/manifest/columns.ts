import { EarwitnessError } from '../../base/errors.ts';
import { nearestName } from '../../base/nearest-name.ts';

/** What a column of a manifest can say of an utterance. */
export const roles = ['id', 'path', 'reference', 'speaker', 'language', 'start', 'end', 'duration', 'tags'] as const;

export type Role = (typeof roles)[number];

/** Which column holds what; undefined where none does. */
export type ColumnOfRole = Readonly<Partial<Record<Role, string>>>;

/**
 * Names under which these are found when the options name none, the first that is there: Common Voice (`client_id path
 * sentence locale`), NeMo (`audio_filepath text offset duration`), Hugging Face audiofolder (`file_name transcription`),
 * DeepSpeech (`wav_filename transcript`), and what people write by hand. In any letter case.
 */
const usualNames: Readonly<Record<Role, readonly string[]>> = {
  id: ['id', 'utt', 'utt_id', 'utterance', 'utterance_id'],
  path: ['path', 'file', 'file_name', 'filename', 'audio_filepath', 'wav_filename', 'audio_path', 'audio', 'wav'],
  reference: ['reference', 'sentence', 'text', 'transcription', 'transcript'],
  speaker: ['speaker', 'speaker_id', 'client_id', 'spk'],
  language: ['language', 'lang', 'locale'],
  start: ['start', 'start_seconds', 'offset'],
  end: ['end', 'end_seconds'],
  duration: ['duration', 'duration_seconds'],
  tags: ['tags'],
};

/**
 * The column that has a usual name of a role: written as here, else in any letter case; undefined where none has.
 *
 * @example usualColumn(['Path', 'Text'], 'reference') // 'Text'
 */
export function usualColumn(names: readonly string[], role: Role): string | undefined {
  const usual = usualNames[role];
  const exact = usual.find((name) => names.includes(name));
  if (exact !== undefined) return exact;
  return usual.map((name) => names.find((other) => other.toLowerCase() === name)).find((name) => name !== undefined);
}

/** How times are counted. */
export type TimeUnit = 'seconds' | 'milliseconds' | 'samples';

/** Columns that look like the times of segments, by their names. */
export interface TimeColumns {
  readonly start: string;
  /** Either of the two. */
  readonly end?: string;
  readonly duration?: string;
  /** What the name of the start says; null: nothing. */
  readonly unit: TimeUnit | null;
}

const timeName =
  /^(?:(?:segment|seg|utterance|utt|clip|chunk|turn|speech|audio|time|t)_?)?(?:(?<start>start|begin|beginning|beginn|anfang|from|onset|offset|xmin|tmin)|(?<end>end|ende|stop|to|until|xmax|tmax)|(?<duration>duration|dur|dauer|length))(?:_?(?:time|timestamp))?(?:_in)?(?:_?(?:(?<seconds>s|secs?|seconds?)|(?<milliseconds>ms|msecs?|millis|milliseconds?)|(?<samples>samples?|frames?)))?$/;

function readTimeName(
  name: string,
): { readonly role: 'start' | 'end' | 'duration'; readonly unit: TimeUnit | null } | null {
  const written = name
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1_$2')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .replace(/^_|_$/g, '');
  const found = timeName.exec(written)?.groups;
  if (found === undefined) return null;
  const unit = (['seconds', 'milliseconds', 'samples'] as const).find((one) => found[one] !== undefined) ?? null;
  // A length may be one in words.
  if (found.duration === 'length' && unit === null) return null;
  const role = (['start', 'end', 'duration'] as const).find((one) => found[one] !== undefined)!;
  return { role, unit };
}

/**
 * In which unit the name of a column says that its times are; null where it says nothing.
 *
 * @example unitInName('start_ms') // 'milliseconds'
 */
export function unitInName(name: string): TimeUnit | null {
  return readTimeName(name)?.unit ?? null;
}

/**
 * The columns whose names say that they are times of segments: a start with an end or a duration of the same unit. Names tell no
 * more than that: a start may be that of a session from which the file was cut.
 *
 * @returns null where there are no two such columns
 * @example timeColumns(['file', 'start_ms', 'end_ms']) // { start: 'start_ms', end: 'end_ms', unit: 'milliseconds' }
 */
export function timeColumns(names: readonly string[]): TimeColumns | null {
  const read = names.flatMap((name) => {
    const found = readTimeName(name);
    return found === null ? [] : [{ name, ...found }];
  });
  // Of an onset the offset is the end.
  const isOffset = ({ name }: { readonly name: string }) => /offset/i.test(name);
  const withOnset = read.some(({ name }) => /onset/i.test(name));
  const of = (role: string) => read.filter((one) => (withOnset && isOffset(one) ? 'end' : one.role) === role);
  for (const { name: start, unit } of of('start')) {
    for (const role of ['end', 'duration'] as const) {
      const other = of(role).find((one) => one.unit === unit);
      if (other !== undefined) return { start, [role]: other.name, unit };
    }
  }
  return null;
}

/**
 * Finds the column of each role.
 *
 * @param names columns that are there
 * @param wanted what the options say: a column's name, or null for a role that no column has
 * @param place `file:line` of the names, for errors
 * @param needed roles whose column must be there when the options name it; others may be absent, as members of JSON are
 * @throws EarwitnessError `bad-input`: a needed column is missing, or there is neither id nor path
 */
export function findColumns(
  names: readonly string[],
  wanted: Readonly<Partial<Record<Role, string | null | undefined>>>,
  place: string,
  needed: readonly Role[] = roles,
): ColumnOfRole {
  const known = new Set(names);
  const found: Partial<Record<Role, string>> = {};
  for (const role of roles) {
    const name = wanted[role];
    if (name === null) continue;
    if (name !== undefined && !known.has(name)) {
      if (needed.includes(role)) throw missing(name, `columns.${role}`, names, place);
      continue;
    }
    const column = name ?? usualColumn(names, role);
    if (column !== undefined) found[role] = column;
  }
  if (found.id === undefined && found.path === undefined) {
    const nearest = names.map((name) => ({ name, near: nearestName(name, [...usualNames.path, ...usualNames.id]) }));
    const meant = nearest.find(({ near }) => near !== null);
    const hint = meant === undefined ? listed(names) : `is it "${meant.name.slice(0, 100)}"?`;
    throw new EarwitnessError(
      'bad-input',
      `${place}: expected a column with the sound's path or an id, but there is none; ${hint} Set columns.path to its name`,
    );
  }
  return found;
}

/** @throws EarwitnessError `bad-input`: one of the columns is not there */
export function checkColumns(wanted: readonly string[], names: readonly string[], place: string): void {
  for (const name of wanted) if (!names.includes(name)) throw missing(name, 'attributes', names, place);
}

function missing(name: string, option: string, names: readonly string[], place: string): EarwitnessError {
  const nearest = nearestName(name, names);
  const hint = nearest === null ? listed(names) : `did you mean "${nearest}"?`;
  return new EarwitnessError(
    'bad-input',
    `${place}: expected a column "${name}" (from ${option}), but there is none; ${hint}`,
  );
}

function listed(names: readonly string[]): string {
  return `the columns are ${names
    .slice(0, 20)
    .map((name) => name.slice(0, 50))
    .join(', ')}.`;
}
