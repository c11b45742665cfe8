// The packages that are published besides the whole, laid out as they are published and used as others use them: Node always; Deno and Bun
// where they are installed (npm packages `deno` and `bun`), a browser where there is one, and sizes where esbuild is.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { after, before, test } from 'node:test';
import { chromium } from 'playwright-core';
import { layOutPackage, packages } from './build-packages.ts';

const root = join(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'earwitness-packages-'));
const modules = join(folder, 'node_modules', '@earwitness');
after(() => rmSync(folder, { recursive: true, force: true }));

/** A little of each package; what it prints is the same wherever it runs. */
const program = `
import { countEdits, english, errorRate, wer } from '@earwitness/scoring';
import { createRandom, rateInterval } from '@earwitness/statistics';
import { collectionInMemory, encodeWav, levelDbfs, onlySounds, perturb, readWav, resample, shoeboxRoom, soundNoise, whiteNoise } from '@earwitness/audio';

const lines = [];
lines.push(wer('the cat sat', 'the cats sat down'), errorRate(countEdits(english.words("I don't"), english.words('i do no'))));
const counts = { numerators: Float64Array.of(3, 1, 0, 5, 2, 4, 1, 1, 6, 2, 3, 0), denominators: new Float64Array(12).fill(40) };
const { low, high } = rateInterval(counts, { random: createRandom('anywhere') });
lines.push(low.toFixed(9), high.toFixed(9));
const samples = Float32Array.from({ length: 16000 }, (_, n) => ((n * n) % 400) / 1000 - 0.2);
const room = [shoeboxRoom, shoeboxRoom.example];
const { clip } = await perturb({ samples, sampleRate: 16000 }, [[whiteNoise, { snrDb: 10 }], room], { seed: 7 });
const read = readWav(encodeWav(resample(clip, 8000), { format: 's16' }));
lines.push(read.samples.length, levelDbfs(read.samples).toFixed(4));
const noise = collectionInMemory('steps', [{ name: 'stairs', clip: { samples: samples.slice(900), sampleRate: 16000 } }]);
const noisy = await perturb({ samples, sampleRate: 16000 }, [[soundNoise, { sounds: 'steps', snrDb: 5 }]], { services: onlySounds(noise) });
lines.push(noisy.facts[0].sound, levelDbfs(noisy.clip.samples).toFixed(6));
console.log(lines.join(' '));
`;

before(() => {
  const built = join(folder, 'built');
  const { status, stdout } = spawnSync('tsc', ['-p', join(root, 'tsconfig.build.json'), '--outDir', built], {
    encoding: 'utf8',
    env: { ...process.env, PATH: [join(root, 'node_modules', '.bin'), process.env.PATH].join(delimiter) },
  });
  assert.equal(status, 0, stdout);
  for (const name of Object.keys(packages)) layOutPackage(name, join(modules, name), built);
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }\n');
  writeFileSync(join(folder, 'program.mjs'), program);
});

function printed(command: string, args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: folder, encoding: 'utf8' });
  assert.equal(status, 0, `${command}: ${stderr}`);
  return stdout.trim();
}

/** A program of this machine; null where it is not there. */
function onPath(name: string): string | null {
  const found = (process.env.PATH ?? '').split(delimiter).map((place) => join(place, name));
  return found.find((file) => existsSync(file)) ?? null;
}

