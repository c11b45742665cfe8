import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import type { Clip } from '../../audio/clip.ts';
import { runCommand, sineWav, temporaryFolder } from '../../cli/testing/run-command.ts';
import { awsTestKeys } from '../../http/testing/verify-aws-signature.ts';
import { liveServices } from './live-services.ts';
import { type ServiceName, serviceNames } from './services.ts';
import { type LiveServerOptions, startLiveServer } from './testing/live-server.ts';
import {
  type ServiceServer,
  type ServiceServerOptions,
  serviceEnvironment,
  serviceOptions,
  startServiceServer,
} from './testing/service-server.ts';

const script = fileURLToPath(new URL('../../../bin/earwitness.js', import.meta.url));
const key = 'key-of/a+test?0123456789&abcdef';
const iflytekKey = 'testapp1:apikey-of-a-test-0123456789:apisecret+of/a-test-0123456789';
const environment = { ...serviceEnvironment(key), EARWITNESS_TEST_IFLYTEK: iflytekKey };
const liveEntry = (service: string, { baseUrl }: { readonly baseUrl: string }, more: object = {}) => ({
  ...{ type: 'hosted', service, mode: 'streaming', baseUrl, keyVariable: 'EARWITNESS_TEST_KEY', ...more },
});
const clipSeconds = 0.6;
/** With 15 s at least, half a cent for a clip. */
const pricePerMinute = { amount: 0.02, currency: 'EUR' };
const recognize: ServiceServerOptions['recognize'] = async () => 'all is well';

/** So many clips, and a config that has recognizers hear them as they are. */
async function project(folder: string, clips: number, recognizers: object, more: object = {}): Promise<void> {
  const rows = ['id\tpath\tsentence\tspeaker'];
  for (let index = 0; index < clips; index++) {
    await writeFile(join(folder, `c${index}.wav`), sineWav(200 + 50 * index, 16_000, clipSeconds));
    rows.push(`c${index}\tc${index}.wav\tall is well\ts${index % 2}`);
  }
  await writeFile(join(folder, 'clips.tsv'), `${rows.join('\n')}\n`);
  const config = {
    corpus: { type: 'manifest', file: 'clips.tsv', columns: { reference: 'sentence' }, language: 'en' },
    recognizers,
    studies: [{ type: 'robustness', conditions: [], resamples: 100 }],
    report: { sound: false },
    ...more,
  };
  await writeFile(join(folder, 'earwitness.config.json'), JSON.stringify(config));
}

const entry = (service: string, server: ServiceServer, more: object = {}) => ({
  ...{ type: 'hosted', ...serviceOptions(service, server), pollSeconds: 0.05, ...more },
});

function spentIn(folder: string): { readonly spent: number; readonly attempts: number } {
  const database = new DatabaseSync(join(folder, '.earwitness/store.sqlite'), { readOnly: true });
  try {
    const row = database.prepare('SELECT sum(price) AS spent, count(*) AS attempts FROM attempts').get();
    return row as unknown as { spent: number; attempts: number };
  } finally {
    database.close();
  }
}

