import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { encodeWav } from '../../audio/encode-wav.ts';
import { createFileHasher } from '../../decoders/contract.ts';
import { createSoundFiles } from '../../decoders/sound-files.ts';
import { wav } from '../../decoders/wav/wav.ts';
import { assertRefused, temporaryFolder, testCorpus, testServices, utterancesOf, wavFile } from '../conformance.ts';
import { artieList, columnCounts, needsCut } from '../testing/counted-lists.ts';
import { assertOwnSounds, needsRecordings, recordingsOf } from '../testing/recordings.ts';
import { type ManifestOptions, manifest } from './manifest.ts';

const sharedData = fileURLToPath(new URL('../../../../shared/data', import.meta.url));

const soundFiles = () => createSoundFiles({ decoders: [wav], fileHash: createFileHasher() });

testCorpus({
  kind: manifest,
  files: {
    'list.csv': 'path,text,start,end,sex\na.wav, yes ,0.5,1.5,F\nb.wav,no,,,\n',
    'a.wav': 'one',
    'b.wav': 'two',
  },
  options: { file: 'list.csv', language: 'en' },
  published: false,
});

/** Reads a list with this content, in a folder of its own. */
async function read(content: string | Uint8Array, options: Partial<ManifestOptions> = {}) {
  const file = options.file ?? 'list.tsv';
  await using folder = await temporaryFolder({ [file]: content });
  const utterances = await utterancesOf(await manifest.open({ file, ...options }, testServices(folder.path)));
  return utterances.map((utterance) => JSON.parse(JSON.stringify(utterance).replaceAll(folder.path, '')));
}

test('a Common Voice list is understood as it is: quotes are literal, sounds lie in clips', async () => {
  await using folder = await temporaryFolder({
    'en/test.tsv':
      'client_id\tpath\tsentence\tup_votes\tdown_votes\tage\tgender\taccents\tlocale\n' +
      'ab12\tcommon_voice_en_1.mp3\t"Hello," she said.\t2\t0\ttwenties\tfemale\t\ten\n',
    'en/clips/common_voice_en_1.mp3': 'x',
  });
  const corpus = await manifest.open({ file: 'en/test.tsv' }, testServices(folder.path));
  assert.deepEqual(await utterancesOf(corpus), [
    {
      id: 'common_voice_en_1',
      sound: { file: join(folder.path, 'en/clips/common_voice_en_1.mp3') },
      reference: '"Hello," she said.',
      language: 'en',
      speaker: 'ab12',
      attributes: { up_votes: '2', down_votes: '0', age: 'twenties', gender: 'female' },
      tags: [],
    },
  ]);
});

test('columns are found in any letter case, those written as usual first', async () => {
  for (const [content, reference] of [
    ['ID\tPath\tText\tSpeaker\tLanguage\tStart\nu\ta.wav\tyes\tanna\tde\t1\n', 'yes'],
    ['id\tFILE\tTranscript\tSpeaker_ID\tLang\tSTART\nu\ta.wav\tyes\tanna\tde\t1\n', 'yes'],
    ['id\tFILE\ttext\tGround Truth\tspk\tLang\tSTART\nu\ta.wav\tno\tyes\tanna\tde\t1\n', 'yes'],
  ] as const) {
    const [utterance] = await read(content);
    const { id, sound, speaker, language } = utterance;
    assert.deepEqual([id, sound, utterance.reference], ['u', { file: '/a.wav', startSeconds: 1 }, reference]);
    assert.deepEqual([speaker, language], ['anna', 'de']);
  }
});

test('what was read again is the reference, and what a recognizer wrote before it is none', async () => {
  const list =
    'id\ttext\tcorrected_text\na\tso say of us\tso say all of us\nb\tthe cat\tthe cat sat down\nc\ta bird\tall birds sang\n';
  const rows = await read(list);
  assert.deepEqual(
    rows.map(({ reference, attributes }) => [reference, attributes.text]),
    [
      ['so say all of us', 'so say of us'],
      ['the cat sat down', 'the cat'],
      ['all birds sang', 'a bird'],
    ],
  );
});

test('a column that is called after a reference and holds other things is an attribute', async () => {
  const list = 'id\ttext\ttask_src\na\tso say all of us\tnews\nb\tthe cat sat down\tcalls\nc\tall birds sang\tnews\n';
  const rows = await read(list);
  assert.deepEqual(
    rows.map(({ reference, attributes }) => [reference, attributes.task_src]),
    [
      ['so say all of us', 'news'],
      ['the cat sat down', 'calls'],
      ['all birds sang', 'news'],
    ],
  );
});

