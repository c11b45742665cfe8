import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { test } from 'node:test';
import { guessLanguage } from '../../base/guess-language.ts';
import type { JsonObject } from '../../base/json.ts';
import { temporaryFolder } from '../testing/run-command.ts';
import { sniffList } from './sniff-list.ts';
import { soundNames } from './sound-column.ts';
import { readSoundTree } from './sound-tree.ts';

/** What a list beside these sounds is found to be. */
async function sniffed(list: string, text: string, sounds: readonly string[]): Promise<JsonObject | null> {
  await using folder = await temporaryFolder();
  for (const [name, content] of [[list, text] as const, ...sounds.map((sound) => [sound, 'sound'] as const)]) {
    await mkdir(dirname(folder.file(name)), { recursive: true });
    await writeFile(folder.file(name), content.replaceAll('ROOT', folder.path));
  }
  const found = await sniffList(list, soundNames(await readSoundTree(folder.path, '.')));
  return found === null ? null : { ...found.options, matched: found.matched };
}

const four = ['w/1.wav', 'w/2.wav', 'w/3.wav', 'w/4.wav'];

test('a list without a line of names and without endings, as LJ Speech has it', async () => {
  const text = 'LJ1-1|It was, in 3 ways, the best|It was, in three ways, the best\nLJ1-2|So it goes|So it goes\n';
  assert.deepEqual(await sniffed('metadata.csv', text, ['wavs/LJ1-1.wav', 'wavs/LJ1-2.wav']), {
    header: ['id', 'column 2', 'column 3'],
    columns: { path: 'id', reference: 'column 3', speaker: null },
    attributes: [],
    soundEnding: '.wav',
    matched: 2,
  });
});

test('paths of another machine lead to the sounds here whose paths end alike, each to one alone', async () => {
  const rows = ['a/1.wav', 'a/2.wav', 'b/1.wav', 'b/9.wav'].map((name) =>
    JSON.stringify({ audio_filepath: `/home/eva/speech/audio/${name}`, text: `said in ${name}` }),
  );
  const sounds = ['wavs/a/1.wav', 'wavs/a/2.wav', 'wavs/b/1.wav', 'other/1.wav'];
  assert.deepEqual(await sniffed('lists/train.json', rows.join('\n'), sounds), {
    columns: { path: 'audio_filepath', reference: 'text', speaker: null },
    attributes: [],
    soundFolder: 'wavs',
    soundPrefix: '/home/eva/speech/audio/',
    absentSounds: 'left out',
    matched: 3,
  });
  // Paths meant from another folder, of which more than the name of the file must be alike.
  const relative = (parts: string) => `file\ttext\n${parts}/1.wav\tone of them\n${parts}/2.wav\tthe other one\n`;
  assert.equal((await sniffed('list.tsv', relative('an4/c'), sounds))?.matched, undefined);
  assert.equal((await sniffed('list.tsv', relative('an4/wavs/a'), sounds))?.soundPrefix, 'an4/');
  // Which of two is meant nobody knows.
  const one = `path\ttext\n/x/1.wav\tone of them\n`;
  assert.equal(await sniffed('list.tsv', one, ['p/1.wav', 'q/1.wav']), null);
});

test('sounds are found whose paths are written as another system has them', async () => {
  const rows = (...paths: readonly string[]) =>
    `file\ttext\n${paths.map((path, n) => `${path}\tgo on ${'abcd'[n]}\n`).join('')}`;
  const sounds = ['w/c1.wav', `w/Mu\u0308ller.wav`, 'w/d.wav', 'v/d.wav'];
  const mixed = await sniffed('x.tsv', rows('w\\c1.wav', 'w/M\u00fcller.wav', 'W/C1.WAV', 'w\\d.wav'), sounds);
  assert.deepEqual([mixed?.matched, mixed?.soundPrefix, mixed?.absentSounds], [4, undefined, undefined]);
  const drive = await sniffed('x.tsv', rows('D:\\eva\\w\\c1.wav', 'D:\\eva\\w\\d.wav'), sounds);
  assert.deepEqual([drive?.matched, drive?.soundPrefix, drive?.soundFolder], [2, 'D:\\eva\\', undefined]);
  const upper = await sniffed('x.tsv', rows('D:\\eva\\W\\C1.WAV', 'D:\\eva\\W\\D.WAV'), sounds);
  assert.deepEqual([upper?.matched, upper?.soundPrefix, upper?.soundFolder], [2, 'D:\\eva\\', undefined]);
  assert.equal(await sniffed('x.tsv', rows('..\\..\\c1.wav', 'D.WAV'), sounds), null);
});

