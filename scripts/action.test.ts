// action.yml, step by step outside GitHub: each `run` as the runner starts it, with its files, inputs and a loopback server for its comments.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { parse, stringify } from 'yaml';

const root = join(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'earwitness-action-'));
after(() => rmSync(folder, { recursive: true, force: true }));

interface Step {
  readonly id?: string;
  readonly if?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly 'working-directory'?: string;
}
interface Action {
  readonly inputs: Readonly<Record<string, { readonly description: string; readonly default: string }>>;
  readonly outputs: Readonly<Record<string, { readonly value: string }>>;
  readonly runs: { readonly steps: readonly Step[] };
}

const read = (name: string) => readFileSync(join(root, name), 'utf8');
const action: Action = parse(read('action.yml'));
const workflow = parse(read('examples/guard/github-actions.yml'));
const { steps } = action.runs;

test('every action that is used is pinned by a commit, no input stands in a script, and one step alone has the token', () => {
  const used: string[] = [...steps, ...workflow.jobs.gate.steps].flatMap(({ uses }: Step) => uses ?? []);
  const others = used.filter((name) => name !== 'OWNER/earwitness@COMMIT');
  assert.equal(used.length, others.length + 1);
  assert.ok(others.length >= 5);
  for (const name of others) assert.match(name, /^actions\/[\w/-]+@[0-9a-f]{40}$/);
  for (const { run = '' } of steps) assert.doesNotMatch(run, /\$\{\{/);
  const trusted = steps.filter((step) => JSON.stringify(step).includes('token'));
  assert.deepEqual(
    trusted.map(({ env }) => env?.TOKEN?.replace('$', '')),
    ['{{ inputs.token }}'],
  );
});

test('actionlint has nothing to say of the workflow, nor of one with the steps of the action', (t) => {
  const { error } = spawnSync('actionlint', ['-version']);
  if (error) return t.skip('there is no actionlint; go install github.com/rhysd/actionlint/cmd/actionlint@latest');
  const inputs = Object.fromEntries(
    Object.entries(action.inputs).map(([name, { description }]) => [name, { description, type: 'string' }]),
  );
  const around = { on: { workflow_call: { inputs } }, jobs: { gate: { 'runs-on': 'ubuntu-24.04', steps } } };
  // Where a composite action is, no workflow can say.
  const lines = stringify(around).replace(/\$\{\{ github.action_path \}\}/, '/action');
  for (const given of [lines, read('examples/guard/github-actions.yml')]) {
    const { status, stdout } = spawnSync('actionlint', ['-no-color', '-'], {
      input: given,
      encoding: 'utf8',
      cwd: folder,
    });
    assert.equal(status, 0, stdout);
  }
});

/** Contexts of the expressions, by name. */
type Context = Readonly<Record<string, unknown>>;

/** What the runner puts in place of `${{ … }}`. A whole expression keeps its kind. */
function evaluated(template: string, context: Context): unknown {
  const value = (expression: string): unknown => {
    const looked = expression
      .replaceAll('cancelled()', 'false')
      .replace(/\b(?:inputs|steps|github|runner)(?:\.[\w-]+)+/g, (path) => {
        const found = path.split('.').reduce<unknown>((at, key) => (at as Context | undefined)?.[key], context);
        return JSON.stringify(found ?? '');
      });
    return new Function(`return ${looked}`)();
  };
  const whole = /^\$\{\{((?:(?!\}\}).)*)\}\}$/.exec(template);
  if (whole) return value(whole[1]!);
  return template.replace(/\$\{\{(.*?)\}\}/g, (_, expression) => String(value(expression)));
}

/** Commands in what was printed that the runner would follow. */
function commandsIn(log: string): string[] {
  let stopped: string | null = null;
  return log.split('\n').flatMap((line) => {
    const command = line.trimStart();
    if (stopped !== null) {
      if (command === stopped) stopped = null;
      return [];
    }
    if (command.startsWith('::stop-commands::')) {
      stopped = `::${command.slice('::stop-commands::'.length)}::`;
      return [];
    }
    return command.startsWith('::') ? [command] : [];
  });
}

/** A repository's folder with names that a shell would take for code, and the programs that the runner has. */
const hostile = `a "b" $(touch owned) \`touch owned\` 'c' ; touch owned`;
const work = join(folder, 'work');
const here = join(work, hostile);
const programs = join(folder, 'programs');
for (const made of [work, here, programs]) mkdirSync(made);
for (const file of ['whisper-base.tsv', 'pocketsphinx.tsv'])
  copyFileSync(join(root, 'examples/recorded', file), join(here, file));
