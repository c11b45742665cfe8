import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { createFileHasher } from '../../decoders/contract.ts';
import { createSoundFiles } from '../../decoders/sound-files.ts';
import { wav } from '../../decoders/wav/wav.ts';
import { assertRefused, temporaryFolder, testCorpus, testServices, utterancesOf, wavFile } from '../conformance.ts';
import { folder } from './folder.ts';
import { spokenWords } from './folder-texts.ts';
import type { FolderOptions } from './options.ts';

const testData = '/usr/share/pocketsphinx/test/data';
const withTestData = { skip: existsSync(testData) ? false : "Debian's pocketsphinx-testdata is not installed" };

testCorpus({
  kind: folder,
  files: { 'anna/1.wav': 'one', 'anna/1.txt': 'yes', 'ben/2.flac': 'two' },
  options: { folder: '.', speaker: 'parent', language: 'en_gb' },
  published: false,
});

/** Reads a tree of these files: id, reference, speaker of each utterance, and the warnings. */
async function read(files: Readonly<Record<string, string | Uint8Array>>, options: Partial<FolderOptions> = {}) {
  await using tree = await temporaryFolder(files);
  const services = testServices(tree.path);
  const utterances = await utterancesOf(await folder.open({ folder: '.', ...options }, services));
  return {
    utterances,
    rows: utterances.map(({ id, reference, speaker }) => [id, reference, speaker]),
    warnings: services.warnings,
  };
}

test('an empty text is not transcribed, and silence where the config says so', async () => {
  const files = { 'a.wav': 'x', 'a.txt': 'one', 'b.wav': 'x', 'b.txt': ' \n', 'c.wav': 'x' };
  const { rows, warnings } = await read(files);
  assert.deepEqual(
    rows.map(([, reference]) => reference),
    ['one', undefined, undefined],
  );
  assert.deepEqual(warnings, [
    '.: 1 of 3 sounds have no text beside them',
    '.: 1 of 3 sounds have an empty reference, which counts as not transcribed; if nobody speaks there, set emptyReference: silence',
  ]);
  const silent = await read(files, { emptyReference: 'silence' });
  assert.deepEqual(
    silent.rows.map(([, reference]) => reference),
    ['one', '', undefined],
  );
});

test('of files that differ in their ending alone the one that extensions names first is used, and the others are told', async () => {
  const files = { 'a.wav': 'x', 'a.MP3': 'x', 'b.mp3': 'x', 'c/a.flac': 'x', 'c/a.mp3': 'x', 'd.ogg': 'x' };
  const sounds = async (extensions: string[], options: Partial<FolderOptions> = {}) => {
    const { utterances, warnings } = await read(files, { extensions, ...options });
    const names = utterances.map(({ sound }) => ('file' in sound! ? sound.file.replace(/^.*\.(\w+)$/, '$1') : ''));
    return [
      utterances.map(({ id }, place) => `${id} ${names[place]}`),
      warnings.filter((text) => /left out/.test(text)),
    ];
  };
  const told = '.: 2 files are left out because the same name has another ending that stands before in extensions';
  assert.deepEqual(await sounds(['wav', 'flac', 'mp3']), [['a wav', 'b mp3', 'c/a flac'], [told]]);
  assert.deepEqual(await sounds(['.mp3', 'flac', 'wav']), [['a MP3', 'b mp3', 'c/a mp3'], [told]]);
  // With ids of their own they are what they are called.
  const [ids] = await sounds(['wav', 'flac', 'mp3'], { pattern: '(?<id>.*)$' });
  assert.equal(ids!.length, 5);
});

