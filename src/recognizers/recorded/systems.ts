import { badInput } from '../../base/errors.ts';
import { printable } from '../../base/printable.ts';
import type { RecordedOptions } from './options.ts';
import { hasColumn, listening, type RecordedRow, recordedRows } from './recorded-rows.ts';
import { keyReader } from './row-index.ts';

/** Systems of a table beyond this many are a column of something else. */
const maxSystems = 1000;

/** Every system of the table in the order in which it first stands there, with the name of its recognizer. */
export async function systemsOf(path: string, options: RecordedOptions): Promise<{ name: string; system: string }[]> {
  const { file, columns } = options;
  const found = new Map<string, string>();
  for await (const row of recordedRows(path, options)) {
    const system = whose(row);
    const place = `${file}:${row.line}:1`;
    if (system === null || system === '') {
      throw badInput(
        system === null
          ? `${file}: expected a column ${columns.system ?? 'system'} that says whose each transcript is, or one of listeners, but there is none; name it in columns.system or columns.listener`
          : `${place}: expected the name of a system, but it is empty; fill it in or take the row out`,
      );
    }
    const name = nameOfSystem(system);
    const other = found.get(name);
    if (other === system) continue;
    if (name === '' || other !== undefined) {
      const problem =
        other === undefined ? 'a letter or digit in it' : `a name unlike ${JSON.stringify(printable(other, 60))}`;
      throw badInput(
        `${place}: expected a system with ${problem}, but got ${JSON.stringify(printable(system, 60))}; rename it`,
      );
    }
    if (found.size === maxSystems) {
      throw badInput(
        `${place}: expected up to ${maxSystems} systems, but there are more; name the right column in columns.system`,
      );
    }
    found.set(name, system);
  }
  if (found.size === 0) throw badInput(`${file}:1:1: expected a table with rows, but there are none`);
  return [...found].map(([name, system]) => ({ name, system }));
}

/** Whose a row is: its system's, and where the table has no such column its listener's. */
export function whose({ system, listener }: RecordedRow): string | null {
  return system ?? listener;
}

/** How many people wrote down the same clip at most: 1 where nobody says who, or the table is one of systems. */
export async function panelsOf(path: string, options: RecordedOptions): Promise<number> {
  if (options.system !== undefined || options.panel !== undefined || !(await hasColumn(path, options, listening)))
    return 1;
  const keyOf = keyReader(options);
  const listeners = new Map<string, Set<string>>();
  let most = 1;
  for await (const row of recordedRows(path, options)) {
    // Of several systems the table says itself which answer is whose.
    if (row.listener === null || row.system !== null) continue;
    const key = keyOf(row);
    const heardBy = listeners.get(key) ?? new Set();
    listeners.set(key, heardBy.add(row.listener));
    most = Math.max(most, heardBy.size);
  }
  return most;
}

/** What a config may call a recognizer: `openai/whisper` becomes `openai-whisper`. */
export function nameOfSystem(system: string): string {
  return system
    .replace(/[^A-Za-z0-9 ._-]+/g, '-')
    .replace(/^[^A-Za-z0-9]+/, '')
    .slice(0, 64)
    .trim();
}
