import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../cli/testing/run-command.ts';
import type { Recognition, RecognitionError, RecognizerServices } from '../contract.ts';
import { plainServices } from '../testing/tones.ts';
import { hosted } from './hosted.ts';
import { hostedServices, type ServiceName, serviceNames } from './services.ts';
import { awsState } from './testing/aws-server.ts';
import {
  type ServiceServer,
  type ServiceServerOptions,
  serviceEnvironment,
  serviceOptions,
  startServiceServer,
} from './testing/service-server.ts';

const key = 'key-of-a-test-0123456789abcdef';
const jobServices = serviceNames.filter((name) => 'submit' in hostedServices[name]);
const recognize: ServiceServerOptions['recognize'] = async ({ samples }) => `${samples.length} samples`;

/**
 * A process that has a service hear its clips, one after the other, and writes what it heard to a file that stands for the store: what is
 * in there is not asked again.
 */
const client = `
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { hosted } from ${JSON.stringify(new URL('./hosted.ts', import.meta.url).href)};
import { plainServices } from ${JSON.stringify(new URL('../testing/tones.ts', import.meta.url).href)};
const { folder, options, clips } = JSON.parse(process.argv[1]);
const services = { ...plainServices(folder), jobsFolder: folder + '/jobs' };
const recognizer = await hosted.open(hosted.options.parse(options), services);
const store = folder + '/store.txt';
const kept = existsSync(store) ? readFileSync(store, 'utf8').split('\\n').filter((line) => line.endsWith('.')) : [];
for (let number = kept.length; number < clips; number++) {
  const samples = Float32Array.from({ length: 1600 + number }, (_, n) => Math.sin(n / 7) / 3);
  const request = { clip: { samples, sampleRate: 16000 }, language: 'en', utteranceId: 'u' + number, conditionName: 'clean', repeat: 0, key: 'trial ' + number };
  let paid = 'paid';
  const { text } = await recognizer.recognize({ ...request, alreadyPaid: async () => { paid = 'before'; } }, new AbortController().signal);
  appendFileSync(store, text + ' ' + paid + '.\\n');
}
await recognizer.close();
`;

/** Each takes a quarter of a minute, most of it waiting; the others have the same code, and a third of the moments unless time does not matter. */
const slowToo = process.env.EARWITNESS_SLOW_TESTS === '1';

for (const service of jobServices) {
  const [clips, wanted] = service === 'rev-ai' || slowToo ? [8, 20] : [3, 7];
  test(`${service}: killed at ${wanted} moments, before and after each of its answers, each job is submitted once`, async () => {
    await using folder = await temporaryFolder();
    let [moments, kills] = [0, 0];
    let child: ChildProcess | null = null;
    /** Every third moment, so that in turn each kind of question is hit on its way and on the way back. */
    const strikes = () => {
      moments++;
      if (kills >= wanted || moments % 3 !== 0 || child === null) return false;
      kills++;
      child.kill('SIGKILL');
      return true;
    };
    await using server = await startServiceServer(service, {
      key,
      recognize,
      misbehave: () => void strikes() as never,
      // The service has done what was asked; whoever asked never hears of it.
      dealtWith: () => !strikes(),
    });
    const options = serviceOptions(service, server);
    const argument = JSON.stringify({ folder: folder.path, options, clips });
    for (let starts = 0; starts < 30; starts++) {
      child = spawn(process.execPath, ['--input-type=module', '-e', client, argument], {
        env: { ...process.env, NODE_OPTIONS: '', ...serviceEnvironment(key) },
        stdio: ['ignore', 'ignore', 'inherit'],
      });
      const [code] = (await once(child, 'exit')) as [number | null];
      if (code === 0) break;
      assert.equal(code, null, 'the client ended by itself');
    }
    assert.equal(kills, wanted);
    const sounds = server.jobs.map(({ soundHash }) => soundHash);
    assert.equal(sounds.length, clips, `${sounds.length} jobs for ${clips} clips`);
    assert.equal(new Set(sounds).size, clips);
    // What is removed by us alone is gone.
    const { objects, deletedJobs } = awsState(server.jobs);
    assert.deepEqual([objects.size, deletedJobs.size], [0, service === 'aws-transcribe' ? clips : 0]);
    const lines = (await readFile(join(folder.path, 'store.txt'), 'utf8')).trim().split('\n');
    assert.deepEqual(
      lines.map((line) => line.split(' ').slice(0, 2).join(' ')),
      Array.from({ length: clips }, (_, number) => `${1600 + number} samples`),
    );
    // What a dead process paid for costs the next one nothing.
    assert.ok(lines.some((line) => line.endsWith(' before.')));
    for (const name of await readdir(join(folder.path, 'jobs'))) {
      assert.doesNotMatch(await readFile(join(folder.path, 'jobs', name), 'utf8'), new RegExp(key));
    }
  });
}

/** @param paid told when it is known that an earlier call has paid */
async function hear(
  server: ServiceServer,
  service: ServiceName,
  services: RecognizerServices,
  paid = async () => {},
): Promise<Recognition> {
  const options = serviceOptions(service, server);
  const recognizer = await hosted.open(hosted.options.parse(options), services);
  const clip = { samples: new Float32Array(1600).fill(0.1), sampleRate: 16_000 };
  const about = { language: 'en', utteranceId: 'a', conditionName: 'clean', repeat: 0, key: 'trial' };
  const request = { ...about, clip, alreadyPaid: paid };
  try {
    return await recognizer.recognize(request, new AbortController().signal);
  } finally {
    await recognizer.close();
  }
}