test('a NeMo list is understood as it is: stretches of one file have ids of their own', async () => {
  const rows = [
    { audio_filepath: 'call.wav', offset: 0.1, duration: 0.2, text: 'one', speaker: 7 },
    { audio_filepath: 'call.wav', offset: 1.5, duration: 2, text: 'two', speaker: 7, noisy: true, words: [{}] },
    { audio_filepath: 'whole.wav', duration: 3.25, text: 'three', lang: null },
  ];
  assert.deepEqual(await read(rows.map((row) => JSON.stringify(row)).join('\n'), { file: 'train.json' }), [
    {
      id: 'call@0.1-0.3',
      sound: { file: '/call.wav', startSeconds: 0.1, endSeconds: 0.3 },
      reference: 'one',
      language: 'und',
      speaker: '7',
      attributes: {},
      tags: [],
    },
    {
      id: 'call@1.5-3.5',
      sound: { file: '/call.wav', startSeconds: 1.5, endSeconds: 3.5 },
      reference: 'two',
      language: 'und',
      speaker: '7',
      attributes: { noisy: 'true' },
      tags: [],
    },
    { id: 'whole', sound: { file: '/whole.wav' }, reference: 'three', language: 'und', attributes: {}, tags: [] },
  ]);
});

test('times are in the unit that the name of their column says, or the option', async () => {
  const times = async (head: string, options: Partial<ManifestOptions>) => {
    const [{ id, sound }] = await read(`path\t${head}\nm.wav\t1500\t2250\n`, options);
    return [id, sound.startSeconds, sound.endSeconds];
  };
  const named = ['m@1.5-2.25', 1.5, 2.25];
  assert.deepEqual(await times('start_ms\tend_ms', { columns: { start: 'start_ms', end: 'end_ms' } }), named);
  assert.deepEqual(await times('Start (ms)\tendMs', { columns: { start: 'Start (ms)', end: 'endMs' } }), named);
  const written = { columns: { start: 'a', end: 'b' } };
  assert.deepEqual(await times('a\tb', { ...written, timeUnit: 'milliseconds' }), named);
  assert.deepEqual(await times('a\tb', written), ['m@1500-2250', 1500, 2250]);
  await assertRefused(
    times('start_frame\tend', { columns: { start: 'start_frame' } }),
    /list\.tsv:1: expected times in seconds, milliseconds or samples, but "start_frame" says frames; set timeUnit: samples/,
  );
});

test('times of a clock and decimal commas are seconds, and samples go by the rate of their file', async () => {
  const times = async (start: string, end: string) => {
    const [{ sound }] = await read(`path\tstart\tend\nm.wav\t${start}\t${end}\n`);
    return [sound.startSeconds, sound.endSeconds];
  };
  assert.deepEqual(await times('00:00:04.538', '00:00:08,020'), [4.538, 8.02]);
  assert.deepEqual(await times('0:04.5', '1:02:03'), [4.5, 3723]);
  assert.deepEqual(await times('0,5', '61,25'), [0.5, 61.25]);
  for (const bad of ['0:61', '1:60:00', '0:00:01:12', '1.234,5', '4.5s', '-1', '0:4.5']) {
    await assertRefused(times('0', bad), /expected seconds from 0 for "end"/);
  }
  // A comma among milliseconds may group thousands.
  await assertRefused(
    read('path\tstart\nm.wav\t1,500\n', { timeUnit: 'milliseconds' }),
    /expected milliseconds from 0/,
  );

  await using folder = await temporaryFolder({
    'list.tsv': 'path\tstart_sample\tend_sample\na.wav\t80\t400\nb.wav\t80\t400\n',
    'a.wav': wavFile(),
    'b.wav': encodeWav({ samples: new Float32Array(800), sampleRate: 16_000 }, { format: 's16' }),
  });
  const columns = { start: 'start_sample', end: 'end_sample' };
  const services = testServices(folder.path, { sounds: soundFiles() });
  const corpus = await manifest.open({ file: 'list.tsv', columns }, services);
  const found = await utterancesOf(corpus);
  assert.deepEqual(
    found.map(({ id }) => id),
    ['a@0.01-0.05', 'b@0.005-0.025'],
  );
  for (const one of found) assert.equal((await corpus.clip(one)).samples.length, 320);
});

