import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../cli/testing/run-command.ts';
import { awsTestKeys } from '../../http/testing/verify-aws-signature.ts';
import { plainServices } from '../testing/tones.ts';
import { hosted } from './hosted.ts';
import { serviceNames } from './services.ts';
import { serviceEnvironment, serviceOptions, startServiceServer } from './testing/service-server.ts';

/** With signs that are written otherwise in addresses, and in base64 for these. */
const key = 'key-of/a+test?0123456789&abcdef';
const clip = { samples: Float32Array.from({ length: 16_000 }, (_, n) => Math.sin(n / 7) / 3), sampleRate: 16_000 };
const request = { clip, language: 'en', utteranceId: 'a', conditionName: 'clean', repeat: 0 };
const secretForms = [
  key,
  encodeURIComponent(key),
  Buffer.from(key).toString('base64').replace(/=+$/, ''),
  Buffer.from(key).toString('base64url'),
  Buffer.from(`apikey:${key}`).toString('base64').replace(/=+$/, ''),
];
/** Of AWS two more; and what the address of a transcript is signed with. */
const awsForms = Object.values(awsTestKeys).flatMap((text) => [text, encodeURIComponent(text)]);
const presigned = ['ASIATHESERVICESOWN01', 'presigned-token-of-the-service'];
const signature = /Signature=[0-9a-f]{64}/i;
/** Marks of jobs are new each time. */
const unmarked = (path = '') => path.replace(/earwitness-[0-9a-f-]{36}/g, 'MARK');

interface Exchange {
  readonly request: {
    readonly method: string;
    readonly path: string;
    readonly body: { readonly bytes: number } | null;
  };
  readonly answer: { readonly status: number; readonly headers: Record<string, string>; readonly body: string };
}

/** A server that gives the recorded answers in their order, to calls that are those that were recorded from `recorded`. */
async function replay(exchanges: readonly Exchange[], recorded: string) {
  let next = 0;
  const wrong: string[] = [];
  const server = createServer((message, response) => {
    message.resume().on('end', () => {
      const exchange = exchanges[next++];
      if (exchange?.request.method !== message.method || unmarked(exchange?.request.path) !== unmarked(message.url)) {
        wrong.push(`${message.method} ${message.url}`);
      }
      response
        .writeHead(exchange?.answer.status ?? 500, exchange?.answer.headers)
        .end(exchange?.answer.body.replaceAll(recorded, `http://${message.headers.host}`));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    wrong,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

for (const service of serviceNames) {
  test(`${service}: a recorded exchange gives the same transcript again, and holds neither key nor sound`, async () => {
    await using folder = await temporaryFolder();
    const services = plainServices(folder.path, serviceEnvironment(key));
    const hear = async (baseUrl: string, more: object) => {
      const written = { ...serviceOptions(service, { baseUrl }), ...more };
      const recognizer = await hosted.open(hosted.options.parse(written), services);
      try {
        return await recognizer.recognize(request, new AbortController().signal);
      } finally {
        await recognizer.close();
      }
    };
    const echoed = service === 'aws-transcribe' ? [...secretForms, ...awsForms] : secretForms;
    // A service that tells what it was sent, in each way that keys are written.
    await using server = await startServiceServer(service, {
      key,
      recognize: async () => `said ${echoed.join(' ')}`,
    });
    const heard = await hear(server.baseUrl, { record: 'exchanges' });
    const names = (await readdir(join(folder.path, 'exchanges'))).sort();
    assert.equal(names.length, server.requests.length);
    const texts = await Promise.all(names.map((name) => readFile(join(folder.path, 'exchanges', name), 'utf8')));
    for (const secret of [...echoed, ...presigned]) {
      for (const text of [JSON.stringify(heard), ...texts]) assert.ok(!text.includes(secret), `${secret} in ${text}`);
    }
    for (const text of texts) assert.doesNotMatch(text, signature);
    const soundText = server.requests.map(({ body }) => body.toString('base64')).find((text) => text.length > 1000)!;
    for (const text of texts) assert.ok(!text.includes(soundText.slice(200, 260)));

    const exchanges = texts.map((text) => JSON.parse(text) as Exchange);
    await using again = await replay(exchanges, server.baseUrl);
    // Marks are new with each job, and so are the boundaries of forms: paths and methods are what must be the same.
    assert.deepEqual(await hear(again.baseUrl, {}), heard);
    assert.deepEqual(again.wrong, []);
  });
}
