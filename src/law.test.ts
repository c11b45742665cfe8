import assert from 'node:assert/strict';
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { test } from 'node:test';

const source = import.meta.dirname;
const families = [
  'decoders',
  'sound-collections',
  'perturbations',
  'recognizers',
  'synthesizers',
  'corpora',
  'embedders',
  'predictors',
  'quality',
  'grammar-checkers',
];

/** Which folders of src each folder may import, besides itself. The entries and composers at the end may import all. */
const law: Readonly<Record<string, readonly string[]>> = {
  base: [],
  system: ['base', 'packages'],
  model: ['base'],
  audio: ['base'],
  packages: ['base'],
  http: ['base', 'packages'],
  gradients: ['base', 'packages', 'audio'],
  statistics: ['base', 'model/reason.ts'],
  scoring: ['base', 'model'],
  ...Object.fromEntries(families.map((family) => [family, ['base', 'model', 'audio', 'packages', 'system']])),
  recognizers: ['base', 'model', 'audio', 'packages', 'system', 'gradients', 'http'],
  synthesizers: ['base', 'model', 'audio', 'packages', 'system', 'http'],
  predictors: ['base', 'model', 'packages', 'statistics', 'system'],
  studies: [
    'base',
    'model',
    'scoring',
    'statistics',
    'perturbations/contract.ts',
    'perturbations/scenarios.ts',
    'perturbations/ladders',
    'predictors/contract.ts',
  ],
  cases: ['base', 'model', 'scoring', 'statistics', 'studies/shared', 'studies/differential/case.ts'],
  compare: ['base', 'model', 'scoring', 'statistics', 'studies/shared'],
  store: ['base', 'model', 'packages'],
  queue: [
    'base',
    'model',
    'audio',
    'packages',
    'engine/executors',
    'store/postgres/address.ts',
    'store/postgres/connection.ts',
  ],
  report: ['base', 'model', 'statistics'],
  // What runs in browsers; that it needs nothing of Node `tsc -p src/browser` says.
  browser: ['base', 'model', 'audio', 'report/csv', 'report/html/markup.ts', 'web'],
  engine: [
    'base',
    'model',
    'audio',
    'perturbations/apply-steps.ts',
    'store/contract.ts',
    'studies/contract.ts',
    ...families.map((family) => `${family}/contract.ts`),
  ],
};
const composers = ['cli', 'session', 'web', 'channel', 'catalog.ts', 'worker.ts', 'recognizer-host.ts', 'index.ts'];

/** Which rooms of a composer each of its rooms may import. What stands in none (`.`) is named as such; a room that is not named imports all. */
const rooms: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  session: {
    members: [],
    config: ['members'],
    open: ['members', 'config'],
    quality: ['members', 'config'],
    rooms: [],
    stored: ['members', 'config', 'open', '.'],
    export: ['members', 'config', 'open', 'quality'],
    cases: ['members', 'config', 'open', 'stored', 'export', '.'],
    evidence: ['members', 'stored', '.'],
    run: ['members', 'config', 'open', 'quality', 'rooms', 'stored', 'export', 'cases', '.'],
    '.': [],
  },
  web: { people: ['.'], collect: ['people', '.'], '.': [] },
  cli: {
    terminal: [],
    progress: [],
    recognize: [],
    score: ['terminal', 'survey', '.'],
    survey: ['progress', 'score'],
    cases: ['.'],
  },
};

/** Composers that know nothing of each other: a window knows what runs, what runs knows no window. */
const belowComposers: Readonly<Record<string, readonly string[]>> = {
  session: ['cli', 'web', 'channel'],
  web: ['cli', 'channel'],
  cli: ['channel'],
  channel: ['cli'],
};

/** Folders whose members stand side by side and know nothing of each other. */
const membersApart = [...families, 'studies'];
const commonFolders = ['shared', 'ladders', 'testing'];

/** What a study's report, design and tally hold, and no file of its own. */
const partsOfOthers = /(^|\/)(data|finding|known|named-trials|overview|survey|warnings|wording)\.ts$/;

/** Below it a file is small; with its private parts one has up to about so many. */
const smallFileLines = 60;
const fullFileLines = 300;

