// What only reads, where nothing can be written: a mount that is read-only (root needs no permissions, but cannot write there either).
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { openStore } from '../../store/open-store.ts';
import { runCommand, sineWav, temporaryFolder } from '../testing/run-command.ts';

const script = fileURLToPath(new URL('../../../bin/earwitness.js', import.meta.url));
const isolated = ['--mount', '--user', '--map-root-user'];
const skip =
  spawnSync('unshare', [...isolated, 'mount', '--bind', '-o', 'ro', '/tmp', '/tmp']).status !== 0 &&
  'nothing can be mounted here';

/** What runs the command where a folder cannot be written. */
function inReadOnly(folder: string, args: readonly string[]): readonly string[] {
  const mounted = 'mount --bind "$1" "$1" && mount -o remount,ro,bind "$1" && cd "$1" && shift && exec "$@"';
  return [...isolated, 'sh', '-c', mounted, 'sh', folder, process.execPath, script, ...args];
}

function readOnly(folder: string, args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync('unshare', inReadOnly(folder, args), { encoding: 'utf8' });
  return { status, stdout, stderr };
}

const textOf = (index: number) => `red lorry ${'abcdefghijkl'[index]} yellow lorry`;

/** Twelve speakers with a text each, two recognizers one of which fails some clips, and a gate. */
async function finishedRun(folder: Awaited<ReturnType<typeof temporaryFolder>>): Promise<void> {
  mkdirSync(folder.file('clips'));
  const rows = Array.from({ length: 12 }, (_, index) => `u${index}\tclips/${index}.wav\ts${index}\t${textOf(index)}`);
  await writeFile(folder.file('clips.tsv'), `id\tpath\tspeaker\treference\n${rows.join('\n')}\n`);
  for (let index = 0; index < 12; index++)
    await writeFile(folder.file(`clips/${index}.wav`), sineWav(200 + index, 8000));
  const answering = (heard: (index: number) => string) => ({
    type: 'scripted',
    answers: Object.fromEntries(rows.map((_, index) => [`u${index}`, heard(index)])),
  });
  const config = {
    corpus: { type: 'manifest', file: 'clips.tsv', language: 'en' },
    recognizers: {
      x: answering((index) => (index < 5 ? 'red lolly' : textOf(index))),
      y: answering(textOf),
    },
    studies: [
      { type: 'robustness', conditions: ['aequevox/noise:1'], resamples: 100 },
      { type: 'differential', predictor: null },
    ],
    gate: { limits: [{ wer: 0.9 }] },
    report: { sound: false },
  };
  await writeFile(folder.file('earwitness.config.json'), JSON.stringify(config));
  const { code, stderr } = await runCommand(['run'], { cwd: folder.path });
  assert.equal(code, 0, stderr);
}

test('every command that reads a store reads one that cannot be written, and what would be written into it is refused in one sentence', {
  skip,
}, async () => {
  await using folder = await temporaryFolder();
  await using elsewhere = await temporaryFolder();
  await finishedRun(folder);
  const { file } = elsewhere;
  for (const args of [
    ...[['gate'], ['history', '--resamples', '50'], ['store', 'check'], ['report', '--out', file('report')]],
    ...[
      ['cases', 'export', '-o', file('cases')],
      ['transcribe', file('t.csv'), '--plan-only'],
    ],
    ['view', 'last', '--pages', file('pages')],
    ['forget', '--speaker', 's1', '--dry-run'],
  ]) {
    const { status, stderr } = readOnly(folder.path, args);
    assert.equal(status, 0, `${args.join(' ')}: ${stderr}`);
  }
  for (const args of [
    ...[['resume'], ['forget', '--speaker', 's1', '--yes'], ['bundle'], ['report', '--out', 'report']],
    ...[
      ['cases', 'sample', '-o', 'c.csv'],
      ['cases', 'export', '-o', 'cases'],
    ],
    ...[
      ['transcribe', 't.csv', '--plan-only'],
      ['gate', '--junit', 'g.xml'],
    ],
  ]) {
    const { status, stderr } = readOnly(folder.path, args);
    assert.ok(status === 4 || status === 6, `${args.join(' ')}: ${status} ${stderr}`);
    assert.match(
      stderr,
      /^earwitness: .*(the disk is read-only|cannot be opened for writing)[^\n]*\n$/m,
      args.join(' '),
    );
    assert.doesNotMatch(stderr, /\n {4}at |ENOENT|EROFS|no such file/, args.join(' '));
  }
  // Another store takes it over.
  const merged = [
    ...isolated,
    'sh',
    '-c',
    'mount --bind "$1" "$1" && mount -o remount,ro,bind "$1" && shift && exec "$@"',
  ];
  const from = [process.execPath, script, 'store', 'merge', folder.file('.earwitness/store.sqlite')];
  const there = spawnSync('unshare', [...merged, 'sh', folder.path, ...from, '--store', file('m.sqlite')], {
    encoding: 'utf8',
  });
  assert.equal(there.status, 0, there.stderr);
});

