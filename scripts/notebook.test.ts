// The notebook of examples/notebook: what is stored in it is what its cells give. They need packages of PyPI, so that they are run among the slow tests.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

const root = join(import.meta.dirname, '..');
const file = 'examples/notebook/earwitness.ipynb';

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

const cellsOf = (path: string): readonly Cell[] => JSON.parse(readFileSync(path, 'utf8')).cells;
const joined = (text: string | readonly string[] = '') => (typeof text === 'string' ? text : text.join(''));

/** What a reader sees of each output, without sizes of files and what browsers draw. */
const shownIn = (cells: readonly Cell[]) =>
  cells.map(({ outputs = [] }) =>
    outputs.map(({ output_type, text, data }) => [
      output_type,
      joined(text).replace(/\d+ KB/, 'KB'),
      joined(data?.['text/markdown'] ?? data?.['text/plain']).replace(/ at 0x\w+/, ''),
      Object.keys(data ?? {}).sort(),
    ]),
  );

test('the stored notebook has tables, players and no error', () => {
  const cells = cellsOf(join(root, file));
  const outputs = cells.flatMap((cell) => cell.outputs ?? []);
  assert.deepEqual(
    outputs.filter((one) => one.output_type === 'error'),
    [],
  );
  const pages = outputs.map(({ data }) => joined(data?.['text/html']));
  assert.equal(pages.filter((page) => page.includes('earwitness-result')).length, 2);
  assert.equal(pages.filter((page) => page.includes('<audio')).length, 3);
});

const skip = process.env.EARWITNESS_SLOW_TESTS
  ? false
  : 'slow: it installs packages of PyPI; EARWITNESS_SLOW_TESTS=1 runs it';
test('run anew, its cells give what is stored', { skip }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'earwitness-notebook-'));
  try {
    const python = join(folder, 'venv', 'bin', 'python');
    const run = (program: string, ...args: readonly string[]) => {
      const env = { ...process.env, PYTHONPATH: join(root, 'python'), EARWITNESS_NODE: process.execPath };
      const { status, stdout, stderr } = spawnSync(program, args, { cwd: folder, encoding: 'utf8', env });
      assert.equal(status, 0, `${program} ${args.join(' ')}\n${stdout}${stderr}`);
    };
    run('python3', '-m', 'venv', 'venv');
    run(python, '-m', 'pip', 'install', '-q', 'nbclient', 'nbformat', 'ipykernel', 'numpy', 'pandas', 'pocketsphinx');
    const place = join(folder, 'examples', 'notebook');
    mkdirSync(place, { recursive: true });
    cpSync(join(root, 'examples', 'recorded'), join(folder, 'examples', 'recorded'), { recursive: true });
    const anew = join(place, 'earwitness.ipynb');
    copyFileSync(join(root, file), anew);
    const script = `import nbformat
from nbclient import NotebookClient
book = nbformat.read(${JSON.stringify(anew)}, 4)
NotebookClient(book, timeout=600, record_timing=False, resources={"metadata": {"path": ${JSON.stringify(place)}}}).execute()
nbformat.write(book, ${JSON.stringify(anew)})`;
    run(python, '-c', script);
    assert.deepEqual(shownIn(cellsOf(anew)), shownIn(cellsOf(join(root, file))));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
