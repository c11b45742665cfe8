// Compiles src/ into dist/, as it is published, with the scripts of its pages.
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { bundleBrowserScripts } from '../src/session/browser-script.ts';

rmSync('dist', { recursive: true, force: true });
const { status } = spawnSync('tsc', ['-p', 'tsconfig.build.json'], { stdio: 'inherit' });
process.exitCode = status ?? 1;
mkdirSync('dist/browser/pages', { recursive: true });
for (const [name, text] of bundleBrowserScripts()) writeFileSync(`dist/browser/pages/${name}.js`, text);
