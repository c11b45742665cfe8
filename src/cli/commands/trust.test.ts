import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import { exitCodes } from '../../base/errors.ts';
import { runCommand, sineWav, temporaryFolder } from '../testing/run-command.ts';

test('with --trust none a config of somebody else runs no module and no program, asks no host and reads no variable that is not allowed', async () => {
  await using folder = await temporaryFolder();
  const cwd = folder.path;
  const ran = folder.file('ran');
  await writeFile(folder.file('a.wav'), sineWav());
  await writeFile(folder.file('a.txt'), 'one two');
  await writeFile(
    folder.file('evil.mjs'),
    `import { writeFileSync } from 'node:fs'; writeFileSync(${JSON.stringify(ran)}, ''); export default {};`,
  );
  const scripted = { type: 'scripted', default: 'one two' };
  const host = { type: 'openai-compatible', baseUrl: 'http://127.0.0.1:9/v1', model: 'm' };
  const reference = ['$', '{RUN_TITLE}'].join('');
  const run = async (changes: object, more: readonly string[] = [], env: Readonly<Record<string, string>> = {}) => {
    const corpus = { type: 'folder', folder: '.', language: 'en' };
    const studies = [{ type: 'robustness', conditions: ['aequevox/noise:1'], resamples: 100 }];
    const config = { corpus, recognizers: { one: scripted }, studies, ...changes };
    await writeFile(folder.file('other.json'), JSON.stringify(config));
    return runCommand(['run', '-c', 'other.json', '--new', '--trust', 'none', ...more], { cwd, env });
  };
  const refused: readonly (readonly [object, RegExp])[] = [
    [{ recognizers: { one: { type: './evil.mjs' } } }, /--trust none\), but got the module \.\/evil\.mjs/],
    [{ studies: [{ type: './evil.mjs' }] }, /got the module \.\/evil\.mjs/],
    [{ studies: [{ type: 'robustness', normalizer: './evil.mjs' }] }, /got the module \.\/evil\.mjs/],
    [{ recognizers: { one: { type: 'command', program: ['touch', ran] } } }, /got "command", which starts a program/],
    [{ recognizers: { one: host } }, /got 127\.0\.0\.1:9; allow it with --allow-host 127\.0\.0\.1:9/],
    [
      { recognizers: { one: { ...host, baseUrl: 'ht\ttp://127.0.0.1:9/v1' } } },
      /allow it with --allow-host 127\.0\.0\.1:9/,
    ],
    [{ recognizers: { one: { ...host, baseUrl: '\u0001http://127.0.0.1:9/v1' } } }, /got 127\.0\.0\.1:9/],
    [
      { recognizers: { one: { type: 'transformers', model: 'openai/whisper-base' } } },
      /allow it with --allow-host huggingface\.co/,
    ],
    [
      { recognizers: { one: { type: 'hosted', service: 'deepgram', keyVariable: null } } },
      /got deepgram; allow it with --allow-host deepgram/,
    ],
    [
      { recognizers: { one: { type: 'hosted', service: 'deepgram', baseUrl: 'http://127.0.0.1:9' } } },
      /allow it with --allow-host 127\.0\.0\.1:9/,
    ],
    [
      { recognizers: { one: { type: 'hosted', service: 'aws-transcribe', bucket: 'theirs' } } },
      /got theirs; allow it with --allow-host theirs/,
    ],
    [{ name: reference }, /RUN_TITLE/],
  ];
  for (const [changes, sentence] of refused) {
    const { code, stderr } = await run(changes, [], { RUN_TITLE: 'sesame' });
    assert.equal(code, exitCodes['bad-config'], stderr);
    assert.match(stderr, sentence);
  }
  const program = folder.file('config.mjs');
  await writeFile(
    program,
    `import { writeFileSync } from 'node:fs'; writeFileSync(${JSON.stringify(ran)}, ''); export default {};`,
  );
  const code = await runCommand(['run', '-c', program, '--trust', 'none'], { cwd });
  assert.match(code.stderr, /a config that is a program/);
  assert.ok(!existsSync(ran), 'nothing of it ran');
  assert.equal((await run({})).code, 0);
  const allowed = await run({ name: reference }, ['--allow-variable', 'RUN_TITLE'], {
    RUN_TITLE: 'x',
  });
  assert.equal(allowed.code, 0, allowed.stderr);
  const asked = await run({ recognizers: { one: { ...host, limits: { attempts: 1 } } } }, [
    '--allow-host',
    '127.0.0.1:9',
  ]);
  assert.equal(asked.code, exitCodes['nothing-answered'], asked.stderr);

  // The config of a run that came by a merge is somebody else's: a program in it is not started unless that is said.
  const started = { one: { type: 'command', program: ['sh', '-c', `touch ${ran}; exit 1`] } };
  await writeFile(
    folder.file('own.json'),
    JSON.stringify({
      corpus: { type: 'folder', folder: '.', language: 'en' },
      recognizers: started,
      store: 'theirs.sqlite',
    }),
  );
  await runCommand(['run', '-c', 'own.json', '--limit', '1'], { cwd });
  await runCommand(['store', 'merge', 'theirs.sqlite', '--store', 'mine.sqlite'], { cwd });
  assert.ok(existsSync(ran), 'it ran where it was begun');
  const resumed = await runCommand(['resume', '--store', 'mine.sqlite'], { cwd });
  assert.equal(resumed.code, exitCodes['bad-config'], resumed.stderr);
  assert.match(resumed.stderr, /got "command", which starts a program/);
});

test('with --trust none a model in a folder asks no hub, and one that is not there does', async () => {
  await using folder = await temporaryFolder();
  await writeFile(folder.file('a.wav'), sineWav());
  await mkdir(folder.file('models/own'), { recursive: true });
  const run = async (model: string) => {
    const corpus = { type: 'folder', folder: '.', language: 'en' };
    const config = { corpus, recognizers: { one: { type: 'transformers', model } } };
    await writeFile(folder.file('other.json'), JSON.stringify(config));
    const args = ['run', '-c', folder.file('other.json'), '--trust', 'none'];
    // From elsewhere: folders of a config are meant from where it lies.
    const { code, stderr } = await runCommand(args, { cwd: '/' });
    assert.notEqual(code, 0);
    return stderr;
  };
  for (const here of ['models/own', './models', '../models']) assert.doesNotMatch(await run(here), /allow/, here);
  assert.match(await run('models/other'), /allow it with --allow-host huggingface\.co/);
});

test('what is allowed without --trust none is refused, since nothing was forbidden', async () => {
  const { code, stderr } = await runCommand(['run', '--allow-host', 'api.example.org']);
  assert.equal(code, exitCodes['bad-usage'], stderr);
  assert.match(stderr, /expected --trust none beside --allow-host api\.example\.org: /);
  await using folder = await temporaryFolder();
  for (const more of [[], ['--trust', 'all']]) {
    const resumed = await runCommand(['resume', '--allow-host', 'api.example.org', ...more], { cwd: folder.path });
    assert.equal(resumed.code, exitCodes['bad-usage'], resumed.stderr);
    assert.match(resumed.stderr, /expected --trust none beside --allow-host api\.example\.org: /);
  }
});
