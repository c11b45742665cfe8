import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { createServer, request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { temporaryFolder } from '../cli/testing/run-command.ts';
import { fingerprintOf, selfMadeCertificate } from './people/serve-people.ts';

test('A certificate made here is good for its names and for no others, and whoever trusts it is served.', async (t) => {
  const made = selfMadeCertificate(['127.0.0.1', 'recorder.local', 'fe80::1:2'], new Date());
  const read = new X509Certificate(made.cert);
  assert.equal(read.verify(read.publicKey), true);
  assert.deepEqual(
    ['recorder.local', 'other.local'].map((name) => read.checkHost(name)),
    ['recorder.local', undefined],
  );
  assert.deepEqual(
    ['127.0.0.1', 'fe80::1:2', '127.0.0.2'].map((address) => read.checkIP(address)),
    ['127.0.0.1', 'fe80::1:2', undefined],
  );
  assert.equal(fingerprintOf(made.cert), read.fingerprint256);
  const server = createServer(made, (_, response) => void response.end('hello'));
  t.after(() => server.close());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const ask = (trusted: object) =>
    new Promise<string>((resolve) => {
      const sent = request({ host: '127.0.0.1', port, agent: false, ...trusted }, (response) => {
        response.setEncoding('utf8').on('data', resolve);
      });
      sent.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? ''));
      sent.end();
    });
  assert.equal(await ask({ ca: made.cert }), 'hello');
  assert.equal(await ask({}), 'DEPTH_ZERO_SELF_SIGNED_CERT');
});

const withoutOpenssl = spawnSync('openssl', ['version']).error === undefined ? false : 'openssl is not installed';

test('OpenSSL reads it and finds it in order.', { skip: withoutOpenssl }, async () => {
  await using folder = await temporaryFolder();
  await writeFile(folder.file('a.pem'), selfMadeCertificate(['127.0.0.1'], new Date()).cert);
  const { stdout, stderr } = spawnSync(
    'openssl',
    ['verify', '-x509_strict', '-purpose', 'sslserver', '-CAfile', folder.file('a.pem'), folder.file('a.pem')],
    { encoding: 'utf8' },
  );
  assert.match(stdout, /: OK/, stderr);
});
