import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import { runCommand, temporaryFolder } from '../testing/run-command.ts';
import { wordsAlone } from './words-alone.ts';

const said = 'the train leaves at seven|put the letters down|nobody expected snow|she sells sea shells|so it is'.split(
  '|',
);
const lines = (line: (text: string, place: number) => string) => said.map(line);

async function scored(files: Readonly<Record<string, readonly string[]>>) {
  await using folder = await temporaryFolder();
  for (const [name, content] of Object.entries(files)) await writeFile(folder.file(name), `${content.join('\n')}\n`);
  const { stdout, stderr } = await runCommand(['score', ...Object.keys(files), '-n', 'none'], { cwd: folder.path });
  return (stderr || stdout).replace(/\s+/g, ' ');
}

const right = /all 19 19 0 0 0 0\.0 %/;

test('times and speakers before lines are no words, in whatever form, and the first line says so', async () => {
  const at = (place: number) => `0:0${place}`;
  const forms: readonly ((text: string, place: number) => string)[] = [
    (text, place) => `[0${at(place)}] Speaker ${place % 2}: ${text}`,
    (text, place) => `(${at(place)}) ${text}`,
    (text, place) => `00:0${at(place)} - ${text}`,
    (text, place) => `[SPEAKER_0${place % 2}] ${place}.0s - ${place + 1}.0s: ${text}`,
    (text, place) => `[${place}.00s -> ${place + 1}.00s] ${text}`,
    (text, place) => `[00:0${at(place)}.120 --> 00:0${at(place)}.900] ${text}`.replace('[0', '<0').replace('] ', '> '),
    (text, place) => `0${at(place)}\t${text}`,
  ];
  for (const form of forms) {
    const told = await scored({ 'a.txt': said, 'b.txt': lines(form) });
    assert.match(told, right, form('', 1));
    assert.match(told, /times before texts left out/, form('', 1));
    assert.match(await scored({ 'a.txt': lines(form), 'b.txt': said }), right, form('', 1));
  }
  assert.match(
    await scored({ 'a.txt': said, 'b.txt': lines(forms[0]!) }),
    /left out, names of speakers left out: Speaker 0, Speaker 1/,
  );
  assert.deepEqual(wordsAlone(lines(forms[3]!), said, 'b.txt').of(forms[3]!('so', 1)), {
    text: 'so',
    speaker: 'SPEAKER_01',
  });
});

test('times before some lines alone are refused; times that go back are of no recording, and numbers of sentences are words', async () => {
  const some = lines((text, place) => (place < 3 ? `[0:0${place}] ${text}` : text));
  assert.match(
    await scored({ 'a.txt': said, 'b.txt': some }),
    /^earwitness: b\.txt: expected times before all texts or before none, but 3 of 5 begin with one \(".0:00. the train leaves at seven"\)/,
  );
  assert.equal(wordsAlone(['12:30 - we met', '9:15 - she left', '10:00 - it rained'], [], 'a.txt').told, null);
  assert.equal(wordsAlone(['12:30 we met', '12:45 she left', '13:00 it rained'], [], 'a.txt').told, null);
  // The lines of one text go on below their times.
  assert.equal(wordsAlone(some, [], null).of(some[0]!).text, said[0]);
});

test('names before a colon are words where the other text has them too, and none where both have them before a colon', async () => {
  const people = ['Matthew', 'Mark', 'Luke', 'Matthew', 'Mark'];
  const named = (mark: string, name = (place: number) => people[place]!) =>
    lines((text, place) => `${name(place)}${mark} ${text}`);
  const spoken = /all 24 24 0 0 0 0\.0 %/;
  await using folder = await temporaryFolder();
  for (const [reference, hypothesis, expected] of [
    [named(':'), named(','), spoken],
    [named(':', () => 'warning'), named('', () => 'warning'), spoken],
    [named(':'), said, right],
    [named(':'), named(':'), right],
    [said, named(':'), right],
  ] as const) {
    const table = [
      'text,pred',
      ...reference.map((text, place) => `${JSON.stringify(text)},${JSON.stringify(hypothesis[place])}`),
    ];
    await writeFile(folder.file('t.csv'), `${table.join('\n')}\n`);
    await writeFile(folder.file('a.txt'), `${reference.join('\n')}\n`);
    await writeFile(folder.file('b.txt'), `${hypothesis.join('\n')}\n`);
    for (const files of [['t.csv'], ['a.txt', 'b.txt']]) {
      const { stdout } = await runCommand(['score', ...files, '--normalizer', 'plain'], { cwd: folder.path });
      assert.match(stdout.replace(/\s+/g, ' '), expected, `${files} ${reference[0]} ${hypothesis[0]}`);
    }
  }
});

test('words in pieces are put together, and a number above each text is its name', async () => {
  const pieced: readonly ((word: string) => string)[] = [
    (word) => `▁${word.slice(0, 2)} ${word.slice(2)}`.trim(),
    (word) => (word.length > 3 ? `${word.slice(0, 2)}@@ ${word.slice(2)}` : word),
    (word) => (word.length > 3 ? `${word.slice(0, 2)} ##${word.slice(2)}` : word),
  ];
  for (const piece of pieced) {
    const texts = lines((text) => text.split(' ').map(piece).join(' '));
    assert.match(await scored({ 'a.txt': said, 'b.txt': texts }), right, texts[0]);
  }
  assert.equal(wordsAlone(['mail me @@ home', 'nothing here'], [], 'a.txt').told, null);
  for (const first of [0, 1]) {
    const numbered = lines((text, place) => `${place + first}\n${text}`);
    const told = await scored({ 'log_test_targets.txt': numbered, 'log_test_predictions.txt': numbered });
    assert.match(told, right);
    assert.match(told, / 5 utterances/);
    assert.match(await scored({ 'a.txt': said, 'b.txt': numbered }), right);
  }
});