/** Every file's bytes, of compressed ones what is in them. */
async function filesIn(folder: string): Promise<Map<string, string>> {
  const names = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = names.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const read = async (path: string) => {
    const bytes = await readFile(path);
    return (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('latin1');
  };
  return new Map(await Promise.all(paths.map(async (path) => [path, await read(path)] as const)));
}

test('a run over every service: each answers, and the key is in no store, report, bundle, recorded exchange or line of the log', async () => {
  await using folder = await temporaryFolder();
  await using servers = new AsyncDisposableStack();
  const recognizers: Record<string, object> = {};
  for (const service of serviceNames) {
    const echo = `all is well ${key} ${Buffer.from(key).toString('base64')} ${encodeURIComponent(key)}`;
    const server = servers.use(await startServiceServer(service, { key, recognize: async () => echo }));
    recognizers[service] = entry(service, server, { record: 'exchanges' });
  }
  // And over sockets.
  const live = Object.keys(liveServices) as (keyof typeof liveServices)[];
  for (const service of live) {
    const parts = service === 'iflytek' ? iflytekKey : key;
    const echo = `all is well ${parts} ${parts.split(':').at(-1)}`;
    const server = servers.use(await startLiveServer(service, { key: parts, recognize: async () => echo }));
    const keyVariable = service === 'iflytek' ? 'EARWITNESS_TEST_IFLYTEK' : 'EARWITNESS_TEST_KEY';
    recognizers[`${service}-live`] = liveEntry(service, server, { record: 'exchanges', keyVariable });
  }
  const strictSocket = servers.use(await startLiveServer('deepgram', { key: 'another', recognize }));
  recognizers['refused-live'] = liveEntry('deepgram', strictSocket, { record: 'exchanges' });
  // One that is refused, so that what a service says of a key is kept too.
  const strict = servers.use(await startServiceServer('deepgram', { key: 'another', recognize }));
  recognizers.refused = entry('deepgram', strict, { record: 'exchanges' });
  await project(folder.path, 2, recognizers, { failures: { maxShare: 1 } });
  const run = await runCommand(['run', '--json'], { cwd: folder.path, env: environment });
  const { tally } = JSON.parse(run.stdout) as { tally: { answered: number; failed: number } };
  assert.deepEqual([tally.answered, tally.failed], [2 * (serviceNames.length + live.length), 4], run.stderr);
  const bundle = await runCommand(['bundle', '--out', 'evidence.jsonl.gz'], { cwd: folder.path, env: environment });
  assert.equal(bundle.code, 0, bundle.stderr);
  const readable = await runCommand(['report', '--format', 'html'], { cwd: folder.path, env: environment });

  const files = await filesIn(folder.path);
  const names = [...files.keys()].join('\n');
  for (const expected of [/store\.sqlite/, /exchanges/, /evidence/, /earwitness-report/]) assert.match(names, expected);
  const texts: [string, string][] = [...files, ['output', run.stdout + run.stderr + bundle.stdout + readable.stdout]];
  const secrets = [...Object.values(awsTestKeys), key, ...iflytekKey.split(':').slice(1)];
  const forms = secrets.flatMap((one) => [
    ...[one, encodeURIComponent(one), Buffer.from(one).toString('base64').replace(/=+$/, '')],
  ]);
  // What was looked for would have been seen: where the services told the key, it says that it was taken out.
  for (const place of ['exchanges', 'evidence', 'store.sqlite']) {
    assert.ok(
      texts.some(([path, text]) => path.includes(place) && text.includes('[key]')),
      place,
    );
  }
  for (const [path, text] of texts) {
    for (const form of [...forms, Buffer.from(key).toString('base64url'), key.replace('&', '&amp;')]) {
      assert.ok(!text.includes(form), `${form} stands in ${path}`);
    }
    assert.doesNotMatch(text, /Signature=[0-9a-f]{64}|presigned-token/i, path);
  }
});

test('a budget counts what the service bills for: 15 s for each short clip, and not one call more', async () => {
  await using folder = await temporaryFolder();
  await using server = await startServiceServer('rev-ai', { key, recognize });
  const budget = { money: { amount: 0.02, currency: 'EUR' } };
  const hosted = entry('rev-ai', server, { pricePerMinute, limits: { concurrency: 1 } });
  await project(folder.path, 7, { hosted }, { budget });
  const { code, stderr } = await runCommand(['run'], { cwd: folder.path, env: environment });
  assert.equal(code, 8, stderr);
  assert.match(stderr, /the budget of 0\.02 EUR would be exceeded/);
  const { spent, attempts } = spentIn(folder.path);
  assert.deepEqual([server.jobs.length, attempts, spent.toFixed(9)], [4, 4, '0.020000000']);
});

test('a run that is killed while jobs are under way fetches them in the next start, and has paid for each once', async () => {
  await using folder = await temporaryFolder();
  const clips = 4;
  let doomed: ReturnType<typeof spawn> | null = null;
  let submitted = 0;
  await using server = await startServiceServer('rev-ai', {
    key,
    recognize,
    polls: 3,
    dealtWith({ method }) {
      // The third job is taken, and nobody ever hears of it.
      if (method !== 'POST' || ++submitted !== 3 || doomed === null) return true;
      doomed.kill('SIGKILL');
      return false;
    },
  });
  await project(folder.path, clips, { hosted: entry('rev-ai', server, { pricePerMinute }) });
  doomed = spawn(process.execPath, [script, 'run'], {
    cwd: folder.path,
    env: { ...process.env, NODE_OPTIONS: '', ...environment },
    stdio: 'ignore',
  });
  await once(doomed, 'exit');
  doomed = null;
  const unsent = clips - server.jobs.length;
  assert.ok(unsent <= 1);
  const { stdout, stderr } = await runCommand(['run', '--json'], { cwd: folder.path, env: environment });
  const { tally } = JSON.parse(stdout) as { tally: { answered: number } };
  assert.equal(tally.answered, clips, stderr);
  assert.equal(server.jobs.length, clips, 'a job was submitted twice');
  // A call that had begun and had not reached the service when the process died counts as possibly paid.
  const over = Math.round((spentIn(folder.path).spent - clips * 0.005) / 0.005);
  assert.ok(over >= 0 && over <= unsent, `${over} more than ${clips} are counted, and ${unsent} had not been sent`);
});

/** What the report says that a run spent. */
const spentOf = (stdout: string): number =>
  (JSON.parse(stdout) as { timing: { spent: { EUR: { total: number } } } }).timing.spent.EUR.total;

test('a job that calls wait for again and again is paid once, and one that is gone and submitted again twice', async () => {
  // Calls end while the job is waited for; the service is down in between; the job is gone at the first question.
  const limits = { concurrency: 2, attempts: 6, timeLimitSeconds: 1 };
  const down = new Set([2, 3, 4]);
  for (const [polls, wrong] of [
    [12, () => 0],
    [1, (asked: number) => (down.has(asked) ? 503 : 0)],
    [1, (asked: number) => (asked === 1 ? 410 : 0)],
  ] as const) {
    await using folder = await temporaryFolder();
    let asked = 0;
    await using server = await startServiceServer('rev-ai', {
      ...{ key, recognize, polls },
      misbehave({ method }, response) {
        const status = method === 'GET' ? wrong(++asked) : 0;
        if (status > 0) response.writeHead(status).end('{}');
        return status > 0;
      },
    });
    await project(
      folder.path,
      2,
      { hosted: entry('rev-ai', server, { pricePerMinute, limits }) },
      { failures: { maxShare: 1 } },
    );
    const { stdout, stderr } = await runCommand(['run', '--json'], { cwd: folder.path, env: environment });
    assert.equal((JSON.parse(stdout) as { tally: { answered: number } }).tally.answered, 2, stderr);
    assert.ok(spentIn(folder.path).attempts > 2);
    assert.equal(spentOf(stdout).toFixed(9), (server.jobs.length * 0.005).toFixed(9), stderr);
    assert.equal(server.jobs.length, wrong(1) === 410 ? 3 : 2);
  }
});

for (const isolate of ['none', 'process']) {
  test(`killed twice while it waits for a job (isolate: ${isolate}), a run has paid for it once`, async () => {
    await using folder = await temporaryFolder();
    let doomed: ReturnType<typeof spawn> | null = null;
    await using server = await startServiceServer('rev-ai', {
      ...{ key, recognize, polls: 3 },
      misbehave({ method, url }) {
        if (method !== 'GET' || !/\/jobs\/\w+$/.test(url.pathname) || doomed === null) return false;
        doomed.kill('SIGKILL');
        return true;
      },
    });
    await project(folder.path, 1, { hosted: entry('rev-ai', server, { pricePerMinute, isolate }) });
    for (let kill = 0; kill < 2; kill++) {
      doomed = spawn(process.execPath, [script, 'run'], {
        cwd: folder.path,
        env: { ...process.env, NODE_OPTIONS: '', ...environment },
        stdio: 'ignore',
      });
      assert.equal((await once(doomed, 'exit'))[1], 'SIGKILL');
    }
    doomed = null;
    const { stdout, stderr } = await runCommand(['run', '--json'], { cwd: folder.path, env: environment });
    assert.equal((JSON.parse(stdout) as { tally: { answered: number } }).tally.answered, 1, stderr);
    assert.deepEqual([server.jobs.length, spentIn(folder.path).attempts], [1, 3]);
    assert.equal(spentOf(stdout).toFixed(9), '0.005000000');
  });
}

test('a preview says what the rest will be billed for, rounded as the service rounds', async () => {
  await using folder = await temporaryFolder();
  await using server = await startServiceServer('rev-ai', { key, recognize });
  await project(folder.path, 14, { hosted: entry('rev-ai', server, { pricePerMinute }) });
  const { stdout, stderr } = await runCommand(['run', '--preview'], { cwd: folder.path, env: environment });
  assert.equal(server.jobs.length, 10);
  // 4 clips at half a cent.
  assert.match(stdout + stderr, / EUR 0\.02\./);
});

test('who is forgotten leaves no note of a job and no recorded exchange; what may lie in a bucket is told', async () => {
  await using folder = await temporaryFolder();
  const said = async ({ samples }: Clip) => `voice of ${samples.length}`;
  await using rev = await startServiceServer('rev-ai', { key, recognize: said });
  const theirs = sineWav(200, 16_000, clipSeconds).subarray(-1000);
  const lying = new Set<string>();
  await using aws = await startServiceServer('aws-transcribe', {
    ...{ key, recognize: said },
    misbehave({ method, url, body }, response) {
      if (method === 'PUT' && body.includes(theirs)) lying.add(url.pathname);
      // Of one clip of s0 it cannot be told whether it is still there.
      if (method !== 'DELETE' || !lying.has(url.pathname)) return false;
      response.writeHead(403).end();
      return true;
    },
  });
  const recognizers = {
    rev: entry('rev-ai', rev, { record: 'exchanges' }),
    aws: entry('aws-transcribe', aws, { record: 'exchanges', limits: { concurrency: 1 } }),
  };
  await project(folder.path, 4, recognizers, { failures: { maxShare: 1 } });
  const run = await runCommand(['run', '--json'], { cwd: folder.path, env: environment });
  assert.match(run.stdout, /"answered": ?7/, run.stderr);
  const kept = async () => [...(await filesIn(folder.path))].filter(([path]) => /exchanges|jobs/.test(path));
  const before = await kept();
  const forget = (more: string[]) => runCommand(['forget', '--speaker', 's0', ...more], { cwd: folder.path });
  const told = JSON.parse((await forget(['--yes', '--json'])).stdout) as { cached: string[]; left: string[] };
  const after = await kept();
  // Half of the clips are theirs, and every clip has as many exchanges, but that which was refused two.
  const gone = before.filter(([path]) => !after.some(([left]) => left === path));
  assert.deepEqual(told.cached.filter((path) => /exchanges|jobs/.test(path)).sort(), gone.map(([path]) => path).sort());
  assert.equal(gone.filter(([path]) => path.includes('jobs')).length, 4);
  assert.ok(gone.length > 4 + 10 && after.length > 4 + 10, `${gone.length} went and ${after.length} stayed`);
  assert.match(told.left.join(), /^s3:\/\/clips-of-a-test\/earwitness\/earwitness-[0-9a-f-]{36}\.wav$/);
  assert.ok(after.some(([path, text]) => path.includes('exchanges') && text.includes('voice of')));
});

test('a run over a socket that is killed goes on with what is not answered, and counts every socket that was opened', async () => {
  await using folder = await temporaryFolder();
  let doomed: ReturnType<typeof spawn> | null = null;
  let ends = 0;
  const misbehave: LiveServerOptions['misbehave'] = ({ what }) => {
    // In the middle of the second clip.
    if (what === 'end') ends++;
    if (what !== 'sound' || ends !== 1 || doomed === null) return false;
    doomed.kill('SIGKILL');
    return true;
  };
  await using server = await startLiveServer('deepgram', { key, recognize, misbehave });
  const live = liveEntry('deepgram', server, { pricePerMinute, limits: { concurrency: 1 } });
  await project(folder.path, 4, { live });
  doomed = spawn(process.execPath, [script, 'run'], {
    cwd: folder.path,
    env: { ...process.env, NODE_OPTIONS: '', ...environment },
    stdio: 'ignore',
  });
  await once(doomed, 'exit');
  doomed = null;
  const sockets = () => server.handshakes.length;
  assert.equal(sockets(), 2);
  const { stdout, stderr } = await runCommand(['run', '--json'], { cwd: folder.path, env: environment });
  const report = JSON.parse(stdout) as { tally: { answered: number } };
  assert.equal(report.tally.answered, 4, stderr);
  const opened = sockets();
  // What was answered just before the process died may not have been stored; nothing else is asked twice but what it died of.
  assert.ok(opened === 5 || opened === 6, `${opened} sockets`);
  const { spent, attempts } = spentIn(folder.path);
  assert.ok(attempts >= opened, `${attempts} calls are counted, and ${opened} sockets were opened`);
  // 0.6 s of a minute of 0.02 EUR each.
  assert.equal(spent.toFixed(9), (attempts * 0.0002).toFixed(9));
});

/** What was reserved and stayed so, over all runs. */
function journaled(folder: string): object {
  const database = new DatabaseSync(join(folder, '.earwitness/store.sqlite'), { readOnly: true });
  try {
    return {
      ...database.prepare('SELECT count(*) AS calls, sum(seconds) AS seconds, sum(price) AS spent FROM attempts').get(),
    };
  } finally {
    database.close();
  }
}

test('a socket that is never opened, and a call that is refused in whatever way, give back what they reserved', async () => {
  const options = { key: 'another', recognize };
  await using batch = await startServiceServer('deepgram', options);
  await using closed = await startLiveServer('deepgram', options);
  await using busy = await startLiveServer('deepgram', {
    ...options,
    misbehave({ what, answer }) {
      if (what === 'handshake') answer(503, {}, '{}');
      return what === 'handshake';
    },
  });
  // What is refused in other ways than by access.
  await using servers = new AsyncDisposableStack();
  const says = async (service: ServiceName, status: number, body: object) =>
    servers.use(
      await startServiceServer(service, {
        ...{ key, recognize },
        misbehave({ method, url }, response) {
          if (method !== 'POST' || url.pathname.endsWith('/upload')) return false;
          response.writeHead(status, { Location: 'https://elsewhere.example/' }).end(JSON.stringify(body));
          return true;
        },
      }),
    );
  const tells = async (service: 'iflytek' | 'speechmatics', at: 'open' | 'sound', message: object) =>
    servers.use(
      await startLiveServer(service, {
        ...{ key: service === 'iflytek' ? iflytekKey : key, recognize },
        misbehave({ what, socket }) {
          if (what === at) socket!.send(JSON.stringify(message));
          return what === at;
        },
      }),
    );
  const limits = { concurrency: 1, attempts: 1 };
  const iflytek = { keyVariable: 'EARWITNESS_TEST_IFLYTEK', language: 'en_us' };
  const priced = { pricePerMinute, limits };
  const cases = [
    ['the server answered 401', { ...entry('deepgram', batch), ...priced }],
    ['the server answered 401', liveEntry('deepgram', closed, priced)],
    ['the server answered 503', liveEntry('deepgram', busy, priced)],
    ['the server redirects', entry('deepgram', await says('deepgram', 307, {}), priced)],
    ['the server answered 422', entry('elevenlabs', await says('elevenlabs', 422, {}), priced)],
    ['the server answered 422', entry('gladia', await says('gladia', 422, {}), priced)],
    ['the server answered 402', entry('gladia', await says('gladia', 402, {}), priced)],
    ['the service answered: .*3302', entry('baidu', await says('baidu', 200, { err_no: 3302 }), priced)],
    ['the service answered: .*3304', entry('baidu', await says('baidu', 200, { err_no: 3304 }), priced)],
    ['the service answered: .*429', entry('ibm', await says('ibm', 200, { error: '429', code: 429 }), priced)],
    ['.*10313', liveEntry('iflytek', await tells('iflytek', 'sound', { code: 10313 }), { ...priced, ...iflytek })],
    ['.*11202', liveEntry('iflytek', await tells('iflytek', 'sound', { code: 11202 }), { ...priced, ...iflytek })],
    ...(await Promise.all(
      ['not_authorised', 'quota_exceeded'].map(async (type) => {
        const server = await tells('speechmatics', 'open', { message: 'Error', type });
        return [`the service answered: ${type}`, liveEntry('speechmatics', server, priced)] as const;
      }),
    )),
  ] as const;
  for (const [message, recognizer] of cases) {
    await using folder = await temporaryFolder();
    // For one clip; Baidu counts each as a minute.
    const budget = {
      money: { amount: recognizer.service === 'baidu' ? 0.02 : 0.0002, currency: 'EUR' },
      audioMinutes: 0.01,
    };
    await project(folder.path, 3, { recognizer }, { budget, failures: { maxShare: 1 } });
    const { code, stderr } = await runCommand(['run'], { cwd: folder.path, env: environment });
    assert.equal(code, 11, stderr);
    assert.match(stderr, new RegExp(`all 3 trials failed \\([\\w ]+: ${message}`));
    assert.deepEqual(journaled(folder.path), { calls: 3, seconds: 0, spent: 0 });
  }
});

test('of a clip in pieces, what was heard before a piece is refused is counted', async () => {
  await using folder = await temporaryFolder();
  // wit.ai hears up to 290 s at once.
  await using server = await startServiceServer('wit-ai', {
    key,
    recognize,
    misbehave: (_, response, number) => {
      if (number === 2) response.writeHead(401).end('{}');
      return number === 2;
    },
  });
  await project(folder.path, 1, { wit: entry('wit-ai', server, { pricePerMinute, sampleRate: 8000 }) });
  await writeFile(join(folder.path, 'c0.wav'), sineWav(200, 8000, 300));
  const { code, stderr } = await runCommand(['run'], { cwd: folder.path, env: environment });
  assert.equal(code, 11, stderr);
  assert.deepEqual(journaled(folder.path), { calls: 1, seconds: 300, spent: 0.1 });
});

test('a budget counts the seconds that go over sockets', async () => {
  await using folder = await temporaryFolder();
  await using server = await startLiveServer('speechmatics', { key, recognize });
  const budget = { money: { amount: 0.0005, currency: 'EUR' } };
  const live = liveEntry('speechmatics', server, { pricePerMinute, limits: { concurrency: 1 } });
  await project(folder.path, 4, { live }, { budget });
  const { code, stderr } = await runCommand(['run'], { cwd: folder.path, env: environment });
  assert.equal(code, 8, stderr);
  assert.deepEqual([server.handshakes.length, spentIn(folder.path).spent.toFixed(9)], [2, '0.000400000']);
});
