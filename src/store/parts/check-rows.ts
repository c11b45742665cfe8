import type { Database } from '../database.ts';
import { isServer } from '../store-place.ts';
import { type CoveredTable, covered, repairHint, verified } from './checksums.ts';

/** What to do about a damaged database on a server. */
export const restoreHint = 'restore a backup of the database (pg_restore)';

/** What of one table is as it was written. */
export interface CheckedTable {
  readonly table: CoveredTable;
  readonly what: string;
  readonly good: number;
  readonly damaged: number;
  /** Whether the file is broken there, so that rows may be missing. */
  readonly torn: boolean;
}

export interface CheckedStore {
  readonly good: boolean;
  readonly tables: readonly CheckedTable[];
  /** What SQLite says of the file's structure, at most 20 sentences; none where it is whole. */
  readonly structure: readonly string[];
  /** Answers and calls that were kept and are not there any more. */
  readonly missing: { readonly answers: number; readonly calls: number };
}

/** What rows of each table are to a reader. */
const names: Readonly<Record<CoveredTable, string>> = {
  runs: 'runs',
  run_utterances: 'utterances',
  run_conditions: 'conditions',
  run_batches: 'batches of questions',
  run_trials: 'questions',
  attempts: 'calls',
  observations: 'answers',
  sounds: 'sounds',
  clips: 'clips',
  measurements: 'measurements of clips',
  files: 'remembered hashes of files',
  qualities: 'measurements of quality',
  similarities: 'similarities',
  predictions: 'predictions',
  elapsed: 'times',
  run_plans: 'plans',
  materials: 'texts and lists that studies read',
  run_materials: 'uses of those',
  run_sounds: 'identities of sounds',
};

/**
 * Reads every row of every table.
 *
 * @param scan what keeps a table from being read by an index of it
 */
export function checkTables(database: Database, scan: '' | 'NOT INDEXED' = ''): readonly CheckedTable[] {
  return (Object.keys(covered) as CoveredTable[]).map((table) => checkTable(database, table, scan));
}

/**
 * One sentence for what is damaged and what is still good; where nothing is, and a row was refused all the same, that it was refused
 * wrongly: nobody should repair a store that is whole.
 */
export function damageSentence(path: string, { good, tables, missing, structure }: CheckedStore): string {
  if (good) {
    return `${path}: a row did not match its checksum, but a check of all rows finds every one whole: that is a fault of earwitness and not of the store; please report it`;
  }
  const lost = [
    ...(missing.answers > 0 ? [`${missing.answers} answers are missing`] : []),
    ...(missing.calls > 0 ? [`${missing.calls} calls are missing`] : []),
    ...tables.flatMap(({ what, good, damaged, torn }) => [
      ...(damaged > 0 ? [`${damaged} of ${good + damaged} ${what} are damaged`] : []),
      ...(torn ? [`${what} may be missing`] : []),
    ]),
  ];
  if (lost.length === 0 && structure.length > 0) lost.push('its file is damaged where no row stands');
  if (lost.length === 0) {
    return `${path}: a row did not match its checksum, but read again all rows are whole: the disk reads unreliably, or earwitness has a fault; try once more, and report it if it happens again (docs/security.md)`;
  }
  const kept = tables
    .filter(({ table }) => ['runs', 'observations', 'run_utterances'].includes(table))
    .map(({ what, good }) => `${good} ${what}`)
    .join(', ');
  return `${path}: the store is damaged: ${lost.join(', ')}; still good are ${kept}; ${isServer(path) ? `\`earwitness store check\` lists it; ${restoreHint}` : repairHint}`;
}

function checkTable(database: Database, table: CoveredTable, scan: string): CheckedTable {
  let [good, damaged, torn] = [0, 0, false];
  try {
    for (const row of database.prepare(`SELECT ${verified(table)} AS intact FROM ${table} ${scan}`).iterate()) {
      if ((row as { intact: number }).intact === 1) good++;
      else damaged++;
    }
  } catch {
    torn = true;
  }
  return { table, what: names[table], good, damaged, torn };
}
