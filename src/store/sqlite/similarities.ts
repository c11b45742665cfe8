import type { Store } from '../contract.ts';
import type { SqliteDatabase } from './database.ts';
import { blob } from './rows.ts';

/** How near in meaning texts are. The texts themselves stand in observations alone. */
export function similarityPart(database: SqliteDatabase): Pick<Store, 'saveSimilarity'> {
  const insert = database.prepare('INSERT OR IGNORE INTO similarities (key, value, reason) VALUES (?, ?, ?)');
  return {
    saveSimilarity(key, { value, reason }) {
      insert.run(blob(key), value, reason ?? null);
    },
  };
}