test('texts of the same name are found, in the order of their kinds, and sounds in a fixed order', async () => {
  const { rows, warnings } = await read({
    'b.wav': 'x',
    'b.txt': '\uFEFFfrom txt\r\nand more\r\n',
    'b.lab': 'from lab',
    'B.flac': 'x',
    'B.TRN': '\nfrom trn (speaker-b)\nnot this',
    'a/z.mp3': 'x',
    'a/z.lab': 'from lab',
    'a/none.ogg': 'x',
    'a/.hidden.wav': 'x',
    'a/notes.pdf': 'x',
    'a/htk.wav': 'x',
    'a/htk.lab': '0 1000 sil\n1000 2000 dh\n',
    // As TIMIT has it, samples first; what counts something is said.
    'timit.wav': 'x',
    'timit.txt': '0 46797 She had your suit.\n',
    'zero.wav': 'x',
    'zero.txt': '0 5000 7\n',
  });
  assert.deepEqual(rows, [
    ['B', 'from trn', undefined],
    ['b', 'from txt and more', undefined],
    ['timit', 'She had your suit.', undefined],
    ['zero', '0 5000 7', undefined],
    ['a/htk', undefined, undefined],
    ['a/none', undefined, undefined],
    ['a/z', 'from lab', undefined],
  ]);
  assert.deepEqual(warnings, ['.: 2 of 7 sounds have no text beside them']);
});

test('the parts of a label track and of subtitles are utterances with times and words of their own', async () => {
  const { utterances } = await read({
    'a.wav': 'x',
    'a.txt': '0.538000\t4.020250\tShe had\n\\\t100.0\t200.0\n4,5\t6\tyour suit\n7.0\t8.0\n',
    'b.wav': 'x',
    'b.srt':
      '\uFEFF1\r\n00:00:00,538 --> 00:00:04,020\r\n<i>She had</i>\r\nyour\r\n\r\n2\r\n01:00:00,000 --> 01:00:01,000\r\n{\\an8}suit\r\n',
    'c.wav': 'x',
    'c.vtt':
      'WEBVTT - made by hand\n\nNOTE 0 of 2\n\nfirst\n00:00.500 --> 00:01.000 align:start\n<v.loud Ann>R&amp;D</v>\n\n00:02.000 --> 00:03.000\n\n',
    'd.wav': 'x',
    'd.txt': '12.5\t13\n',
    'd.srt': '1\n00:00:01,000 --> 00:00:02,000\n\n',
  });
  const parts = utterances.map(({ id, sound, reference, speaker }) => {
    const { file: _, ...times } = sound as { file: string };
    return [id, times, reference, speaker];
  });
  const times = (startSeconds: number, endSeconds: number) => ({ startSeconds, endSeconds });
  assert.deepEqual(parts, [
    ['a@0.538-4.02025', times(0.538, 4.02025), 'She had', undefined],
    ['a@4.5-6', times(4.5, 6), 'your suit', undefined],
    ['b@0.538-4.02', times(0.538, 4.02), 'She had your', undefined],
    ['b@3600-3601', times(3600, 3601), 'suit', undefined],
    ['c@0.5-1', times(0.5, 1), 'R&D', 'Ann'],
    ['d', {}, undefined, undefined],
  ]);
  // A sentence of numbers is no label.
  assert.deepEqual((await read({ 'a.wav': 'x', 'a.txt': '12 13 is what\n1\t2\tstood there\n' })).rows, [
    ['a', '12 13 is what 1\t2\tstood there', undefined],
  ]);
  for (const [name, text, message] of [
    ['a.txt', '2\t2\tmark\n', /a\.txt:1: expected the start and the end of a part .*"2 2"/],
    ['a.srt', '1\n00:00:03,000 --> 00:00:61,000\nx\n', /a\.srt:2: expected the start and the end/],
    ['a.txt', '1\t2\tyes\n1\t2\tno\n', /a\.wav: expected each part of it to have times of its own.* 1 to 2 s/],
  ] as const) {
    await assertRefused(read({ 'a.wav': 'x', [name]: text }), message);
  }
});