/** Files of more than 350 lines (not those that tests alone use), each with the reason why it is one. */
const maxFileLines = 350;
const longFiles: Readonly<Record<string, string>> = {
  'compare/comparison-sections.ts': 'the sections share their columns and labels',
  'report/prepare/result-table.ts': 'the first table with the sentences above it and the marks beneath',
  'session/config/written-config.ts': 'generated',
  'store/contract.ts': 'the whole contract, most of it documentation',
  'session/run/run-session.ts': 'what a run needs, in the order in which it is opened and closed',
  'web/trial-index.ts': 'filters, orders and counts over the same columns',
  'model/reason.ts': 'every reason with its words, in one list',
  'report/html/finding.ts': 'each kind of block of a finding as markup',
  'studies/degradation/sections.ts': 'the sections share their columns',
  'studies/shared/cube/cube.ts': 'one class: what is added, and what is asked of it',
  'studies/shared/validity/finding-of-ratings.ts': 'a study without a batch: options, numbers and sections in one',
  'web/people/people-store.ts': 'one database: its tables, statements and repair',
  'recognizers/hosted/hosted.ts': 'one way of a call for all services, from the key to the transcript',
  'statistics/bootstrap/cluster-bootstrap.ts': 'one public method with its private parts',
};

const pure = ['audio', 'perturbations', 'scoring', 'statistics', 'studies', 'cases', 'compare', 'report'];
const impureModules =
  /^(node:)?(fs|net|http|https|http2|child_process|worker_threads|os|process|dns|dgram|tls|crypto|timers)(\/|$)/;
const impureNames =
  /\b(Math\.random|Date\.now|new Date\(\)|performance\.now|process\.(env|argv|cwd)|setTimeout|setInterval|fetch)\b/;

interface SourceFile {
  /** Path below src, with forward slashes. */
  readonly path: string;
  readonly text: string;
  readonly imports: readonly string[];
}

const files: readonly SourceFile[] = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
  .map((path) => {
    const text = readFileSync(join(source, path), 'utf8');
    return { path: path.split(sep).join('/'), text, imports: importsOf(text) };
  });