const noting = (folder: string): RecognizerServices => ({
  ...plainServices(folder, serviceEnvironment(key)),
  jobsFolder: join(folder, 'jobs'),
});

test('a job that failed at the service is submitted anew by the next call', async () => {
  for (const service of jobServices) {
    await using folder = await temporaryFolder();
    await using failing = await startServiceServer(service, { key, recognize, fails: true });
    for (let time = 1; time <= 2; time++) {
      await assert.rejects(hear(failing, service, noting(folder.path)), /gave the job up/);
      assert.equal(failing.jobs.length, time);
    }
    assert.deepEqual(await readdir(join(folder.path, 'jobs')), []);
  }
});

test('an answer that is fetched once more costs nothing, and is the same', async () => {
  for (const service of jobServices) {
    await using folder = await temporaryFolder();
    await using server = await startServiceServer(service, { key, recognize });
    let free = 0;
    const heard = await hear(server, service, noting(folder.path), async () => void free++);
    assert.equal(free, 0);
    assert.deepEqual(await hear(server, service, noting(folder.path), async () => void free++), heard);
    assert.deepEqual([free, server.jobs.length], [1, 1]);
  }
});

test('a job that the service has forgotten is submitted anew, and old notes are swept', async () => {
  await using folder = await temporaryFolder();
  {
    await using before = await startServiceServer('rev-ai', { key, recognize });
    await hear(before, 'rev-ai', noting(folder.path));
  }
  await using server = await startServiceServer('rev-ai', { key, recognize });
  await assert.rejects(hear(server, 'rev-ai', noting(folder.path)), /does not know the job any more/);
  await hear(server, 'rev-ai', noting(folder.path));
  assert.equal(server.jobs.length, 1);
  const [note] = await readdir(join(folder.path, 'jobs'));
  await utimes(join(folder.path, 'jobs', note!), 0, 0);
  await hear(server, 'rev-ai', noting(folder.path));
  assert.equal(server.jobs.length, 2);
});

const isPoll = (method: string, headers: Readonly<Record<string, unknown>>) =>
  method === 'GET' || /\.GetTranscriptionJob$/.test(String(headers['x-amz-target']));

test('a job that expired, as its service says so, is submitted anew', async () => {
  const expired: readonly (readonly [ServiceName, number, object])[] = [
    ...jobServices.map((service) => [service, 410, {}] as const),
    ['assemblyai', 200, { status: 'completed', text: 'Deleted by user.', audio_url: 'http://deleted_by_user' }],
    ['speechmatics', 200, { job: { status: 'expired' } }],
    ['speechmatics', 200, { job: { status: 'deleted' } }],
  ];
  for (const [service, status, says] of expired) {
    await using folder = await temporaryFolder();
    let asked = 0;
    await using server = await startServiceServer(service, {
      ...{ key, recognize },
      misbehave({ method, headers }, response) {
        if (!isPoll(method, headers) || ++asked > 1) return false;
        response.writeHead(status).end(JSON.stringify(says));
        return true;
      },
    });
    await assert.rejects(hear(server, service, noting(folder.path)), ({ message, retryable }: RecognitionError) => {
      return message === 'the service does not know the job any more' && retryable;
    });
    assert.deepEqual(await readdir(join(folder.path, 'jobs')), [], service);
    assert.equal((await hear(server, service, noting(folder.path))).text, '1600 samples');
    assert.equal(server.jobs.length, 2);
  }
});

test('an answer about another job is none, and the job is asked for again', async () => {
  for (const service of jobServices) {
    // Where transcripts say whose they are, the second answer about the job is one.
    for (const mixed of ['speechmatics', 'aws-transcribe'].includes(service) ? [1, 2] : [1]) {
      await using folder = await temporaryFolder();
      let answers = 0;
      await using server = await startServiceServer(service, {
        ...{ key, recognize, polls: 0 },
        onItsWay: (body, { method, headers }) =>
          isPoll(method, headers) && ++answers === mixed
            ? body.replace(/"(id|jobName|TranscriptionJobName)":"[^"]+"/, '"$1":"another"')
            : body,
      });
      await assert.rejects(hear(server, service, noting(folder.path)), ({ kind, message }: RecognitionError) => {
        return kind === 'garbage' && message.endsWith('about another job than the one that was asked for');
      });
      assert.equal((await hear(server, service, noting(folder.path))).text, '1600 samples');
      assert.equal(server.jobs.length, 1, service);
    }
  }
});

test('a job that the service refused to take leaves no note; one of which nobody knows is looked for, and submitted only where it is not', async () => {
  for (const [status, looksFor] of [
    [402, false],
    [503, true],
  ] as const) {
    await using folder = await temporaryFolder();
    let refused = false;
    await using server = await startServiceServer('rev-ai', {
      key,
      recognize,
      misbehave({ method }, response) {
        if (method !== 'POST' || refused) return false;
        refused = true;
        response.writeHead(status).end();
        return true;
      },
    });
    await assert.rejects(hear(server, 'rev-ai', noting(folder.path)), new RegExp(`answered ${status}`));
    assert.equal((await readdir(join(folder.path, 'jobs'))).length, looksFor ? 1 : 0);
    let free = 0;
    await hear(server, 'rev-ai', noting(folder.path), async () => void free++);
    const looked = server.requests.some(({ method, url }) => method === 'GET' && url.pathname.endsWith('/jobs'));
    assert.deepEqual([free, looked, server.jobs.length], [0, looksFor, 1]);
  }
});
