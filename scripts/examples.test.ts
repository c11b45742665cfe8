import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { loadConfig } from '../src/session/config/load-config.ts';

const examples = fileURLToPath(new URL('../examples', import.meta.url));
const configs = readdirSync(examples, { recursive: true, encoding: 'utf8' }).filter((path) =>
  /^[\w-]+\/[\w.-]*config\.(yaml|json|ts)$/.test(path),
);

for (const path of configs) {
  test(`examples/${path} is a config as this version reads it`, async () => {
    await loadConfig(join(examples, path));
  });
}
