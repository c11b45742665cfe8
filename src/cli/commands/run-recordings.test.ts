import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { encodeWav } from '../../audio/encode-wav.ts';
import { exitCodes } from '../../base/errors.ts';
import { plainServices, tones } from '../../recognizers/testing/tones.ts';
import { letterHz, writeTinyCtc } from '../../recognizers/transformers/testing/tiny-ctc.ts';
import { transformers } from '../../recognizers/transformers/transformers.ts';
import { loadConfig } from '../../session/config/load-config.ts';
import { runCommand, sineWav, temporaryFolder } from '../testing/run-command.ts';

/** Writes down each call, and hears the same words always. */
const program = '#!/bin/sh\necho called >> calls.txt\necho so say all of us\n';

async function recordings(count: number) {
  const folder = await temporaryFolder();
  await mkdir(folder.file('recordings'));
  for (let number = 0; number < count; number++) {
    // Each its own sound: one heard before would not be asked again.
    await writeFile(folder.file(`recordings/s${number % 4}-${number}.wav`), sineWav(300 + number, 8000, 0.5));
    await writeFile(folder.file(`recordings/s${number % 4}-${number}.txt`), 'so say all of them');
  }
  await writeFile(folder.file('hear.sh'), program);
  await chmod(folder.file('hear.sh'), 0o755);
  const calls = async () => (await readFile(folder.file('calls.txt'), 'utf8')).split('\n').length - 1;
  return Object.assign(folder, { calls });
}

test('a preview asks about ten and reckons the rest, and the whole run asks only what is left, also of a program', async () => {
  await using folder = await recordings(14);
  const typed = ['run', 'recordings', '--recognizer', './hear.sh', '--no-sound'];
  const preview = await runCommand([...typed, '--preview'], { cwd: folder.path });
  assert.equal(preview.code, 0, preview.stderr);
  assert.match(preview.stderr, /^Wrote earwitness\.config\.yaml: from now on `earwitness run` does the same\.$/m);
  assert.match(preview.stdout, /hear: 20\.0 % WER on clean audio|20\.0 %/);
  assert.match(preview.stdout, /^This was a preview: 10 of 14 utterances \(7 s\)\.$/m);
  // So short a program may have ended before its processor time was read.
  assert.match(
    preview.stdout,
    /^The rest needs 4 recognitions of 2 s of audio, about \d+ s if the machine stays as\s+busy as it was(?: \(\d+ s of processor time\))?\.\s+Finished\s+recognitions/m,
  );
  assert.match(preview.stdout, /^Next: earwitness run$/m);
  assert.equal(await folder.calls(), 10);
  const resumed = await runCommand(['resume', '--no-sound'], { cwd: folder.path });
  assert.match(resumed.stdout, /^This was a preview: 10 of 14 utterances/m, resumed.stderr);

  const again = await runCommand([...typed, '--preview', '--json'], { cwd: folder.path });
  assert.match(again.stderr, /^earwitness\.config\.yaml already exists as this command writes it, and is used\.$/m);
  assert.equal(JSON.parse(again.stdout).tally.reused, 10, again.stderr);
  const whole = await runCommand(['run', '--no-sound', '--json'], { cwd: folder.path });
  assert.equal(whole.code, 0, whole.stderr);
  assert.deepEqual([JSON.parse(whole.stdout).tally.trials, JSON.parse(whole.stdout).tally.reused], [14, 10]);
  assert.equal(await folder.calls(), 14);
  assert.doesNotMatch(preview.stderr + whole.stderr, /recognizes everything again/);
  // A program may have changed since: a run that completes no preview asks anew, and says so first.
  const anew = await runCommand(['run', '--no-sound'], { cwd: folder.path });
  const [line, epoch] =
    /^hear recognizes everything again, also what it recognized in the run begun \S+ \S+ UTC: .*`epoch: (\S+)`.*$/m.exec(
      anew.stderr,
    ) ?? [];
  assert.ok(
    line !== undefined && anew.stderr.indexOf(line) < anew.stderr.indexOf('testing the recognizer'),
    anew.stderr,
  );
  assert.equal(await folder.calls(), 28);
  // What it says is so: nothing is asked any more.
  const file = folder.file('earwitness.config.yaml');
  await writeFile(file, (await readFile(file, 'utf8')).replace('    type: command\n', `$&    epoch: ${epoch}\n`));
  for (const _ of ['the next', 'and the one after']) {
    const kept = await runCommand(['run', '--no-sound'], { cwd: folder.path });
    assert.equal(kept.code, 0, kept.stderr);
    assert.doesNotMatch(kept.stderr, /recognizes everything again/);
    assert.equal(await folder.calls(), 28);
  }
});