test('a speaker is known by having one sex, a text by being one, whatever the columns are called', async () => {
  const rows = ['Ada,f', 'Ada,f', 'Eva,f', 'Eva,f'].map(
    (who, n) => `${n + 1}.wav,${who},${n},guten Tag Nummer ${'abcd'[n]}`,
  );
  assert.deepEqual(await sniffed('x.csv', `A,B,Geschlecht,C,D\n${rows.join('\n')}\n`, four), {
    columns: { path: 'A', reference: 'D', speaker: 'B' },
    attributes: ['Geschlecht'],
    soundFolder: 'w',
    matched: 4,
  });
});

test('paths may be meant from a folder above; sources are no words, and kinds no people', async () => {
  const rows = ['a/1', 'a/2', 'b/3', 'b/4'].map((name) => `set/${name}.wav\t${name[0]}\tfrom a place ${name[2]}`);
  const sounds = ['set/a/1.wav', 'set/a/2.wav', 'set/b/3.wav', 'set/b/4.wav'];
  await using folder = await temporaryFolder();
  for (const name of sounds) {
    await mkdir(dirname(folder.file(name)), { recursive: true });
    await writeFile(folder.file(name), 'sound');
  }
  await writeFile(folder.file('set/list.tsv'), `path\tkind\tsource\n${rows.join('\n')}\n`);
  const found = await sniffList('list.tsv', soundNames(await readSoundTree(folder.file('set'), '.')));
  assert.deepEqual(found?.options, {
    columns: { path: 'path', reference: null, speaker: null },
    attributes: ['kind'],
    soundFolder: '..',
  });
});

test('columns called id or utterance that repeat themselves or hold the words name no utterance', async () => {
  const found = await sniffed('x.tsv', 'audio\tutterance\nw/1.wav\tgo on\nw/2.wav\tgo on\n', four);
  assert.deepEqual(found?.columns, { id: null, path: 'audio', reference: 'utterance', speaker: null });
});

test('columns in any letter case are found, and languages that are written out are no tags', async () => {
  const rows = (language: string) =>
    four.map((sound, n) => `7\t${sound}\tgo on ${'abcd'[n]}\tada\t${language}\n`).join('');
  const found = (language: string) => sniffed('x.tsv', `ID\tPath\tText\tSpeaker\tLanguage\n${rows(language)}`, four);
  const columns = { id: null, path: 'Path', reference: 'Text', speaker: 'Speaker' };
  assert.deepEqual((await found('en_GB'))?.columns, columns);
  assert.deepEqual((await found('English (UK)'))?.columns, { ...columns, language: null });
});

test('absolute paths and a part of the sounds are found; what names no sound is no list', async () => {
  const nemo = (name: string) => JSON.stringify({ audio_filepath: name, text: 'go on' });
  const found = await sniffed('m.json', `${nemo('ROOT/w/1.wav')}\n${nemo('ROOT/w/9.wav')}\n`, four);
  assert.deepEqual([found?.matched, found?.absentSounds, found?.allowOutside], [1, 'left out', undefined]);
  assert.equal((await sniffed('in/m.json', `${nemo('ROOT/w/1.wav')}\n`, four))?.allowOutside, true);
  for (const text of ['', '\n', 'name,age\nada,3\n', '{"a": 77}\n', '\0\0']) {
    assert.equal(await sniffed('x.csv', text, four), null, JSON.stringify(text));
  }
});

