import type { Bound, SqliteDatabase } from './database.ts';

/** Rows that one statement changes: what a function of ours is given of a row stays in memory until the statement has ended. */
export const maxAtOnce = 10_000;

/** Some of the rows of a table, as a condition of SQL and its values. */
export interface RowRange {
  readonly condition: string;
  readonly values: readonly Bound[];
}

/**
 * Parts of at most 10,000 rows that together are all rows of a table (or all that meet a condition), in the order of its key.
 *
 * @param key columns that tell its rows and that an index has in this order, such as `batch, position`
 * @param where a condition with its values, that all parts have
 * @example
 * for (const { condition, values } of partsOf(database, 'observations', 'number'))
 *   database.prepare(`UPDATE observations SET calls = 1 WHERE ${condition}`).run(...values);
 */
export function partsOf(
  database: SqliteDatabase,
  table: string,
  key: string,
  where: RowRange = { condition: '1', values: [] },
): readonly RowRange[] {
  const ends: (readonly Bound[])[] = [];
  let row = 0;
  const keys = database
    .prepare(`SELECT ${key} FROM ${table} WHERE ${where.condition} ORDER BY ${key}`)
    .iterate(...where.values);
  for (const found of keys) if (++row % maxAtOnce === 0) ends.push(Object.values(found as Record<string, never>));
  const places = key.replaceAll(/[^,]+/g, '?');
  return Array.from({ length: ends.length + 1 }, (_, index) => {
    const [after, last] = [ends[index - 1], ends[index]];
    const bounds = [
      ...(after === undefined ? [] : [`AND (${key}) > (${places})`]),
      ...(last === undefined ? [] : [`AND (${key}) <= (${places})`]),
    ];
    return {
      condition: [where.condition, ...bounds].join(' '),
      values: [...where.values, ...(after ?? []), ...(last ?? [])],
    };
  });
}
