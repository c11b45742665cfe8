// The notebook of examples/notebook: executed by a Python, and what a reader sees of it.
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const root = join(import.meta.dirname, '..');
export const notebook = join(root, 'examples', 'notebook', 'earwitness.ipynb');

/** What `executeNotebook` and the cells need beside Earwitness. */
export const notebookNeeds = ['nbclient', 'ipykernel', 'pandas', 'pocketsphinx'];

interface Output {
  readonly output_type: string;
  readonly text?: string | readonly string[];
  readonly data?: Readonly<Record<string, string | readonly string[]>>;
}
interface Cell {
  readonly cell_type: string;
  readonly source: string | readonly string[];
  readonly outputs?: readonly Output[];
}

export const cellsOf = (path: string): readonly Cell[] => JSON.parse(readFileSync(path, 'utf8')).cells;
export const joined = (text: string | readonly string[] = '') => (typeof text === 'string' ? text : text.join(''));

/** What a reader sees of each output, without sizes of files and what browsers draw. */
export const shownIn = (cells: readonly Cell[]) =>
  cells.map(({ outputs = [] }) =>
    outputs.map(({ output_type, text, data }) => [
      output_type,
      joined(text).replace(/\d+ KB/, 'KB'),
      joined(data?.['text/markdown'] ?? data?.['text/plain']).replace(/ at 0x\w+/, ''),
      Object.keys(data ?? {}).sort(),
    ]),
  );

/**
 * Executes a copy of the notebook in a kernel of its own.
 *
 * @param python with Earwitness and `notebookNeeds`
 * @param folder where the copy goes, with the transcripts that lie beside it
 * @returns the cells, with what they gave
 * @throws where a cell raises, with its traceback
 */
export async function executeNotebook(
  python: string,
  folder: string,
  env: NodeJS.ProcessEnv,
): Promise<readonly Cell[]> {
  const place = join(folder, 'examples', 'notebook');
  mkdirSync(place, { recursive: true });
  cpSync(join(root, 'examples', 'recorded'), join(folder, 'examples', 'recorded'), { recursive: true });
  const anew = join(place, 'earwitness.ipynb');
  const script = `import nbformat
from nbclient import NotebookClient
book = nbformat.read(${JSON.stringify(notebook)}, 4)
NotebookClient(book, timeout=600, record_timing=False, resources={"metadata": {"path": ${JSON.stringify(place)}}}).execute()
nbformat.write(book, ${JSON.stringify(anew)})`;
  await promisify(execFile)(python, ['-c', script], { cwd: folder, env });
  return cellsOf(anew);
}