test('a program that prints JSON is refused before the rest is asked, and read as the refusal says', async () => {
  await using folder = await recordings(5);
  const printed = '{"model": "m", "text": "so say all of them"}';
  await writeFile(folder.file('json.sh'), `#!/bin/sh\necho called >> calls.txt\necho '${printed}'\n`, { mode: 0o755 });
  const run = (program: string) =>
    runCommand(['run', 'recordings', '-r', program, '--no-sound', '--json'], { cwd: folder.path });
  const refused = await run('./json.sh');
  assert.equal(refused.code, exitCodes['nothing-answered'], refused.stderr);
  const [, options] = /the program printed JSON.*-r "\.\/PROGRAM:(\S+)"/.exec(refused.stderr) ?? [];
  assert.equal(options, 'output=json,textPath=text', refused.stderr);
  assert.equal(await folder.calls(), 3);
  const heard = await run(`./json.sh:${options},version=1`);
  assert.equal(heard.code, 0, heard.stderr);
  assert.equal(await folder.calls(), 8);
  const [json] = JSON.parse(heard.stdout).recognizers;
  assert.deepEqual([json.name, json.identity.version], ['json', '1']);
  // Its version says that it is the same.
  assert.equal((await run(`./json.sh:${options},version=1`)).code, 0);
  assert.equal(await folder.calls(), 8);
});

test('a second recognizer is added to the config that the first wrote, unless somebody has edited it', async () => {
  await using folder = await recordings(1);
  const run = (...args: string[]) => runCommand(['run', 'recordings', ...args, '--no-sound'], { cwd: folder.path });
  assert.equal((await run('-r', './hear.sh')).code, 0);
  const added = await run('-r', 'other=./hear.sh:version=2');
  assert.equal(added.code, 0, added.stderr);
  assert.match(added.stderr, /^Added other to earwitness\.config\.yaml\.$/m);
  const { config } = await loadConfig(folder.file('earwitness.config.yaml'));
  assert.deepEqual(Object.keys(config.recognizers), ['hear', 'other']);
  // What somebody has written is left as it is, also where the name alone is taken.
  const there = await readFile(folder.file('earwitness.config.yaml'), 'utf8');
  assert.match(
    (await run('-r', 'other=./hear.sh:version=3')).stderr,
    /already exists and differs; to add what you named/,
  );
  await writeFile(folder.file('earwitness.config.yaml'), `${there}# mine\n`);
  assert.match((await run('-r', 'third=./hear.sh')).stderr, /already exists and differs; to add what you named/);
  assert.equal(await readFile(folder.file('earwitness.config.yaml'), 'utf8'), `${there}# mine\n`);
});