test('pages of a store that cannot be written are shown, and nothing is left of them', { skip }, async () => {
  await using folder = await temporaryFolder();
  await using temporary = await temporaryFolder();
  await finishedRun(folder);
  const env = { ...process.env, TMPDIR: temporary.path };
  const child = spawn('unshare', inReadOnly(folder.path, ['view', 'last', '--json']), {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    let told = '';
    for await (const part of child.stdout) {
      told += part;
      if (told.trimEnd().endsWith('}')) break;
    }
    const { link, origin } = JSON.parse(told);
    const entered = await fetch(link, { redirect: 'manual' });
    const cookie = entered.headers
      .getSetCookie()
      .map((one) => one.split(';')[0])
      .join('; ');
    const { pathname } = new URL(entered.headers.get('location')!, origin);
    const id = pathname.split('/')[2];
    for (const path of ['', '/trials', '/trials/1.1.0.0', '/words', `/../../compare?a=${id}:x&b=${id}:y`]) {
      const page = await fetch(`${origin}${pathname}${path}`, { headers: { cookie } });
      assert.equal(page.status, 200, path);
      assert.doesNotMatch(await page.text(), /ENOENT|EROFS|cannot be (written|scored)/, path);
    }
  } finally {
    child.kill('SIGINT');
    await once(child, 'exit');
  }
  // Node keeps its compiled modules there.
  assert.deepEqual(
    (await readdir(temporary.path)).filter((name) => name.startsWith('earwitness-')),
    [],
  );
});

test('in a place where nothing can be written, what only reads reads: with a log and without one', {
  skip,
}, async () => {
  await using folder = await temporaryFolder();
  await using elsewhere = await temporaryFolder();
  const cwd = folder.path;
  await writeFile(folder.file('a.wav'), sineWav());
  await writeFile(folder.file('a.txt'), 'one two');
  const recognizer = { type: 'scripted', default: 'one too' };
  const config = {
    corpus: { type: 'folder', folder: '.', language: 'en' },
    recognizers: { one: recognizer, two: { ...recognizer, default: 'one two' } },
    studies: [{ type: 'robustness', conditions: ['aequevox/noise:1'], resamples: 100 }],
  };
  await writeFile(folder.file('earwitness.config.json'), JSON.stringify(config));
  assert.equal((await runCommand(['run'], { cwd })).code, 0);
  const told = (await runCommand(['report', '--json'], { cwd })).stdout;
  const out = elsewhere.file('bundle.gz');
  const commands = [
    ['report', '--json'],
    ['store', 'list'],
    ['store', 'check'],
    ['compare', 'last:one', 'last:two', '--resamples', '100'],
  ];
  for (const command of [...commands, ['bundle', '--out', out]]) {
    const { status, stdout, stderr } = readOnly(cwd, command);
    assert.equal(status, 0, `${command.join(' ')}: ${stderr}`);
    if (command[0] === 'report') assert.equal(stdout, told);
  }
  // As a kill leaves it: with a log that was never copied into the store.
  mkdirSync(folder.file('killed'));
  {
    using store = openStore(folder.file('.earwitness/store.sqlite'));
    store.noteOutput({ run: store.run('last')!.id, kind: 'export', path: '/nowhere' }, true);
    for (const end of ['', '-wal', '.last'])
      copyFileSync(folder.file(`.earwitness/store.sqlite${end}`), folder.file(`killed/store.sqlite${end}`));
  }
  const killed = readOnly(cwd, ['report', '--json', '--store', 'killed/store.sqlite']);
  assert.equal(killed.status, 0, killed.stderr);
  assert.equal(killed.stdout, told);
});

test('on a disk that is full what only reads reads, and what is to be written is refused in one sentence', {
  skip,
}, async () => {
  await using folder = await temporaryFolder();
  await using full = await temporaryFolder();
  await finishedRun(folder);
  const filled =
    'mount -t tmpfs -o size=4m none "$2" && cp -r "$1/." "$2" && cd "$2" && shift 2 && { cat /dev/zero > fill 2>/dev/null; "$@"; }';
  const shell = ['sh', '-c', filled, 'sh', folder.path, full.path, process.execPath, script, 'gate'];
  const read = spawnSync('unshare', [...isolated, ...shell], { encoding: 'utf8' });
  assert.equal(read.status, 0, read.stderr);
  const written = spawnSync('unshare', [...isolated, ...shell, '--junit', 'g.xml'], { encoding: 'utf8' });
  assert.equal(written.status, 4, written.stderr);
  assert.match(written.stderr, /^earwitness: .*g\.xml: expected to write this file, but the disk is full[^\n]*\n$/);
});

test('many files end where the disk is full, leave nothing that looks whole, and the same command completes them when there is room', {
  skip,
}, async () => {
  await using folder = await temporaryFolder();
  await using small = await temporaryFolder();
  await finishedRun(folder);
  // Room for a part of what each writes, and which of its files says that it is whole.
  const written: readonly { readonly size: string; readonly args: readonly string[]; readonly last: string }[] = [
    { size: '40k', args: ['cases', 'export', '-o', 'OUT/failed'], last: 'failed/manifest.jsonl' },
    { size: '40k', args: ['cases', 'sample', '-o', 'OUT/check.csv'], last: 'check.csv' },
    {
      size: '60k',
      args: ['perturb', 'clips', '--scenario', 'aequevox/noise:1', '-o', 'OUT/made'],
      last: 'made/11.wav',
    },
    { size: '60k', args: ['rate', 'OUT/rated.csv', '--plan-only'], last: 'rated-plan.json' },
    { size: '100k', args: ['report', '--out', 'OUT/report'], last: 'report/report.md' },
    { size: '200k', args: ['view', 'last', '--pages', 'OUT/pages', '--min-speakers', '1'], last: 'pages' },
    { size: '60k', args: ['store', 'export', 'OUT/copy.sqlite'], last: 'copy.sqlite' },
    { size: '4k', args: ['bundle', '--out', 'OUT/bundle.gz'], last: 'bundle.gz' },
  ];
  const twice = [
    'mount -t tmpfs -o size="$3" none "$2" && cd "$1" && out="$2" && shift 3',
    '"$@"; echo "$?"; find "$out" -mindepth 1 -printf "%P\\n"; echo --',
    'mount -o remount,size=32m "$out" && "$@"; echo "$?"; find "$out" -mindepth 1 -printf "%P\\n"',
  ].join('\n');
  for (const { size, args, last } of written) {
    const told = args.map((arg) => arg.replace('OUT', small.path));
    // What perturb made before it differs from nothing: it is known by its record.
    const command = [process.execPath, script, ...told, ...(args[0] === 'perturb' ? ['--skip-existing'] : [])];
    const { stdout, stderr } = spawnSync(
      'unshare',
      [...isolated, 'sh', '-c', twice, 'sh', folder.path, small.path, size, ...command],
      { encoding: 'utf8' },
    );
    const [before = [], after = []] = stdout.split('\n--\n').map((part) => {
      const lines = part.trimEnd().split('\n');
      return lines.slice(lines.findLastIndex((line) => /^\d+$/.test(line)));
    });
    const shown = `${args.join(' ')}: ${stdout}${stderr}`;
    assert.ok(before[0] === '4' || before[0] === '6', shown);
    assert.match(stderr, /^earwitness: [^\n]*the disk is full[^\n]*$/m, shown);
    assert.ok(!before.includes(last), shown);
    assert.deepEqual(
      before.filter((file) => /\.part$|\.tmp|-journal$/.test(file)),
      [],
      shown,
    );
    assert.equal(after[0], '0', shown);
    assert.ok(after.includes(last), shown);
  }
});
