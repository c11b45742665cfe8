import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { exitCodes } from '../base/errors.ts';
import { commands } from './commands.ts';
import { createProgram } from './main.ts';
import { runCommand, runProcess, sineWav, temporaryFolder } from './testing/run-command.ts';

const script = fileURLToPath(new URL('../../bin/earwitness.js', import.meta.url));

test('the top-level help names every command and every exit code, and fits 80 columns', async () => {
  const { code, stdout, stderr } = await runCommand(['--help']);
  assert.equal(code, 0);
  assert.equal(stderr, '');
  for (const { name } of commands) assert.match(stdout, new RegExp(`^  ${name} `, 'm'));
  for (const number of Object.values(exitCodes)) assert.match(stdout, new RegExp(`^  ${number} +\\S`, 'm'));
  assert.deepEqual(
    stdout.split('\n').filter((line) => line.length > 80),
    [],
  );
});

test('the top-level help loads neither a member nor a heavy library', () => {
  const answer = spawnSync(
    process.execPath,
    [
      '--input-type=module',
      '--eval',
      `import { registerHooks } from 'node:module';
       registerHooks({ load(url, context, next) { console.error(url); return next(url, context); } });
       const { main } = await import(${JSON.stringify(new URL('./main.ts', import.meta.url).href)});
       await main(['--help']);`,
    ],
    { encoding: 'utf8' },
  );
  assert.match(answer.stdout, /Usage: earwitness/);
  const loaded = answer.stderr.split('\n').filter((url) => url.startsWith('file:'));
  assert.ok(loaded.length >= 5, answer.stderr);
  assert.deepEqual(
    loaded.filter((url) => /zod|yaml|sqlite|catalog|recognizers|perturbations|statistics/.test(url)),
    [],
  );
});

test('every command has --json and an example, and its help says so', async () => {
  const program = await createProgram(() => true);
  assert.equal(program.commands.length, commands.length);
  for (const command of program.commands) {
    for (const leaf of command.commands.length > 0 ? command.commands : [command]) {
      assert.ok(
        leaf.options.some(({ long }) => long === '--json'),
        leaf.name(),
      );
    }
  }
  for (const { name, load } of commands) assert.ok((await load()).examples.length > 0, name);
  for (const command of program.commands) {
    let help = '';
    command.configureOutput({ writeOut: (text) => (help += text), getOutHelpWidth: () => 80 }).outputHelp();
    assert.match(help, /Examples?:\n {2}\$ earwitness /);
    for (const line of help.split('\n')) assert.ok(line.length <= 80, line);
  }
  const short = await createProgram(() => true, false);
  const leavesOf = (of: typeof program) => of.commands.flatMap((command) => [command, ...command.commands]);
  for (const [place, command] of leavesOf(short).entries()) {
    const [help, full] = [command, leavesOf(program)[place]!].map((one) => {
      let text = '';
      one.configureOutput({ writeOut: (part) => (text += part), getOutHelpWidth: () => 80 }).outputHelp();
      return text;
    }) as [string, string];
    assert.ok(help.trimEnd().split('\n').length <= 25, help);
    for (const line of help.split('\n')) assert.ok(line.length <= 80, line);
    for (const { flags } of command.options) assert.ok(full.includes(flags), flags);
    if (help !== full) assert.match(help, /^All \(.*\): earwitness .* --help --full$/m);
  }
  assert.notEqual((await runCommand(['score', '--help'])).stdout, (await runCommand(['score', '-h', '--full'])).stdout);
  const { stdout } = await runCommand(['perturb', '--help']);
  assert.match(stdout, /--json/);
  assert.match(stdout, /\$ earwitness perturb call\.wav/);
});

test('a value that help explains, as in "--alignment <rule>  least: …; sclite: …", is one that is taken', async () => {
  const program = await createProgram(() => true);
  const leaves = program.commands.flatMap((command) => (command.commands.length > 0 ? command.commands : [command]));
  const explained = leaves.flatMap(({ options }) => options).filter(({ argChoices }) => argChoices !== undefined);
  assert.ok(explained.length > 0);
  for (const { flags, description, argChoices } of explained) {
    const values = [...description.matchAll(/(?:^|; )([\w-]+): /g)].map(([, value]) => value!);
    for (const value of values) assert.ok(argChoices!.includes(value), `${flags}: ${value}`);
  }
});

