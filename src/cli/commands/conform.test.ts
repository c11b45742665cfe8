import assert from 'node:assert/strict';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { noPython } from '../../system/testing/no-python.ts';
import { runCommand, temporaryFolder } from '../testing/run-command.ts';

const examples = join(import.meta.dirname, '..', '..', '..', 'examples', 'programs');

for (const [language, program, skip] of [
  ['JavaScript', [process.execPath, join(examples, 'recognizer.mjs')], false],
  ['Python', ['python3', join(examples, 'recognizer.py')], noPython],
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

test('whoever waits for a program that says nothing is told what for', async () => {
  const mute = ['--start-limit', '4', '--does', 'embed', '--', 'sh', '-c', 'sleep 60'];
  const { code, stdout, stderr } = await runCommand(['conformance', ...mute]);
  assert.equal(code, 4, stderr);
  assert.match(
    stderr,
    /^still waiting whether it introduces itself, and nothing else .* \(at most, in seconds: --start-limit 4, --time-limit 300\)$/m,
  );
  assert.match(stdout, /^BROKEN +introduces itself/);
});

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
    'gives back a batch in the wrong order',
    'for (const { id, samples: length } of clips)',
    'for (const [id, length] of clips.map(({ samples: own }, place) => [clips.at(-1 - place).id, own]))',
    'answers every clip of a batch',
    /that is the transcript of clip \d/,
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
  [
    'answers in Latin-1',
    "import { stdin, stdout } from 'node:process';",
    "import { stdin, stdout as raw } from 'node:process';\nconst stdout = { write: (text) => raw.write(Buffer.from(text.replace('quiet', 'qui\\xe9t'), 'latin1')) };",
    'introduces itself',
    /no UTF-8 text: byte \d+ \(0xe9\)/,
  ],
  [
    'writes the end of a text of C',
    "'loud' : 'quiet'",
    "'loud\\0' : 'quiet'",
    'answers a clip with text',
    /has the character U\+0000/,
  ],
  [
    'gives all its lattice',
    "'transcript', id, ...transcribe(samples.",
    "'transcript', id, details: JSON.parse('{\"a\":'.repeat(99) + 1 + '}'.repeat(99)), ...transcribe(samples.",
    'answers a clip with text',
    /more than 64 lists and objects in each other/,
  ],
  [
    'gives all its scores',
    "'transcript', id, ...transcribe(samples.",
    "'transcript', id, details: { scores: Array(40_000).fill(1) }, ...transcribe(samples.",
    'answers a clip with text',
    /"details" has \d+ characters of JSON, more than 65536/,
  ],
  [
    'says all about its model',
    "version: '1', sampleRate",
    "version: '1', facts: { weights: Array(40_000).fill(1) }, sampleRate",
    'introduces itself',
    /"facts" has \d+ characters of JSON, more than 65536/,
  ],
  [
    'wants to be asked tomorrow',
    'let from = 0;\n    for (const { id, samples: length } of clips) {',
    "let from = 0;\n    for (const { id, samples: length } of clips) {\n      if (length < 99) { say({ say: 'failure', id, kind: 'unavailable', message: 'busy', retryable: true, retryAfterSeconds: 6e4 }); continue; }",
    'answers an empty clip',
    /left alone for 60000 s, where at most 3600/,
  ],
  [
    'ends after each answer',
    'from += length;',
    'from += length; setTimeout(() => process.exit(0), 50);',
    'stays after an answer',
    /ended with exit status 0/,
  ],
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

const rightSpeaker = readFileSync(join(examples, 'speaker.mjs'), 'utf8');
const rightEmbedder = readFileSync(join(examples, 'embedder.mjs'), 'utf8');
const rightPredictor = readFileSync(join(examples, 'predictor.mjs'), 'utf8');

for (const [task, name] of [
  ['speak', 'speaker'],
  ['embed', 'embedder'],
  ['predict', 'predictor'],
] as const) {
  test(`the example of what is there to ${task} keeps the protocol`, async () => {
    const program = [process.execPath, join(examples, `${name}.mjs`)];
    const { code, stdout } = await runCommand(['conformance', '--does', task, '--json', '--', ...program]);
    const { checks } = JSON.parse(stdout) as { checks: readonly { verdict: string; what: string }[] };
    assert.deepEqual(
      checks.filter(({ verdict }) => verdict === 'broken' || verdict === 'noted'),
      [],
    );
    assert.equal(code, 0);
    assert.ok(checks.length >= 9);
  });
}

for (const [task, right, from, to, broken, said] of [
  ['speak', rightSpeaker, '0.25 * Math.sin', '0 * Math.sin', 'speaks another text otherwise', /all samples are 0/],
  ['speak', rightSpeaker, "say({ say: 'speech', id", "say({ say: 'speech', id: 99, x", 'speaks a text', /answered 99/],
  ['speak', rightSpeaker, 'tones(line.text, line.voice).buffer', "''", 'speaks a text', /gave 0 bytes/],
  [
    'embed',
    rightEmbedder,
    'texts.map(vectorOf)',
    '[vectorOf(texts[0])]',
    'gives each text of a batch',
    /1 vectors, where 8/,
  ],
  [
    'embed',
    rightEmbedder,
    'return counts;',
    'return counts.map(() => Math.random() - 0.5);',
    'gives the same vector',
    /asked again, with a cosine of/,
  ],
  [
    'embed',
    rightEmbedder,
    'return counts;',
    'return counts.slice(0, 9 + text.length);',
    'gives vectors of one length',
    /they have 26 and 10/,
  ],
  [
    'embed',
    rightEmbedder,
    'return counts;',
    'return counts.map((count) => count / (text.length < 4000));',
    'answers control',
    /vectors/,
  ],
  [
    'predict',
    rightPredictor,
    '(near.filter(isTrue).length + 0.5)',
    '2 + (near.length)',
    'gives a chance',
    /2.*where a chance from 0 to 1/,
  ],
  [
    'predict',
    rightPredictor,
    '+ 0.5) / (near.length + 1)',
    ') / near.length',
    'gives chances where nothing',
    /determinable/,
  ],
  [
    'predict',
    rightPredictor,
    "does: 'predict'",
    "does: 'embed'",
    'introduces itself',
    /there to embed, but is asked to predict/,
  ],
  ...(
    [
      ['speak', rightSpeaker, "say({ say: 'speech', id: line.id, audio });"],
      ['embed', rightEmbedder, 'const counts ='],
      ['predict', rightPredictor, 'const determined ='],
    ] as const
  ).flatMap(([task, right, answers]) =>
    (
      [
        [
          "say: 'hello',",
          "say: 'hello', facts: { of: 'a\\0b' },",
          'introduces itself',
          /"facts" has the character U\+0000/,
        ],
        [
          "say({ say: 'opened' })",
          'process.stdout.write(Buffer.from(\'{"say":"opened","by":"caf\\xe9"}\\n\', \'latin1\'))',
          'introduces itself in the same way again, and opens',
          /no UTF-8 text: byte \d+ \(0xe9\)/,
        ],
        [
          "say({ say: 'opened' })",
          `process.stdout.write('{"say":"opened","a":' + '['.repeat(99) + ']'.repeat(99) + '}\\n')`,
          'introduces itself in the same way again, and opens',
          /more than 64 lists and objects in each other/,
        ],
        [answers, `setTimeout(() => process.exit(0), 50); ${answers}`, 'stays after an answer', /exit status 0/],
      ] as const
    ).map(([from, to, broken, said]) => [task, right, from, to, broken, said] as const),
  ),
] as const) {
  test(`a process that is there to ${task} is told what is wrong: it ${broken} not, where ${to} stands`, async () => {
    await using folder = await temporaryFolder();
    assert.ok(right.includes(from), from);
    writeFileSync(folder.file('wrong.mjs'), right.replace(from, to));
    const { code, stdout } = await runCommand([
      'conformance',
      '--does',
      task,
      '--',
      process.execPath,
      folder.file('wrong.mjs'),
    ]);
    assert.equal(code, 4, stdout);
    assert.match(stdout.split('\n').find((text) => text.startsWith(`BROKEN    ${broken}`)) ?? '', said, stdout);
  });
}

test('a program that is not there is told so', async () => {
  const { code, stdout } = await runCommand(['conformance', '--', './no-such-program']);
  assert.equal(code, 4);
  assert.match(stdout, /BROKEN {4}introduces itself.*no-such-program could not be started: there is none of that name/);
});

test('a Python script is started as a config starts it, by the Python that is named; a program that ends in .py as a program', {
  skip: noPython,
}, async () => {
  await using folder = await temporaryFolder();
  writeFileSync(
    folder.file('mine.py'),
    'import sys, earwitness\nearwitness.serve(lambda audio, rate, language: " ".join(sys.argv[1:]) + str(len(audio)))\n',
  );
  writeFileSync(folder.file('python'), '#!/bin/sh\necho chosen >&2\nexec python3 "$@"\n', { mode: 0o755 });
  const trial = async (...program: string[]) => {
    const { code, stdout } = await runCommand(['conformance', ...program], { cwd: folder.path });
    return `${code} ${/answers a clip with text: (.*)/.exec(stdout)?.[1] ?? stdout}`;
  };
  assert.equal(await trial('mine.py'), '0 "48000"');
  assert.equal(await trial('--', './mine.py', '--fast'), '0 "--fast48000"');
  assert.equal(await trial('mine.py', '--python', './python'), '0 "48000"');
  assert.match(
    await trial('mine.py', '--python', './absent'),
    /^4 .*absent could not be started: there is none of that name/s,
  );
  chmodSync(folder.file('mine.py'), 0o755);
  // It has no line that names its interpreter.
  assert.match(await trial('./mine.py'), /^4 .*BROKEN/s);
});
