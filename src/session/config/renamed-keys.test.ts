import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import { runCommand, sineWav, temporaryFolder } from '../../cli/testing/run-command.ts';
import { loadMember } from '../members/load-member.ts';
import { knownKeys, writtenJsonSchema } from '../members/option-schema.ts';
import { purposeOf } from '../stored/purpose.ts';
import { loadConfig } from './load-config.ts';
import { keptWithPresentNames, renamedKeys, withFirstNames } from './renamed-keys.ts';

const families = { corpus: 'corpora', recognizers: 'recognizers', studies: 'studies' } as const;

test('every key of the map is an option of its member under its new name, and none under its old one', async () => {
  for (const { part, type, old, now } of renamedKeys) {
    const { member } = await loadMember(families[part], type, '.');
    const known = knownKeys(writtenJsonSchema(member.options as never), old.slice(0, -1));
    assert.ok(known.includes(now), `${type}: ${now}`);
    assert.ok(!known.includes(old.at(-1)!), `${type}: ${old.join('.')}`);
  }
});

/** Every old name there is, each in a line of its own. */
const everyOldName = `corpus:
  - type: sentences
    texts: [good morning]
    synthesizer: flite
    mostCharacters: 200
  - type: silence
    shortest: 1
    longest: 2
synthesizers: { flite: { type: flite } }
recognizers:
  echo:
    type: scripted
    hearsSound: true
studies:
  - type: corpus
  - type: differential
    mostCases: 7
  - type: fault-words
    most: 5
  - type: threshold
    leastQuestions: 16
    mostQuestions: 32
`;

test('a config of old names is the config of new ones, with a warning for each that names its line', async () => {
  await using folder = await temporaryFolder();
  const lines = everyOldName.split('\n');
  let renewed = lines;
  for (const { old, now } of renamedKeys)
    renewed = renewed.map((line) => line.replace(new RegExp(`^( +)${old.at(-1)}:`), `$1${now}:`));
  await writeFile(folder.file('old.yaml'), everyOldName);
  await writeFile(folder.file('new.yaml'), renewed.join('\n'));
  const before = await loadConfig(folder.file('old.yaml'));
  const now = await loadConfig(folder.file('new.yaml'));
  assert.deepEqual(before.config, now.config);
  assert.equal(now.warnings, undefined);
  assert.equal(purposeOf(before.config, '.', null), purposeOf(now.config, '.', null));

  assert.equal(before.warnings?.length, renamedKeys.length);
  for (const { old, now } of renamedKeys) {
    const line = 1 + lines.findIndex((text) => text.trimStart().startsWith(`${old.at(-1)}:`));
    const told: readonly string[] = (before.warnings ?? []).filter((warning) => warning.includes(`old.yaml:${line}:`));
    assert.equal(told.length, 1, `${line}: ${(before.warnings ?? []).join('\n')}`);
    assert.match(told[0]!, new RegExp(`\\.${old.at(-1)}: this key is called ${now} now; rename it`));
  }
});

test('what is hashed of a config has the first names, and what a store kept gets the new ones', async () => {
  await using folder = await temporaryFolder();
  await writeFile(folder.file('old.yaml'), everyOldName);
  const { config } = await loadConfig(folder.file('old.yaml'));
  const first = withFirstNames(config);
  assert.deepEqual(Object.keys(first.studies[3]!.options).includes('maxTrials'), false);
  assert.equal(first.studies[3]!.options.mostQuestions, 32);
  assert.equal(first.recognizers.echo!.options.hearsSound, true);
  assert.deepEqual(keptWithPresentNames(first), config);
});

test('a wrong value under an old name is told at its line, and both names at once are refused', async () => {
  await using folder = await temporaryFolder();
  const config = (options: string) =>
    `corpus: { type: silence, clips: 2 }\nrecognizers: { a: { type: scripted } }\nstudies:\n  - type: threshold\n${options}`;
  await writeFile(folder.file('c.yaml'), config('    mostQuestions: many\n'));
  await assert.rejects(loadConfig(folder.file('c.yaml')), {
    message: /c\.yaml:5:20: studies\[0\]\.mostQuestions: expected a number, but got "many"$/,
  });
  await writeFile(folder.file('c.yaml'), config('    maxTrials: 32\n    mostQuestions: 48\n'));
  await assert.rejects(loadConfig(folder.file('c.yaml')), {
    message: /c\.yaml:6:5: studies\[0\]: unknown key "mostQuestions"/,
  });
});

test('a run of old names warns of each once and finds the same; under new names nothing is asked again', async () => {
  await using folder = await temporaryFolder();
  await mkdir(folder.file('clips'));
  const rows = ['id,path,reference,speaker'];
  for (let index = 0; index < 12; index++) {
    await writeFile(folder.file(`clips/${index}.wav`), sineWav(200 + 10 * index, 8000, 0.3));
    rows.push(`u${index},clips/${index}.wav,one two three four,s${index}`);
  }
  await writeFile(folder.file('clips.csv'), `${rows.join('\n')}\n`);
  const config = (audio: string, words: string) =>
    [
      'corpus: { type: manifest, file: clips.csv }',
      'recognizers:',
      `  good: { type: scripted, ${audio}: true, default: one two three four }`,
      `  bad: { type: scripted, ${audio}: true, default: "one too three {hash}" }`,
      'studies:',
      `  - { type: fault-words, conditions: ['aequevox/noise:1'], ${words}: 3 }`,
      'report: { sound: false }',
    ].join('\n');
  const run = async (text: string) => {
    await writeFile(folder.file('earwitness.config.yaml'), text);
    const { code, stdout, stderr } = await runCommand(['run', '--new', '--json'], { cwd: folder.path });
    assert.equal(code, 0, stderr);
    const { tally, findings } = JSON.parse(stdout);
    return { tally, findings, stderr };
  };
  const before = await run(config('hearsSound', 'most'));
  const now = await run(config('needsAudio', 'maxWords'));
  assert.deepEqual(before.findings, now.findings);
  assert.ok(before.tally.answered > 0);
  assert.equal(now.tally.reused, before.tally.answered);
  const places: readonly (readonly [string, RegExp])[] = [
    ['needsAudio', /config\.yaml:3:\d+: recognizers\.good\.hearsSound/],
    ['maxWords', /config\.yaml:6:\d+: studies\[0\]\.most:/],
  ];
  for (const [name, place] of places) {
    assert.match(before.stderr, place);
    const times = before.stderr.split(`is called ${name} now`).length - 1;
    assert.equal(times, name === 'needsAudio' ? 2 : 1);
    assert.ok(!now.stderr.includes(`is called ${name}`));
  }
});
