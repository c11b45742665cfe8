// Runs every test file, as many at once as there are cores. Files of a folder that leave nothing behind in their process share one: to
// start it and to load the same modules again takes longer than most files' tests.
//
//   node scripts/tests.ts [PART OF A PATH…]      all files, or those whose path has one of the parts
//   EARWITNESS_PROCESSOR_SECONDS=1               lists the files and tests that cost the most processor seconds too
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, relative } from 'node:path';
import { run } from 'node:test';
import type { TestEvent } from 'node:test/reporters';
import { pathToFileURL } from 'node:url';

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
/** Within the tree, where their imports resolve; of this run alone. */
const groups = join(root, 'node_modules', '.cache', `test-groups-${process.pid}`);

const parts = process.argv.slice(2);
const files = globSync(['src/**/*.test.ts', 'scripts/**/*.test.ts'], { cwd: root })
  .filter((file) => parts.length === 0 || parts.some((part) => file.includes(part)))
  .sort();

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

const seconds = join(groups, 'processor-seconds');
const measured = process.env.EARWITNESS_PROCESSOR_SECONDS === '1';
if (measured) process.env.EARWITNESS_PROCESSOR_FILE = seconds;
const events = run({
  files: [...shared.map(({ group }) => group), ...alone],
  concurrency: availableParallelism(),
  ...(measured ? { execArgv: ['--import', join(root, 'scripts/processor-seconds.ts')] } : {}),
});
const told = new Set<string | undefined>();
/** Files by the names of their outermost tests. */
const filesOf = new Map<string, Set<string>>();
const tell = ({ file, name, nesting }: { file?: string; name: string; nesting: number }) => {
  told.add(file);
  if (nesting === 0 && file) filesOf.set(name, (filesOf.get(name) ?? new Set()).add(file));
};
events.on('test:pass', tell);
events.on('test:fail', (event) => {
  tell(event);
  const { todo } = event;
  if (todo === undefined || todo === false) process.exitCode = 1;
});
// A process that ends itself ends well, whatever it had still to run.
events.once('end', () => {
  if (measured) console.log(costs());
  rmSync(groups, { recursive: true });
  const silent = files.filter((file) => !told.has(join(root, file)));
  if (silent.length === 0) return;
  console.error(`no test came from ${silent.join(', ')}`);
  process.exitCode = 1;
});
events.compose(report).pipe(process.stdout);

/** What `processor-seconds.ts` wrote, by file and by test. */
function costs(): string {
  const files = new Map<string, number>();
  const tests = new Map<string, number>();
  let all = 0;
  const processes = existsSync(seconds) ? readFileSync(seconds, 'utf8').trim().split('\n') : [];
  for (const line of processes) {
    const [process, ...costs] = JSON.parse(line) as [string, ...[string, number][]];
    const members = shared.find(({ group }) => group === process)?.members.map((member) => join(root, member)) ?? [
      process,
    ];
    for (const [test, cost] of costs) {
      const outer = [...filesOf.keys()].filter((name) => test === name || test.startsWith(`${name} > `));
      const file = outer.flatMap((name) => [...filesOf.get(name)!]).find((file) => members.includes(file));
      const name = place(file ?? process);
      all += cost;
      files.set(name, (files.get(name) ?? 0) + cost);
      tests.set(`${name}: ${test}`, cost);
    }
  }
  const most = (costs: ReadonlyMap<string, number>) =>
    [...costs]
      .sort(([, a], [, b]) => b - a)
      .slice(0, 40)
      .map(([name, cost]) => `  ${cost.toFixed(1)} s  ${name}\n`)
      .join('');
  return `\n${all.toFixed(0)} processor seconds\nfiles\n${most(files)}tests\n${most(tests)}`;
}

function place(file: string | undefined): string {
  return relative(root, file ?? root);
}

/** Prints what failed, what was skipped and the slowest twenty, and closes with one plain line: `N passed, N failed, N skipped`. */
async function* report(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  let passed = 0;
  let failed = 0;
  let skipped = 0;
  const slowest: { readonly seconds: number; readonly name: string }[] = [];
  for await (const event of events) {
    if (event.type === 'test:stdout' || event.type === 'test:stderr') yield event.data.message;
    if (event.type !== 'test:pass' && event.type !== 'test:fail') continue;
    const { name, details, skip, todo } = event.data;
    const isFile = /\.test\.(?:ts|mjs)$/.test(name);
    const isGroup = (details as { type?: string }).type === 'suite';
    if (!isFile && !isGroup)
      slowest.push({ seconds: details.duration_ms / 1000, name: `${place(event.data.file)}: ${name}` });
    slowest.sort((a, b) => b.seconds - a.seconds).splice(20);
    // What is yet to do may fail: node's exit code does not count it either.
    if (todo !== undefined) {
      skipped++;
      yield `- to do: ${name}\n`;
    } else if (event.type === 'test:fail') {
      if (!isGroup && !isFile) failed++;
      else if (isFile && !/subtest/.test(String((details as { error?: Error }).error?.message))) failed++;
      const { error } = details as { error?: Error };
      const cause = error?.cause;
      yield `\n✖ ${event.data.file ?? ''} ${name}\n${cause instanceof Error ? cause.stack : String(cause ?? error)}\n`;
    } else if (skip !== undefined) {
      skipped++;
      yield `- skipped: ${name}${typeof skip === 'string' ? ` (${skip})` : ''}\n`;
    } else if (!isGroup && !isFile) {
      passed++;
    }
  }
  yield `\nslowest tests\n${slowest.map(({ seconds, name }) => `  ${seconds.toFixed(1)} s  ${name}\n`).join('')}`;
  yield `\n${passed} passed, ${failed} failed, ${skipped} skipped\n`;
}