test('doctor has a line for each member, with its name first', async () => {
  const { stdout } = await runCommand(['doctor']);
  for (const name of ['command', 'recorded', 'wav', 'flac', 'snr'])
    assert.match(stdout, new RegExp(`^  ${name} +ok: `, 'm'));
  assert.doesNotMatch(stdout, /for nothing/);
});

test('a wrong command line ends with code 2, suggests the nearest command, and leaves stdout empty', async () => {
  for (const [args, said] of [
    [['perturbe'], /did you mean earwitness perturb\?/],
    [['cases', 'judge'], /expects <file> .*, but got none/],
    [['list', 'recognisers'], /expected one of recognizers, .*did you mean recognizers\?/],
    [['score', '--reference'], /argument missing/],
    [['normalize', '--normaliser', 'x'], /Did you mean --normalizer/],
    [['perturb', 'a.wav', '-o', 'b.wav', '--seed', '-1', '--steps', '[]'], /expected a whole number/],
    [['perturb', 'a.wav', '-o', 'b.wav'], /either --scenario or --steps, but got neither/],
  ] as const) {
    const { code, stdout, stderr } = await runCommand(args);
    assert.equal(code, exitCodes['bad-usage'], `${args.join(' ')}: ${stderr}`);
    assert.equal(stdout, '');
    assert.match(stderr, said);
    assert.doesNotMatch(stderr, /\n\s+at /, 'no stack for what the user can mend');
  }
});

test('what was typed cannot steer the terminal', async () => {
  const { stderr } = await runCommand(['\u001b[2Jlist', '\u001b]0;title\u0007']);
  assert.ok(!stderr.includes('\u001b') && !stderr.includes('\u0007'), JSON.stringify(stderr));
});

test('a reader that goes away ends the command quietly', async () => {
  const child = spawn(process.execPath, [script, 'list', 'config', '--json'], { stdio: ['ignore', 'pipe', 'pipe'] });
  child.stdout.destroy();
  let stderr = '';
  child.stderr.on('data', (bytes) => {
    stderr += bytes;
  });
  const [code] = await once(child, 'close');
  assert.equal(stderr, '');
  assert.equal(code, 0);
});

test('an older Node gets one sentence and code 5', {
  skip: olderNode() === null && 'no other Node on this machine',
}, () => {
  const answer = spawnSync(olderNode()!, [script, '--help'], { encoding: 'utf8' });
  assert.equal(answer.status, exitCodes['missing-program']);
  assert.match(
    answer.stderr,
    /^earwitness: expected Node 22\.18 or newer, but this is Node [\d.]+; in a project, npm i node@24 brings it .*\n$/,
  );
  assert.equal(answer.stdout, '');
});

/** A Node before 22.18 that the machine has, if any. */
function olderNode(): string | null {
  for (const path of ['/usr/bin/node', '/usr/local/bin/node', '/usr/bin/nodejs']) {
    if (!existsSync(path)) continue;
    const version = spawnSync(path, ['--version'], { encoding: 'utf8' }).stdout.trim();
    const [major, minor] = version.slice(1).split('.').map(Number);
    if ((major ?? 99) < 22 || (major === 22 && (minor ?? 0) < 18)) return path;
  }
  return null;
}

for (const [typed, sentence] of [
  [
    'cases judge',
    /^earwitness: cases judge expects <file> \(the table that cases sample wrote, .*\), but got none(?:; for example: .*)?$/m,
  ],
  [
    'store prune',
    /^earwitness: store prune expects --keep <n> \(number of .*\), but it is missing; for example: earwitness store prune --keep 5$/m,
  ],
  ['help scre', /^earwitness: there is no command "scre"; did you mean earwitness score\?$/m],
  ['scre --help', /^earwitness: there is no command "scre"; did you mean earwitness score\?$/m],
  [
    'help store lst',
    /^earwitness: there is no command "lst" in earwitness store; did you mean earwitness store list\?$/m,
  ],
  ['cases judge check.csv --person a/b', /\(earwitness cases judge --help says more\)/],
  ['cases qqq', /^earwitness: there is no command "qqq" in earwitness cases; there are sample, judge, verdicts, /m],
] as const) {
  test(`${typed}: one sentence says what is expected`, async () => {
    const { code, stdout, stderr } = await runCommand(typed.split(' '));
    assert.equal(code, exitCodes['bad-usage']);
    assert.equal(stdout, '');
    assert.match(stderr, sentence);
    assert.ok(stderr.trimEnd().split('\n').length <= 2, stderr);
  });
}

