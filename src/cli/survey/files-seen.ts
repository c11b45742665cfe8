import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { textColumns } from '../../base/columns/texts.ts';
import { EarwitnessError, messageOf } from '../../base/errors.ts';
import { printable } from '../../base/printable.ts';
import { readTranscript } from '../../system/transcripts/read-transcript.ts';
import { openTable } from '../score/open-table.ts';
import { referenceAndOutputs } from '../score/table.ts';
import { fileNamed } from '../score/text-file.ts';
import { endingOf, type SoundTree } from './sound-tree.ts';

const maxSeen = 8;
/** What is about a folder, or made by this program. */
const aboutOther = /^(?:readme|licen[cs]e|copying|notice|changelog|package|tsconfig|requirements|earwitness)/i;

/**
 * The files of a folder without usable audio, each with the reason why it is not used and what would make it usable: whoever has put them there
 * should not be given something else instead.
 *
 * @param path of the folder, as the user wrote it
 * @returns one line for people each; none where the folder is empty
 */
export async function filesSeen(tree: SoundTree, path: string): Promise<string[]> {
  const files = tree.others.filter((file) => !aboutOther.test(basename(file)));
  const shown = files.slice(0, maxSeen);
  const prefix = path === '.' ? '' : `${path.replace(/\/$/, '')}/`;
  const lines = await Promise.all(
    shown.map(async (file) => `  ${printable(file, 80)}: ${await reasonOf(join(tree.root, file), `${prefix}${file}`)}`),
  );
  const more = files.length - shown.length;
  return [...lines, ...(more > 0 ? [`  … and ${more} more files`] : [])];
}

async function reasonOf(path: string, shownName: string): Promise<string> {
  try {
    if ((await readFile(path)).length === 0) return 'it is empty';
    const found = await fileNamed(path);
    const shown = printable(shownName, 80);
    if (found === null || found === '-') return 'it is no file of texts that is known';
    if (found.format === 'recording') {
      const { form } = (await readTranscript(path, shownName))!;
      return `${form}, without its audio; with references: earwitness score REFERENCES ${shown}`;
    }
    if (found.format === 'table') {
      const table = await openTable({ ...found, name: shownName });
      try {
        const { outputs } = referenceAndOutputs(table, {});
        return outputs.length > 1
          ? `a table of references and outputs: earwitness compare ${shown}`
          : `a table whose rows name no audio that is here${outputs.length === 1 ? `: earwitness score ${shown}` : '; name existing audio in a column path'}`;
      } finally {
        await table.close();
      }
    }
    if (['lines', 'ids', 'trn', 'stm', 'ctm'].includes(found.format)) {
      return /^(?:txt|text|trn|stm|ctm|)$/.test(endingOf(path))
        ? `texts without audio; with references: earwitness score REFERENCES ${shown}`
        : 'it is no audio, table or transcript that is known';
    }
    return 'texts by id, without audio';
  } catch (error) {
    if (error instanceof EarwitnessError) return printable(error.message.replaceAll(path, shownName), 300);
    return `it cannot be read (${printable(messageOf(error), 100)})`;
  }
}

/**
 * Whether files of lines are references and outputs of the same words, which nobody wants spoken.
 *
 * @param texts lines of each file by its name
 */
export function areOutputs(texts: ReadonlyMap<string, readonly string[]>): boolean {
  const counts = new Set([...texts.values()].map((lines) => lines.length));
  if (texts.size < 2 || counts.size > 1) return false;
  const columns = [...texts].map(([name, values]) => ({ name: name.replace(/\.[^.]+$/, ''), values }));
  const { references, outputs } = textColumns(columns);
  return references.length + outputs.length > 1;
}
