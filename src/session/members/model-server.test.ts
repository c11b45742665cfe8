import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { loadSpec, namedRecognizers } from '../open/parse-spec.ts';
import { modelsOf, probeLocalServers } from './recognizer-spec.ts';

/** Servers on loopback that answer these paths, each with its port. */
async function serving<T>(
  pages: readonly Readonly<Record<string, string>>[],
  use: (ports: readonly number[]) => Promise<T>,
): Promise<T> {
  const servers = pages.map((page) =>
    createServer((incoming, answer) => {
      const text = page[incoming.url!];
      answer.writeHead(text === undefined ? 404 : 200).end(text ?? 'not found');
    }),
  );
  await Promise.all(
    servers.map((server) => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))),
  );
  try {
    return await use(servers.map((server) => (server.address() as AddressInfo).port));
  } finally {
    for (const server of servers) server.close().closeAllConnections();
  }
}

const models = (...ids: string[]) => ({ '/v1/models': JSON.stringify({ data: ids.map((id) => ({ id })) }) });

test('servers that transcribe are told by the names of their models, or as whisper.cpp by its page; others are none', async () => {
  const pages = [
    models('llama-3', 'Systran/faster-whisper-small'),
    { '/': '<html><title>Whisper.cpp Server</title>' },
    models('llama-3'),
    { '/': '<html>A shop', '/v1/models': 'no JSON' },
  ];
  await serving(pages, async (ports) => {
    const found = await probeLocalServers(ports);
    assert.deepEqual(
      found.map(({ options }) => options),
      [
        { baseUrl: `http://127.0.0.1:${ports[0]}/v1`, model: 'Systran/faster-whisper-small' },
        { baseUrl: `http://127.0.0.1:${ports[1]}`, path: '/inference', model: 'whisper.cpp', responseFormat: 'json' },
      ],
    );
    for (const { options } of found) await loadSpec('recognizers', `openai-compatible:${JSON.stringify(options)}`, '.');
    assert.equal(await modelsOf(`http://127.0.0.1:${ports[3]}/v1`), null);
  });
  assert.deepEqual(await probeLocalServers([9]), []);
});

test('the address of a server is a recognizer where it says which model, and else a sentence says how to name it', async () => {
  await serving([models('llama', 'whisper-1'), models('whisper-a', 'whisper-b')], async ([one, two]) => {
    assert.deepEqual(await namedRecognizers([`http://127.0.0.1:${one}/v1/`], '.'), {
      'whisper-1': {
        type: 'openai-compatible',
        options: { baseUrl: `http://127.0.0.1:${one}/v1`, model: 'whisper-1' },
      },
    });
    await assert.rejects(
      namedRecognizers([`http://127.0.0.1:${two}/v1`], '.'),
      /expected the model of the server, but 127\.0\.0\.1:\d+ has whisper-a, whisper-b; name it behind #: http:\/\/127\.0\.0\.1:\d+\/v1#MODEL/,
    );
  });
  await assert.rejects(namedRecognizers(['http://user:key@host/v1'], '.'), /a server without user and query/);
});

test('a server whose list of models does not end is left soon', async () => {
  let sent = 0;
  const server = createServer((_, answer) => {
    const piece = 'x'.repeat(1_000_000);
    const more = () => {
      while (!answer.destroyed && answer.write(piece)) sent += piece.length;
      sent += piece.length;
    };
    answer.on('drain', more);
    more();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  try {
    const { port } = server.address() as AddressInfo;
    assert.equal(await modelsOf(`http://127.0.0.1:${port}/v1`, 1500), null);
    assert.ok(sent < 30e6, `${sent} bytes were taken`);
  } finally {
    server.close().closeAllConnections();
  }
});
