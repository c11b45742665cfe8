// Whether every example runs, and every CSV file that it writes has its labels, with nothing overwritten: heads without columns that are
// only numbered or without a name, no name twice, no row without a label, none of whose labels another has, a file for each table.
//
//   node bench/examples.ts FOLDER [--stand-ins] [--preview N] [NAME …]
//
// Runs the examples whose path has one of the NAMEs (all but `hundred`, which takes hours), each in a process of its own, on N utterances
// (6), where all recognizers are recorded on all; report and store go into a folder below FOLDER, which must not have it yet. With
// `--stand-ins`, scripted recognizers that lose words answer in place of the others, so that whole corpora and all conditions take seconds;
// attacks, which need a model, are left out. Names what cannot run on this machine and why, then what is wrong; fails where anything is.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { JsonObject } from '../src/base/json.ts';
import type { Finding } from '../src/model/finding.ts';
import { scripted } from '../src/recognizers/scripted/scripted.ts';
import { loadConfig } from '../src/session/config/load-config.ts';
import { openCorpus } from '../src/session/open/open-corpus.ts';
import { createServices } from '../src/session/open/services.ts';
import { work } from '../src/worker.ts';

const root = join(import.meta.dirname, '..');
const examples = join(root, 'examples');
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    'stand-ins': { type: 'boolean', default: false },
    preview: { type: 'string', default: '6' },
    one: { type: 'string' },
  },
});
const [folder, ...named] = positionals;
if (folder === undefined) throw new Error('expected a folder');

/** Runs one example here; its report lies in `to` then. */
async function runOne(path: string, to: string): Promise<void> {
  const loaded = await loadConfig(path);
  const { recognizers } = loaded.config;
  const recorded = Object.values(recognizers).every(({ type }) => type === 'recorded');
  const config = { ...loaded.config, store: join(to, 'store', 'store.sqlite'), gate: undefined };
  const never = new AbortController().signal;
  const { gate: _, ...plain } = config;
  const whole = values['stand-ins'] && !recorded;
  const job = {
    loaded: { ...loaded, config: whole ? { ...plain, recognizers: await standIns(path, to) } : plain },
    request: {
      ...({ mode: 'new', resume: null, limit: null, executor: 'auto', workers: null, sound: false } as const),
      preview: whole || recorded ? null : Number(values.preview),
    },
    reportFolder: to,
    choice: { sound: false, transcripts: true },
    trials: ['csv', 'jsonl'] as const,
    terminal: { width: 100, color: false, verbose: false },
  };
  const { tally, text } = await work(job, () => {}, never, never);
  writeFileSync(join(to, 'terminal.txt'), text);
  console.log(JSON.stringify(tally));
}

/** Recognizers of the same names that know what was said, and lose a part of it. */
async function standIns(path: string, to: string) {
  const { config, baseFolder } = await loadConfig(path);
  const { synthesizers, sounds, recognizers } = config;
  const services = createServices({
    baseFolder,
    synthesizers,
    ...(sounds && { soundCollections: sounds }),
    recognizers,
  });
  const corpus = await openCorpus(config, null, services.corpus);
  const answers: Record<string, string> = {};
  for await (const { id, reference } of corpus.utterances()) answers[id] = reference ?? '';
  await corpus.close();
  await services.close();
  const file = join(to, 'answers.json');
  writeFileSync(file, JSON.stringify(answers));
  return Object.fromEntries(
    Object.entries(recognizers).map(([name, one], place) => [
      name,
      {
        ...{ ...one, type: 'scripted', isolate: null },
        options: scripted.options.parse({
          ...{ file, default: '', rule: 'drop-words', seed: place, concurrency: 16 },
          dropShares: { clean: 0.05 * (place + 1), '*': 0.1 + 0.05 * place },
        }) as JsonObject,
      },
    ]),
  );
}

/** Rows of a CSV file, the head first. */
function readCsv(text: string): string[][] {
  const rows: string[][] = [[]];
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/g)) {
    rows.at(-1)!.push(quoted?.replaceAll('""', '"') ?? plain ?? '');
    if (end !== ',') rows.push([]);
  }
  return rows.filter((row) => row.length > 1 || (row[0] ?? '') !== '');
}

/** Nothing says what is in it. */
const placeholder =
  /^(group|system|column|part|recognizer|condition|relation|value|cell|key|x|y)?[ _-]?\d+(_low|_high|_n|_p)?$/i;

/** What says why something is missing, or goes with some rows alone. */
const mayBeEmpty = /^(why|severity|unit|of|ended|family|architecture|training)$|reason|note|example/i;

