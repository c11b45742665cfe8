// What stands in the README and in docs/ as blocks of code: found, made into something that can be tried, and tried.
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, delimiter, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parse, stringify } from 'yaml';
import schema from '../schema/earwitness.schema.json' with { type: 'json' };
import { canonicalJson, sha256 } from '../src/base/hash.ts';
import type { Json } from '../src/base/json.ts';
import { runCommand } from '../src/cli/testing/run-command.ts';

const root = join(import.meta.dirname, '..');

/** A block of code of a page. */
export interface Block {
  readonly page: string;
  /** Of its first line in the page. */
  readonly line: number;
  readonly language: string;
  readonly text: string;
  /** What a comment right before it says: `not run: why`, `figures of: CONFIG` (as `long-examples.ts` wrote them), `saved as: FILE`, `piece of: CONFIG` (with `HERE` in its place), `shown: 12`, `shown: last 12` (so many lines). */
  readonly remark: { readonly key: string; readonly value: string } | null;
}

/** The README and every page of docs/, from the repository's root. */
export const pages: readonly string[] = [
  'README.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .sort()
    .map((name) => `docs/${name}`),
];

/** The blocks of a page, in order. */
export function blocksOf(page: string): readonly Block[] {
  const text = readFileSync(join(root, page), 'utf8');
  const figures = figuresOf(page);
  return [...text.matchAll(/(?:^<!-- ([\w ]+): (.*) -->\n)?^ *```(.*)\n([\s\S]*?)^ *```$/gm)].map((match) => {
    const around = figures.find(({ start, end }) => start < match.index && match.index < end);
    const own = match[1] === undefined ? null : { key: match[1], value: match[2]! };
    return {
      page,
      line: text.slice(0, match.index + match[0].indexOf('```')).split('\n').length + 1,
      language: match[3]!,
      text: match[4]!,
      remark: around === undefined ? own : { key: 'figures of', value: around.config },
    };
  });
}

/** A part of a page that shows what an example printed that is too long, or needs data too large, to be run as a test. */
export interface Figures {
  readonly page: string;
  /** The example's config, from the repository's root. */
  readonly config: string;
  /** What is shown, in order: of the terminal's answer the part with this title, or of the report the table with this title. */
  readonly parts: readonly {
    readonly kind: 'answer' | 'table';
    readonly title: string;
    /** Of a table: the columns that are shown, null for all (`*`), and what rows must match. */
    readonly columns: readonly string[] | null;
    readonly rows: RegExp | null;
  }[];
  /** What the figures rest on, as written when they were made; null where they never were. */
  readonly made: {
    /** `NAME VERSION` of studies, normalizers and perturbations. */
    readonly versions: readonly string[];
    /** `hashOf` the config and of what stands here. */
    readonly config: string;
    readonly shown: string;
    readonly date: string;
  } | null;
  readonly shown: string;
  /** Where it begins and ends in the page, comments included, in characters. */
  readonly start: number;
  readonly end: number;
}

/**
 * The figures of a page, each between comments:
 *
 *     <!-- figures of: examples/recorded/earwitness.config.yaml
 *     answer: Robustness
 *     table: By scenario | Recognizer; Scenario; Word error rate | clean
 *     made: robustness 9, english 2; config 0123abcd; shown 4567cdef; 2026-11-23 -->
 *     …
 *     <!-- end of figures -->
 */
export function figuresOf(page: string): readonly Figures[] {
  const text = readFileSync(join(root, page), 'utf8');
  const whole = /^<!-- figures of: (\S+)\n([\s\S]*?) ?-->\n([\s\S]*?)^<!-- end of figures -->$/gm;
  return [...text.matchAll(whole)].map((match) => {
    const lines = match[2]!.trim().split('\n');
    const made = /^made: (.*); config (\w+); shown (\w+); (\S+)$/m.exec(match[2]!);
    return {
      page,
      config: match[1]!,
      parts: lines
        .filter((line) => !line.startsWith('made: '))
        .map((line) => {
          const [, kind, title, columns, rows] =
            /^(answer|table): ([^|]+?)(?: \| ([^|]+?))?(?: \| (.*))?$/.exec(line) ?? [];
          if (kind !== 'answer' && kind !== 'table')
            throw new Error(`${page}: expected answer: or table:, but got ${line}`);
          return {
            kind,
            title: title!,
            columns: columns === undefined || columns === '*' ? null : columns.split('; '),
            rows: rows === undefined ? null : new RegExp(rows),
          };
        }),
      made:
        made === null ? null : { versions: made[1]!.split(', '), config: made[2]!, shown: made[3]!, date: made[4]! },
      shown: match[3]!,
      start: match.index,
      end: match.index + match[0].length,
    };
  });
}

