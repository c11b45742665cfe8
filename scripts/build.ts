// Compiles src/ into dist/, as it is published, with the scripts of its pages.
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { bundleBrowserScripts } from '../src/session/browser-script.ts';

rmSync('dist', { recursive: true, force: true });
const { status } = spawnSync('tsc', ['-p', 'tsconfig.build.json'], { stdio: 'inherit' });
if (status !== 0) {
  // Half of it would be taken for all: wheels are made of what lies there.
  rmSync('dist', { recursive: true, force: true });
  process.exit(status ?? 1);
}
mkdirSync('dist/browser/pages', { recursive: true });
for (const [name, text] of bundleBrowserScripts()) writeFileSync(`dist/browser/pages/${name}.js`, text);