test('rows of one file of which the pieces cannot be told are refused, with the columns left over', async () => {
  const refusal = (head: string, first: string, second: string, message: RegExp, options = {}) =>
    assertRefused(
      read(`id,file,${head},text\na,m.wav,${first},one\nb,m.wav,${second},two\n`, { file: 'list.csv', ...options }),
      message,
    );
  await refusal(
    'start,dur_s',
    '0.5,1',
    '2,1.5',
    /^list\.csv:3:3: .* list\.csv:2 names the same file, but only its start is known \(left over: "dur_s"\); set columns: \{ start: start, duration: dur_s \}, or columns: \{ end: null \} if each row means the rest of its file$/,
  );
  for (const name of ['length', 'finish', 'duration_ms', 'len_s']) {
    await refusal(
      `start,${name}`,
      '0,900',
      '1,1900',
      new RegExp(`set columns: \\{ start: start, (?:end|duration): ${name} \\}`),
    );
  }
  await refusal('start', '0', '2', /only its start is known; set columns: \{ start: …, end: … \}/);
  await refusal(
    'start_ms,end',
    '0,1',
    '1000,2',
    /only its end is known \(left over: "start_ms"\); set columns: \{ start: start_ms, end: end \}/,
  );
  await refusal('onset,weight', '0,1', '1,2', /no column says it \(left over: "onset", "weight"\)/);
  await refusal('from_here,duration', '0,1', '1,2', /no column says it \(left over: "from_here", "duration"\)/);
  await refusal('start,end', '0,1', '1,', /only its start is known; fill in start and end of each, or/);
  await refusal('start,end', '0,', '1,2', /list\.csv:2 names the same file, but that row does not say it; fill in/);

  // One row of a file may have a start alone, and whoever says so means the rest of the file.
  const rest = 'id,file,start\na,m.wav,1\nb,n.wav,2\n';
  assert.equal((await read(rest, { file: 'list.csv' })).length, 2);
  const said = await read(rest.replace('n.wav', 'm.wav'), { file: 'list.csv', columns: { end: null } });
  assert.deepEqual(
    said.map(({ sound }) => sound),
    [1, 2].map((startSeconds) => ({ file: '/m.wav', startSeconds })),
  );
});

test('NA beside codes is told to be read as not known, unless the list says what that is', async () => {
  const told = async (values: readonly string[], options: Partial<ManifestOptions> = {}) => {
    const warnings: string[] = [];
    const rows = values.map((value, index) => `u${index},one,${value}\n`).join('');
    await using folder = await temporaryFolder({ 'list.csv': `id,text,country\n${rows}` });
    const services = { ...testServices(folder.path), warn: (text: string) => warnings.push(text) };
    const utterances = await utterancesOf(await manifest.open({ file: 'list.csv', ...options }, services));
    return { values: utterances.map(({ attributes }) => attributes.country), warnings };
  };
  const countries = ['DE', 'NA', 'ZA', 'NA'];
  assert.deepEqual(await told(countries), {
    values: ['DE', undefined, 'ZA', undefined],
    warnings: [
      'list.csv: NA is read as "not known" in "country" (2 rows); if it is a value like the codes beside it, set missing: [""]',
    ],
  });
  assert.deepEqual(await told(countries, { missing: [''] }), { values: countries, warnings: [] });
  assert.deepEqual((await told(['female', 'NA', 'male'])).warnings, [], 'no code');
  assert.deepEqual((await told(['DE', 'ZA', ''])).warnings, []);
});

test('rows that name one file without saying which part are not taken for whole files in silence', async () => {
  const rows = (...lines: string[]) => lines.map((line) => `${line}\n`).join('');
  const told = async (content: string, options: Partial<ManifestOptions> = {}) => {
    const warnings: string[] = [];
    await using folder = await temporaryFolder({ 'list.csv': content });
    const services = { ...testServices(folder.path), warn: (text: string) => warnings.push(text) };
    const utterances = await utterancesOf(await manifest.open({ file: 'list.csv', ...options }, services));
    return { ids: utterances.map(({ id }) => id), warnings };
  };
  const named = rows('id,file,start_time,end_time,text', 'a,m.wav,0,1.5,one', 'b,m.wav,1.5,3,two');
  await assertRefused(
    told(named),
    /list\.csv:3:3: .*, as list\.csv:2 names the same file, but no column .*; set columns: \{ start: start_time, end: end_time \}, or columns: \{ start: null \} if/,
  );
  // What is advised does it.
  const set = await told(named, { columns: { start: 'start_time', end: 'end_time' } });
  assert.deepEqual(set, { ids: ['a', 'b'], warnings: [] });
  assert.deepEqual(await told(named, { columns: { start: null } }), { ids: ['a', 'b'], warnings: [] });

  const withoutId = named.replace(/^[^,]+,/gm, '');
  await assertRefused(told(withoutId), /set columns: \{ start: start_time, end: end_time \}/);
  const { ids } = await told(withoutId, { columns: { start: 'start_time', end: 'end_time' } });
  assert.deepEqual(ids, ['m@0-1.5', 'm@1.5-3']);
  await assertRefused(
    told(rows('file,text', 'm.wav,one', 'm.wav,two')),
    /an id of its own .*; if these are segments of one file, add columns start and end/,
  );

  const { warnings } = await told(rows('id,file,rater,text', 'a,m.wav,ann,one', 'b,m.wav,bob,one'));
  assert.match(
    warnings.join(),
    /^list\.csv: 1 row names a file that an earlier row names too, and no column says which/,
  );
  // One row for each file, as corpora are read today.
  const single = rows('file,start_time,end_time', 'm.wav,0,1.5', 'n.wav,1.5,3');
  assert.deepEqual(await told(single), { ids: ['m', 'n'], warnings: [] });
});

