// How many rooms the house has: source files and lines by folder, files with one importer, files that each study reaches, and (of the
// working tree) files that every utterance passes on its way from list to report.
// usage: node scripts/house.ts [COMMIT]     of a commit instead of the working tree
import { execFileSync } from 'node:child_process';
import { cpSync, globSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dirname, join as joinPosix } from 'node:path/posix';

const root = join(import.meta.dirname, '..');
const commit = process.argv[2];
const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 1 << 28 });

const paths = (
  commit ? git('ls-tree', '-r', '--name-only', commit, 'src').split('\n') : globSync('src/**/*.ts', { cwd: root })
)
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
  .sort();
const textOf = (path: string) => (commit ? git('show', `${commit}:${path}`) : readFileSync(join(root, path), 'utf8'));
const known = new Set(paths);
const lines = new Map<string, number>();
const imports = new Map<string, readonly string[]>();
for (const path of paths) {
  const text = textOf(path);
  lines.set(path, text.split('\n').length - 1);
  const found = [...text.matchAll(/(?:\bfrom|\bimport\()\s*'(\.[^']+)'/g)].map((match) =>
    joinPosix(dirname(path), match[1]!),
  );
  imports.set(
    path,
    [...new Set(found)].filter((target) => known.has(target)),
  );
}
const importers = new Map(paths.map((path) => [path, 0]));
for (const targets of imports.values()) for (const target of targets) importers.set(target, importers.get(target)! + 1);

function reached(from: string): number {
  const seen = new Set([from]);
  for (const path of seen) for (const target of imports.get(path)!) seen.add(target);
  return seen.size;
}

const sorted = [...lines.values()].sort((a, b) => a - b);
const single = paths.filter((path) => importers.get(path) === 1).length;
const inUse = new Set(paths.filter((path) => !path.includes('/testing/')));
for (const path of inUse) for (const target of imports.get(path)!) inUse.add(target);
console.log(
  `files ${paths.length} (${paths.length - inUse.size} of them for tests alone), lines ${sorted.reduce((sum, count) => sum + count, 0)}, median ${sorted[sorted.length >> 1]}`,
);
console.log(
  `over 350 lines ${sorted.filter((count) => count > 350).length}, with one importer ${single} (${((100 * single) / paths.length).toFixed(0)} %)`,
);
for (const [folder, own] of Map.groupBy(paths, (path) => path.split('/')[1]!)) {
  if (own.length > 1)
    console.log(`  src/${folder}: ${own.length} files, ${own.reduce((sum, path) => sum + lines.get(path)!, 0)} lines`);
}
console.log('files that each study reaches');
for (const path of paths) {
  const [, family, name, file] = path.split('/');
  if (family === 'studies' && file === `${name}.ts`) console.log(`  ${name}: ${reached(path)}`);
}

if (commit === undefined) console.log(`files that every utterance passes: ${filesOnTheWay()}`);

/** Source files with a function that is called at least once more for each more utterance, in runs over recorded transcripts. */
function filesOnTheWay(): number {
  const folder = mkdtempSync(join(tmpdir(), 'earwitness-way-'));
  const calls = (utterances: number) => {
    const own = join(folder, `${utterances}`);
    cpSync(join(root, 'examples/recorded'), own, {
      recursive: true,
      filter: (path) => !/earwitness(-report)?$/.test(path),
    });
    const arguments_ = [join(root, 'bin/earwitness.js'), 'run', '--limit', `${utterances}`];
    execFileSync(process.execPath, arguments_, {
      ...{ cwd: own, env: { ...process.env, NODE_V8_COVERAGE: join(own, 'coverage') }, stdio: 'ignore' as const },
    });
    const counts = new Map<string, number>();
    for (const name of readdirSync(join(own, 'coverage'))) {
      const { result } = JSON.parse(readFileSync(join(own, 'coverage', name), 'utf8')) as Coverage;
      for (const { url, functions } of result) {
        for (const { functionName, ranges } of functions) {
          const place = `${url.replace(/\?.*/, '')} ${functionName} ${ranges[0]!.startOffset}`;
          counts.set(place, (counts.get(place) ?? 0) + ranges[0]!.count);
        }
      }
    }
    return counts;
  };
  try {
    const [fewer, more] = [calls(22), calls(44)];
    const passed = [...more].filter(([place, count]) => count - (fewer.get(place) ?? 0) >= 22);
    const files = passed.map(([place]) => place.split(' ')[0]!).filter((url) => /\/src\/.*\.ts$/.test(url));
    return new Set(files).size;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Coverage {
  readonly result: readonly {
    readonly url: string;
    readonly functions: readonly {
      readonly functionName: string;
      readonly ranges: readonly { readonly startOffset: number; readonly count: number }[];
    }[];
  }[];
}