/** What measures figures, and the hash of what it said then that it measures. */
export interface Measure {
  /** A file of bench/, from the repository's root. */
  readonly file: string;
  readonly hash: string;
  readonly date: string;
}

/** Parts of pages whose figures a file of bench/ measured, as `long-examples.ts --measured FILE` notes it. */
const measured = /^<!-- measured by\n([\s\S]*?) -->\n[\s\S]*?^<!-- end of measured -->$/gm;

/**
 * What measured the figures of a page that stand between comments:
 *
 *     <!-- measured by
 *     bench/start.ts 0123abcd 2026-11-23 -->
 *     …
 *     <!-- end of measured -->
 */
export function measuresOf(page: string): readonly Measure[] {
  const text = readFileSync(join(root, page), 'utf8');
  return [...text.matchAll(measured)].flatMap(([, measures]) =>
    measures!.split('\n').map((line) => {
      const [file = '', hash = '', date = ''] = line.split(' ');
      return { file, hash, date };
    }),
  );
}

/** What a page says in sentences and tables of its own: without code, figures, measured parts and what is generated. */
export function proseOf(page: string): string {
  return readFileSync(join(root, page), 'utf8')
    .replaceAll(/^<!-- figures of: [\s\S]*?^<!-- end of figures -->$/gm, '')
    .replaceAll(measured, '')
    .replaceAll(/^<!-- [\w-]+: generated -->$[\s\S]*?^<!-- end -->$/gm, '')
    .replaceAll(/^ *```[\s\S]*?^ *```$/gm, '');
}

/** The first digits of the hash of a text. */
export function hashOf(text: string): string {
  return sha256(text).slice(0, 8);
}

/** `hashOf` what a file of bench/ says in its first comment that it measures, and in which worlds. Its code may change. */
export function hashOfMeasure(file: string): string {
  const [about] =
    /^(?:\/\*[\s\S]*?\*\/|"""[\s\S]*?"""|(?:\/\/.*\n)+)/.exec(readFileSync(join(root, file), 'utf8')) ?? [];
  if (about === undefined) throw new Error(`${file} does not say in a comment at its beginning what it measures`);
  return hashOf(about);
}

/** `hashOf` a config and of the files beside it that it names. Its comments may change. */
export function hashOfConfig(config: string): string {
  const file = join(root, config);
  const meant = canonicalJson(parse(readFileSync(file, 'utf8'), { merge: true }) as Json);
  const beside = readdirSync(dirname(file)).filter((name) => meant.includes(`"${name}"`));
  return hashOf([meant, ...beside.sort().map((name) => readFileSync(join(dirname(file), name), 'utf8'))].join('\n'));
}

/** What a comment of the page's first five lines says, as `<!-- run in: examples/recorded -->`; null where there is none. */
export function pageRemark(page: string, key: string): string | null {
  const head = readFileSync(join(root, page), 'utf8').split('\n').slice(0, 5).join('\n');
  return new RegExp(`<!-- ${key}: (.*) -->`).exec(head)?.[1] ?? null;
}

/**
 * A whole config of a block of YAML. What a page leaves out is filled in: a corpus, the synthesizers that are named, recognizers.
 * What is no key of a config is taken for options of the study that the page is about, unless a remark says what it is a piece of.
 */
export function wholeConfig({ page, text, remark }: Block): string {
  const data: unknown = parse(text, { merge: true });
  const keys = Object.keys(data ?? {});
  let whole = data as Record<string, unknown>;
  if (remark?.key === 'piece of') whole = replaced(parse(remark.value), data) as Record<string, unknown>;
  else if (keys.some((key) => !(key in schema.properties))) {
    const inside = Object.entries(whole).filter(([key]) => !(key in schema.properties));
    const beside = Object.entries(whole).filter(([key]) => key in schema.properties);
    const study = { type: basename(page, '.md'), ...Object.fromEntries(inside) };
    whole = { ...Object.fromEntries(beside), studies: [study] };
  }
  const named = [...JSON.stringify(whole).matchAll(/"synthesizer":"([\w-]+)"/g)].map(([, name]) => name!);
  return stringify({
    corpus: { type: 'sentences', texts: ['one two three'], synthesizer: 'voice' },
    synthesizers: Object.fromEntries([...named, 'voice'].map((name) => [name, { type: 'flite' }])),
    recognizers: { one: { type: 'scripted', answers: {} }, two: { type: 'scripted', answers: {} } },
    ...whole,
  });
}

