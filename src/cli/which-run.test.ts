// Two configs in one store, whose clock is set back, beside runs of a machine whose clock is ahead.
import assert from 'node:assert/strict';
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { type TestContext, test } from 'node:test';
import { openStore } from '../store/open-store.ts';
import { runCommand, sineWav, temporaryFolder } from './testing/run-command.ts';

type Folder = Awaited<ReturnType<typeof temporaryFolder>>;

const speakers = 12;
const reference = 'red lorry yellow lorry';

/** Every speaker says one sentence; `x` is right but for some, `y` always. */
function configOf(wrong: number, more: object = {}): object {
  const heard = (count: number) => ({
    type: 'scripted',
    default: reference,
    answers: Object.fromEntries(Array.from({ length: count }, (_, index) => [`u${index}`, 'red lolly'])),
  });
  return {
    corpus: { type: 'manifest', file: 'clips.tsv', language: 'en' },
    recognizers: { x: heard(wrong), y: heard(0) },
    studies: [
      { type: 'robustness', conditions: [], resamples: 100 },
      { type: 'differential', predictor: null },
    ],
    gate: { limits: [{ wer: 0.9 }] },
    report: { sound: false },
    ...more,
  };
}

async function workplace(folder: Folder): Promise<void> {
  await mkdir(folder.file('clips'), { recursive: true });
  const rows = Array.from({ length: speakers }, (_, index) => `u${index}\tclips/${index}.wav\ts${index}\t${reference}`);
  await writeFile(folder.file('clips.tsv'), `id\tpath\tspeaker\treference\n${rows.join('\n')}\n`);
  for (let index = 0; index < speakers; index++)
    await writeFile(folder.file(`clips/${index}.wav`), sineWav(200 + 10 * index, 8000, 0.2));
  await keep(folder, 'A', configOf(2));
  await keep(folder, 'B', configOf(10));
}

const keep = (folder: Folder, name: string, config: object) =>
  writeFile(folder.file(`${name}.json`), JSON.stringify(config));

/** Runs a config and tells the id of the run that came into the store. */
async function runOf(folder: Folder, name: string, args: readonly string[] = [], code = 0): Promise<string> {
  const done = await runCommand(['run', '-c', `${name}.json`, '--new', '--no-sound', ...args], { cwd: folder.path });
  assert.equal(done.code, code, done.stderr);
  using store = openStore(folder.file('.earwitness/store.sqlite'), { readonly: true });
  return store.runs()[0]!.id;
}