test('automatic captions show each line twice, which counts once, and are said to be a machine’s', async () => {
  const rolling = [
    'WEBVTT\nKind: captions\nLanguage: en\n',
    '00:00:00.160 --> 00:00:02.389 align:start position:0%\n \nso<00:00:00.480><c> today</c><00:00:00.800><c> we</c>\n',
    '00:00:02.389 --> 00:00:02.399 align:start position:0%\nso today we\n \n',
    '00:00:02.399 --> 00:00:04.000 align:start position:0%\nso today we\nwill<00:00:02.600><c> see</c>\n',
    '00:00:04.000 --> 00:00:04.010 align:start position:0%\nwill see\n \n',
  ];
  const { utterances, warnings } = await read({ 'a.wav': 'x', 'a.vtt': rolling.join('\n') });
  assert.deepEqual(
    utterances.map(({ id, reference }) => [id, reference]),
    [
      ['a@0.16-2.389', 'so today we'],
      ['a@2.399-4', 'will see'],
    ],
  );
  assert.match(warnings.join(), /the captions of 1 sound have times of words: a machine wrote them/);
});

const tier = (name: string, texts: readonly string[]) =>
  `"IntervalTier"\n"${name}"\n0\n${texts.length}\n${texts.length}\n${texts.map((text, at) => `${at}\n${at + 1}\n"${text}"\n`).join('')}`;
const grid = (...tiers: readonly string[]) =>
  `File type = "ooTextFile"\nObject class = "TextGrid"\n\n0\n2\n<exists>\n${tiers.length}\n${tiers.join('')}`;

test('parts with times come from TextGrids and ELAN too, a tier by its name, and a recognizer’s result is no reference', async () => {
  const eaf =
    '<TIME_ORDER><TIME_SLOT TIME_SLOT_ID="a" TIME_VALUE="500"/><TIME_SLOT TIME_SLOT_ID="b" TIME_VALUE="1500"/></TIME_ORDER><TIER TIER_ID="x" PARTICIPANT="Ann"><ANNOTATION><ALIGNABLE_ANNOTATION TIME_SLOT_REF1="a" TIME_SLOT_REF2="b"><ANNOTATION_VALUE>four &amp; five</ANNOTATION_VALUE></ALIGNABLE_ANNOTATION></ANNOTATION></TIER>';
  const files = {
    'grid.wav': 'x',
    'grid.TextGrid': Buffer.from(`\ufeff${grid(tier('words', ['one', 'two']))}`, 'utf16le'),
    'elan.wav': 'x',
    'elan.eaf': eaf,
    'heard.wav': 'x',
    'heard.json': JSON.stringify({ text: 'six', segments: [{ start: 0, end: 1, text: ' six' }] }),
    'object.wav': 'x',
    'object.json': JSON.stringify({ transcript: 'seven' }),
    'facts.wav': 'x',
    'facts.json': JSON.stringify({ microphone: 'near', sampleRate: 8000 }),
    'silent.wav': 'x',
    'silent.TextGrid': grid(tier('words', [''])),
  };
  const { rows, warnings } = await read(files);
  assert.deepEqual(rows, [
    ['elan@0.5-1.5', 'four & five', 'Ann'],
    ['facts', undefined, undefined],
    ['grid@0-1', 'one', undefined],
    ['grid@1-2', 'two', undefined],
    ['heard', undefined, undefined],
    ['object', 'seven', undefined],
    ['silent', undefined, undefined],
  ]);
  assert.match(warnings.join(), /1 file beside the sounds not used, since a recognizer wrote what is in them/);
  const two = { 'a.wav': 'x', 'a.TextGrid': grid(tier('words', ['one']), tier('phones', ['w'])) };
  await assertRefused(
    read(two),
    /^\.\/a\.TextGrid: .*there are "words", "phones"; name the right one with tier \(of init: --tier\), or several with commas$/,
  );
  assert.deepEqual((await read(two, { folder: '.', tier: 'words' })).rows, [['a@0-1', 'one', undefined]]);
});

