// The notebook of examples/notebook: what is stored in it is what its cells give where Earwitness was installed with pip.
import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { globSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { noPython } from '../src/system/testing/no-python.ts';
import { buildWheels } from './build-wheels.ts';
import { cellsOf, executeNotebook, joined, notebook, notebookNeeds, shownIn } from './execute-notebook.ts';

const root = join(import.meta.dirname, '..');
const here = `${process.platform}-${process.arch}`;

test('the stored notebook has tables, players and no error', () => {
  const outputs = cellsOf(notebook).flatMap((cell) => cell.outputs ?? []);
  assert.deepEqual(
    outputs.filter((one) => one.output_type === 'error'),
    [],
  );
  const pages = outputs.map(({ data }) => joined(data?.['text/html']));
  assert.equal(pages.filter((page) => page.includes('earwitness-result')).length, 2);
  assert.equal(pages.filter((page) => page.includes('<audio')).length, 3);
});

/** Compiles, unless `npm run package` just did, whose time need not be spent twice. */
function compile(): void {
  const files = globSync('src/**/*.ts', { cwd: root, exclude: ['**/*.test.ts', '**/testing/**'] });
  const newest = Math.max(...files.map((file) => statSync(join(root, file)).mtimeMs));
  const built = statSync(join(root, 'dist', 'browser', 'pages'), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (built < newest) execFileSync('node', [join(root, 'scripts', 'build.ts')], { cwd: root });
}

test('installed with pip and run anew, its cells give what is stored', { skip: noPython }, async (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'earwitness-notebook-'));
  try {
    const python = join(folder, 'venv', 'bin', 'python');
    // Without a pip of its own, and without bytecode of what no cell imports: half of the time.
    execFileSync('python3', ['-m', 'venv', '--without-pip', join(folder, 'venv')]);
    const pip = (...args: readonly string[]) =>
      promisify(execFile)('python3', ['-m', 'pip', '--python', python, 'install', '-q', '--no-compile', ...args]);
    const needed = pip(...notebookNeeds).then(
      () => null,
      (error: { readonly stderr: string }) => error.stderr,
    );
    compile();
    const wheels = buildWheels(here, ['flite'], join(folder, 'wheels'), 'python3');
    const refused = await needed;
    if (refused !== null) {
      assert.notEqual(process.env.EARWITNESS_REQUIRE_ENGINES, '1', refused);
      return context.skip(`pip cannot install ${notebookNeeds.join(', ')} here: ${refused.trim().split('\n').at(-1)}`);
    }
    // There is a Node: none need be brought.
    await pip('--no-deps', ...wheels);
    const { PYTHONPATH: _, ...environment } = process.env;
    const cells = await executeNotebook(python, folder, environment);
    assert.deepEqual(shownIn(cells), shownIn(cellsOf(notebook)));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