test('columns of times are known by name and values, with their unit', async () => {
  const ways = async (head: string, ...rows: readonly string[]) => {
    await using folder = await temporaryFolder();
    for (const name of ['1.wav', '2.wav']) await writeFile(folder.file(name), 'sound');
    const lines = [`file,${head},text`, ...rows.map((row, n) => `${row},go on ${'abcd'[n]}`)];
    await writeFile(folder.file('list.csv'), lines.join('\n'));
    const found = await sniffList('list.csv', soundNames(await readSoundTree(folder.path, '.')));
    return found!.times.map(({ columns, timeUnit, note }) => [columns, timeUnit ?? 'as named', note]);
  };
  const segments = ['1.wav,0,1500', '1.wav,1500,2500'];
  const known = [
    'start_time,end_time',
    'StartTime,EndTime',
    'begin,end_sec',
    'onset,offset',
    'Segment Start (s),Segment End (s)',
  ];
  for (const head of [...known, 'xmin,xmax']) {
    const [start, end] = head.split(',');
    const [first] = await ways(head, ...segments);
    assert.deepEqual(first, [{ start, end }, 'as named', null], head);
  }
  const durations = await ways('begin_time,duration_time', ...segments);
  assert.deepEqual(durations[0], [{ start: 'begin_time', duration: 'duration_time' }, 'as named', null]);
  // Without a unit in the name the lengths of the files decide.
  const bare = await ways('start,end', ...segments);
  assert.deepEqual(
    bare.map(([columns, unit]) => [columns, unit]),
    [
      [{}, 'as named'],
      [{}, 'milliseconds'],
      [{}, 'samples'],
    ],
  );
  assert.deepEqual(await ways('start_ms,end_ms', ...segments), [
    [{ start: 'start_ms', end: 'end_ms' }, 'as named', null],
  ]);
  const cut = await ways('start_ms,end_ms', '1.wav,0,1500', '2.wav,1500,2500');
  assert.deepEqual(cut[1], [
    {},
    'as named',
    '"start_ms" and "end_ms" are not read as times: most end after their file does.',
  ]);

  // The name of one may say a unit, which the other has by itself or by the lengths of the files.
  assert.deepEqual(
    (await ways('start_ms,end', ...segments)).map(([, unit]) => unit),
    ['as named', 'milliseconds'],
  );
  assert.deepEqual(await ways('start,dur_s', '1.wav,0,1.5', '1.wav,1.5,2.5'), [
    [{ start: 'start', duration: 'dur_s' }, 'as named', null],
  ]);
  for (const [head, ...rows] of [
    ['start,end', '1.wav,0:00,0:01', '1.wav,0:01,0:02'],
    ['start_sample,end_sample', ...segments],
    ['start,length', '1.wav,0.5,1', '1.wav,1.5,1'],
  ] as const) {
    const found = await ways(head, ...rows);
    assert.deepEqual(
      found.map(([columns, ...rest]) => [Object.keys(columns as object).length <= 2, ...rest]),
      [[true, 'as named', null]],
    );
  }
  // What cannot be read is left to the manifest, which refuses it: rows of one file never stand for all of it in silence.
  for (const head of ['start,end', 'start_time,end_time', 'start,note'])
    for (const [columns] of await ways(head, '1.wav,4.5s,7s', '1.wav,9s,8s'))
      assert.ok(!Object.values(columns as object).includes(null), head);
  assert.deepEqual(await ways('start,end', '1.wav,noon,one', '2.wav,one,two'), [
    [{ start: null, end: null }, 'as named', null],
  ]);
});

test('sounds are told by their ending, or else by their first bytes', async () => {
  await using folder = await temporaryFolder();
  await mkdir(folder.file('node_modules'));
  for (const name of ['a.WAV', 'b.txt', 'node_modules/c.wav']) await writeFile(folder.file(name), 'x');
  await writeFile(folder.file('d.snd1'), Buffer.from('RIFF\0\0\0\0WAVEfmt '));
  await writeFile(folder.file('e.bin'), 'something else');
  const { sounds, others } = await readSoundTree(folder.path, '.');
  assert.deepEqual(
    [sounds, others],
    [
      ['a.WAV', 'd.snd1'],
      ['b.txt', 'e.bin'],
    ],
  );
});

test('a language is told by its frequent words, or not at all', () => {
  assert.equal(guessLanguage(['she had your dark suit in greasy wash water all year']).language, 'en');
  assert.equal(guessLanguage(['das ist nicht der Hund, den ich für dich habe']).language, 'de');
  assert.equal(guessLanguage(['je ne sais pas ce que vous voulez dans la maison']).language, 'fr');
  assert.equal(guessLanguage(['yes', 'no']).language, null);
  assert.equal(guessLanguage([]).language, null);
});

test('words of digits are found where their column is called so, and classes are not', async () => {
  const spoken = (values: readonly string[]) =>
    `file,label\n${values.map((value, n) => `${n + 1}.wav,${value}`).join('\n')}`;
  const sounds = ['1.wav', '2.wav', '3.wav'];
  const found = await sniffed('list.csv', spoken(['4 3 9 2', 'one 5 5', '7 7 0']), sounds);
  assert.equal((found!.columns as JsonObject).reference, 'label');
  const classes = await sniffed('list.csv', spoken(['0', '1', '2']), sounds);
  assert.equal((classes!.columns as JsonObject).reference, null);
});