test('a config that says something else is neither used nor overwritten, and what needs recordings says so', async () => {
  await using folder = await recordings(1);
  const run = (...args: string[]) => runCommand(['run', ...args, '--no-sound'], { cwd: folder.path });
  const refused = async (code: keyof typeof exitCodes, message: RegExp, ...args: string[]) => {
    const ended = await run(...args);
    assert.equal(ended.code, exitCodes[code], ended.stderr);
    assert.match(ended.stderr, message);
  };
  assert.equal((await run('recordings', '-r', './hear.sh', '-c', 'calls.yaml')).code, 0);
  const { config } = await loadConfig(folder.file('calls.yaml'));
  assert.deepEqual(config.studies[0]?.options.conditions, []);
  const there = await readFile(folder.file('calls.yaml'), 'utf8');
  const other =
    /calls\.yaml already exists and differs; to add what you named, write under its recognizers: hear: .*; or use it with `earwitness run` alone, remove it/;
  await refused('bad-input', other, 'recordings', '-r', './hear.sh', '--noise', '-c', 'calls.yaml');
  assert.equal(await readFile(folder.file('calls.yaml'), 'utf8'), there);
  await writeFile(folder.file('earwitness.config.json'), '{}');
  await refused('bad-input', /earwitness\.config\.json already exists/, 'recordings', '-r', './hear.sh');
  await rm(folder.file('earwitness.config.json'));
  await writeFile(folder.file('study.json'), '{"recognizers":{}}');
  for (const name of ['earwitness.config.yaml', 'calls.yaml', 'study.mts', 'study.json'])
    await refused('bad-usage', new RegExp(`${name} is a config; run it with --config ${name}`), name);
  await refused('bad-usage', /expected recordings beside --noise, as in: earwitness run recordings/, '--noise');
  await refused('bad-usage', /a name for the config that ends in \.yaml or \.ts/, 'recordings', '-c', 'a.json');
  await mkdir(folder.file('empty'));
  await refused('bad-input', /No recordings found in empty \(wav, flac/, 'empty', '-r', './hear.sh');
  const sound = /one audio file; name its folder/;
  await refused('bad-input', sound, 'recordings/s0-0.wav', '-r', './hear.sh');
});

test('the config of a run that ended before it began is removed, so that another recognizer can be named', async () => {
  await using folder = await recordings(2);
  await writeFile(folder.file('deaf.sh'), '#!/bin/sh\nexit 3\n', { mode: 0o755 });
  const config = 'earwitness.config.yaml';
  const run = (...programs: string[]) => {
    const named = programs.flatMap((program) => ['-r', program]);
    return runCommand(['run', 'recordings', ...named, '--no-sound', '--json'], { cwd: folder.path });
  };
  for (const programs of [['./deaf.sh'], ['./hear.sh', './deaf.sh']]) {
    const deaf = await run(...programs);
    assert.equal(deaf.code, exitCodes['nothing-answered'], deaf.stderr);
    const removed = 'Removed earwitness.config.yaml again, so that you can choose other recognizers.';
    assert.ok(deaf.stderr.includes(`\n${removed}\nearwitness: deaf answered none of`), deaf.stderr);
    assert.equal(existsSync(folder.file(config)), false);
  }
  // Asked all the same, to the end: with a report, and nothing in it.
  const all = ['run', 'recordings', '-r', './deaf.sh', '--no-sound', '--max-failed', '1', '--preview'];
  const asked = await runCommand(all, { cwd: folder.path });
  assert.equal(asked.code, exitCodes['nothing-answered'], asked.stderr);
  assert.match(asked.stdout, /^Report: /m);
  assert.doesNotMatch(asked.stdout, /Next:|nothing is left/);
  assert.equal(existsSync(folder.file(config)), false);
  const heard = await run('./hear.sh');
  assert.equal(heard.code, 0, heard.stderr);
  // One that somebody wrote, or that was answered to, stays.
  const written = await readFile(folder.file(config), 'utf8');
  await writeFile(folder.file('hear.sh'), '#!/bin/sh\nexit 3\n');
  assert.equal((await run('./hear.sh')).code, exitCodes['nothing-answered']);
  assert.equal(await readFile(folder.file(config), 'utf8'), written);
});

const readiness = await transformers.readiness(plainServices('.', {}));

test('a model of the hub is downloaded when it is first used, and noise is asked about where no words are known', {
  skip: readiness.ready ? false : readiness.found,
}, async () => {
  await using folder = await temporaryFolder();
  const model = writeTinyCtc(folder.file('model'));
  const names = [
    'config.json',
    'preprocessor_config.json',
    'tokenizer.json',
    'tokenizer_config.json',
    'onnx/model.onnx',
  ];
  const asked: string[] = [];
  const server = createServer(async (incoming, answer) => {
    asked.push(incoming.url!);
    const [, file] = /^\/some\/speller\/resolve\/e{40}\/(.+)$/.exec(incoming.url!) ?? [];
    if (file !== undefined) answer.end(await readFile(join(model, file)));
    else {
      const siblings = names.map((rfilename) => ({ rfilename }));
      answer.end(JSON.stringify({ sha: 'e'.repeat(40), siblings }));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    await mkdir(folder.file('spelled'));
    const letters = [letterHz.a, letterHz.b];
    await writeFile(folder.file('spelled/ab.wav'), encodeWav(tones(letters), { format: 's16' }));
    const env = {
      HF_ENDPOINT: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      EARWITNESS_CACHE: folder.file('cache'),
    };
    const typed = ['run', 'spelled', '-r', 'whisper:some/speller', '--preview', '--no-sound', '--json'];
    const { code, stdout, stderr } = await runCommand(typed, { cwd: folder.path, env });
    assert.equal(code, 0, stderr);
    assert.match(stderr, /^Without references, the study metamorphic measures how transcripts change/m);
    assert.match(stderr, /^downloading some\/speller: onnx\/model\.onnx/m);
    assert.equal(JSON.parse(stdout).findings[0].study.name, 'metamorphic');
    assert.equal(JSON.parse(stdout).tally.failed, 0);
    assert.equal(asked.filter((url) => url.endsWith('.onnx')).length, 1);
    const { config } = await loadConfig(folder.file('earwitness.config.yaml'));
    assert.equal(config.recognizers.speller?.options.model, 'some/speller');
  } finally {
    server.close();
    server.closeAllConnections();
  }
});
