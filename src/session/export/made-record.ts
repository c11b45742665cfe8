import { appendFileSync, mkdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import type { ClipMeasurement } from '../../model/measurement.ts';
import { cannotWrite } from './write-whole.ts';

/** What is remembered of a file that was made. */
export interface MadeFile {
  readonly key: string;
  readonly fileHash: string;
  readonly measurement: ClipMeasurement;
}

/** Remembers beside the sounds what they are, so that the work can be gone on with. */
export interface MadeRecord {
  find(path: string): MadeFile | null;
  add(path: string, file: MadeFile): void;
}

/** Hidden, so that no reader of the folder takes it for data. */
const recordName = '.earwitness-perturb.jsonl';

/**
 * Opens the record of a folder; it need not be there.
 *
 * @param readBefore whether what was made before is looked at
 */
export async function openMadeRecord(folder: string, readBefore: boolean): Promise<MadeRecord> {
  const path = join(folder, recordName);
  // Lines are kept as text: parsed they would take several times as much.
  const lines = new Map<string, string>();
  const text = readBefore ? await readFile(path, 'utf8').catch(() => '') : '';
  for (const line of text.split('\n')) {
    const name = parsed(line)?.file;
    if (typeof name === 'string') lines.set(name, line);
  }
  const nameOf = (file: string) => relative(folder, file).split(sep).join('/');
  let opened = false;
  return {
    find(file) {
      const line = lines.get(nameOf(file));
      return line === undefined ? null : (parsed(line) as unknown as MadeFile);
    },
    add(file, { key, fileHash, measurement }) {
      try {
        if (!opened) mkdirSync(dirname(path), { recursive: true });
        // A line that was cut off when the program was killed ends here.
        appendFileSync(
          path,
          `${opened ? '' : '\n'}${JSON.stringify({ file: nameOf(file), key, fileHash, measurement })}\n`,
        );
        opened = true;
      } catch (error) {
        throw cannotWrite(path, error);
      }
    },
  };
}

/** Null for a line that is none of ours. */
function parsed(line: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(line);
    const known = value !== null && typeof value === 'object' ? (value as Record<string, unknown>) : {};
    const whole =
      typeof known.key === 'string' && typeof known.fileHash === 'string' && typeof known.measurement === 'object';
    return whole ? known : null;
  } catch {
    return null;
  }
}