test('words may stand in a folder like that of the sounds', async () => {
  const files = {
    'wavs/x.wav': 'x',
    'wavs/a/y.wav': 'x',
    'wavs/b/z.wav': 'x',
    'txt/x.txt': 'one',
    'txt/a/y.TXT': 'two',
    'wavs/b/z.txt': 'not this',
  };
  const { rows, warnings } = await read(files, { folder: 'wavs', texts: 'txt' });
  assert.deepEqual(rows, [
    ['x', 'one', undefined],
    ['a/y', 'two', undefined],
    ['b/z', undefined, undefined],
  ]);
  assert.deepEqual(warnings, ['wavs: 1 of 3 sounds have no text of their name in txt']);
  await assertRefused(
    read(files, { folder: 'wavs', texts: 'no' }),
    /^no: expected a folder with texts, but there is none/,
  );
});

test('links in the folder of words lead no farther than those to sounds', async () => {
  await using outside = await temporaryFolder({ 'secret.txt': 'secret', 'b/y.txt': 'secret' });
  await using tree = await temporaryFolder({ 'wavs/x.wav': 'x', 'wavs/b/y.wav': 'x', 'txt/none.txt': '' });
  await symlink(join(outside.path, 'secret.txt'), join(tree.path, 'txt/x.txt'));
  await symlink(join(outside.path, 'b'), join(tree.path, 'txt/b'));
  const references = async (allowOutside: boolean) =>
    (
      await utterancesOf(await folder.open({ folder: 'wavs', texts: 'txt', allowOutside }, testServices(tree.path)))
    ).map(({ reference }) => reference);
  assert.deepEqual(await references(false), [undefined, undefined]);
  assert.deepEqual(await references(true), ['secret', 'secret']);
});

test('LibriSpeech is understood as it is, speakers from its names', async () => {
  const { rows } = await read({
    'test/61/70968/61-70968-0000.flac': 'x',
    'test/61/70968/61-70968-0001.flac': 'x',
    'test/61/70968/61-70968.trans.txt': '61-70968-0000 HE BEGAN\n61-70968-0001 GIVE NOT SO EARNEST\n',
  });
  assert.deepEqual(rows, [
    ['test/61/70968/61-70968-0000', 'HE BEGAN', '61'],
    ['test/61/70968/61-70968-0001', 'GIVE NOT SO EARNEST', '61'],
  ]);
});

test('a CMU Sphinx transcription gives the words, its fileids say what belongs to it', async () => {
  const { rows, warnings } = await read({
    transcription: '<s> he was(2) ++breath++ not </s> (dir_a-1)\n<s> two <sil> </s> (a-2)\n',
    fileids: 'dir_a-1\nsub/a-2\n',
    'dir_a-1.wav': 'x',
    'a-2.wav': 'x',
    'a-3.wav': 'x',
  });
  assert.deepEqual(rows, [
    ['a-2', 'two', undefined],
    ['dir_a-1', 'he was not', undefined],
  ]);
  assert.deepEqual(warnings, ['.: 1 sounds are left out because the fileids beside them do not list them']);
});

test('marks of a Sphinx transcript are taken away, words are not', () => {
  assert.equal(spokenWords("<s> the(2) cat's [noise] ++NOISE++ (2) </s>"), "the cat's [noise] (2)");
});

test('speakers come from a folder, or everything from a pattern', async () => {
  const files = { 'anna/home/a.wav': 'x', 'ben/car/b.wav': 'x', 'c.wav': 'x' };
  assert.deepEqual(
    (await read(files, { speaker: 'parent' })).rows.map(([id, , speaker]) => [id, speaker]),
    [
      ['c', undefined],
      ['anna/home/a', 'home'],
      ['ben/car/b', 'car'],
    ],
  );
  const top = await read(files, { speaker: 'top' });
  assert.deepEqual(
    top.rows.map(([, , speaker]) => speaker),
    [undefined, 'anna', 'ben'],
  );
  const { utterances, warnings } = await read(
    { ...files, 'people.tsv': 'Speaker\tsex\tage\tlanguage\nanna\tF\tnan\tnan\nben\tM\t40\tNA\n' },
    {
      pattern: '^(?<speaker>[^/]+)/(?<place>[^/]+)/(?<id>\\w+)\\.(?<language>)',
      attributes: 'people.tsv',
      language: 'en',
    },
  );
  assert.deepEqual(
    utterances.map(({ id, speaker, attributes, language }) => ({ id, speaker, attributes, language })),
    [
      { id: 'c', speaker: undefined, attributes: {}, language: 'en' },
      { id: 'a', speaker: 'anna', attributes: { sex: 'F', language: 'nan', place: 'home' }, language: 'en' },
      { id: 'b', speaker: 'ben', attributes: { sex: 'M', age: '40', place: 'car' }, language: 'en' },
    ],
  );
  assert.deepEqual(warnings, [
    '.: 3 of 3 sounds have no text beside them',
    '.: 1 of 3 sounds do not match the pattern, so nothing is known from their names',
    '.: 1 of 3 sounds have a speaker who is not in the file of attributes, or none',
  ]);
});

