import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ExportColumn, ExportedSound, ExportForm } from './export-form.ts';
import { datasetCard } from './licences.ts';
import { cannotWrite, writeWhole } from './write-whole.ts';

/**
 * A folder of WAV files with `metadata.jsonl`, as Hugging Face `datasets` reads it with the builder `audiofolder`: one folder
 * and one split for each condition, which README.md names.
 *
 * JSON lines and not CSV, because `datasets` guesses the types of CSV: a speaker called 007 would become the number 7, one
 * called NA nobody. From JSON it takes the types that it finds in each file, which must be the same in all: therefore an
 * unknown speaker or attribute is an empty text, and seconds always have a decimal point.
 */
export function audioFolderForm(
  output: string,
  splits: readonly string[],
  columns: readonly ExportColumn[],
): ExportForm {
  const metadataOf = (condition: number) => join(output, splits[condition]!, 'metadata.jsonl');
  const card = join(output, 'README.md');
  const files = splits.map((_, condition) => metadataOf(condition));
  const unfinished = (path: string) => `${path}.part`;
  const handles = new Map<number, FileHandle>();

  const handleOf = async (condition: number): Promise<FileHandle> => {
    const known = handles.get(condition);
    if (known) return known;
    await mkdir(join(output, splits[condition]!), { recursive: true });
    const handle = await open(unfinished(metadataOf(condition)), 'w');
    handles.set(condition, handle);
    return handle;
  };
  const closeAll = async () => {
    for (const handle of handles.values()) await handle.close();
    handles.clear();
  };
  return {
    wantsBytes: false,
    files: [...files, card],
    output: (name, condition) => join(output, splits[condition]!, `${name}.wav`),
    async add(sound) {
      const path = metadataOf(sound.condition);
      try {
        await (await handleOf(sound.condition)).write(line(sound, columns));
      } catch (error) {
        throw cannotWrite(path, error);
      }
    },
    async finish() {
      const written = [...handles.keys()].sort((a, b) => a - b);
      await closeAll();
      for (const condition of written) {
        await rename(unfinished(metadataOf(condition)), metadataOf(condition)).catch((error: unknown) => {
          throw cannotWrite(metadataOf(condition), error);
        });
      }
      const paths = written.map((condition) => [splits[condition]!, `${splits[condition]}/**`] as const);
      if (paths.length > 0) await writeWhole(card, datasetCard(paths));
    },
    async abandon() {
      const written = [...handles.keys()];
      await closeAll();
      for (const condition of written) await rm(unfinished(metadataOf(condition)), { force: true });
    },
  };
}

function line(sound: ExportedSound, columns: readonly ExportColumn[]): string {
  const members = columns.map((column) => {
    const value = column.value(sound);
    // An unknown reference stays null: empty would say that nothing was said.
    const written = value === null && column.type === 'string' && column.name !== 'text' ? '' : value;
    const json = column.type === 'float64' && Number.isInteger(written) ? `${written}.0` : JSON.stringify(written);
    return `${JSON.stringify(column.name)}:${json}`;
  });
  return `{${[`"file_name":${JSON.stringify(`${sound.name}.wav`)}`, ...members].join(',')}}\n`;
}