/** Each command that takes `last`, and where it tells the run that it took. */
const commands: readonly {
  readonly args: readonly string[];
  /** May take a run that is not finished. */
  readonly unfinished?: true;
  run(out: { readonly stdout: string; readonly stderr: string }, file: (name: string) => Promise<string>): unknown;
}[] = [
  { args: ['gate', '--json'], run: ({ stdout }) => JSON.parse(stdout).run },
  { args: ['plan', '--json', '--releases', '2'], run: ({ stdout }) => JSON.parse(stdout).run },
  {
    args: ['baseline', 'out/main.tsv'],
    run: ({ stdout }) => /trials of run (\S+) \(earwitness, begun/.exec(stdout)?.[1],
  },
  { args: ['report', '--json'], run: ({ stdout }) => JSON.parse(stdout).timing.run },
  { args: ['view', 'last', '--pages', 'out/pages', '--json'], run: ({ stdout }) => JSON.parse(stdout).runs[0] },
  { args: ['bundle', '--out', 'out/b.gz', '--json'], run: ({ stdout }) => JSON.parse(stdout).run },
  {
    args: ['cases', 'sample', '-o', 'out/check.csv', '--no-sound', '--json'],
    run: ({ stdout }) => JSON.parse(stdout).run,
  },
  { args: ['cases', 'export', '-o', 'out/cases', '--json'], run: ({ stdout }) => JSON.parse(stdout).run },
  {
    ...{ args: ['compare', 'last:x', 'last:y', '--resamples', '50', '--json'], unfinished: true },
    run: ({ stdout }) => JSON.parse(stdout).run.name.split(':')[0],
  },
  {
    args: ['history', '--resamples', '50', '--json'],
    run: ({ stdout }) => JSON.parse(stdout).findings[0].settings.runs.at(-1),
  },
  {
    ...{ args: ['transcribe', 'out/t.csv', '--plan-only'], unfinished: true },
    run: async (_, file) => JSON.parse(await file('out/t-plan.json')).run,
  },
  { args: ['resume', '--json', '--no-sound'], run: ({ stdout }) => JSON.parse(stdout).timing.run },
  {
    args: ['store', 'export', 'out/e.sqlite', '--run', 'last', '--json'],
    unfinished: true,
    run: ({ stdout }) => JSON.parse(stdout).run,
  },
];

/** Holds what every command takes for the last run against what it is. */
async function takes(folder: Folder, named: readonly string[], expected: string, when: string): Promise<void> {
  for (const { args, run } of commands) {
    // A gate and its plan need a config; one that names a store beside it is still about that config.
    const needsConfig = !named.includes('-c') && ['gate', 'plan'].includes(args[0]!);
    if (needsConfig) continue;
    await rm(folder.file('out'), { recursive: true, force: true });
    await mkdir(folder.file('out'));
    const told = await runCommand([...args, ...named], { cwd: folder.path });
    const what = `${args.join(' ')} ${named.join(' ')}, ${when}`;
    assert.ok([0, 20, 21].includes(told.code!), `${what}: ${told.stderr}`);
    assert.equal(await run(told, (name) => readFile(folder.file(name), 'utf8')), expected, what);
    if (args[0] === 'gate') {
      const shown = await runCommand(['gate', ...named], { cwd: folder.path });
      assert.match(
        shown.stdout.replace(/\s+/g, ' '),
        new RegExp(`Run ${expected} \\(earwitness, begun 20\\d\\d-`),
        what,
      );
    } else assert.match(told.stderr + told.stdout, new RegExp(`${expected} \\(earwitness, begun 20\\d\\d-`), what);
    if (!named.includes('-c')) assert.match(told.stderr, /the newest of this store, whichever its config/, what);
  }
}

const dayMs = 86_400_000;

/** The machine's clock, so many days from now. */
function setClock(context: TestContext, days: number): void {
  context.mock.timers.reset();
  context.mock.timers.enable({ apis: ['Date'], now: Date.now() + days * dayMs });
}

test('last is the newest run of the config that is named, whatever clocks say; without one of the store, and that is said', async (context) => {
  await using folder = await temporaryFolder();
  await using elsewhere = await temporaryFolder();
  await workplace(folder);
  const ofB = await runOf(folder, 'B');
  const ofA = await runOf(folder, 'A');
  await takes(folder, ['-c', 'B.json'], ofB, 'of two');
  await takes(folder, ['-c', 'A.json'], ofA, 'of two');
  await takes(folder, ['--store', '.earwitness/store.sqlite'], ofA, 'of two');

  setClock(context, -400);
  const later = await runOf(folder, 'B');
  assert.ok(later < ofB, 'its id has an earlier time');
  await takes(folder, ['-c', 'B.json'], later, 'after the clock was set back');
  await takes(folder, ['--store', '.earwitness/store.sqlite'], later, 'after the clock was set back');
  await takes(folder, ['-c', 'A.json'], ofA, 'after the clock was set back');

  setClock(context, 800);
  await cp(folder.file('clips'), elsewhere.file('clips'), { recursive: true });
  await workplace(elsewhere);
  const merged = await runOf(elsewhere, 'B');
  setClock(context, -400);
  const { code, stderr } = await runCommand(['store', 'merge', elsewhere.file('.earwitness/store.sqlite')], {
    cwd: folder.path,
  });
  assert.equal(code, 0, stderr);
  const fromThere = commands.filter(({ args }) => args[0] === 'gate' || args[0] === 'report');
  for (const { args, run } of fromThere)
    assert.equal(await run(await runCommand([...args, '-c', 'B.json'], { cwd: folder.path }), async () => ''), merged);
  const newest = await runOf(folder, 'B');
  await takes(folder, ['-c', 'B.json'], newest, 'after a merge from a clock that is ahead');
});

const gateOf = async (folder: Folder, name: string, args: readonly string[] = []) => {
  const { code, stdout, stderr } = await runCommand(['gate', ...args, '-c', `${name}.json`, '--json'], {
    cwd: folder.path,
  });
  return { code, stderr, result: stdout === '' ? null : JSON.parse(stdout) };
};

test('a config finds its run after its limits and reports were changed, and after what decides answers was it is told which run of an earlier version there is', async () => {
  await using folder = await temporaryFolder();
  await workplace(folder);
  const id = await runOf(folder, 'B');
  await runOf(folder, 'A');
  const plain = configOf(10) as {
    corpus: object;
    recognizers: { x: object; y: object };
    studies: readonly object[];
  };
  const { x, y } = plain.recognizers;
  const found: Readonly<Record<string, object>> = {
    'the limits of the gate': { gate: { limits: [{ wer: 0.1 }] } },
    'asking until the verdict': { gate: { limits: [{ wer: 0.1 }], askUntil: 'verdict' } },
    'the report': { report: { sound: true, folder: 'elsewhere', history: true } },
    'budget, workers and failures': { budget: { calls: 10_000 }, workers: 1, failures: { maxShare: 0.5 } },
    'limits and price of a recognizer': {
      recognizers: { x: { ...x, limits: { attempts: 2 }, pricePerMinute: { amount: 1, currency: 'EUR' } }, y },
    },
    'the order of recognizers': { recognizers: { y, x } },
  };
  for (const [what, more] of Object.entries(found)) {
    await keep(folder, 'B', { ...plain, ...more });
    const { code, stderr, result } = await gateOf(folder, 'B');
    // One that was asked whole is judged by any limits, one that is to be asked until the verdict too.
    assert.equal(result?.run, id, `${what}: ${code} ${stderr}`);
  }
  // A store that lies in the folder of its config goes with it; one that lies elsewhere may have runs of configs in several folders.
  await using moved = await temporaryFolder();
  await cp(folder.path, moved.path, { recursive: true });
  await keep(moved, 'B', plain);
  assert.equal((await gateOf(moved, 'B')).result?.run, id, 'a folder that was copied');
  await using shared = await temporaryFolder();
  const store = shared.file('store.sqlite');
  for (const one of [folder, moved]) await keep(one, 'shared', { ...plain, name: 'shared', store });
  assert.equal((await runCommand(['run', '-c', 'shared.json', '--no-sound'], { cwd: folder.path })).code, 0);
  const { code: other, stderr: why } = await gateOf(moved, 'shared');
  assert.equal(other, 22);
  assert.match(why, /the newest of an earlier version is .* which differs in folder/);
  assert.equal((await gateOf(folder, 'shared')).code, 0);

  await keep(folder, 'renamed', plain);
  assert.equal((await gateOf(folder, 'renamed')).result?.run, id, 'a file of another name');

  await writeFile(folder.file('others.tsv'), await readFile(folder.file('clips.tsv')));
  const refused: Readonly<Record<string, object>> = {
    name: { name: 'nightly' },
    seed: { seed: 7 },
    corpus: { corpus: { ...plain.corpus, file: 'others.tsv' } },
    recognizers: { recognizers: { x, y: { ...y, seed: 2 } } },
    studies: { studies: [{ ...plain.studies[0], resamples: 101 }, plain.studies[1]] },
    perturbationRateHz: { perturbationRateHz: 8000 },
    'recognizers and studies': { recognizers: { x }, studies: [plain.studies[0]] },
  };
  for (const [what, more] of Object.entries(refused)) {
    await keep(folder, 'B', { ...plain, ...more });
    const { code, stderr, result } = await gateOf(folder, 'B');
    assert.deepEqual([code, result], [22, null], what);
    assert.equal(stderr.trimEnd().split('\n').length, 1, stderr);
    assert.match(
      stderr,
      new RegExp(`the newest of an earlier version is ${id} .*, which differs in ${what}: run again`),
    );
    for (const command of [
      ['report'],
      ['bundle', '--out', 'b.gz'],
      ['baseline', 'main.tsv'],
      ['compare', 'last:x', id],
    ])
      assert.equal((await runCommand([...command, '-c', 'B.json'], { cwd: folder.path })).code, 22, command.join(' '));
    const named = await gateOf(folder, 'B', [id]);
    assert.equal(named.result.run, id);
    assert.match(
      named.result.notes[0],
      new RegExp(`The run is not of B\\.json as it is now: it differs in ${what}\\.`),
    );
  }
  await keep(folder, 'C', configOf(5));
  const none = await gateOf(folder, 'C');
  assert.equal(none.code, 22);
  assert.match(
    none.stderr,
    /but there is none; begin one with earwitness run -c C\.json, or name one of another config/,
  );
});

test('a newest run that is not finished is judged by no gate, and a part of the corpus does not stand for the whole', async () => {
  await using folder = await temporaryFolder();
  await workplace(folder);
  const part = await runOf(folder, 'B', ['--limit', '4']);
  const only = await gateOf(folder, 'B');
  assert.equal(only.code, 22);
  assert.match(
    only.stderr,
    new RegExp(`expected a run of the whole corpus of B\\.json, but ${part} .* asked a part of it`),
  );
  const named = await gateOf(folder, 'B', [part]);
  assert.deepEqual([named.result.run, named.result.notes[0]], [part, 'The run asked a part of the corpus only.']);

  const whole = await runOf(folder, 'B');
  const newer = await runOf(folder, 'B', ['--limit', '5']);
  const passedOver = await gateOf(folder, 'B');
  assert.equal(passedOver.result.run, whole);
  assert.match(passedOver.result.notes[0], new RegExp(`A newer run, ${newer} .*, asked a part of the corpus only`));
  const { stdout, stderr } = await runCommand(['report', '-c', 'B.json', '--json'], { cwd: folder.path });
  assert.equal(JSON.parse(stdout).timing.run, newer);
  assert.match(stderr, /the newest of B\.json; it asked a part of the corpus/);

  // A budget decides no answer, and stops the run.
  await keep(folder, 'B', configOf(10, { budget: { calls: 5 } }));
  const stopped = await runCommand(['run', '-c', 'B.json', '--fresh', '--no-sound'], { cwd: folder.path });
  assert.equal(stopped.code, 8, stopped.stderr);
  const open = await gateOf(folder, 'B');
  assert.equal(open.code, 22);
  assert.match(
    open.stderr,
    new RegExp(`expected a finished run, but \\S+ .* is not; continue it: earwitness resume .* before it: ${whole} `),
  );
  for (const { args, unfinished } of commands) {
    if (unfinished || ['gate', 'history', 'resume', 'cases'].includes(args[0]!)) continue;
    const { code, stderr: why } = await runCommand([...args, '-c', 'B.json'], { cwd: folder.path });
    assert.ok([2, 4, 22].includes(code!), `${args.join(' ')}: ${code} ${why}`);
    assert.match(why, /not finished|is not; continue it|questions are open|finished run/, args.join(' '));
  }
  await keep(folder, 'B', configOf(10));
  const goneOn = await runCommand(['run', '-c', 'B.json', '--fresh', '--no-sound', '--json'], { cwd: folder.path });
  assert.equal(goneOn.code, 0, goneOn.stderr);
  assert.equal((await gateOf(folder, 'B')).result.run, JSON.parse(goneOn.stdout).timing.run);
});

test('a config that cannot be read now judges nothing, and what is kept is shown as that of the store', async () => {
  await using folder = await temporaryFolder();
  await workplace(folder);
  const id = await runOf(folder, 'B');
  const config = configOf(10) as { corpus: object };
  await keep(folder, 'B', {
    ...config,
    corpus: { ...config.corpus, file: ['$', '{EARWITNESS_TEST_NOT_SET}'].join('') },
  });
  const { code, stderr } = await gateOf(folder, 'B');
  assert.equal(code, 3);
  assert.match(stderr, /EARWITNESS_TEST_NOT_SET is not set.*; or name a run by its id/);
  assert.equal((await gateOf(folder, 'B', [id])).result.run, id);
  const shown = await runCommand(['report', '-c', 'B.json', '--json'], { cwd: folder.path });
  assert.equal(JSON.parse(shown.stdout).timing.run, id);
  assert.match(shown.stderr, /is not set.*\n.*nobody knows which runs.*\n.*the newest of this store/);
});
