import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { conditionalLicences } from './commands/doctor.ts';

test('every package of the production tree is permissive, or among those that doctor lists', () => {
  const lock = JSON.parse(readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8')) as {
    packages: Record<string, { license?: string; dev?: boolean }>;
  };
  const listed = conditionalLicences.map((part) => part.package);
  const means = (name: string, part: string) => name === part || (part.endsWith('-') && name.startsWith(part));
  const permissive = /^\(?(MIT|ISC|Apache-2\.0|BSD-[234]-Clause|0BSD|Unlicense|CC0-1\.0|BlueOak-1\.0\.0|Python-2\.0)\b/;
  const production = Object.entries(lock.packages).filter(([path, { dev }]) => path !== '' && !dev);
  assert.ok(production.length > 10);
  const others = production.filter(([path, { license }]) => {
    const name = path.replace(/^.*node_modules\//, '');
    return !permissive.test(license ?? '') && !listed.some((part) => means(name, part));
  });
  assert.deepEqual(others, []);
  for (const part of listed)
    assert.ok(
      production.some(([path]) => means(path.replace(/^.*node_modules\//, ''), part)),
      part,
    );
});
