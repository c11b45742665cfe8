// Runs every test file, as many at once as there are cores. Files of a folder that leave nothing behind in their process share one: to
// start it and to load the same modules again takes longer than most files' tests.
//
//   node scripts/tests.ts [PART OF A PATH…]      all files, or those whose path has one of the parts
import { globSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { run } from 'node:test';
import { pathToFileURL } from 'node:url';
import { report } from './test-reporter.ts';

/** Folders of src/ whose test files share a process. */
const together = [
  'audio',
  'base',
  'cases',
  'cli',
  'compare',
  'corpora',
  'perturbations',
  'predictors',
  'report',
  'scoring',
  'session',
  'statistics',
  'store',
  'studies',
];
/** Files that share one process at most: a crash names no more, and cores have shares that are alike. */
const maxTogether = 16;

const root = join(import.meta.dirname, '..');
const groups = join(root, 'node_modules', '.cache', 'test-groups');

const parts = process.argv.slice(2);
const files = globSync(['src/**/*.test.ts', 'scripts/**/*.test.ts'], { cwd: root })
  .filter((file) => parts.length === 0 || parts.some((part) => file.includes(part)))
  .sort();

rmSync(groups, { recursive: true, force: true });
mkdirSync(groups, { recursive: true });
const shared = together.flatMap((folder) => {
  const own = files.filter((file) => file.startsWith(join('src', folder, '/')));
  const shares = Math.ceil(own.length / maxTogether);
  return Array.from({ length: shares }, (_, share) => {
    const group = join(groups, `${folder}-${share + 1}.test.mjs`);
    const members = own.filter((_, at) => at % shares === share);
    writeFileSync(group, members.map((file) => `import '${pathToFileURL(join(root, file))}';\n`).join(''));
    return { group, members };
  });
});
const grouped = new Set(shared.flatMap(({ members }) => members));
const alone = files.filter((file) => !grouped.has(file)).map((file) => join(root, file));

const events = run({ files: [...shared.map(({ group }) => group), ...alone], concurrency: availableParallelism() });
const told = new Set<string | undefined>();
events.on('test:pass', ({ file }) => told.add(file));
events.on('test:fail', ({ file, todo }) => {
  told.add(file);
  if (todo === undefined || todo === false) process.exitCode = 1;
});
// A process that ends itself ends well, whatever it had still to run.
events.once('end', () => {
  const silent = files.filter((file) => !told.has(join(root, file)));
  if (silent.length === 0) return;
  console.error(`no test came from ${silent.join(', ')}`);
  process.exitCode = 1;
});
events.compose(report).pipe(process.stdout);
