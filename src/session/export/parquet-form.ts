import { rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { missingProgram } from '../../base/errors.ts';
import { keepPersonal, makeFolder, personal } from '../../base/on-disk.ts';
import { installLine } from '../../packages/installed-package.ts';
import { type ExportColumn, type ExportedSound, type ExportForm, huggingFaceFeatures } from './export-form.ts';
import { datasetCard } from './licences.ts';
import { cannotWrite, writeWhole } from './write-whole.ts';

/** What waits to be written, over all splits together. */
const waitingBytes = 32 * 1024 * 1024;
/** A group of rows is read whole by most readers. */
const maxRowsInGroup = 1000;

/** One split under way. */
interface Split {
  readonly path: string;
  readonly write: (rows: readonly ExportedSound[]) => void;
  readonly finish: () => void;
  rows: ExportedSound[];
  bytes: number;
}

/**
 * One Parquet file for each condition, with the sound as a column `audio` (struct of `bytes`, a WAV file, and `path`) and the
 * features of Hugging Face `datasets` in its metadata. Groups of rows are written as they fill, so memory stays bounded.
 *
 * @throws EarwitnessError `missing-program` where the package hyparquet-writer is not installed
 */
export async function parquetForm(
  output: string,
  splits: readonly string[],
  columns: readonly ExportColumn[],
  createdBy: string,
): Promise<ExportForm> {
  const library = await import('hyparquet-writer').catch((error: unknown) => {
    throw missingProgram(
      `expected the package hyparquet-writer for --export parquet, but it is not installed; type: ${installLine('hyparquet-writer')}`,
      { cause: error },
    );
  });
  const schema = [
    { name: 'schema', num_children: 1 + columns.length },
    { name: 'audio', num_children: 2, repetition_type: 'OPTIONAL' as const },
    { name: 'bytes', type: 'BYTE_ARRAY' as const, repetition_type: 'OPTIONAL' as const },
    textElement('path'),
    ...columns.map(({ name, type }) => (type === 'string' ? textElement(name) : numberElement(name, type))),
  ];
  const features = { audio: { _type: 'Audio' }, ...huggingFaceFeatures(columns) };
  const kvMetadata = [{ key: 'huggingface', value: JSON.stringify({ info: { features } }) }];
  const pathOf = (condition: number) => join(output, 'data', `${splits[condition]}-00000-of-00001.parquet`);
  const card = join(output, 'README.md');
  const open = new Map<number, Split>();
  const groupBytes = waitingBytes / splits.length;

  const begin = (condition: number): Split => {
    const path = pathOf(condition);
    makeFolder(dirname(path), personal.folder);
    keepPersonal(`${path}.part`);
    const writer = new library.ParquetWriter({
      writer: library.fileWriter(`${path}.part`),
      schema,
      codec: 'SNAPPY',
      kvMetadata,
      createdBy,
    });
    const split: Split = {
      path,
      rows: [],
      bytes: 0,
      write: (rows) => {
        const written = writer.write({ columnData: columnData(rows, columns), rowGroupSize: rows.length });
        if (written) throw new Error('expected groups of rows to be written at once');
      },
      finish: () => void writer.finish(),
    };
    open.set(condition, split);
    return split;
  };
  const flush = (split: Split) => {
    if (split.rows.length > 0) split.write(split.rows);
    split.rows = [];
    split.bytes = 0;
  };
  return {
    wantsBytes: true,
    files: [...splits.map((_, condition) => pathOf(condition)), card],
    output: () => null,
    async add(sound) {
      try {
        const split = open.get(sound.condition) ?? begin(sound.condition);
        split.rows.push(sound);
        split.bytes += sound.bytes!.byteLength;
        if (split.bytes >= groupBytes || split.rows.length >= maxRowsInGroup) flush(split);
      } catch (error) {
        throw cannotWrite(pathOf(sound.condition), error);
      }
    },
    async finish() {
      const written = [...open].sort(([a], [b]) => a - b);
      for (const [, split] of written) {
        try {
          flush(split);
          split.finish();
          await rename(`${split.path}.part`, split.path);
        } catch (error) {
          throw cannotWrite(split.path, error);
        }
      }
      const paths = written.map(([condition]) => [splits[condition]!, `data/${splits[condition]}-*.parquet`] as const);
      if (paths.length > 0) await writeWhole(card, datasetCard(paths));
    },
    async abandon() {
      for (const { path } of open.values()) await rm(`${path}.part`, { force: true });
      open.clear();
    },
  };
}

/** A column of texts in a Parquet schema, which may have none. */
export function textElement(name: string) {
  return { name, type: 'BYTE_ARRAY' as const, converted_type: 'UTF8' as const, repetition_type: 'OPTIONAL' as const };
}

/** A column of numbers in a Parquet schema, which may have none. */
export function numberElement(name: string, type: 'int64' | 'float64') {
  return {
    name,
    type: type === 'int64' ? ('INT64' as const) : ('DOUBLE' as const),
    repetition_type: 'OPTIONAL' as const,
  };
}

function columnData(rows: readonly ExportedSound[], columns: readonly ExportColumn[]) {
  return [
    {
      name: 'audio',
      data: rows.map(({ bytes, name }) => ({ bytes, path: `${name}.wav` })),
      // Samples do not shrink by Snappy, and looking for the same sound twice takes longer than writing it.
      encoding: 'PLAIN' as const,
      codec: 'UNCOMPRESSED' as const,
      statistics: false,
    },
    ...columns.map((column) => ({
      name: column.name,
      data: rows.map((row) => {
        const value = column.value(row);
        return column.type === 'int64' && value !== null ? BigInt(value) : value;
      }),
    })),
  ];
}