test('Hugging Face audiofolder lists are understood as they are, CSV with quoted fields and JSONL', async () => {
  const csv = 'file_name,transcription,domain\r\ntrain/a.wav,"He said ""no"", twice,\nand left.",news\r\n';
  const [fromCsv] = await read(csv, { file: 'metadata.csv' });
  assert.equal(fromCsv.id, 'train/a');
  assert.equal(fromCsv.reference, 'He said "no", twice,\nand left.');
  assert.deepEqual(fromCsv.attributes, { domain: 'news' });
  const [fromJson] = await read('{"file_name": "a.flac", "text": "yes", "tags": ["x", "y"]}', {
    file: 'metadata.jsonl',
  });
  assert.equal(fromJson.sound.file, '/a.flac');
  assert.equal(fromJson.reference, 'yes');
  assert.deepEqual(fromJson.tags, ['x', 'y']);
});

test('columns, attributes, defaults and texts for "not known" can be chosen', async () => {
  const utterances = await read('name;who;said;wav2;sex;age\nu1;anna;hi;a.wav;F;-\n', {
    format: 'csv',
    delimiter: ';',
    columns: { id: 'name', speaker: 'who', reference: 'said', path: 'wav2' },
    attributes: ['age', 'sex'],
    missing: ['-'],
    language: 'en_gb',
  });
  assert.deepEqual(utterances, [
    {
      id: 'u1',
      sound: { file: '/a.wav' },
      reference: 'hi',
      language: 'en-GB',
      speaker: 'anna',
      attributes: { sex: 'F' },
      tags: [],
    },
  ]);
});

test('a list without sounds gives utterances without sound', async () => {
  const utterances = await read('path\ttext\nx.wav\thello\n', { columns: { path: null, id: 'path' } });
  assert.deepEqual(utterances, [{ id: 'x.wav', reference: 'hello', language: 'und', attributes: {}, tags: [] }]);
});

test('the code of Min Nan is a language where languages stand, unless the config says that it is missing', async () => {
  const languages = async (options: Partial<ManifestOptions>) => {
    const rows = await read('path\tlanguage\tsex\na.wav\tnan\tnan\nb.wav\tNaN\tF\n', options);
    return rows.map(({ language, attributes }) => [language, attributes]);
  };
  assert.deepEqual(await languages({}), [
    ['nan', {}],
    ['und', { sex: 'F' }],
  ]);
  assert.deepEqual(await languages({ missing: ['nan', 'NaN'] }), [
    ['und', {}],
    ['und', { sex: 'F' }],
  ]);
});

test('a byte order mark, CRLF, blank lines and a missing last line end are accepted', async () => {
  const utterances = await read('\uFEFFid\ttext\r\n\r\na\tone\r\nb\ttwo');
  assert.deepEqual(
    utterances.map(({ id, reference }) => [id, reference]),
    [
      ['a', 'one'],
      ['b', 'two'],
    ],
  );
});

test('an empty reference is not transcribed, told once with the count, and silence where the config says so', async () => {
  const list = 'id\ttext\na\tone\nb\t\nc\t \nd\ttwo\n';
  await using folder = await temporaryFolder({ 'list.tsv': list });
  const references = async (options: Partial<ManifestOptions>) => {
    const services = testServices(folder.path);
    const corpus = await manifest.open({ file: 'list.tsv', ...options }, services);
    await utterancesOf(corpus);
    const utterances = await utterancesOf(corpus);
    return {
      references: utterances.map((one) => ('reference' in one ? one.reference : null)),
      warnings: services.warnings,
    };
  };
  assert.deepEqual(await references({}), {
    references: ['one', null, null, 'two'],
    warnings: [
      'list.tsv: 2 of 4 rows have an empty reference, which counts as not transcribed; if nobody speaks there, set emptyReference: silence',
    ],
  });
  assert.deepEqual(await references({ emptyReference: 'silence' }), {
    references: ['one', '', '', 'two'],
    warnings: [],
  });
});

