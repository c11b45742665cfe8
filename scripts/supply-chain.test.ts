// What docs/security.md says of the supply chain.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const root = join(import.meta.dirname, '..');
const read = (file: string) => JSON.parse(readFileSync(join(root, file), 'utf8')) as unknown;
const own = read('package.json') as {
  scripts: Record<string, string>;
  dependencies: Record<string, string>;
  optionalDependencies: Record<string, string>;
};

test('nothing runs when the package is installed', () => {
  // What npm runs for whoever installs a package (docs.npmjs.com/cli/using-npm/scripts).
  const installing = ['preinstall', 'install', 'postinstall', 'preprepare', 'prepare', 'postprepare', 'dependencies'];
  assert.deepEqual(
    Object.keys(own.scripts).filter((name) => installing.includes(name)),
    [],
  );
});

test('every package is pinned by its hash, and three that are shipped have install scripts', () => {
  const { packages } = read('package-lock.json') as {
    packages: Record<
      string,
      { integrity?: string; link?: true; dev?: true; inBundle?: true; hasInstallScript?: true; resolved?: string }
    >;
  };
  const others = Object.entries(packages).filter(([path, { link, inBundle }]) => path !== '' && !link && !inBundle);
  assert.ok(others.length > 50);
  assert.deepEqual(
    others.filter(([, { integrity }]) => !integrity?.startsWith('sha512-')).map(([path]) => path),
    [],
  );
  const installing = others.filter(([, { dev, hasInstallScript }]) => hasInstallScript && !dev).map(([path]) => path);
  const named = ['koffi', 'onnxruntime-node', 'protobufjs'];
  assert.deepEqual(
    installing,
    named.map((name) => `node_modules/${name}`),
  );
  const page = readFileSync(join(root, 'docs/security.md'), 'utf8');
  for (const name of named) assert.ok(page.includes(`\`${name}\``), `docs/security.md does not name ${name}`);
});

test('npm lists what is installed, with versions and hashes', () => {
  const { status, stdout, stderr } = spawnSync('npm', ['run', '--silent', 'sbom'], {
    ...{ cwd: root, encoding: 'utf8', shell: process.platform === 'win32', maxBuffer: 1 << 26 },
  });
  assert.equal(status, 0, stderr);
  const { components } = JSON.parse(stdout) as {
    components: { name: string; version: string; hashes?: { alg: string }[] }[];
  };
  for (const [name, version] of Object.entries(own.dependencies)) {
    const listed = components.find((component) => component.name === name && component.version === version);
    assert.ok(
      listed?.hashes?.some(({ alg }) => alg === 'SHA-512'),
      `${name} ${version} is not listed with its hash`,
    );
  }
});
