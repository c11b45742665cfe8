import { EarwitnessError } from '../../base/errors.ts';
import { nearestName } from '../../base/nearest-name.ts';

/** What a column of a manifest can say of an utterance. */
export const roles = [
  'id',
  'path',
  'channel',
  'reference',
  'speaker',
  'language',
  'start',
  'end',
  'duration',
  'tags',
] as const;

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
  channel: ['channel', 'channel_id', 'audio_channel', 'channel_selector'],
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