test('help goes as deep as the command', async () => {
  const { code, stdout } = await runCommand(['help', 'store', 'prune']);
  assert.equal(code, 0);
  assert.match(stdout, /^Usage: earwitness store prune /);
});

/** Every command once, each where the ones before it left the folder. */
const typed = [
  'init --yes --recognizer one=scripted:default=so --recognizer two=scripted:default=no',
  'run --no-sound --verbose',
  'worker',
  'workers',
  'resume --no-sound --json',
  'report last',
  'view nobody',
  'compare last:one last:two --json',
  'history',
  'gate',
  'baseline main.tsv',
  'plan',
  'bundle',
  'share page.html last --min-speakers 1',
  'verify evidence.jsonl.gz',
  'cases sample -o sample.csv',
  'collect voices --new',
  'transcribe people.csv --plan-only',
  'rate ratings.csv --plan-only',
  'perturb a.wav --scenario aequevox/noise:1 -o noisy.wav --seed 1',
  'rooms . --speech nowhere',
  'speak - --synthesizer flite --voice nobody -o said.wav',
  'recognize a.wav --recognizer scripted:default=so',
  'conformance -- ./nowhere',
  'score a.txt b.txt',
  'violations distances.csv',
  'grammar a.txt',
  'normalize --normalizer english',
  'store list',
  'forget --speaker nobody --dry-run',
  'list normalizers',
  'doctor --json',
  'completion bash',
] as const;

test('every command prints and ends in a process of its own as in this one', async () => {
  assert.deepEqual(typed.map((line) => line.split(' ')[0]).sort(), commands.map(({ name }) => name).sort());
  await using own = await temporaryFolder();
  await using here = await temporaryFolder();
  for (const { file } of [own, here]) {
    await writeFile(file('a.wav'), sineWav());
    await writeFile(file('a.txt'), 'so say all of us\n');
    await writeFile(file('b.txt'), 'so say all of us\n');
  }
  const input = 'The COLOUR, e.g. of my 2nd car\n';
  for (const line of typed) {
    const [one, other] = [
      await runProcess(line.split(' '), { cwd: own.path, input }),
      await runCommand(line.split(' '), { cwd: here.path, input }),
    ];
    assert.equal(one.code, other.code, `${line}: ${one.stderr}\n${other.stderr}`);
    assert.equal(alike(one.stdout, own.path), alike(other.stdout, here.path), line);
    assert.equal(alike(one.stderr, own.path), alike(other.stderr, here.path), line);
  }
});

/** Without what differs between any two runs: folders, how often progress was told, moments, seconds and the hashes that hold them. */
function alike(text: string, folder: string): string {
  return text
    .replaceAll(folder, '')
    .replaceAll(/^[\w ]+: \d+ of \d+.*\n/gm, '')
    .replaceAll(/\b[0-9a-f]{8,}\b/g, 'HASH')
    .replaceAll(/\d{8}T\d{6}/g, 'MOMENT')
    .replaceAll(/\d[\d.:]*/g, 'N')
    .replaceAll(/\s+/g, ' ');
}

test('a value that is given twice is refused, where the last would be taken in silence', async () => {
  const { code, stdout, stderr } = await runCommand(['score', 'a b', 'a c', '--language', 'en', '--language', 'de']);
  assert.deepEqual(
    [code, stdout, stderr],
    [exitCodes['bad-usage'], '', 'earwitness: expected --language once, but got "en" and "de"; leave one out\n'],
  );
  assert.equal((await runCommand(['score', 'a b', 'a c', '--only', 'wer', '--only', 'wer'])).code, 0);
  // What may be repeated is collected.
  const both = await runCommand(['gate', '--allow-host', 'a', '--allow-host', 'b']);
  assert.doesNotMatch(both.stderr, /once/);
});
