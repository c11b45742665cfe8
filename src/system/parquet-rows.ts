import { isUtf8 } from 'node:buffer';
import type * as Hyparquet from 'hyparquet';
import { EarwitnessError, messageOf } from '../base/errors.ts';
import { isAbsent, missingPackage } from '../packages/installed-package.ts';
import type { Row } from './delimited-rows.ts';
import { jsonRow } from './json-rows.ts';

const purpose = 'which reads Parquet';

/**
 * The rows of a Parquet file, group by group. Bytes (of sounds that lie in it) have no text.
 *
 * @throws EarwitnessError `missing-program` without the package hyparquet, or hyparquet-compressors where the file is packed otherwise than by Snappy;
 * `bad-input` where it cannot be read
 */
export async function* readParquetRows(path: string, shownName: string): AsyncGenerator<Row> {
  const { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } = await load<typeof Hyparquet>('hyparquet');
  let compressors: Hyparquet.Compressors | undefined;
  const reading = async <T>(read: () => Promise<T>): Promise<T> => {
    try {
      return await read();
    } catch (error) {
      if (/compression codec/.test(messageOf(error)) && compressors === undefined) {
        const packed = `which reads Parquet packed as ${shownName} is`;
        ({ compressors } = await load<{ compressors: Hyparquet.Compressors }>('hyparquet-compressors', packed));
        return await reading(read);
      }
      throw error instanceof EarwitnessError
        ? error
        : new EarwitnessError(
            'bad-input',
            `${shownName}: expected a Parquet file, but reading it failed: ${messageOf(error)}; is it whole?`,
            { cause: error },
          );
    }
  };
  const file = await reading(() => asyncBufferFromFile(path));
  const metadata = await reading(() => parquetMetadataAsync(file));
  let rowStart = 0;
  for (const group of metadata.row_groups) {
    const rowEnd = rowStart + Number(group.num_rows);
    const rows = await reading(() =>
      parquetReadObjects({ file, metadata, ...(compressors && { compressors }), rowStart, rowEnd, utf8: false }),
    );
    for (const [place, row] of rows.entries()) {
      yield jsonRow(withoutBytes(row), { number: rowStart + place + 1, text: '' }, shownName);
    }
    rowStart = rowEnd;
  }
}

async function load<T>(name: string, why = purpose): Promise<T> {
  return await import(name).catch((error: unknown) => {
    throw isAbsent(error, name) ? missingPackage(name, why, undefined, error) : error;
  });
}

function withoutBytes(row: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, plain(value)]));
}

function plain(value: unknown): unknown {
  // Texts are often written without a word that they are texts; a sound in them has zeros.
  if (value instanceof Uint8Array)
    return isUtf8(value) && !value.includes(0) ? Buffer.from(value).toString('utf8') : null;
  if (typeof value === 'bigint') return Number(value);
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.map(plain);
  return typeof value === 'object' && value !== null ? withoutBytes(value as Readonly<Record<string, unknown>>) : value;
}
