import assert from 'node:assert/strict';
import { copyFile, writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { exitCodes } from '../../base/errors.ts';
import { memberNames } from '../../session/members/load-member.ts';
import { runCommand, sineWav, temporaryFolder } from '../testing/run-command.ts';

const machine = JSON.parse((await runCommand(['doctor', '--json'])).stdout);
const ready = (family: string, name: string): boolean =>
  machine[family].some((member: { name: string; ready: boolean }) => member.name === name && member.ready);
const skipWithout = (...needed: [string, string][]) => {
  const missing = needed.filter(([family, name]) => !ready(family, name)).map(([, name]) => name);
  return missing.length > 0 && `not installed: ${missing.join(', ')}`;
};

test('what speak says, recognize hears: most of the words come back', {
  skip: skipWithout(['recognizers', 'pocketsphinx'], ['synthesizers', 'flite']),
}, async () => {
  await using folder = await temporaryFolder();
  const text = 'go forward ten meters';
  const spoken = await runCommand(['speak', text, '-s', 'flite', '-o', 'said.wav', '--json'], { cwd: folder.path });
  assert.equal(spoken.code, 0, spoken.stderr);
  assert.ok(JSON.parse(spoken.stdout).durationSeconds > 0.8);
  const heard = await runCommand(['recognize', 'said.wav', '-r', 'pocketsphinx'], { cwd: folder.path });
  assert.equal(heard.code, 0, heard.stderr);
  const words = heard.stdout.trim().split(' ');
  assert.ok(text.split(' ').filter((word) => words.includes(word)).length >= 2, heard.stdout);

  const again = await runCommand(['speak', text, '-s', 'flite', '-o', 'said.wav'], { cwd: folder.path });
  assert.equal(again.code, exitCodes['bad-input'], 'the file is there');
  const voice = await runCommand(['speak', text, '-s', 'flite', '-v', 'nobody', '-o', 'b.wav'], { cwd: folder.path });
  assert.equal(voice.code, exitCodes['bad-usage']);
  assert.match(voice.stderr, /unknown voice "nobody"/);
});

test('speak starts a process that stays by its path', async () => {
  await using folder = await temporaryFolder();
  const speaker = fileURLToPath(new URL('../../../examples/programs/speaker.mjs', import.meta.url));
  await copyFile(speaker, folder.file('speaker.mjs'));
  const args = ['speak', 'four', '-s', 'program:./speaker.mjs', '-v', 'high', '-o', 'said.wav', '--json'];
  const { code, stdout, stderr } = await runCommand(args, { cwd: folder.path });
  assert.equal(code, 0, stderr);
  // 50 ms for each character.
  assert.equal(JSON.parse(stdout).durationSeconds, 0.2);
  const absent = ['speak', 'four', '-s', 'python:nowhere.py', '-o', 'b.wav'];
  const missing = await runCommand(absent, { cwd: folder.path });
  assert.equal(missing.code, exitCodes['bad-usage']);
  assert.match(missing.stderr, /expected a Python file at nowhere\.py, but there is none/);
});

test('speak takes a voice of the language that is asked for, and asks for one where voices have several', async () => {
  await using folder = await temporaryFolder();
  const speaker = fileURLToPath(new URL('../../../examples/programs/speaker.mjs', import.meta.url));
  // In the order of eSpeak NG 1.51, in which Afrikaans and the Caribbean come first.
  const voices = ['af', 'en-029', 'en-GB', 'en-US', 'fr-BE', 'fr-FR'].map((language) => ({ name: language, language }));
  const speak = (...more: string[]) => {
    const spec = `program:${JSON.stringify({ program: ['node', speaker], voices })}`;
    return runCommand(['speak', 'four', '-s', spec, '-o', 'said.wav', '--force', '--json', ...more], {
      cwd: folder.path,
    });
  };
  for (const [language, voice] of [
    ['en', 'en-US'],
    ['en-GB', 'en-GB'],
    ['fr', 'fr-FR'],
    ['af', 'af'],
  ] as const) {
    const { stdout, stderr } = await speak('--language', language);
    assert.equal(JSON.parse(stdout || '{}').voice, voice, stderr);
  }
  for (const [more, said] of [
    [[], /because the synthesizer speaks 3 languages \(af, en, fr\); add --language en or so/],
    [['--language', 'de'], /expected the synthesizer to have a voice of de, but it speaks af, en, fr/],
    [['--language', 'en', '--voice', 'af'], /expected a voice of en, but "af" speaks af/],
  ] as const) {
    const { code, stderr } = await speak(...more);
    assert.equal(code, exitCodes['bad-usage']);
    assert.match(stderr, said);
  }
});

test('recognize answers for the good files where others cannot be read', {
  skip: skipWithout(['recognizers', 'pocketsphinx']),
}, async () => {
  await using folder = await temporaryFolder();
  await writeFile(folder.file('tone.wav'), sineWav(440, 16000));
  await writeFile(folder.file('empty.wav'), '');
  const args = ['recognize', 'empty.wav', 'tone.wav', 'absent\u001b[2J.wav', '-r', 'pocketsphinx', '--json'];
  const { code, stdout, stderr } = await runCommand(args, { cwd: folder.path });
  assert.equal(code, exitCodes['bad-input']);
  const { answers } = JSON.parse(stdout);
  assert.deepEqual(
    answers.map(({ failure }: { failure?: { kind: string } }) => failure?.kind),
    ['sound', undefined, 'sound'],
  );
  assert.equal(answers[1].soundSeconds, 1);
  assert.ok(!stderr.includes('\u001b'));
  assert.match(stderr, /2 of 3 files have no transcript/);
});

test('a spec with a wrong type, option or form gets a sentence', async () => {
  for (const [spec, code, said] of [
    ['pocketsfinx', 'bad-config', /did you mean "pocketsphinx"\?/],
    ['pocketsphinx:beems=narrow', 'bad-usage', /unknown key "beems"; did you mean "beams"\?/],
    ['pocketsphinx:maxHmmsPerFrame=wide', 'bad-usage', /maxHmmsPerFrame: expected a number, but got "wide"/],
    ['pocketsphinx:{beams}', 'bad-usage', /no JSON/],
    ['pocketsphinx:beams', 'bad-usage', /expected option=value/],
    ['./nothing.ts', 'bad-config', /expected a module with a recognizer/],
  ] as const) {
    const answer = await runCommand(['recognize', 'a.wav', '-r', spec]);
    assert.equal(answer.code, exitCodes[code], answer.stderr);
    assert.match(answer.stderr, said);
  }
});

test('completion scripts know commands, members and scenarios', async () => {
  for (const shell of ['bash', 'zsh', 'fish']) {
    const { code, stdout } = await runCommand(['completion', shell]);
    assert.equal(code, 0);
    for (const word of ['perturb', 'aequevox/noise:3', 'processes', ...memberNames('recognizers')])
      assert.ok(stdout.includes(word), word);
  }
});
