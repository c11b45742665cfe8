import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { missingProgram } from '../base/errors.ts';

/** The script of a page, called as its file in src/browser/pages. */
export type BrowserScript =
  | 'again'
  | 'explorer'
  | 'folder'
  | 'live'
  | 'player'
  | 'rate'
  | 'recorder'
  | 'recorder-worklet'
  | 'report'
  | 'search'
  | 'take-part'
  | 'transcribe';

let made: ReadonlyMap<string, string> | null = null;

/**
 * A script for browsers with all that it imports, in one piece: pages from file:// can load no modules. In the package it lies ready; from
 * the sources all are made when one is first asked for.
 */
export function browserScript(name: BrowserScript): string {
  if (!import.meta.url.endsWith('.ts'))
    return readFileSync(new URL(`../browser/pages/${name}.js`, import.meta.url), 'utf8');
  made ??= bundleBrowserScripts();
  return made.get(name)!;
}

/**
 * All scripts by their names, bundled by esbuild, which the package itself does not need.
 *
 * @throws EarwitnessError `missing-program` where esbuild is not installed
 */
export function bundleBrowserScripts(): ReadonlyMap<string, string> {
  const { outputFiles } = esbuild().buildSync({
    entryPoints: [fileURLToPath(new URL('../browser/pages/*.ts', import.meta.url))],
    // Beside what is bundled stands where it is from: below this folder, not where it lies on this machine.
    absWorkingDir: fileURLToPath(new URL('../../', import.meta.url)),
    ...{ bundle: true, format: 'iife', target: 'es2024', charset: 'utf8' },
    ...{ write: false, outdir: '.', logLevel: 'silent' },
  });
  return new Map(outputFiles.map(({ path, text }) => [basename(path, '.js'), text]));
}

function esbuild(): typeof import('esbuild') {
  try {
    return createRequire(import.meta.url)('esbuild');
  } catch (cause) {
    throw missingProgram(
      'expected esbuild, by which a checkout makes the scripts of its pages, but it is not installed; run `npm ci` there',
      { cause },
    );
  }
}
