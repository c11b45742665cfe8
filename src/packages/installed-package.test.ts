import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { EarwitnessError } from '../base/errors.ts';
import { installLineAt, isAbsent, notReady, packageVersion } from './installed-package.ts';

test('the version of a package that exports no description of itself is found', () => {
  assert.match(packageVersion('zod', 'which checks options'), /^\d+\.\d+\.\d+/);
});

test('a package that is absent gets one sentence with the line to type', async () => {
  const absent = (error: unknown) =>
    error instanceof EarwitnessError &&
    error.code === 'missing-program' &&
    /^expected the package no-such-package-here, which hears nothing, but it is not installed; type: npm install .* no-such-package-here$/.test(
      error.message,
    );
  assert.throws(() => packageVersion('no-such-package-here', 'which hears nothing'), absent);
  assert.throws(() => packageVersion('no-such-package-here', 'which hears nothing', undefined, 'zod'), absent);
  const name: string = 'no-such-package-here';
  const thrown = await import(name).catch((error: unknown) => error);
  assert.ok(isAbsent(thrown, name));
  assert.ok(!isAbsent(thrown, 'another-package'));
  assert.ok(!isAbsent(new Error('broken'), name));
});

test('readiness tells what is missing, and apart from it the line', () => {
  assert.deepEqual(notReady(new Error('no koffi; type: npm install koffi')), {
    ready: false,
    found: 'no koffi',
    install: 'npm install koffi',
  });
  assert.deepEqual(notReady(new Error('broken')), { ready: false, found: 'broken' });
});

test('the line installs where this program is: in a project, from elsewhere, globally, or beside the user after npx', () => {
  const root = mkdtempSync(join(tmpdir(), 'earwitness-install-'));
  after(() => rmSync(root, { recursive: true, force: true }));
  const folder = (...parts: string[]) => {
    const made = join(root, ...parts);
    mkdirSync(made, { recursive: true });
    return made;
  };
  const project = folder('project');
  writeFileSync(join(project, 'package.json'), '{}');
  const inProject = folder('project', 'node_modules', 'earwitness');
  const inside = folder('project', 'recordings');
  const elsewhere = folder('elsewhere');
  const line = 'npm install --ignore-scripts --include=optional';
  assert.equal(installLineAt(inProject, project, 'x', 'y'), `${line} x y`);
  assert.equal(installLineAt(inProject, inside, 'x'), `${line} x`);
  assert.equal(
    installLineAt(inProject, elsewhere, 'x'),
    `npm install --prefix ${JSON.stringify(project)} --ignore-scripts --include=optional x`,
  );
  const globally = folder('usr', 'lib', 'node_modules', 'earwitness');
  assert.equal(installLineAt(globally, project, 'x'), 'npm install -g --ignore-scripts --include=optional x');
  const byPip = folder('site-packages', 'earwitness', '_npm', 'node_modules', 'earwitness');
  assert.equal(installLineAt(byPip, project, 'onnxruntime-node'), "pip install 'earwitness[whisper]'");
  assert.equal(
    installLineAt(byPip, project, 'sherpa-onnx-node', 'mpg123-decoder'),
    "pip install 'earwitness[sherpa,mp3]'",
  );
  const cached = folder('_npx', 'a1b2', 'node_modules', 'earwitness');
  writeFileSync(join(root, '_npx', 'a1b2', 'package.json'), '{}');
  assert.match(
    installLineAt(cached, elsewhere, 'x'),
    /^npm install --ignore-scripts --include=optional earwitness@\d\S+ x$/,
  );
});

test('packages that this one names as optional are installed in the version that it was tried with', () => {
  assert.match(installLineAt('/nowhere', '/nowhere', 'koffi'), / koffi@\d+\.\d+\.\d+$/);
});
