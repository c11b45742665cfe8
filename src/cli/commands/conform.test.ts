import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { runCommand, temporaryFolder } from '../testing/run-command.ts';

const examples = join(import.meta.dirname, '..', '..', '..', 'examples', 'programs');
const python = spawnSync('python3', ['--version']).status === 0;

for (const [language, program, skip] of [
  ['JavaScript', [process.execPath, join(examples, 'recognizer.mjs')], false],
  ['Python', ['python3', join(examples, 'recognizer.py')], python ? false : 'there is no python3 on this machine'],
  ['sh', ['sh', join(examples, 'recognizer.sh')], false],
] as const) {
  test(`the example in ${language} keeps the protocol`, { skip }, async () => {
    const { code, stdout, stderr } = await runCommand(['conformance', '--json', '--', ...program]);
    const { conforms, checks } = JSON.parse(stdout) as {
      conforms: boolean;
      checks: readonly { what: string; verdict: string; found: string }[];
    };
    assert.deepEqual(
      checks.filter(({ verdict }) => verdict === 'broken' || verdict === 'noted'),
      [],
    );
    assert.deepEqual([code, conforms, stderr], [0, true, '']);
    assert.ok(checks.filter(({ verdict }) => verdict === 'kept').length >= 12);
  });
}

const right = readFileSync(join(examples, 'recognizer.mjs'), 'utf8');

for (const [fault, from, to, broken, said] of [
  [
    'prints',
    'words = [];',
    "words = []; console.log('thinking');",
    'answers a clip with text',
    /printed "thinking" where/,
  ],
  [
    'greets with a print',
    'const answer',
    "console.log('hi');\nconst answer",
    'introduces itself',
    /printed "hi" where/,
  ],
  [
    'answers the first clip of a batch alone',
    'for (const { id, samples: length } of clips)',
    'for (const { id, samples: length } of clips.slice(0, 1))',
    'answers every clip of a batch',
    /no answer within 5 s/,
  ],
  [
    'dies of an empty clip',
    'const words = [];',
    'const words = []; if (samples.length === 0) process.exit(7);',
    'answers an empty clip',
    /exit status 7/,
  ],
  ['does not know ping', "ping: ({ id }) => say({ say: 'pong', id }),", '', 'answers "ping"', /no "pong" within 1 s/],
  [
    'dies of what it does not know',
    'answer[line.say]?.(',
    'answer[line.say](',
    'passes over messages',
    /exit status 1.*TypeError/,
  ],
  [
    'answers twice',
    "say({ say: 'transcript', id, ...transcribe(samples.subarray(from, from + length)) });\n      from",
    "for (let twice = 0; twice < 2; twice++) say({ say: 'transcript', id, ...transcribe(samples.subarray(from, from + length)) });\n      from",
    '',
    /has answered before/,
  ],
  ['stays', 'close: () => process.exit(0),', 'close: () => {},', 'ends within 1 s when it is told', /had to be killed/],
  ['gives words after the end', 'end });', 'end: end + 9 });', 'gives words in order', /after the clip/],
] as const) {
  test(`a program that ${fault} is told so`, async () => {
    await using folder = await temporaryFolder();
    assert.ok(right.includes(from), from);
    writeFileSync(folder.file('wrong.mjs'), right.replace(from, to));
    // Only one of them never answers.
    const limit = fault.startsWith('answers the first') ? '5' : '120';
    const trial = ['conformance', '--time-limit', limit, '--', process.execPath, folder.file('wrong.mjs')];
    const { code, stdout, stderr } = await runCommand(trial);
    assert.equal(code, 4, stdout);
    const line = stdout.split('\n').find((text) => text.startsWith(`BROKEN    ${broken}`)) ?? '';
    // What comes too often breaks whichever check reads it.
    assert.match(line, said, stdout);
    assert.match(stderr, /expected a program that keeps the protocol, but .*\(docs\/protocol\.md\)/);
  });
}

test('a program that is not there is told so', async () => {
  const { code, stdout } = await runCommand(['conformance', '--', './no-such-program']);
  assert.equal(code, 4);
  assert.match(stdout, /BROKEN {4}introduces itself.*no-such-program could not be started: there is none of that name/);
});
