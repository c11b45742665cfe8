import { covered } from '../checksums.ts';

/** A checksum of every row, so that what a disk or a stranger changed is not taken for what was recognized. */
export const checksums = Object.entries(covered)
  .map(
    ([table, columns]) =>
      `ALTER TABLE ${table} ADD COLUMN checksum INTEGER;
       UPDATE ${table} SET checksum = row_checksum(${columns.join(', ')});`,
  )
  .join('\n');
