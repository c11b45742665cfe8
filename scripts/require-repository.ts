// Before the package is published: its page shows the README, whose links to docs/ lead somewhere only where package.json says at
// which public address the sources are.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const { repository } = JSON.parse(readFileSync(join(import.meta.dirname, '..', 'package.json'), 'utf8'));
if (repository === undefined) {
  console.error(
    'expected "repository" in package.json, without which the links of the README are dead on the package\'s page; type: npm pkg set repository=git+https://HOST/OWNER/earwitness.git',
  );
  process.exitCode = 1;
}