test('utterances can be opened again, and a list that changed meanwhile is refused', async () => {
  await using folder = await temporaryFolder({ 'list.tsv': 'id\ttext\na\tone\nb\ttwo\n' });
  const corpus = await manifest.open({ file: 'list.tsv' }, testServices(folder.path));
  const first = await utterancesOf(corpus);
  assert.deepEqual(await utterancesOf(corpus), first);
  await folder.write('list.tsv', 'id\ttext\na\tone\n');
  await assertRefused(utterancesOf(corpus), /list\.tsv: expected the list to stay as it was/);
});

const refused: readonly [
  what: string,
  content: string | Uint8Array,
  options: Partial<ManifestOptions>,
  message: RegExp,
][] = [
  [
    'a column from the options that is missing',
    'path\tsentnce\na\tb\n',
    { columns: { reference: 'sentence' } },
    /^list\.tsv:1: .*"sentence".*did you mean "sentnce"\?/,
  ],
  [
    'an attribute that is missing',
    'path\tsex\na\tF\n',
    { attributes: ['sexx'] },
    /^list\.tsv:1: .*did you mean "sex"\?/,
  ],
  ['no column that can be the id', 'pth\ttext\na.wav\tb\n', {}, /^list\.tsv:1: .*is it "pth"\?/],
  ['a doubled id', 'id\ttext\na\tx\nb\tx\na\ty\n', {}, /^list\.tsv:4:1: .*"a" stands at list\.tsv:2 too/],
  [
    'bytes that are not UTF-8',
    Buffer.from('id\ttext\na\tcaf\xe9 au lait\n', 'latin1'),
    {},
    /^list\.tsv:2:6: expected UTF-8 text, but byte 0xe9/,
  ],
  [
    'two columns that may be the reference',
    'id\ttext\tsentence\na\tb\tc\n',
    {},
    /^list\.tsv:1: expected one column that may hold the reference, but there are "text", "sentence"; .*columns\.reference/,
  ],
  [
    'a column of an unknown name with the words of the one that is called text',
    'id\tdoctor\ttext\na\tso say all of us\tso say of us\nb\tthe cat sat\tthe cat\n',
    {},
    /^list\.tsv:1(?::1)?: expected one column that may hold the reference, but there are "text", "doctor"; .*columns\.reference/,
  ],
  ['a path that climbs out', 'id\tpath\na\t../b.wav\n', {}, /^list\.tsv:2:3: .*\.\.\/b\.wav leads out.*allowOutside/],
  ['a path of Windows that climbs out', 'id\tpath\na\t..\\..\\b.wav\n', {}, /^list\.tsv:2:3: .*\.\.\/b\.wav leads out/],
  ['an absolute path elsewhere', 'id\tpath\na\t/etc/passwd\n', {}, /^list\.tsv:2:3: .*leads out/],
  [
    'a quote that is never closed',
    'id,text\na,"one\nb,two\n',
    { file: 'list.csv' },
    /^list\.csv:2:3: .*quote.*never is/,
  ],
  ['text after a closing quote', 'id,text\na,"one" two\n', { file: 'list.csv' }, /^list\.csv:2:8: .*found " "/],
  ['a row with too many fields', 'id\ttext\na\tb\tc\n', {}, /^list\.tsv:2:5: expected 2 fields.*found 3/],
  [
    'a row with too few fields',
    'id\tpath\ttext\na\tb\n',
    {},
    /^list\.tsv:2:3: expected 3 fields.*found 2; nothing stands for "text"/,
  ],
  ['two columns of one name', 'id\tid\na\tb\n', {}, /^list\.tsv:1:4: .*twice/],
  ['a line that is not JSON', '{"id": "a"}\n{"id": "b",}\n', { file: 'l.jsonl' }, /^l\.jsonl:2:12: /],
  ['a JSON line that is cut off', '{"id": "a"}\n{"id": "b"', { file: 'l.jsonl' }, /^l\.jsonl:2:11: /],
  ['JSON that is no object', '[1]\n', { file: 'l.jsonl' }, /^l\.jsonl:1:1: .*found a list/],
  ['a JSON member that would be a prototype', '{"id":"a","__proto__":"x"}\n', { file: 'l.jsonl' }, /__proto__/],
  ['an end before the start', 'path\tstart\tend\na.wav\t3\t2\n', {}, /^list\.tsv:2:9: .*after the start at 3 s/],
  ['a time that is no number', 'path\tstart\tend\na.wav\t1;5\t2\n', {}, /^list\.tsv:2:7: expected seconds.*"1;5"/],
  ['a list without rows', 'id\ttext\n', {}, /^list\.tsv: .*the list is empty/],
  ['a list with the line ends of old Macs', 'id\ttext\ra\tb\r', {}, /^list\.tsv:1:4: .*carriage return alone/],
  ['an empty file', '', {}, /^list\.tsv: .*the file is empty/],
  ['an empty id', 'id\ttext\n \tb\n', {}, /^list\.tsv:2:1: expected id to have a text/],
  ['a control character in an id', 'id\ttext\na\u0007b\tc\n', {}, /^list\.tsv:2:1: .*U\+0007/],
  ['an id that turns the direction of writing', 'id\ttext\na\u202eb\tc\n', {}, /U\+202E/],
  ['an id that is too long', `id\ttext\n${'a'.repeat(600)}\tc\n`, {}, /at most 512 characters, but it has 600/],
  ['a language that is none', 'id\tlang\na\tEnglish (US)\n', {}, /^list\.tsv:2:3: expected a language/],
  [
    'a spreadsheet',
    'PK\x03\x04',
    { file: 'list.xlsx' },
    /list\.xlsx: expected a text file, but it is a spreadsheet; save it as CSV/,
  ],
  ['a line without end', 'x'.repeat((1 << 20) + (1 << 17)), {}, /^list\.tsv:1: .*1 MiB/],
];
for (const [what, content, options, message] of refused) {
  test(`${what} is refused with file, line and remedy`, () => assertRefused(read(content, options), message));
}