test('each has no dependency, a page of its own, and types', () => {
  for (const name of Object.keys(packages)) {
    const read = (file: string) => readFileSync(join(modules, name, file), 'utf8');
    const manifest = JSON.parse(read('package.json'));
    assert.deepEqual([manifest.dependencies, manifest.peerDependencies], [undefined, undefined]);
    assert.ok(existsSync(join(modules, name, manifest.exports['.'].types)));
    assert.match(read('README.md'), new RegExp(`^# @earwitness/${name}\n`));
    assert.match(read('LICENSE'), /Apache License/);
    const code = readdirSync(join(modules, name), { recursive: true, encoding: 'utf8' }).filter((file) =>
      file.endsWith('.js'),
    );
    for (const file of code) assert.doesNotMatch(read(file), /\b(?:from|import)\s*\(?\s*['"]node:/, `${name}: ${file}`);
  }
});

test('the English normalizer brings no other one but the basic ones', () => {
  const reached = new Set<string>();
  const visit = (file: string) => {
    if (reached.has(file)) return;
    reached.add(file);
    for (const [, target] of readFileSync(file, 'utf8').matchAll(/\bfrom\s+'([^']+)'/g))
      visit(join(file, '..', target!));
  };
  visit(join(modules, 'scoring', 'scoring', 'normalizers', 'english', 'english.js'));
  const names = [...reached].map((file) => file.slice(join(modules, 'scoring').length));
  assert.deepEqual(
    names.filter((name) => /normalizers\.js|crossasr|chinese|dictation/.test(name)),
    [],
  );
});

const here = () => printed(process.execPath, ['program.mjs']);

test('under Node they work', () => {
  assert.match(here(), /^0\.6666666666666666 0\.3333333333333333 0\.0\d+ 0\.\d+ 8000 -\d+\.\d+ stairs -\d+\.\d+$/);
});

for (const [name, ...args] of [
  ['deno', 'run', '--no-config', '--node-modules-dir=manual', '--allow-read=.', 'program.mjs'],
  ['bun', 'program.mjs'],
] as const) {
  const file = onPath(name);
  test(`under ${name} they give the same`, { skip: file === null && `${name} is not installed` }, () => {
    assert.equal(printed(file!, args), here());
  });
}

const executablePath = '/usr/bin/chromium';
test('in a browser they give the same', { skip: !existsSync(executablePath) && 'no chromium' }, async () => {
  const imports = Object.entries(packages).map(([name, { entry }]) => [
    `@earwitness/${name}`,
    `/node_modules/@earwitness/${name}/${entry}`,
  ]);
  const map = JSON.stringify({ imports: Object.fromEntries(imports) });
  const page = `<script type="importmap">${map}</script><script type="module" src="/program.mjs"></script>`;
  const server = createServer(({ url }, response) => {
    const html = url === '/';
    response.setHeader('content-type', html ? 'text/html' : 'text/javascript');
    response.end(html ? page : existsSync(join(folder, url!)) ? readFileSync(join(folder, url!)) : '');
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  try {
    const view = await browser.newPage();
    const said = new Promise<string>((heard) => {
      view.on('console', (message) => heard(message.text()));
      view.on('pageerror', ({ message }) => heard(message));
    });
    await view.goto(`http://127.0.0.1:${(server.address() as { port: number }).port}/`);
    assert.equal(await said, here());
  } finally {
    await browser.close();
    server.close();
  }
});

const esbuild = onPath('esbuild');
test('minified they are small', { skip: esbuild === null && 'esbuild is not installed' }, (t) => {
  const counts = 'align, alignOperations, countEdits, countCharacterEdits, addCounts, errors, errorRate, noEdits';
  for (const [what, most, code] of [
    ['alignment and counts', 15_000, `export { ${counts} } from '@earwitness/scoring';`],
    ['with the English normalizer', 62_000, `export { ${counts}, english } from '@earwitness/scoring';`],
    ['all of scoring', 215_000, "export * from '@earwitness/scoring';"],
    ['all of statistics', 150_000, "export * from '@earwitness/statistics';"],
    ['all of audio', 400_000, "export * from '@earwitness/audio';"],
  ] as const) {
    writeFileSync(join(folder, 'some.mjs'), code);
    const bytes = printed(esbuild!, ['some.mjs', '--bundle', '--minify', '--format=esm', '--platform=browser']).length;
    t.diagnostic(`${what}: ${bytes} bytes`);
    assert.ok(bytes > 1000 && bytes < most, `${what}: expected fewer than ${most} bytes, but got ${bytes}`);
  }
});
