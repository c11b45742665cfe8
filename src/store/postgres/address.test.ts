import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { runCommand, temporaryFolder } from '../../cli/testing/run-command.ts';
import { isServer, storeAt } from '../store-place.ts';
import { addressForPg, checkAddress, programFlags } from './address.ts';
import { asServerError, ServerError } from './connection.ts';

test('schemes have no case, and an address of anything else is no folder, wherever a store is named', async () => {
  for (const server of ['postgres://h/d', 'Postgres://h/d', 'POSTGRESQL://h/d']) assert.ok(isServer(server), server);
  for (const file of ['store.sqlite', '/a/store', 'C:/store', 'a:b']) assert.ok(!isServer(file), file);
  await using folder = await temporaryFolder();
  const cwd = folder.path;
  for (const [wrong, sentence] of [
    ['postgre://me:word@h/d', /begins with postgre:\/; did you mean postgres:\/\/\?/],
    ['postgres:/me@h/d', /begins with postgres:\/ and one slash; did you mean postgres:\/\/\?/],
    ['mysql://me@h/d', /expected a file, or postgres:\/\/user@host\/database, .* begins with mysql:\/; correct it/],
  ] as const) {
    for (const command of [
      ['store', 'list', '--store', wrong],
      ['store', 'merge', wrong],
      ['store', 'export', wrong],
      ['store', 'check', '--store', wrong],
    ]) {
      const { code, stderr } = await runCommand(command, { cwd });
      assert.notEqual(code, 0);
      assert.match(stderr, sentence);
      assert.doesNotMatch(stderr, /word/);
    }
  }
  for (const made of ['postgre:', 'postgres:', 'mysql:']) assert.ok(!existsSync(join(cwd, made)));
});

test('a parameter that would go unheard is refused by its name', () => {
  assert.throws(() => storeAt('', 'postgres://me@h/d?sslmod=require'), {
    code: 'bad-config',
    message: /there is none called "sslmod"; did you mean sslmode\?$/,
  });
  assert.throws(() => checkAddress('postgres://me@h/d?zzzzzzzzz=1'), /called "zzzzzzzzz"; remove it$/);
  checkAddress('postgres://me@h/d?sslmode=verify-full&connect_timeout=3&application_name=a&keepalives_idle=3');
});

test('pg is asked in the form that it does not warn of', () => {
  for (const mode of ['prefer', 'require', 'verify-ca'])
    assert.equal(
      addressForPg(`postgres://me@h/d?sslrootcert=/a&sslmode=${mode}&port=1`),
      'postgres://me@h/d?sslrootcert=/a&sslmode=verify-full&port=1',
    );
  for (const own of ['sslmode=no-verify', 'sslmode=disable', 'uselibpqcompat=true&sslmode=require', 'port=1'])
    assert.equal(addressForPg(`postgres://me@h/d?${own}`), `postgres://me@h/d?${own}`);
});

test('what is to be typed leads to the server of the address', () => {
  assert.equal(programFlags('postgres://me@localhost:5433/d'), ' -h localhost -p 5433 -U me');
  assert.equal(programFlags('postgres:///d?host=/run/x&user=u'), ' -h /run/x -U u');
  const told = (code: string, address: string) => (asServerError(new ServerError(code, ''), address) as Error).message;
  assert.match(told('3D000', 'postgres://me@h:1/d'), /type: createdb -h h -p 1 -U me d$/);
  assert.match(told('3D000', 'postgres://me@h'), /the address names no database; write it behind the host/);
  assert.match(
    told('28P01', 'postgres://h/d'),
    /the address names no user, and \S+ was taken: .*; the password is wrong/,
  );
  assert.doesNotMatch(told('28P01', 'postgres://me@h/d'), /names no user/);
});
