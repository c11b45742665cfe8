import type { SqliteDatabase } from '../database.ts';
import { first } from './001-first.ts';
import { quality } from './002-quality.ts';
import { similarities } from './003-similarities.ts';
import { predictions } from './004-predictions.ts';
import { evidence } from './005-evidence.ts';
import { addMadeColumn } from './006-made-utterances.ts';
import { outputs } from './007-outputs.ts';
import { checksums } from './008-checksums.ts';
import { warnings } from './009-warnings.ts';

/** One change of the schema: SQL, or what does it where one statement would be too much at once. */
type Migration = string | ((database: SqliteDatabase) => void);

/** Makes one change, inside a transaction of whoever asks. */
export function applyMigration(database: SqliteDatabase, migration: Migration): void {
  if (typeof migration === 'string') database.exec(migration);
  else migration(database);
}

/** Every change of the schema since the beginning, in order. A store's version is how many it has had. Never edited, only added to. */
export const migrations: readonly Migration[] = [
  first,
  quality,
  similarities,
  predictions,
  evidence,
  addMadeColumn,
  outputs,
  checksums,
  warnings,
];
