import { EarwitnessError } from '../../base/errors.ts';
import { readRows, rowFormatOf } from '../shared/read-rows.ts';
import { checkId } from '../shared/utterance-id.ts';

/** Attributes by speaker. */
export type SpeakerAttributes = ReadonlyMap<string, Readonly<Record<string, string>>>;

const usualNames = ['speaker', 'speaker_id', 'id', 'spk'];

const notKnown = new Set(['', 'NA', 'N/A', 'NaN', 'nan', 'null']);

/**
 * Reads a table with one row for each speaker.
 *
 * @throws EarwitnessError `bad-input` with file, line and column: no column with the speaker, a speaker twice
 */
export async function readSpeakerAttributes(file: string, shownName: string): Promise<SpeakerAttributes> {
  const speakers = new Map<string, Readonly<Record<string, string>>>();
  for await (const row of readRows(file, shownName, rowFormatOf(shownName))) {
    const column = usualNames
      .map((name) => row.names.find((other) => other.toLowerCase() === name))
      .find((name) => name !== undefined);
    if (column === undefined) {
      throw new EarwitnessError(
        'bad-input',
        `${shownName}:1: expected a column "speaker", but the columns are ${row.names.slice(0, 20).join(', ')}; name it so`,
      );
    }
    const speaker = checkId(row.text(column)?.trim() ?? '', 'speaker', () => row.place(column));
    if (speakers.has(speaker)) {
      throw new EarwitnessError(
        'bad-input',
        `${row.place(column)}: expected each speaker once, but "${speaker.slice(0, 100)}" stands twice; take one out`,
      );
    }
    const pairs = row.names
      .filter((name) => name !== column)
      .map((name) => [name, row.text(name)?.trim() ?? ''] as const)
      .filter(([, value]) => !notKnown.has(value));
    speakers.set(speaker, Object.fromEntries(pairs));
  }
  return speakers;
}