function replaced(into: unknown, piece: unknown): unknown {
  if (into === 'HERE') return piece;
  if (Array.isArray(into)) return into.map((one) => replaced(one, piece));
  if (typeof into !== 'object' || into === null) return into;
  return Object.fromEntries(Object.entries(into).map(([key, value]) => [key, replaced(value, piece)]));
}

/** Names by which snippets import the library, and where it lies in the tree. */
export const entries: Readonly<Record<string, string>> = {
  earwitness: join(root, 'src', 'index.ts'),
  'earwitness/scoring': join(root, 'src', 'scoring', 'scoring.ts'),
  'earwitness/statistics': join(root, 'src', 'statistics', 'statistics.ts'),
  'earwitness/studies': join(root, 'src', 'studies', 'studies.ts'),
  'earwitness/audio': join(root, 'src', 'perturbations', 'perturbations.ts'),
  // As packages of their own: docs/packages/.
  '@earwitness/scoring': join(root, 'src', 'scoring', 'scoring.ts'),
  '@earwitness/statistics': join(root, 'src', 'statistics', 'statistics.ts'),
  '@earwitness/audio': join(root, 'src', 'perturbations', 'perturbations.ts'),
};

/**
 * An empty folder, or a copy of an example, in which `earwitness`, `npx earwitness`, `node FILE.ts` and `import earwitness` of Python are this tree's. Where a command is
 * nothing but calls of `earwitness`, they are run in this process, without a shell: that is several times as fast.
 *
 * @returns what a command prints there, and its exit code
 */
export function workplace(folder: string, example: string | null): (command: string) => Promise<Ran> {
  const here = join(folder, 'here');
  const programs = join(folder, 'programs');
  mkdirSync(here, { recursive: true });
  mkdirSync(programs);
  if (example !== null) {
    cpSync(join(root, example), here, { recursive: true });
    for (const left of ['.earwitness', 'earwitness-report']) rmSync(join(here, left), { recursive: true, force: true });
  }
  writeFileSync(join(here, 'package.json'), '{ "type": "module" }\n');
  const urls = Object.fromEntries(Object.entries(entries).map(([name, file]) => [name, pathToFileURL(file).href]));
  const hook = join(programs, 'hook.mjs');
  writeFileSync(
    hook,
    `import { registerHooks } from 'node:module';
const entries = ${JSON.stringify(urls)};
registerHooks({ resolve: (name, context, next) => (entries[name] ? { url: entries[name], shortCircuit: true } : next(name, context)) });
`,
  );
  const program = (name: string, script: string) => {
    writeFileSync(join(programs, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(programs, name), 0o755);
  };
  program('earwitness', `exec node ${join(root, 'bin', 'earwitness.js')} "$@"`);
  program('npx', 'exec "$@"');
  const plain = { EARWITNESS_ONE_THREAD: '1', NO_COLOR: '1', COLUMNS: '80', LC_ALL: 'C.UTF-8' };
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    ...plain,
    PATH: [programs, join(root, 'node_modules', '.bin'), process.env.PATH].join(delimiter),
    PYTHONPATH: join(root, 'python'),
    PYTHONDONTWRITEBYTECODE: '1',
    EARWITNESS_NODE: process.execPath,
    NODE_OPTIONS: `--import ${pathToFileURL(hook).href}`,
  };
  const withoutShell = async (calls: readonly Call[]): Promise<Ran> => {
    let [status, stdout, stderr]: [number | null, string, string] = [0, '', ''];
    for (const { words, into } of calls) {
      const ran = await runCommand(words, { cwd: here, env: plain });
      if (into === null) stdout += ran.stdout;
      else writeFileSync(join(here, into), ran.stdout);
      stderr += ran.stderr;
      status = ran.code;
      if (status !== 0) break;
    }
    return { status, stdout, stderr };
  };
  return async (command) => {
    const calls = callsOf(command);
    const { status, stdout, stderr } =
      calls === null
        ? spawnSync('bash', ['-e', '-c', command], { cwd: here, encoding: 'utf8', env })
        : await withoutShell(calls);
    return { status, stdout: stdout.replaceAll(`${here}/`, ''), stderr: stderr.replaceAll(`${here}/`, '') };
  };
}

