import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { EarwitnessError } from '../../base/errors.ts';
import { testRecognizer } from '../conformance.ts';
import { RecognitionError } from '../contract.ts';
import { plainServices } from '../testing/tones.ts';
import { recorded } from './recorded.ts';

const folder = mkdtempSync(join(tmpdir(), 'earwitness-recorded-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const neverAborted = new AbortController().signal;

function file(name: string, content: string | Buffer): string {
  writeFileSync(join(folder, name), content);
  return name;
}

const request = (utteranceId: string, conditionName = 'clean', repeat = 0) => ({
  utteranceId,
  conditionName,
  repeat,
  language: 'en',
});

function opened(options: object) {
  return recorded.open(recorded.options.parse(options), plainServices(folder));
}

async function answers(options: object, ...requests: ReturnType<typeof request>[]) {
  const recognizer = await opened(options);
  try {
    const given = [];
    for (const one of requests) {
      given.push(
        await recognizer.recognize(one, neverAborted).catch((error: unknown) => {
          assert.ok(error instanceof RecognitionError, String(error));
          return `${error.kind}: ${error.message}`;
        }),
      );
    }
    return given;
  } finally {
    await recognizer.close();
  }
}

testRecognizer({
  kind: recorded,
  options: { file: file('conforming.tsv', 'utterance\tcondition\ttext\na\tclean\tone two\nb\tclean\tthree\n') },
  services: plainServices(folder),
  requests: [request('a'), request('b')],
  skip: false,
});

test('rows are found by utterance, condition and repeat; empty cells mean clean and 0', async () => {
  const tsv = file(
    'a.tsv',
    'repeat\tid\tcondition\thyp\terror\n\ta\t\ttext "a"\t\n1\ta\tnoise\tother\t\n0\ta\tnoise\t\ttimeout: no answer in 30 s\n',
  );
  assert.deepEqual(
    await answers(
      { file: tsv },
      request('a'),
      request('a', 'noise', 1),
      request('a', 'noise'),
      request('a', 'clean', 1),
    ),
    [
      { text: 'text "a"' },
      { text: 'other' },
      'timeout: no answer in 30 s',
      'unknown-utterance: no row for utterance "a", condition "clean", repeat 1',
    ],
  );
});

test('a CSV file with a byte order mark, CRLF, quotes, line ends in fields and no last line end is read', async () => {
  const csv = file('b.csv', '\ufeffutterance,text\r\n"a, b","he said ""hi""\r\nand went"\r\n\r\nc,"d"');
  assert.deepEqual(await answers({ file: csv }, request('a, b'), request('c')), [
    { text: 'he said "hi"\nand went' },
    { text: 'd' },
  ]);
});

test('JSON lines hold words with times, and other delimiters and names can be set', async () => {
  const words = [{ word: 'hi', start: 0.1, end: 0.5, confidence: 0.9 }, { text: 'you' }];
  const lines = file(
    'c.jsonl',
    `${JSON.stringify({ id: 7, text: 'hi you', words })}\n${JSON.stringify({ id: 'x', error: 'odd' })}\n`,
  );
  assert.deepEqual(await answers({ file: lines }, request('7'), request('x')), [
    { text: 'hi you', words: [{ text: 'hi', startSeconds: 0.1, endSeconds: 0.5, confidence: 0.9 }, { text: 'you' }] },
    'error: odd',
  ]);
  const odd = file('d.txt', 'Datei;Wortlaut\nü;ß\n');
  const options = { file: odd, format: 'csv', delimiter: ';', columns: { utterance: 'Datei', text: 'Wortlaut' } };
  assert.deepEqual(await answers(options, request('ü')), [{ text: 'ß' }]);
});

test('where a table holds references too, the transcript is what is called after a hypothesis', async () => {
  const rows = [
    { id: 'a', text: 'what was said', pred_text: 'what was heard', score: Number.NaN },
    { id: 'b', text: 'so', pred_text: 'sew', score: 1 },
  ];
  // As Python writes what is no number.
  const python = rows.map((row) => `${JSON.stringify(row).replace('"score":null', '"score": NaN')}\n`).join('');
  assert.deepEqual(await answers({ file: file('both.jsonl', python) }, request('a')), [{ text: 'what was heard' }]);
  assert.deepEqual(await answers({ file: file('both.csv', 'id,text,hyp\na,said,heard\n') }, request('a')), [
    { text: 'heard' },
  ]);
});

const table = 'id;text\na;bé\n';
const list = JSON.stringify([{ id: 'a', text: 'bé', words: [{ word: 'bé' }] }], null, 2);
const swapped = (bytes: Buffer) => bytes.swap16();
const forms: readonly [string, Buffer | string][] = [
  ['mark.csv', Buffer.from(`\ufeff${table}`, 'utf16le')],
  ['unmarked.csv', Buffer.from(table, 'utf16le')],
  ['big-endian.csv', swapped(Buffer.from(`\ufeff${table}`, 'utf16le'))],
  ['packed.csv.gz', gzipSync(table)],
  ['list.json', list],
  ['list.jsonl', Buffer.from(`\ufeff${list}`, 'utf16le')],
  ['named.json', JSON.stringify({ a: { text: 'bé' }, b: { text: 'c' } })],
  ['spreadsheet.csv', `sep=;\r\n${table}`],
];

for (const [name, content] of forms) {
  test(`a table is read as score and compare read it: ${name}`, async () => {
    const [answer] = await answers({ file: file(name, content) }, request('a'));
    assert.equal(typeof answer === 'string' ? answer : answer!.text, 'bé');
  });
}

test('without an id the path of the audio names the utterance, as a manifest does', async () => {
  const lines = file(
    'nemo.json',
    '{"audio_filepath":"a/1.wav","text":"said","pred_text":"heard"}\n{"audio_filepath":"a/2.wav","text":"so","pred_text":"sew"}\n',
  );
  assert.deepEqual(await answers({ file: lines }, request('a/2')), [{ text: 'sew' }]);
});

test('Parquet is read in the codec of each file, and what is cut off is refused whole', async () => {
  const { parquetWriteBuffer } = await import('hyparquet-writer');
  const columnData = [
    { name: 'utt', data: ['a', 'b'] },
    { name: 'hyp', data: ['one', 'two'] },
  ];
  const bytes = new Uint8Array(parquetWriteBuffer({ columnData }));
  file('whole.parquet', Buffer.from(bytes));
  assert.deepEqual(await answers({ file: 'whole.parquet' }, request('b')), [{ text: 'two' }]);
  file('cut.parquet', Buffer.from(bytes.subarray(0, bytes.length - 20)));
  await assert.rejects(opened({ file: 'cut.parquet' }), {
    code: 'bad-input',
    message: /^cut\.parquet: expected a Parquet file, but it is cut off after \d+ bytes/,
  });
});

const faults: readonly [string, string | Buffer, RegExp, object?][] = [
  ['doubled.tsv', 'id\ttext\na\tx\nb\ty\na\tz\n', /^doubled.tsv:4:1: .*"a", "clean", 0 stands in line 2/],
  ['missing.tsv', 'id\ttranscirpt\na\tb\n', /^missing.tsv:1:1: expected a column for the text .*found id, transcirpt/],
  ['named.csv', 'id,text\na,b\n', /^named.csv:1:1: .*"texd".*did you mean "text"\?/, { columns: { text: 'texd' } }],
  ['latin.csv', Buffer.from('id,text\na,caf\xe9\n', 'latin1'), /^latin.csv:2:6: expected UTF-8 text, but byte 0xe9/],
  ['fields.tsv', 'id\ttext\na\tb\tc\n', /^fields.tsv:2:5: expected 2 fields as in the first line, but found 3/],
  [
    'open.csv',
    'id,text\na,"b\n',
    /^open.csv:2:3: expected the quote that opens this field to be closed, but it never is/,
  ],
  ['stray.csv', 'id,text\na,"b"c"\n"d",e\n', /^stray.csv:2:/],
  ['repeat.tsv', 'id\ttext\trepeat\na\tb\t-1\n', /^repeat.tsv:2:5: expected the number of a repeat/],
  ['empty.tsv', '', /^empty.tsv: expected a first line with column names, but the file is empty/],
  ['twice.tsv', 'id\ttext\ttext\na\tb\tc\n', /^twice.tsv:1:9: expected different column names/],
  ['bad.jsonl', '{"id":"a","text":"b"}\n{"id":"a" "text"}\n', /^bad.jsonl:2:11: expected one JSON object/],
  ['list.jsonl', '[1]\n', /^list.jsonl:1:1: expected one JSON object/],
  [
    'textless.jsonl',
    '{"id":"a"}\n',
    /^textless.jsonl:1:1: expected a column for the text \(text, transcript, hypothesis or hyp\), but found id/,
  ],
  ['odd.xyz', 'id\ttext\n', /^odd.xyz: expected a name that ends in .tsv, .csv or .jsonl; set format/],
];

for (const [name, content, message, options] of faults) {
  test(`a fault is told in one sentence with its place: ${name}`, async () => {
    await assert.rejects(opened({ file: file(name, content), ...options }), (error: unknown) => {
      assert.ok(error instanceof EarwitnessError, String(error));
      assert.match(error.message, message);
      return true;
    });
  });
}

test('the identity is the content and the mapping, not the path', async () => {
  const identity = async (options: object) =>
    JSON.stringify((await recorded.describe(recorded.options.parse(options), plainServices(folder))).identity);
  const one = await identity({ file: file('e.tsv', 'id\ttext\na\tb\n') });
  assert.equal(await identity({ file: file('f.tsv', 'id\ttext\na\tb\n') }), one);
  assert.notEqual(await identity({ file: file('g.tsv', 'id\ttext\na\tc\n') }), one);
  assert.notEqual(await identity({ file: 'e.tsv', columns: { text: 'id' } }), one);
});

test('no id can pretend to be another row', async () => {
  const lines = file('h.jsonl', `${JSON.stringify({ id: 'b', condition: 'c', text: 'x' })}\n`);
  assert.match(String((await answers({ file: lines }, request('cb', '')))[0]), /^unknown-utterance/);
});

test('a hundred thousand rows open in seconds and take little memory', async () => {
  const path = join(folder, 'large.tsv');
  const large = await open(path, 'w');
  await large.write('id\tcondition\ttext\n');
  for (let block = 0; block < 100; block++) {
    const rows = Array.from(
      { length: 1000 },
      (_, row) => `speaker-${block}-utterance-${row}\tnoise:${row % 7}\tsome words that were heard ${row}\n`,
    );
    await large.write(rows.join(''));
  }
  await large.close();
  const started = process.cpuUsage();
  const given = await answers({ file: 'large.tsv' }, request('speaker-99-utterance-999', 'noise:5'));
  assert.deepEqual(given, [{ text: 'some words that were heard 999' }]);
  const { user, system } = process.cpuUsage(started);
  assert.ok(user + system < 10e6);
});

test('endings of files may be ignored: a row about clip.wav answers for clip.mp3, and two rows about one clip are a fault', async () => {
  const tsv = file('endings.tsv', 'utterance\ttext\na.wav\tone\nv1.2/b.flac\ttwo\n.wav\tthree\n');
  const asked = [request('a.mp3'), request('a'), request('v1.2/b.mp3'), request('v1')];
  assert.deepEqual(
    (await answers({ file: tsv, fileEndings: 'ignored' }, ...asked)).map((one) =>
      typeof one === 'string' ? null : one.text,
    ),
    ['one', 'one', 'two', null],
  );
  const [kept] = await answers({ file: tsv }, request('a.mp3'));
  assert.match(String(kept), /unknown-utterance/);
  const both = file('both-endings.tsv', 'utterance\ttext\na.wav\tone\na.mp3\ttwo\n');
  await assert.rejects(
    opened({ file: both, fileEndings: 'ignored' }),
    /both-endings.tsv:3:1: expected each utterance once/,
  );
});

test('One long table holds several systems: each recognizer takes the rows of one', async () => {
  const rows = [
    'utt,model,condition,hyp',
    'a,big,clean,one two',
    'a,small,clean,one too',
    'a,big,noise,won',
    'b,small,clean,three',
  ];
  const csv = file('long.csv', `${rows.join('\n')}\n`);
  const of = (system: string) => answers({ file: csv, system }, request('a'), request('a', 'noise'), request('b'));
  assert.deepEqual(await of('big'), [
    { text: 'one two' },
    { text: 'won' },
    'unknown-utterance: no row for utterance "b", condition "clean", repeat 0',
  ]);
  assert.deepEqual((await of('small'))[0], { text: 'one too' });
  const lines = file('long.jsonl', '{"id":"a","system":1,"text":"x"}\n{"id":"a","system":2,"text":"y"}\n');
  assert.deepEqual(await answers({ file: lines, system: '2' }, request('a')), [{ text: 'y' }]);
  const identity = async (options: object) =>
    (await recorded.describe(recorded.options.parse(options), plainServices(folder))).identity;
  assert.notDeepEqual(await identity({ file: csv, system: 'big' }), await identity({ file: csv, system: 'small' }));
  await assert.rejects(opened({ file: csv }), {
    code: 'bad-input',
    message:
      /long\.csv:3:1: .* stands in line 2 already; it holds several systems: say which with system: "small", or take them all/,
  });
  await assert.rejects(opened({ file: csv, system: 'bgi' }), { message: /no|none; did you mean "big"\?/ });
  await assert.rejects(opened({ file: file('one.csv', 'id,text\na,x\n'), system: 'big' }), {
    message: /expected a column system for the system "big"/,
  });
});

test('A table is read once for all of its systems that are described together, and what is wrong with one is no fault of others', async () => {
  const table = (heard: string) => `utt,model,hyp\na,big,${heard}\na,small,one too\na,twice,x\nb,twice,y\na,twice,z\n`;
  const csv = file('together.csv', table('one two'));
  const services = plainServices(folder);
  const options = (system: string) => recorded.options.parse({ file: csv, system });
  for (const system of ['big', 'small', 'twice', 'bgi']) await recorded.describe(options(system), services);
  const answer = async (system: string) => {
    const recognizer = await recorded.open(options(system), services);
    return recognizer.recognize(request('a'), neverAborted);
  };
  assert.deepEqual(await answer('small'), { text: 'one too' });
  // What was described is answered, whatever becomes of the file.
  file('together.csv', table('something else'));
  assert.deepEqual(await answer('big'), { text: 'one two' });
  await assert.rejects(answer('twice'), { message: /together\.csv:6:1: .*"a".* stands in line 4 already/ });
  await assert.rejects(answer('bgi'), { message: /did you mean "big"\?/ });
  // Opened again it is read again: nothing is kept of what was taken.
  assert.deepEqual(await answer('big'), { text: 'something else' });

  const people = file('once.csv', 'utt,listener,hyp\na,ann,one\na,ben,two\n');
  const panel = (place: number) => recorded.options.parse({ file: people, panel: place });
  for (const place of [1, 2]) await recorded.describe(panel(place), services);
  const first = await recorded.open(panel(2), services);
  file('once.csv', 'utt,listener,hyp\na,ann,three\na,ben,four\n');
  const second = await recorded.open(panel(1), services);
  const heard = await Promise.all([first, second].map((one) => one.recognize(request('a'), neverAborted)));
  assert.deepEqual(
    heard.map(({ text }) => text),
    ['two', 'one'],
  );
});

test('One entry stands for all systems of a table, under names that a config may give', async () => {
  const several = (options: object) => recorded.several!(recorded.options.parse(options), plainServices(folder));
  const csv = file('systems.csv', 'utt,model,hyp\na,openai/whisper,x\na,"big, 2",y\nb,openai/whisper,z\n');
  assert.equal(await several({ file: csv, system: 'big, 2' }), null);
  const found = (await several({ file: csv, systems: 'all' }))!;
  assert.deepEqual(
    found.map(({ name, options }) => [name, options.system, options.systems]),
    [
      ['openai-whisper', 'openai/whisper', undefined],
      ['big- 2', 'big, 2', undefined],
    ],
  );
  assert.deepEqual(await answers(found[1]!.options, request('a')), [{ text: 'y' }]);
  const faulty: readonly [string, string, RegExp, object?][] = [
    [
      'none.csv',
      'utt,hyp\na,x\n',
      /none\.csv: expected a column system that says whose each transcript is, or one of listeners, but there is/,
    ],
    ['empty.csv', 'utt,system,hyp\na,one,x\nb,,x\n', /empty\.csv:3:1: expected the name of a system, but it is empty/],
    ['alike.csv', 'utt,system,hyp\na,a/b,x\na,a:b,x\n', /alike\.csv:3:1: .* unlike "a\/b", but got "a:b"; rename it/],
    ['signs.csv', 'utt,system,hyp\na,??,x\n', /signs\.csv:2:1: expected a system with a letter or digit in it/],
    ['rows.csv', 'utt,system,hyp\n', /rows\.csv:1:1: expected a table with rows/],
    ['both.csv', 'utt,system,hyp\na,one,x\n', /either system or systems/, { system: 'one' }],
    [
      'many.tsv',
      `utt\tsystem\ttext\n${Array.from({ length: 1001 }, (_, row) => `a\t${row}\tx`).join('\n')}\n`,
      /many\.tsv:1002:1: expected up to 1000 systems/,
    ],
  ];
  for (const [name, content, message, options] of faulty) {
    await assert.rejects(several({ file: file(name, content), systems: 'all', ...options }), { message }, name);
  }
});

test('Of several people who wrote down one clip nobody is lost: panels side by side, or each listener by name', async () => {
  const rows = [
    ['a', 'clean', 'ann', 'one two'],
    ['a', 'clean', 'ben', 'one too'],
    ['a', 'MR-1/babble:4', 'ben', 'won'],
    ['b', 'clean', 'cleo', 'three'],
    ['a', 'clean', 'cleo', 'on two'],
  ];
  const table = (...more: string[][]) =>
    `utterance,condition,listener,text\n${[...rows, ...more].map((row) => row.join(',')).join('\n')}\n`;
  const people = file('panels.csv', table());
  const several = (options: object) => recorded.several!(recorded.options.parse(options), plainServices(folder));
  const answers = async (entries: readonly { readonly name: string; readonly options: object }[]) =>
    Object.fromEntries(
      await Promise.all(
        entries.map(async ({ name, options }) => {
          const recognizer = await recorded.open(recorded.options.parse(options), plainServices(folder));
          const said: string[] = [];
          for (const [utteranceId, conditionName] of [...new Set(rows.map(([id, name]) => `${id} ${name}`))].map(
            (both) => both.split(' '),
          )) {
            const request = { utteranceId: utteranceId!, conditionName: conditionName!, repeat: 0, language: 'en' };
            const heard = await recognizer.recognize(request, new AbortController().signal).catch(() => null);
            if (heard !== null) said.push(`${heard.details!.listener}: ${heard.text}`);
          }
          await recognizer.close();
          return [name, said];
        }),
      ),
    );
  const panels = (await several({ file: people }))!;
  assert.deepEqual(await answers(panels), {
    'people-1': ['ann: one two', 'ben: won', 'cleo: three'],
    'people-2': ['ben: one too'],
    'people-3': ['cleo: on two'],
  });
  assert.deepEqual(await answers((await several({ file: people, systems: 'all' }))!), {
    ann: ['ann: one two'],
    ben: ['ben: one too', 'ben: won'],
    cleo: ['cleo: on two', 'cleo: three'],
  });
  const identities = panels.map(async ({ options }) =>
    JSON.stringify((await recorded.describe(options, plainServices(folder))).identity),
  );
  assert.equal(new Set(await Promise.all(identities)).size, 3);
  // Where each clip was heard once they are one, and who wrote a clip down twice is told.
  assert.equal(await several({ file: file('once.csv', 'utterance,listener,text\na,ann,x\nb,ben,y\n') }), null);
  const twice = file('twice.csv', table(['a', 'clean', 'ben', 'again']));
  await assert.rejects(
    answers((await several({ file: twice }))!),
    /twice\.csv:7:1: .* stands in line 3 already; take one out/,
  );
  await assert.rejects(
    answers((await several({ file: twice, systems: 'all' }))!),
    /twice\.csv:7:1: .* stands in line 3 already/,
  );
});

test('A table of people says who listened, and that a clip is unintelligible, which is no word; the identity knows.', async () => {
  const csv = file(
    'people.csv',
    'utterance,system,condition,listener,text,unintelligible\na,people,clean,anna,one two,\nb,people,clean,ben,,yes\nc,people,clean,ben,,\n',
  );
  const options = { file: csv, system: 'people' };
  assert.deepEqual(await answers(options, request('a'), request('b'), request('c')), [
    { text: 'one two', details: { listener: 'anna' } },
    { text: '', details: { listener: 'ben', unintelligible: true } },
    { text: '', details: { listener: 'ben' } },
  ]);
  const lines = file(
    'people.jsonl',
    '{"utterance":"a","text":"","unintelligible":true,"listener":"anna"}\n{"utterance":"b","text":"x","unintelligible":false,"listener":7}\n',
  );
  assert.deepEqual(await answers({ file: lines }, request('a'), request('b')), [
    { text: '', details: { listener: 'anna', unintelligible: true } },
    { text: 'x', details: { listener: '7' } },
  ]);
  const identity = async (of: object) =>
    (await recorded.describe(recorded.options.parse(of), plainServices(folder))).identity;
  assert.equal((await identity({ file: csv })).listeners, true);
  assert.equal((await identity({ file: lines })).listeners, true);
  assert.equal((await identity({ file: file('nobody.csv', 'id,text\na,listener\n') })).listeners, undefined);
  await assert.rejects(opened({ file: file('words.csv', 'id,text,unintelligible\na,x,yes\n') }), {
    message: /words\.csv:2:5: expected yes or nothing, where yes stands beside an empty text/,
  });
  await assert.rejects(opened({ file: file('odd.csv', 'id,text,unintelligible\na,,perhaps\n') }), {
    message: /odd\.csv:2:4: expected yes or nothing/,
  });
});

test('rows about the channels of one recording answer for each, and nobody is given the other side', async () => {
  const rows = ['utterance,channel,text', 'call,0,one two', 'call,1,three', 'other,0,four'];
  const csv = file('sides.csv', `${rows.join('\n')}\n`);
  assert.deepEqual(await answers({ file: csv }, request('call#0'), request('call#1'), request('other#0')), [
    { text: 'one two' },
    { text: 'three' },
    { text: 'four' },
  ]);
  assert.match(
    String((await answers({ file: csv }, request('call')))[0]),
    /^unknown-utterance: utterance "call" does not say which channel .*name it "call#0"/,
  );
  // Ids that say it all are asked as they are.
  const plain = file('plain-sides.csv', 'utterance,channel,text\na,A,one\nb,B,two\n');
  assert.deepEqual(await answers({ file: plain }, request('a'), request('b')), [{ text: 'one' }, { text: 'two' }]);
  const lines = file('sides.jsonl', '{"id":"c.wav","channel":1,"text":"x"}\n{"id":"c.wav","channel":2,"text":"y"}\n');
  const ignored = { file: lines, fileEndings: 'ignored' };
  assert.deepEqual(await answers(ignored, request('c#1'), request('c#2')), [{ text: 'x' }, { text: 'y' }]);
  await assert.rejects(
    opened({ file: file('same-side.csv', 'id,channel,text\na,0,x\na,1,y\na,0,z\n') }),
    /same-side\.csv:4:1: expected each utterance once/,
  );
});

test('a corpus and a table that count or spell channels otherwise mean the same ones', async () => {
  const sides = [
    { ...request('call#0'), channel: 1 },
    { ...request('call#1'), channel: 2 },
  ];
  const both = [{ text: 'agent' }, { text: 'customer' }];
  for (const [first, second] of ['01', '12', 'AB', 'lr']) {
    const table = file(`sides-${first}.csv`, `utterance,channel,text\ncall,${first},agent\ncall,${second},customer\n`);
    assert.deepEqual(await answers({ file: table }, ...sides), both, first);
    const lettered = sides.map((side, place) => ({ ...side, utteranceId: `call#${'AB'[place]}` }));
    assert.deepEqual(await answers({ file: table }, ...lettered), both, `${first} for A`);
  }
});