test('a list that does not exist, and a folder in its place, are refused', async () => {
  await using folder = await temporaryFolder({ 'a.tsv/b': '' });
  await assertRefused(manifest.open({ file: 'no.tsv' }, testServices(folder.path)), /^no\.tsv: .*there is none/);
  await assertRefused(manifest.open({ file: 'a.tsv' }, testServices(folder.path)), /^a\.tsv: .*this is a folder/);
});

test('sound is read through the audio files; a missing one is found then, not before', async () => {
  await using folder = await temporaryFolder({
    'list.tsv': 'path\tstart\tend\na.wav\t0.01\t0.05\nmissing.wav\t\t\n',
    'a.wav': wavFile(),
  });
  const corpus = await manifest.open({ file: 'list.tsv' }, testServices(folder.path, { sounds: soundFiles() }));
  const [stretch, missing] = await utterancesOf(corpus);
  assert.equal((await corpus.clip(stretch!)).samples.length, 320);
  assert.deepEqual((await corpus.soundIdentity(stretch!))?.stretch, { startSeconds: 0.01, endSeconds: 0.05 });
  await assertRefused(corpus.clip(missing!), /missing\.wav: .*no such file/);
});

test('a symbolic link that leads out is refused when it is read, and read with allowOutside', async () => {
  await using outside = await temporaryFolder({ 'secret.wav': wavFile() });
  await using folder = await temporaryFolder({ 'list.tsv': 'path\nlink.wav\ninside.wav\n', 'real.wav': wavFile(400) });
  await symlink(join(outside.path, 'secret.wav'), join(folder.path, 'link.wav'));
  await symlink(join(folder.path, 'real.wav'), join(folder.path, 'inside.wav'));
  const services = testServices(folder.path, { sounds: soundFiles() });
  const strict = await manifest.open({ file: 'list.tsv' }, services);
  const [link, inside] = await utterancesOf(strict);
  await assertRefused(strict.clip(link!), /symbolic link leads out/);
  await assertRefused(strict.soundIdentity(link!), /symbolic link leads out/);
  assert.equal((await strict.clip(inside!)).samples.length, 400);
  const open = await manifest.open({ file: 'list.tsv', allowOutside: true }, services);
  assert.equal((await open.clip(link!)).samples.length, 800);
});