function importsOf(text: string): readonly string[] {
  const statements = /^(?:import|export)\s[^'"`;]*?from\s+'([^']+)'|^import\s+'([^']+)'|\bimport\(\s*'([^']+)'\s*\)/gm;
  return [...text.matchAll(statements)].map((match) => (match[1] ?? match[2] ?? match[3])!);
}

function localImports(file: SourceFile): readonly string[] {
  return file.imports
    .filter((target) => target.startsWith('.'))
    .map((target) =>
      relative(source, resolve(source, dirname(file.path), target))
        .split(sep)
        .join('/'),
    );
}

function within(path: string, place: string): boolean {
  return path === place || path.startsWith(`${place}/`);
}

test('every folder of src stands in the law', () => {
  const tops = new Set(files.map(({ path }) => path.split('/')[0]!));
  for (const top of tops) assert.ok(top in law || composers.includes(top), `src/${top} stands nowhere in the law`);
});

test('folders import only what the law allows', () => {
  const broken: string[] = [];
  for (const file of files) {
    const top = file.path.split('/')[0]!;
    const allowed = law[top];
    if (!allowed) continue;
    for (const target of localImports(file)) {
      if (!within(target, top) && !allowed.some((place) => within(target, place)))
        broken.push(`${file.path} -> ${target}`);
    }
  }
  assert.deepEqual(broken, []);
});

test('rooms of the composers import only what the law allows', () => {
  const roomOf = (path: string) => (path.split('/').length > 2 ? path.split('/')[1]! : '.');
  const broken: string[] = [];
  for (const file of files) {
    const [top] = file.path.split('/');
    const room = roomOf(file.path);
    if (room === 'testing') continue;
    for (const target of localImports(file)) {
      const [targetTop] = target.split('/');
      const allowed =
        targetTop === top
          ? room === roomOf(target) || (rooms[top!]?.[room]?.includes(roomOf(target)) ?? true)
          : !belowComposers[top!]?.includes(targetTop!);
      if (!allowed) broken.push(`${file.path} -> ${target}`);
    }
  }
  assert.deepEqual(broken, []);
  for (const room of new Set(files.filter(({ path }) => path.startsWith('session/')).map(({ path }) => roomOf(path))))
    assert.ok(room === 'testing' || room in rooms.session!, `src/session/${room} stands nowhere in the law`);
});

test('members of a family do not import each other', () => {
  const broken: string[] = [];
  for (const file of files) {
    const [family, member, ...rest] = file.path.split('/');
    if (!membersApart.includes(family!) || rest.length === 0 || commonFolders.includes(member!)) continue;
    for (const target of localImports(file)) {
      const [targetFamily, targetMember, ...inside] = target.split('/');
      const elsewhere = targetFamily === family && inside.length > 0 && targetMember !== member;
      if (elsewhere && !commonFolders.includes(targetMember!)) broken.push(`${file.path} -> ${target}`);
    }
  }
  assert.deepEqual(broken, []);
});

test('pure folders touch no file, network, process, clock or global chance', () => {
  const broken: string[] = [];
  for (const file of files) {
    if (!pure.includes(file.path.split('/')[0]!)) continue;
    for (const target of file.imports) if (impureModules.test(target)) broken.push(`${file.path} imports ${target}`);
    const code = file.text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '').replace(/`(?:[^`\\]|\\.)*`/g, '');
    const name = impureNames.exec(code);
    if (name) broken.push(`${file.path} uses ${name[0]}`);
  }
  assert.deepEqual(broken, []);
});

test('a small file with one importer beside it is part of that', () => {
  const linesOf = new Map(files.map(({ path, text }) => [path, text.split('\n').length - 1]));
  const importers = new Map<string, string[]>();
  for (const file of files) {
    for (const target of localImports(file)) importers.set(target, [...(importers.get(target) ?? []), file.path]);
  }
  const outside = ['scripts', 'bench']
    .flatMap((folder) => globSync(join(source, '..', folder, '**/*.ts')))
    .map((path) => readFileSync(path, 'utf8'));
  const apart = files.filter(({ path }) => {
    const [importer, ...others] = importers.get(path) ?? [];
    if (importer === undefined || others.length > 0 || dirname(importer) !== dirname(path)) return false;
    if (linesOf.get(path)! >= smallFileLines || linesOf.get(path)! + linesOf.get(importer)! > fullFileLines)
      return false;
    if (outside.some((text) => text.includes(`src/${path}'`))) return false;
    // Entries of threads, and what is tested alone.
    return !/\/worker\.ts$/.test(path) && !existsSync(join(source, path.replace(/\.ts$/, '.test.ts')));
  });
  assert.deepEqual(
    apart.map(({ path }) => path),
    [],
  );
});

test('a file has at most 350 lines, but for those with a reason', () => {
  const long = files.filter(
    ({ path, text }) => !path.includes('/testing/') && text.split('\n').length - 1 > maxFileLines,
  );
  assert.deepEqual(long.map(({ path }) => path).sort(), Object.keys(longFiles).sort());
});

test('a study has the parts that every study has under their names, and others under what they work out', () => {
  const studies = new Map<string, string[]>();
  for (const { path } of files) {
    const [, study, ...rest] = path.split('/');
    if (!path.startsWith('studies/') || rest.length === 0 || commonFolders.includes(study!)) continue;
    studies.set(study!, [...(studies.get(study!) ?? []), rest.join('/')]);
  }
  assert.ok(studies.size > 0);
  for (const [study, parts] of studies) {
    assert.ok(parts.includes(`${study}.ts`), `src/studies/${study} has no ${study}.ts`);
    const nameless = parts.filter((part) => partsOfOthers.test(part));
    assert.deepEqual(nameless, [], `src/studies/${study}: these belong into report.ts, design.ts or tally.ts`);
  }
});

test('no file imports itself in a circle, not even for a type', () => {
  const graph = new Map(files.map((file) => [file.path, localImports(file)]));
  const state = new Map<string, 'open' | 'done'>();
  const circles: string[] = [];
  const visit = (path: string, trail: readonly string[]) => {
    if (state.get(path) === 'done') return;
    if (state.get(path) === 'open') {
      circles.push([...trail.slice(trail.indexOf(path)), path].join(' -> '));
      return;
    }
    state.set(path, 'open');
    for (const target of graph.get(path) ?? []) visit(target, [...trail, path]);
    state.set(path, 'done');
  };
  for (const path of graph.keys()) visit(path, []);
  assert.deepEqual(circles, []);
});