test('a table with a row for each sound says who speaks in it, by the end of its path', async () => {
  const files = { 'x/a.wav': 'x', 'y/a.wav': 'x', 'y/b.wav': 'x' };
  const of = async (table: string) => {
    const { utterances, warnings } = await read({ ...files, 't.csv': table }, { attributes: 't.csv' });
    return { told: utterances.map(({ id, speaker, attributes }) => [id, speaker, attributes.sex]), warnings };
  };
  const known = [
    ['x/a', 'ann', 'F'],
    ['y/a', 'ben', 'M'],
    ['y/b', undefined, undefined],
  ];
  const { told, warnings } = await of('file,speaker,sex\nC:\\d\\x\\a.wav,ann,F\n/d/y/a.wav,ben,M\n');
  assert.deepEqual(told, known);
  assert.ok(warnings.includes('.: 1 of 3 sounds are not in the file of attributes'));
  assert.deepEqual((await of('id,speaker,sex\nx/a,ann,F\ny/a,ben,M\n')).told, known);
  // Of two rows that may mean it neither is taken.
  assert.deepEqual((await of('file,speaker,sex\np/a.wav,ann,F\nq/a.wav,ben,M\nb.wav,ann,NA\n')).told, [
    ['x/a', undefined, undefined],
    ['y/a', undefined, undefined],
    ['y/b', 'ann', undefined],
  ]);
});

test('symbolic links never lead out or in a circle, unless files outside are allowed', async () => {
  await using outside = await temporaryFolder({ 'o.wav': wavFile() });
  await using tree = await temporaryFolder({ 'a.wav': wavFile(400) });
  await symlink(join(outside.path, 'o.wav'), join(tree.path, 'out.wav'));
  await symlink(join(tree.path, 'a.wav'), join(tree.path, 'same.wav'));
  await symlink(join(tree.path, 'gone.wav'), join(tree.path, 'broken.wav'));
  await mkdir(join(tree.path, 'sub'));
  await symlink(tree.path, join(tree.path, 'sub/loop'));
  const services = testServices(tree.path, {
    sounds: createSoundFiles({ decoders: [wav], fileHash: createFileHasher() }),
  });
  const strict = await folder.open({ folder: '.' }, services);
  const found = await utterancesOf(strict);
  assert.deepEqual(
    found.map(({ id }) => id),
    ['a', 'same'],
  );
  assert.equal((await strict.clip(found[1]!)).samples.length, 400);
  assert.ok(
    services.warnings.includes('.: 3 symbolic links are left out (to folders, to nothing, or out of the folder)'),
  );
  const open = await folder.open({ folder: '.', allowOutside: true }, services);
  const all = await utterancesOf(open);
  assert.deepEqual(
    all.map(({ id }) => id),
    ['a', 'out', 'same'],
  );
  assert.equal((await open.clip(all[1]!)).samples.length, 800);
});