/** What is wrong with the files of a report. */
function faultsOf(report: string): string[] {
  const { findings, failures = [] } = JSON.parse(readFileSync(join(report, 'report.json'), 'utf8')) as {
    findings: Finding[];
    failures?: unknown[];
  };
  const tables = findings.flatMap(({ sections, timing }) =>
    [...sections, ...(timing?.sections ?? [])].flatMap((section) => section.tables ?? []),
  );
  const files = readdirSync(join(report, 'tables'));
  const wanted = tables.length + (failures.length > 0 ? 1 : 0);
  const faults = files.length === wanted ? [] : [`${wanted} tables, but ${files.length} files`];
  const labels = new Map(
    tables.flatMap(({ columns }) =>
      columns.map(({ key, kind }): [string, boolean] => [key, kind === 'text' && !mayBeEmpty.test(key)]),
    ),
  );
  for (const [name, text] of [
    ...files.map((file) => [`tables/${file}`, readFileSync(join(report, 'tables', file), 'utf8')] as const),
    ['trials.csv', readFileSync(join(report, 'trials.csv'), 'utf8')] as const,
  ]) {
    const [head = [], ...rows] = readCsv(text);
    for (const [place, column] of head.entries()) {
      if (column.trim() === '' || placeholder.test(column)) faults.push(`${name}: a column is called "${column}"`);
      if (head.indexOf(column) < place) faults.push(`${name}: two columns are called "${column}"`);
    }
    if (rows.some((row) => row.length !== head.length)) faults.push(`${name}: rows are not as long as the head`);
    if (name === 'trials.csv') continue;
    for (const [place, column] of head.entries()) {
      const empty = rows.filter((row) => row[place] === '').length;
      if (place === 0 ? empty > 0 : labels.get(column) && empty > 0 && empty < rows.length)
        faults.push(`${name}: ${empty} of ${rows.length} rows have no ${column}`);
    }
    const whole = rows.map((row) => JSON.stringify(row));
    if (new Set(whole).size < whole.length) faults.push(`${name}: rows are alike`);
  }
  return faults;
}

function runAll(): void {
  const configs = readdirSync(examples, { recursive: true, encoding: 'utf8' })
    .filter((path) => /^[\w-]+\/[\w.-]*config\.(yaml|json|ts)$/.test(path))
    .filter((path) => (named.length === 0 ? !path.includes('hundred') : named.some((part) => path.includes(part))))
    .sort();
  const counts = { clean: 0, absent: 0, wrong: 0, files: 0 };
  for (const path of configs) {
    const to = resolve(folder!, path.replace(/\/?(earwitness)?\.config\.\w+$/, '').replaceAll('/', '-'));
    if (existsSync(to)) throw new Error(`${to} is there already`);
    mkdirSync(to, { recursive: true });
    const begun = performance.now();
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [
        import.meta.filename,
        ...process.argv.slice(2, 3),
        '--one',
        path,
        '--preview',
        values.preview,
        ...(values['stand-ins'] ? ['--stand-ins'] : []),
      ],
      {
        cwd: dirname(join(examples, path)),
        encoding: 'utf8',
        env: { ...process.env, EXAMPLE_FOLDER: to },
        maxBuffer: 2 ** 26,
      },
    );
    const seconds = Math.round((performance.now() - begun) / 1000);
    if (status !== 0) {
      const why =
        stderr
          .trim()
          .split('\n')
          .find((line) => /^\w*Error/.test(line)) ?? stderr.slice(-300);
      counts.absent++;
      console.log(`${path}: did not run (${seconds} s): ${why.replaceAll(root, '')}`);
      continue;
    }
    const [report] = readdirSync(to).filter((name) => existsSync(join(to, name, 'report.json')));
    const faults = report === undefined ? ['no report'] : faultsOf(join(to, report));
    const files = report === undefined ? 0 : readdirSync(join(to, report, 'tables')).length;
    counts.files += files;
    counts[faults.length === 0 ? 'clean' : 'wrong']++;
    console.log(
      `${path}: ${seconds} s, ${files} files, ${stdout.trim().split('\n').at(-1)}${faults.map((fault) => `\n  ${fault}`).join('')}`,
    );
  }
  console.log(JSON.stringify({ examples: configs.length, ...counts }));
  process.exitCode = counts.wrong > 0 ? 1 : 0;
}

if (values.one === undefined) runAll();
else await runOne(join(examples, values.one), process.env.EXAMPLE_FOLDER!);
