/**
 * Whether tests notice a changed line: sampled one-line changes (a comparison turned, an operand left out, a property dropped, …) in the code that
 * verdicts rest on, each tried against the tests that reach the file, the nearest first.
 *
 *   node bench/mutation.ts [MUTANTS [SEED [PATH …]]]     60 of seed 1 by default; PATH limits where, e.g. src/studies/shared
 *
 * One line for each: `killed` by which test, or `SURVIVED`, with the change. The source is changed in a copy of the tree under the temporary folder.
 * A test that takes more than two minutes counts as killed (endless loops). Survivors are judged one by one in design/mutation.md.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';
import { createRandom } from '../src/base/random.ts';

const root = join(import.meta.dirname, '..');
const [wanted = '60', seed = '1', ...paths] = process.argv.slice(2);
const places =
  paths.length > 0 ? paths : ['src/engine/keys.ts', 'src/studies/shared', 'src/statistics', 'src/scoring/alignment'];

interface Mutant {
  readonly file: string;
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

const turned: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '&&': '||',
  '||': '&&',
};

function mutantsOf(file: string): Mutant[] {
  const source = readFileSync(join(copy, file), 'utf8');
  const found: Mutant[] = [];
  const add = (start: number, end: number, text: string) => found.push({ file, start, end, text });
  const operator = (left: number, right: number, own: string) => {
    const at = source.indexOf(own, left);
    const other = turned[own];
    if (other !== undefined && at >= 0 && at < right) add(at, at + own.length, other);
  };
  const visitor = new Visitor({
    BinaryExpression: ({ left, right, operator: own }) => operator(left.end, right.start, own),
    LogicalExpression: ({ left, right, operator: own }) => operator(left.end, right.start, own),
    IfStatement: ({ test }) => {
      add(test.start, test.end, 'false');
      add(test.start, test.end, 'true');
    },
    ConditionalExpression: ({ test }) => {
      add(test.start, test.end, 'false');
      add(test.start, test.end, 'true');
    },
    Literal: ({ start, end, value }) => {
      if (typeof value === 'number')
        add(start, end, value === 0 ? '1' : Number.isInteger(value) ? String(value + 1) : String(2 * value));
      if (typeof value === 'boolean') add(start, end, String(!value));
    },
    UnaryExpression: ({ start, operator: own }) => {
      if (own === '!' || own === '-') add(start, start + 1, ' ');
    },
    ObjectExpression: ({ properties }) => {
      for (const { start, end } of properties) add(start, end + (source[end] === ',' ? 1 : 0), '');
    },
    ExpressionStatement: ({ start, end, expression }) => {
      if (expression.type === 'CallExpression' || expression.type === 'AssignmentExpression') add(start, end, ';');
    },
  });
  visitor.visit(parseSync(file, source).program);
  return found;
}

/** Files that import a file directly. */
function importers(files: readonly string[]): Map<string, string[]> {
  const all = new Map<string, string[]>();
  for (const file of files) {
    const { module } = parseSync(file, readFileSync(join(copy, file), 'utf8'));
    for (const { moduleRequest } of module.staticImports) {
      if (!moduleRequest.value.startsWith('.')) continue;
      const target = join(dirname(file), moduleRequest.value);
      all.set(target, [...(all.get(target) ?? []), file]);
    }
  }
  return all;
}

/** Tests that reach a file, the nearest first. */
function testsOf(file: string, importersOf: ReadonlyMap<string, readonly string[]>): string[] {
  const seen = new Set([file]);
  for (const one of seen) for (const importer of importersOf.get(one) ?? []) seen.add(importer);
  return [...seen].filter((one) => one.endsWith('.test.ts'));
}

/** Sets too few tests to be run at a time for a mutant that is killed by the first. */
const batches = [2, 6, 12, 40, 400];

function tryMutant({ file, start, end, text }: Mutant, tests: readonly string[]): string | null {
  const source = readFileSync(join(copy, file), 'utf8');
  writeFileSync(join(copy, file), source.slice(0, start) + text + source.slice(end));
  try {
    let done = 0;
    for (const size of batches) {
      const batch = tests.slice(done, done + size);
      if (batch.length === 0) return null;
      done += size;
      const { status, signal } = spawnSync(process.execPath, ['--test', '--test-timeout=120000', ...batch], {
        cwd: copy,
        stdio: 'ignore',
      });
      if (status !== 0 || signal !== null)
        return batch.length === 1 ? batch[0]! : `${batch[0]} or the next ${batch.length - 1}`;
    }
    return null;
  } finally {
    writeFileSync(join(copy, file), source);
  }
}

// Everything is read from the copy, so that the tree may change meanwhile.
const copy = mkdtempSync(join(tmpdir(), 'earwitness-mutation-'));
for (const part of ['src', 'bin', 'schema', 'package.json', 'tsconfig.json', 'docs', 'examples', 'scripts']) {
  cpSync(join(root, part), join(copy, part), { recursive: true });
}
symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));

const sources = globSync('src/**/*.ts', { cwd: copy });
const importersOf = importers(sources);
const mutated = sources
  .filter(
    (file) => !file.endsWith('.test.ts') && places.some((place) => file === place || file.startsWith(`${place}/`)),
  )
  .sort();
const all = mutated.flatMap(mutantsOf);
const random = createRandom({ bench: 'mutation', seed: Number(seed) });
const chosen = Array.from(
  { length: Math.min(Number(wanted), all.length) },
  () => all.splice(random.integer(all.length), 1)[0]!,
);

try {
  let survived = 0;
  for (const mutant of chosen) {
    const source = readFileSync(join(copy, mutant.file), 'utf8');
    const line = source.slice(0, mutant.start).split('\n').length;
    const was = source.slice(mutant.start, mutant.end).replaceAll(/\s+/g, ' ').slice(0, 60);
    const killer = tryMutant(mutant, testsOf(mutant.file, importersOf));
    if (killer === null) survived++;
    const change = `${relative('', mutant.file)}:${line}: ${was} -> ${mutant.text.trim() || 'nothing'}`;
    console.log(`${killer === null ? 'SURVIVED' : 'killed'}  ${change}${killer === null ? '' : `  (${killer})`}`);
  }
  console.log(
    `${chosen.length - survived} of ${chosen.length} killed, ${survived} survived; ${all.length + chosen.length} could be made`,
  );
} finally {
  rmSync(copy, { recursive: true, force: true });
}