const refused: readonly [
  what: string,
  files: Readonly<Record<string, string>>,
  options: Partial<FolderOptions>,
  message: RegExp,
][] = [
  ['a folder that does not exist', {}, { folder: 'no' }, /^no: .*there is none/],
  ['a file in place of a folder', { 'a.wav': 'x' }, { folder: 'a.wav' }, /^a\.wav: .*it is a file/],
  ['a folder without sounds', { 'a.txt': 'x' }, {}, /^\.: expected audio files \(\.wav .*found none/],
  ['two sounds of one name', { 'a.wav': 'x', 'a.mp3': 'x' }, {}, /a\.wav: .*a\.mp3 has the same name/],
  [
    'a pattern that gives an id twice',
    { 'x/1.wav': 'x', 'y/1.wav': 'x' },
    { pattern: '(?<id>\\d)' },
    /gives "1" to another/,
  ],
  ['a pattern that is none', { 'a.wav': 'x' }, { pattern: '(?<a>' }, /^pattern: expected a regular expression/],
  ['a pattern without named groups', { 'a.wav': 'x' }, { pattern: '(.*)' }, /^pattern: expected named groups/],
  [
    'a transcript line without an id',
    { 'a.wav': 'x', transcription: '<s> a </s> (a)\nno id\n' },
    {},
    /transcription:2:1: expected the words and then the id/,
  ],
  [
    'two texts for one id',
    { 'a.wav': 'x', 'x.trans.txt': 'a ONE\na TWO\n' },
    {},
    /x\.trans\.txt:2:1: .*"a" has another/,
  ],
  [
    'a speaker twice in the attributes',
    { 'a.wav': 'x', 's.tsv': 'speaker\tsex\na\tF\na\tM\n' },
    { attributes: 's.tsv' },
    /^s\.tsv:3:1: .*stands twice/,
  ],
  [
    'a sound twice in the attributes',
    { 'a.wav': 'x', 's.tsv': 'file\tspeaker\na.wav\tF\na.wav\tM\n' },
    { attributes: 's.tsv' },
    /^s\.tsv:3:1: expected each audio file once.*stands twice/,
  ],
  [
    'attributes without speakers',
    { 'a.wav': 'x', 's.tsv': 'nick\tsex\na\tF\n' },
    { attributes: 's.tsv' },
    /^s\.tsv:1: expected a column "speaker"/,
  ],
];
for (const [what, files, options, message] of refused) {
  test(`${what} is refused with a clear sentence`, () => assertRefused(read(files, options), message));
}

test('a text that is not UTF-8 is refused with line and column', () =>
  assertRefused(read({ 'a.wav': 'x', 'a.txt': Buffer.from('fine\ncaf\xe9', 'latin1') }), /a\.txt:2:4: expected UTF-8/));

test('a pattern that would take years is stopped', async () => {
  const files = { [`${'a'.repeat(60)}!.wav`]: 'x' };
  await assertRefused(read(files, { pattern: '^(?<id>(a+)+)$' }), /^pattern: expected an answer within 2 s/);
});

test("Debian's test recordings are read with their words", withTestData, async () => {
  const sounds = createSoundFiles({ decoders: [wav], fileHash: createFileHasher() });
  const services = testServices('/', { sounds });
  const librivox = await folder.open(
    { folder: `${testData}/librivox`, language: 'en', pattern: '^(?<speaker>.+)-\\d+\\.wav$' },
    services,
  );
  const utterances = await utterancesOf(librivox);
  assert.equal(utterances.length, 5);
  assert.deepEqual(utterances[1], {
    id: 'sense_and_sensibility_01_austen_64kb-0880',
    sound: { file: `${testData}/librivox/sense_and_sensibility_01_austen_64kb-0880.wav` },
    reference: 'he was not an ill disposed young man',
    language: 'en',
    speaker: 'sense_and_sensibility_01_austen_64kb',
    attributes: {},
    tags: [],
  });
  // Bytes of its data chunk as file(1) and ls -l tell: (95724 - 44) / 2.
  assert.equal((await librivox.clip(utterances[1]!)).samples.length, 47_840);
  const cards = await utterancesOf(await folder.open({ folder: `${testData}/cards` }, services));
  assert.deepEqual(cards.map(({ id, reference }) => [id, reference])[4], [
    '005',
    'eight of spades four of clubs seven of hearts',
  ]);
  assert.deepEqual(services.warnings, []);
});