// The names of groups begin the head of a table that a run prints.
const utterances = read('examples/recorded/utterances.tsv').replaceAll('british', '::error title=owned::owned');
writeFileSync(join(here, 'utterances.tsv'), utterances);
writeFileSync(join(programs, 'earwitness'), `#!/bin/sh\nexec node '${join(root, 'bin/earwitness.js')}' "$@"\n`);
chmodSync(join(programs, 'earwitness'), 0o755);
const environment = {
  ...process.env,
  PATH: [programs, join(root, 'node_modules/.bin'), process.env.PATH].join(delimiter),
  NO_COLOR: '1',
  NODE_OPTIONS: '',
};
const config = `${hostile}.config.yaml`.replaceAll('/', '');
const put = (table: string) => {
  const given = parse(read('examples/guard/earwitness.config.yaml').replace('../recorded/whisper-base.tsv', table));
  const named = { ...given, corpus: { ...given.corpus, file: 'utterances.tsv' } };
  writeFileSync(join(here, config), stringify(named));
};

interface Ran {
  readonly code: number;
  readonly log: string;
  readonly summary: string;
  readonly outputs: Readonly<Record<string, unknown>>;
  readonly ran: readonly string[];
}

let jobs = 0;
/** The steps as the runner goes through them: those with `uses` are noted, of the others the last failure is the action's. */
async function job(given: Readonly<Record<string, string>>, github: Context, api: string): Promise<Ran> {
  const temporary = join(folder, `job ${++jobs}`);
  mkdirSync(temporary);
  const defaults = Object.entries(action.inputs).map(([name, { default: value }]) => [
    name,
    evaluated(value, { github }),
  ]);
  const inputs = { ...Object.fromEntries(defaults), ...given };
  const outputs: Record<string, { outputs: Record<string, string> }> = {};
  const context = { inputs, github, runner: { os: 'Linux' }, steps: outputs };
  const file = (name: string) => join(temporary, name);
  let [code, log] = [0, ''];
  const ran: string[] = [];
  for (const [at, step] of steps.entries()) {
    if (!(step.if === undefined ? code === 0 : evaluated(step.if, context))) continue;
    ran.push(step.uses?.split('@')[0] ?? step.id ?? 'comment');
    if (step.run === undefined) continue;
    for (const name of ['output', 'summary']) writeFileSync(file(`${name} ${at}`), '');
    writeFileSync(file(`${at}.sh`), step.run);
    // The runner reads both streams as one.
    const stream = openSync(file(`log ${at}`), 'w');
    const own = Object.entries(step.env ?? {}).map(([name, value]) => [name, String(evaluated(value, context))]);
    const child = spawn('bash', ['--noprofile', '--norc', '-eo', 'pipefail', file(`${at}.sh`)], {
      cwd: join(work, String(evaluated(step['working-directory'] ?? '.', context))),
      env: {
        ...environment,
        ...{ GITHUB_API_URL: api, GITHUB_REPOSITORY: 'some/body', RUNNER_TEMP: temporary },
        ...{ GITHUB_OUTPUT: file(`output ${at}`), GITHUB_STEP_SUMMARY: file(`summary ${at}`) },
        ...Object.fromEntries(own),
      },
      stdio: ['ignore', stream, stream],
    });
    const status = await new Promise<number>((resolve) => child.on('close', (ended) => resolve(ended ?? 1)));
    log += readFileSync(file(`log ${at}`), 'utf8');
    code ||= status;
    const lines = readFileSync(file(`output ${at}`), 'utf8')
      .trimEnd()
      .split('\n');
    outputs[step.id ?? ''] = {
      outputs: Object.fromEntries(lines.map((line) => /^([^=]*)=(.*)$/.exec(line)?.slice(1) ?? [])),
    };
  }
  const summaries = readdirSync(temporary).filter((name) => name.startsWith('summary'));
  return {
    ...{ code, log, ran },
    summary: summaries.map((name) => readFileSync(file(name), 'utf8')).join(''),
    outputs: Object.fromEntries(
      Object.entries(action.outputs).map(([name, { value }]) => [name, evaluated(value, context)]),
    ),
  };
}

/** What GitHub would have been asked to write. */
interface Asked {
  readonly what: string;
  readonly token: string | undefined;
  readonly body: string;
}