/** One call of `earwitness`, and the file into which its output goes. */
interface Call {
  readonly words: readonly string[];
  readonly into: string | null;
}

/** The calls of which a command is made; null where there is more that only a shell understands. */
function callsOf(command: string): readonly Call[] | null {
  const word = /(?:"[^"$\\`]*"|[\w@%+=:,./-]+)/.source;
  const line = new RegExp(String.raw`^(?:npx )?earwitness((?: ${word})*)(?: > ([\w.-]+))?$`);
  const calls = command
    .trim()
    .split('\n')
    .map((text) => line.exec(text.trim()));
  if (calls.includes(null)) return null;
  return calls.map((call) => ({
    words: [...call![1]!.matchAll(new RegExp(word, 'g'))].map(([one]) => one.replaceAll('"', '')),
    into: call![2] ?? null,
  }));
}

export interface Ran {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The same text where what differs between any two runs (run ids, moments, seconds, hashes) is made the same. */
export function withoutTiming(text: string): string {
  return text
    .replaceAll(/\d{8}T\d{6}(-[0-9a-f]{8})?/g, 'RUN')
    .replaceAll(/\d{4}-\d\d-\d\d(?:T[\d:.]+Z|\s+\d\d:\d\d(?:\s+UTC)?)/g, 'MOMENT')
    .replaceAll(/\b\d+ KB\b/g, 'SIZE')
    .replaceAll(/\b[0-9a-f]{64}\b/g, 'HASH')
    .replaceAll(/\bseconds [\d.]+/g, 'seconds N')
    .replaceAll(/[\d.]+ ?(?:s|ms|min|seconds?|minutes?|h)\b/g, 'a while')
    .replaceAll(/measured\s+on\s+one\s+clip:[^)]*/g, 'measured')
    .replaceAll(/[ \t]+$/gm, '')
    .trimEnd();
}

/**
 * The first line that is shown and does not come out; null where all do. A line `…` stands for any lines. Lines may be broken elsewhere,
 * because numbers that differ are not always as long.
 */
export function missingLine(shown: string, printed: string): string | null {
  const flat = (text: string) => withoutTiming(text).replaceAll(/\s+/g, ' ').trim();
  const all = `${flat(printed)} `;
  const pieces = `${shown.trimEnd()}\n`.split(/^ *…\n/m);
  let at = 0;
  for (const [place, piece] of pieces.entries()) {
    if (flat(piece) === '') continue;
    const found = all.indexOf(`${flat(piece)} `, at);
    if (found < 0 || (place === 0 && found > 0)) {
      const lines = piece.split('\n');
      const missing = lines.findIndex((_, end) => !all.includes(flat(lines.slice(0, end + 1).join('\n')), at));
      return lines[missing] ?? lines[0]!;
    }
    at = found + flat(piece).length + 1;
  }
  const last = pieces.at(-1)!;
  return flat(last) === '' || at >= all.length ? null : `(and then) ${all.slice(at, at + 80)}`;
}

/** Puts what came out into the page, in place of what is shown there; as many lines of it as a remark says. */
export function showAnew(page: string, printed: ReadonlyMap<Block, string>): void {
  const file = join(root, page);
  const lines = readFileSync(file, 'utf8').split('\n');
  for (const [block, text] of [...printed].reverse()) {
    const all = text
      .trimEnd()
      .split('\n')
      .map((line) => line.trimEnd());
    const [, last, count] = /^(last )?(\d+)$/.exec(block.remark?.key === 'shown' ? block.remark.value : '') ?? [];
    const most = Number(count ?? all.length);
    const part = last === undefined ? [...all.slice(0, most), '…'] : ['…', ...all.slice(-most)];
    const shown = all.length > most ? part : all;
    lines.splice(block.line - 1, block.text.split('\n').length - 1, ...shown);
  }
  writeFileSync(file, lines.join('\n'));
}
