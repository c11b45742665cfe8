import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EarwitnessError } from '../base/errors.ts';
import { isAbsent, packageVersion } from './installed-package.ts';

test('the version of a package that exports no description of itself is found', () => {
  assert.match(packageVersion('zod', 'which checks options'), /^\d+\.\d+\.\d+/);
});

test('a package that is absent gets one sentence with the line to type', async () => {
  assert.throws(
    () => packageVersion('no-such-package-here', 'which hears nothing'),
    (error: unknown) =>
      error instanceof EarwitnessError &&
      error.code === 'missing-program' &&
      error.message ===
        'expected the package no-such-package-here, which hears nothing, but it is not installed; type: npm install no-such-package-here',
  );
  const name: string = 'no-such-package-here';
  const thrown = await import(name).catch((error: unknown) => error);
  assert.ok(isAbsent(thrown, name));
  assert.ok(!isAbsent(thrown, 'another-package'));
  assert.ok(!isAbsent(new Error('broken'), name));
});
