import { covered, keyOf } from '../checksums.ts';
import type { SqliteDatabase } from '../database.ts';
import { partsOf } from '../parts.ts';

/** A checksum of every row, so that what a disk or a stranger changed is not taken for what was recognized. */
export function checksums(database: SqliteDatabase): void {
  for (const [table, columns] of Object.entries(covered)) {
    database.exec(`ALTER TABLE ${table} ADD COLUMN checksum INTEGER`);
    for (const { condition, values } of partsOf(database, table, keyOf(table as keyof typeof covered))) {
      database
        .prepare(`UPDATE ${table} SET checksum = row_checksum(${columns.join(', ')}) WHERE ${condition}`)
        .run(...values);
    }
  }
}