/** Two people of each of TIMIT's regions with ten recordings each that SoX wrote, and a digit, as the list beside the repository has them. */
async function inventedRecordings() {
  const columns = ['utt', 'speaker', 'sex', 'age', 'native', 'accent', 'lang', 'text', 'extra'] as const;
  const sentence = 'She had your dark suit in greasy wash water all year.';
  const timit = ['fvmh0', ...Array.from({ length: 15 }, (_, index) => `mabc${index}`)].flatMap((speaker, person) =>
    Array.from({ length: 10 }, (_, prompt) => {
      const extra = `dialect=DR${1 + (person % 8)};race=WHT;edu=BS;prompt=sa${prompt + 1}`;
      const people = { speaker, sex: speaker[0]!.toUpperCase(), age: '26', native: 'yes', accent: 'US New England' };
      return { utt: `dr${1 + (person % 8)}-${speaker}-sa${prompt + 1}`, lang: 'en', text: sentence, extra, ...people };
    }),
  );
  const digit = {
    utt: 'zero',
    speaker: '',
    sex: '',
    age: '',
    native: '',
    accent: '',
    lang: 'de',
    text: 'null',
    extra: '',
  };
  const rows = [...timit, digit];
  const recordings = await recordingsOf('timit', rows, { type: 'wav', sampleRate: 16_000 });
  const line = (row: (typeof rows)[number], at: number) =>
    [`speech/${at}.wav`, at < timit.length ? 'timit' : 'digits', ...columns.map((name) => row[name])].join('\t');
  const list = [['path', 'corpus', ...columns].join('\t'), ...rows.map(line)].join('\n');
  const sounds = recordings.map(({ bytes }, at) => [`speech/${at}.wav`, bytes()] as const);
  return { files: { 'speech/manifest.tsv': `${list}\n`, ...Object.fromEntries(sounds) }, recordings };
}

test('recordings are found with their speakers and all that the list says of them', {
  skip: needsRecordings.skip || needsCut.skip,
}, async () => {
  const made = existsSync(sharedData) ? null : await inventedRecordings();
  await using tree = await temporaryFolder(made?.files);
  const folder = made === null ? sharedData : tree.path;
  const corpus = await manifest.open({ file: 'speech/manifest.tsv' }, testServices(folder, { sounds: soundFiles() }));
  const utterances = await utterancesOf(corpus);
  const counts = (column: string) => columnCounts(join(folder, 'speech/manifest.tsv'), column);
  assert.equal(utterances.length, counts('path').size);
  if (made === null) assert.equal(utterances.length, 1003);
  const timit = utterances.filter(({ attributes }) => attributes.corpus === 'timit');
  assert.equal(timit.length, counts('corpus').get('timit'));
  assert.equal(new Set(timit.map(({ speaker }) => speaker)).size, 16);
  const german = utterances.filter(({ language }) => language === 'de');
  assert.equal(german.length, counts('lang').get('de'));
  assert.ok(utterances.every(({ sound }) => sound !== undefined && 'file' in sound && existsSync(sound.file)));
  const { sound: _, ...sa1 } = timit.find(({ id }) => id === 'dr1-fvmh0-sa1')!;
  assert.deepEqual(sa1, {
    id: 'dr1-fvmh0-sa1',
    reference: 'She had your dark suit in greasy wash water all year.',
    language: 'en',
    speaker: 'fvmh0',
    attributes: {
      corpus: 'timit',
      sex: 'F',
      age: '26',
      native: 'yes',
      accent: 'US New England',
      dialect: 'DR1',
      race: 'WHT',
      edu: 'BS',
      prompt: 'sa1',
    },
    tags: [],
  });
  assert.equal((await corpus.clip(timit[0]!)).sampleRate, 16_000);
  if (made !== null) await assertOwnSounds(corpus, made.recordings);
});

test('the Artie Bias list (Common Voice) is understood as it is', needsCut, async () => {
  await using list = await artieList();
  const utterances = await utterancesOf(await manifest.open({ file: list.name }, testServices(list.folder)));
  assert.equal(utterances.length, list.counts('path').size);
  assert.deepEqual(new Set(utterances.map(({ speaker }) => speaker)), new Set(list.counts('client_id').keys()));
  const ages = list.counts('age');
  const having = (age: string | undefined) => utterances.filter(({ attributes }) => attributes.age === age).length;
  assert.deepEqual([having('twenties'), having(undefined)], [ages.get('twenties'), ages.get('NA')]);
  assert.ok(utterances.every(({ language }) => language === 'en'));
  // Quotes are literal.
  const sentences = utterances.map(({ reference }) => reference).sort();
  const counted = [...list.counts('sentence')].flatMap(([text, times]) => Array<string>(times).fill(text));
  assert.deepEqual(sentences, counted.sort());
});