/** As docs.github.com/rest/issues/comments has it, of one pull request; the first page is full of what others wrote. */
async function listen(refuses = false) {
  const asked: Asked[] = [];
  const comments: { id: number; body: string; user: { type: string } }[] = [];
  const server = createServer(async (request, response) => {
    const url = new URL(request.url!, 'http://localhost');
    const body = await text(request);
    asked.push({ what: `${request.method} ${url.pathname}`, token: request.headers.authorization, body });
    response.statusCode = refuses && request.method !== 'GET' ? 403 : 200;
    if (request.method === 'POST' && !refuses)
      comments.push({ id: 7, body: JSON.parse(body).body, user: { type: 'Bot' } });
    const first = comments[0]?.body ?? '';
    const others = Array.from({ length: 100 }, (_, id) => ({ id, body: first, user: { type: 'User' } }));
    response.end(JSON.stringify(url.searchParams.get('page') === '1' ? others : comments));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, asked, [Symbol.dispose]: () => server.close() };
}

const given = { 'working-directory': hostile, config, artifact: hostile };
const pullRequest = { token: 'secret', action_path: root, event: { pull_request: { number: 12 } } };
const uploads = 'actions/upload-artifact';

test('a gate that passes ends with 0, one that fails with 20, each with its summary, comment, JUnit and report; no name is code', async () => {
  using server = await listen();
  put('whisper-base.tsv');
  const write = spawnSync('bash', ['-c', 'earwitness run -c "$CONFIG" && earwitness baseline main.tsv -c "$CONFIG"'], {
    cwd: here,
    env: { ...environment, CONFIG: config },
    encoding: 'utf8',
  });
  assert.equal(write.status, 0, write.stderr);
  const passed = await job(given, pullRequest, server.url);
  assert.equal(passed.code, 0, passed.log);
  assert.match(passed.summary, /^### Earwitness: Pass: all 6 checks/);
  assert.deepEqual({ ...passed.outputs, folder: null }, { verdict: 'pass', 'exit-code': '0', folder: null });
  assert.deepEqual(passed.ran, ['actions/cache/restore', 'gate', 'actions/cache/save', 'comment', uploads]);
  put('pocketsphinx.tsv');
  const failed = await job(given, pullRequest, server.url);
  assert.equal(failed.code, 20, failed.log);
  assert.match(failed.summary, /^### Earwitness: Fail: 5 of 6 checks/);
  assert.deepEqual({ ...failed.outputs, folder: null }, { verdict: 'fail', 'exit-code': '20', folder: null });
  // What failed is uploaded, commented and kept as well.
  assert.deepEqual(failed.ran, passed.ran);
  const uploaded = String(failed.outputs.folder);
  assert.match(readFileSync(join(uploaded, 'gate.xml'), 'utf8'), /tests="6" failures="5"/);
  assert.equal(JSON.parse(readFileSync(join(uploaded, 'gate.json'), 'utf8')).verdict, 'fail');
  assert.ok(existsSync(join(uploaded, 'report/report.html')));

  const written = server.asked.filter(({ what }) => !what.startsWith('GET'));
  assert.deepEqual(
    written.map(({ what, token }) => [what, token]),
    [
      ['POST /repos/some/body/issues/12/comments', 'Bearer secret'],
      ['PATCH /repos/some/body/issues/comments/7', 'Bearer secret'],
    ],
  );
  const [, last] = written;
  assert.equal(JSON.parse(last!.body).body.split('\n').slice(1).join('\n'), failed.summary);

  // The name of the group was printed where a command of the runner would stand, and is none.
  assert.match(failed.log, /^ *::error title=owned::owned/m);
  const kinds = commandsIn(failed.log).map((command) => /^::(\w+)/.exec(command)?.[1]);
  assert.deepEqual(new Set(kinds), new Set(['group', 'endgroup', 'error', 'notice']));
  assert.equal(commandsIn(failed.log).filter((command) => command.startsWith('::error')).length, 5);
  assert.doesNotMatch(commandsIn(failed.log).join('\n'), /^::error title=owned/m);
  assert.deepEqual(
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => /(^|[/\\])owned$/.test(name)),
    [],
  );
});

test('without transcripts the report has none; without a pull request nothing is written; where a token may not write, the verdict stands', async () => {
  using server = await listen(true);
  put('whisper-base.tsv');
  const reported = async (transcripts: string) => {
    const { outputs } = await job({ ...given, transcripts, run: 'false' }, {}, server.url);
    return readFileSync(join(String(outputs.folder), 'report/report.json'), 'utf8');
  };
  assert.match(await reported('true'), /"reference": "/);
  assert.doesNotMatch(await reported('false'), /"reference": "/);
  assert.deepEqual(server.asked, []);
  const { code, log } = await job({ ...given, run: 'false' }, pullRequest, server.url);
  assert.equal(code, 0);
  assert.match(log, /^::warning title=earwitness::The comment was not written \(HTTP 403\)/m);
});

test("where nothing can be judged the code is the sentence's own, the summary says so, and nothing is commented", async () => {
  using server = await listen();
  const { code, summary, outputs, log } = await job({ ...given, config: 'absent.yaml' }, pullRequest, server.url);
  assert.equal(code, 3);
  assert.match(log, /absent\.yaml/);
  assert.match(summary, /^### Earwitness: nothing was judged \(exit code 3\)/);
  assert.equal(outputs.verdict, 'none');
  assert.deepEqual(server.asked, []);
});