test('a list without a line of names, whose sounds are named without ending, is read as LJ Speech has it', async () => {
  await using tree = await temporaryFolder({
    'metadata.csv': 'LJ001-0001|Printing, in 3 ways|Printing, in three ways\nLJ001-0002|in "being"|in being\n',
    'wavs/LJ001-0001.wav': 'one',
  });
  const options = manifest.options.parse({
    ...{ file: 'metadata.csv', delimiter: '|', soundEnding: '.wav' },
    ...{ header: ['name', 'written', 'spoken'], columns: { path: 'name', reference: 'spoken' }, attributes: [] },
  });
  const utterances = await utterancesOf(await manifest.open(options, testServices(tree.path)));
  assert.deepEqual(
    utterances.map(({ id, sound, reference }) => [id, (sound as { file: string }).file, reference]),
    [
      ['LJ001-0001', `${tree.path}/wavs/LJ001-0001.wav`, 'Printing, in three ways'],
      ['LJ001-0002', `${tree.path}/wavs/LJ001-0002.wav`, 'in being'],
    ],
  );
  await tree.write('metadata.csv', 'LJ001-0001|Printing\n');
  await assertRefused(
    manifest.open(options, testServices(tree.path)),
    /^metadata\.csv:1:\d+: expected 3 fields as named, but found 2; nothing stands for "spoken"/,
  );
});

test('what paths begin with on another machine is taken away, and what is left is meant from the folder of sounds', async () => {
  await using tree = await temporaryFolder({
    'list.tsv': 'path\ttext\n/data/eva/a/1.wav\tone\na/2.wav\ttwo\n',
    'wavs/a/1.wav': 'sound',
    'wavs/a/2.wav': 'sound',
  });
  const read = async (soundFolder: { soundFolder?: string }) =>
    (
      await utterancesOf(
        await manifest.open(
          manifest.options.parse({ file: 'list.tsv', soundPrefix: '/data/eva/', ...soundFolder }),
          testServices(tree.path),
        ),
      )
    ).map(({ id, sound }) => [id, (sound as { file: string }).file]);
  const expected = [1, 2].map((n) => [`a/${n}`, `${tree.path}/wavs/a/${n}.wav`]);
  assert.deepEqual(await read({ soundFolder: 'wavs' }), expected);
  // A usual folder is found without being told.
  assert.deepEqual(await read({}), expected);
});

test('sounds are found whose paths are written as another system has them', async () => {
  const [nfc, nfd] = ['Mu\u0308ller', 'Jo\u0308rg'].map((name) => name.normalize('NFC')) as [string, string];
  await using tree = await temporaryFolder({
    'list.csv': [
      'path',
      'audio\\c0.wav',
      `audio/${nfc}.wav`,
      `audio\\${nfd.normalize('NFD')}.wav`,
      'Audio/CLIP.WAV',
      'audio/Two.wav',
      'a\\b.wav',
      'C:\\data\\c0.wav',
    ].join('\n'),
    'audio/c0.wav': 'sound',
    [`audio/${nfc.normalize('NFD')}.wav`]: 'sound',
    [`audio/${nfd}.wav`]: 'sound',
    'audio/clip.wav': 'sound',
    'audio/two.wav': 'sound',
    'audio/TWO.wav': 'sound',
    'a\\b.wav': 'sound',
  });
  const services = testServices(tree.path);
  const options = manifest.options.parse({ file: 'list.csv', absentSounds: 'left out' });
  const found = await utterancesOf(await manifest.open(options, services));
  assert.deepEqual(
    found.map(({ sound }) => (sound as { file: string }).file.slice(tree.path.length + 1)),
    ['audio/c0.wav', `audio/${nfc.normalize('NFD')}.wav`, `audio/${nfd}.wav`, 'audio/clip.wav', 'a\\b.wav'],
  );
  // Two that differ in letter case alone are not told apart.
  assert.match(
    services.warnings.join(),
    /left out 2: rows whose sounds are not there: line 6 "audio\/Two\.wav" \(nearest: "(?:two|TWO)\.wav"\); line 8 "C:.*c0\.wav" \(nearest: "c0\.wav"\)/,
  );
});

test('rows whose sounds are not there are left out where that is wanted, and counted', async () => {
  await using tree = await temporaryFolder({ 'list.csv': 'path,text\na.wav,one\nb.wav,two\n', 'b.wav': 'sound' });
  const services = testServices(tree.path);
  const options = manifest.options.parse({ file: 'list.csv', absentSounds: 'left out' });
  assert.deepEqual(
    (await utterancesOf(await manifest.open(options, services))).map(({ id }) => id),
    ['b'],
  );
  assert.deepEqual(services.warnings, [
    'list.csv: left out 1: rows whose sounds are not there: line 2 "a.wav" (nearest: "b.wav")',
  ]);
  const asked = await manifest.open(manifest.options.parse({ file: 'list.csv' }), services);
  assert.equal((await utterancesOf(asked)).length, 2);
});
