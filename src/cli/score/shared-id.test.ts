import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import { runCommand, temporaryFolder } from '../testing/run-command.ts';

const words = 'one two three four five six seven eight nine ten'.split(' ');
const said = words.map((word, place) => `here stands ${word} of ${words[(place + 3) % 10]}`);
/** An order in which no row stands where it was. */
const shuffled = said.map((_, place) => (place * 3 + 1) % 10);

async function folderOf(files: Readonly<Record<string, string>>) {
  const folder = await temporaryFolder();
  for (const [name, content] of Object.entries(files)) await writeFile(folder.file(name), content);
  const run = async (...args: readonly string[]) => {
    const { stdout, stderr, code } = await runCommand(args, { cwd: folder.path });
    return { stdout: stdout.replace(/\s+/g, ' '), stderr: stderr.replace(/\s+/g, ' '), code };
  };
  const only = async (...args: readonly string[]) => {
    const { stdout, stderr } = await run('score', ...args, '--only', 'wer', '-n', 'none');
    return stdout === '' ? stderr : Number(stdout);
  };
  return { run, only, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

const csv = (head: string, rows: readonly string[]) => [head, ...rows, ''].join('\n');
const names =
  'id key name uid file_id audio_id utt_name clip clip_name source_file speech_file segment sample recording item index row video No # Nr Datei Dateiname fichier archivo файл ファイル名 Unnamed:0 xyz'.split(
    ' ',
  );

test('tables in different orders are put together by the column that has the same values in both, whatever it is called', async () => {
  for (const name of [...names, '', 'Unnamed: 0']) {
    for (const idOf of [(place: number) => `c_${place}`, (place: number) => `${place}`]) {
      // Numbers under a name that says nothing may be anything: two clips' lengths; under the same name they are the same.
      await using folder = await folderOf({
        'a.csv': csv(
          `${name},text`,
          said.map((text, place) => `${idOf(place)},${text}`),
        ),
        'b.csv': csv(
          `${name},pred`,
          shuffled.map((place) => `${idOf(place)},${said[place]}`),
        ),
      });
      assert.equal(await folder.only('a.csv', 'b.csv'), 0, `${name} ${idOf(1)}`);
    }
  }
});

test('what names them may be called otherwise in the other file, have paths and endings there, or be the references beside an output', async () => {
  await using folder = await folderOf({
    'a.jsonl': said.map((text, place) => JSON.stringify({ xyz: `/data/a/${place}.wav`, text })).join('\n'),
    'b.jsonl': shuffled.map((place) => JSON.stringify({ what: `a/${place}.flac`, pred: said[place] })).join('\n'),
    'own.jsonl': shuffled.map((place) => JSON.stringify({ text: said[place], pred: said[place] })).join('\n'),
    'lines.txt': said.map((text, place) => `x/${place} ${text}`).join('\n'),
    'rows.csv': csv(
      'xyz,pred',
      shuffled.map((place) => `x/${place},${said[place]}`),
    ),
    'few.csv': csv(
      'xyz,pred',
      shuffled.slice(0, 6).map((place) => `${place}.wav,${said[place]}`),
    ),
    'count.csv': csv(
      'id,clip_no,text',
      said.map((text, place) => `${place},c${place},${text}`),
    ),
    'counted.csv': csv(
      'id,clip_no,pred',
      shuffled.map((place, row) => `${row},c${place},${said[place]}`),
    ),
  });
  assert.equal(await folder.only('a.jsonl', 'b.jsonl'), 0);
  assert.equal(await folder.only('a.jsonl', 'own.jsonl'), 0);
  assert.equal(await folder.only('lines.txt', 'rows.csv'), 0);
  // Four of ten are missing, with all their words.
  assert.equal(await folder.only('a.jsonl', 'few.csv'), 0.4);
  // A bare count of the rows says no more than their order.
  assert.equal(await folder.only('count.csv', 'counted.csv'), 0);
});

test('without such a column rows are paired by position, which is said; where references beside the outputs contradict, nothing is', async () => {
  // The same words come again: they name no row.
  const twice = said.map((text, place) => (place % 2 === 0 ? said[0]! : text));
  const mixed = shuffled.map((place) => `${twice[place]},${twice[place]}`);
  await using folder = await folderOf({
    'a.csv': csv('text', twice),
    'b.csv': csv('pred', twice),
    'short.csv': csv('pred', twice.slice(1)),
    'mixed.csv': csv('text,pred', mixed),
    'a-ids.csv': csv(
      'p,q,text',
      twice.map((text, place) => `${place},${9 - place},${text}`),
    ),
    'b-ids.csv': csv('q,pred', twice.map((text, place) => `${9 - place},${text}`).reverse()),
    'x-ids.csv': csv('x,pred', twice.map((text, place) => `${place},${text}`).reverse()),
  });
  const { stdout } = await folder.run('score', 'a.csv', 'b.csv');
  assert.match(stdout, /^Compared: a\.csv with b\.csv, paired by position, row by row \(reference in text/);
  assert.match(
    String(await folder.only('a.csv', 'short.csv')),
    /no column has the same ids in both: name it with --id-column/,
  );
  assert.match(
    String(await folder.only('a.csv', 'mixed.csv')),
    /expected rows in the order of a\.csv, since no column has ids of both, but what stands beside the outputs is of other rows in \d+ of 10/,
  );
  assert.equal(await folder.only('a-ids.csv', 'b-ids.csv', '--id-column', 'q'), 0);
  assert.match(
    String(await folder.only('a-ids.csv', 'b-ids.csv', '--id-column', 'r')),
    /a column "r" \(from --id-column\)/,
  );
  assert.match(String(await folder.only('a-ids.csv', 'b-ids.csv', '--ids')), /a-ids\.csv is a table, .* --id-column/);
  assert.match(
    String(await folder.only('a.csv', 'b.csv', '--id-column', 'text')),
    /^earwitness: b\.csv: expected ids, since --id-column asks to pair by them/,
  );
});

test('files in the other order than they say are refused with the right one, and few ids in common are too few', async () => {
  const [refs, heard] = [
    said.map((text, place) => `c${place},${text}`),
    said.map((text, place) => `c${place},${text} x`),
  ];
  await using folder = await folderOf({
    'ref.csv': csv('id,sentence', refs),
    'o.csv': csv('id,text', heard),
    'p.csv': csv('id,text', heard),
    'pred.csv': csv('id,pred', heard),
    'other.csv': csv(
      'id,pred',
      heard.map((line, place) => (place < 3 ? line : `z${line}`)),
    ),
    'r.stm': said.map((text, place) => `f 1 s ${place}.0 ${place}.9 ${text}\n`).join(''),
    'h.ctm': said.map((_, place) => `f 1 ${place}.1 0.2 here\n`).join(''),
  });
  for (const [args, message] of [
    [
      ['score', 'o.csv', 'ref.csv'],
      /ref\.csv holds references \(by its name\); turn them: earwitness score ref\.csv o\.csv, or/,
    ],
    [
      ['score', 'pred.csv', 'o.csv'],
      /pred\.csv holds an output \(its column pred\); turn them: earwitness score o\.csv pred/,
    ],
    [
      ['score', 'h.ctm', 'r.stm'],
      /r\.stm holds references \(segments with times\); turn them: earwitness score r\.stm h\.ctm/,
    ],
    [['compare', 'o.csv', 'p.csv', 'ref.csv'], /turn them: earwitness compare ref\.csv o\.csv p\.csv, or/],
    [['compare', 'ref.csv', 'o.csv'], /one is scored by: earwitness score ref\.csv o\.csv/],
    [
      ['score', 'ref.csv', 'other.csv'],
      /expected the ids of ref\.csv \(such as "c3" in "id"\), but only 3 of 10 are there/,
    ],
  ] as const) {
    const { stdout, stderr, code } = await folder.run(...args);
    assert.match(stderr, message);
    assert.deepEqual([stdout, code], ['', args[1] === 'ref.csv' && args[0] === 'compare' ? 2 : 4]);
  }
  assert.equal(await folder.only('--reference', 'o.csv', '--hypothesis', 'ref.csv'), 10 / 60);
});

test('outputs with references of their own: few that differ are told, many refused, in either order of the files', async () => {
  const rows = Array.from({ length: 40 }, (_, place) => ({
    clip: `c${place}`,
    ref: `${said[place % 10]} ${place}`,
    hyp: 'here',
  }));
  const lines = (other: number) =>
    rows.map((row, place) => JSON.stringify(place < other ? { ...row, ref: 'of something else' } : row)).join('\n');
  await using folder = await folderOf({ 'm1.jsonl': lines(0), 'm2.jsonl': lines(2), 'm3.jsonl': lines(3) });
  for (const args of [
    ['m1.jsonl', 'm2.jsonl'],
    ['m2.jsonl', 'm1.jsonl'],
  ]) {
    const { stdout } = await folder.run('compare', ...args);
    const [names] = [args.map((name) => `${name.slice(0, 2)} (hyp)`).join(' and ')];
    assert.ok(
      stdout.startsWith(
        `Compared: ${names}, by id; references in ref of m1.jsonl; m2.jsonl has other references for 2 of 40 (first "c0"), not taken.`,
      ),
      stdout,
    );
  }
  for (const args of [
    ['m1.jsonl', 'm3.jsonl'],
    ['m3.jsonl', 'm1.jsonl'],
  ]) {
    const { stderr, code } = await folder.run('compare', ...args);
    assert.match(
      stderr,
      /same references in m1\.jsonl and m3\.jsonl, but 3 of 40 differ \(of "c0" "here .*--reference FILE/,
    );
    assert.equal(code, 4);
  }
});

test('where no column names them alone, two or three together do: a speaker and a prompt, a file and its times', async () => {
  const keys: Readonly<Record<string, (place: number) => string>> = {
    'speaker,prompt_id': (place) => `s${place % 5},${Math.floor(place / 5)}`,
    ',speaker,prompt_id': (place) => `${place},s${place % 5},${Math.floor(place / 5)}`,
    'segment,file': (place) => `${place % 2},/data/u${Math.floor(place / 2)}.wav`,
    'file,start,end': (place) => `m.wav,${place % 5}.50,${Math.floor(place / 5)}`,
    'audio_filepath,offset,duration': (place) => `m${place % 2}.wav,${place % 5}.0,3.1`,
    'speaker,session,prompt': (place) => `s${place % 2},${Math.floor(place / 2) % 3},p${Math.floor(place / 6)}`,
  };
  for (const [head, keyOf] of Object.entries(keys)) {
    const inOrder = (place: number, row: number) =>
      keyOf(place).replace(head.startsWith(',') ? /^\d+/ : /^$/, `${row}`);
    await using folder = await folderOf({
      'a.csv': csv(
        `${head},reference`,
        said.map((text, place) => `${inOrder(place, place)},${text}`),
      ),
      'b.csv': csv(
        `${head},hypothesis`,
        shuffled.map((place, row) => `${inOrder(place, row)},${said[place]}`),
      ),
    });
    assert.equal(await folder.only('a.csv', 'b.csv'), 0, head);
  }
  // The speaker alone names no row, and says that the rows are others.
  await using folder = await folderOf({
    'a.csv': csv(
      'speaker,reference',
      said.map((text, place) => `s${place % 5},${text}`),
    ),
    'b.csv': csv(
      'speaker,hypothesis',
      shuffled.map((place) => `s${place % 5},${said[place]}`),
    ),
  });
  assert.match(`${await folder.only('a.csv', 'b.csv')}`, /but "speaker" is of other rows in 8 of 10 \(in row 1 "s1"/);
});

test('lines are those that numbers of the other file count, where its texts fit them so', async () => {
  const others: Readonly<Record<string, (order: readonly number[]) => string>> = {
    'b.txt': (order) => order.map((place) => `${said[place]!} (None-${place})\n`).join(''),
    'b.csv': (order) =>
      csv(
        ',hyp',
        order.map((place) => `${place},${said[place]}`),
      ),
    'c.csv': (order) =>
      csv(
        'file,hyp',
        order.map((place) => `x/utt0${place + 1}.wav,${said[place]}`),
      ),
    'd.csv': (order) =>
      csv(
        'line,hyp',
        order.map((place) => `${place + 1},${said[place]}`),
      ),
  };
  for (const [name, write] of Object.entries(others)) {
    await using folder = await folderOf({ 'a.txt': said.join('\n'), [name]: write(shuffled) });
    assert.equal(await folder.only('a.txt', name), 0, name);
    // Both were put into another order together: the numbers are older than it.
    await using both = await folderOf({
      'a.txt': shuffled.map((place) => said[place]).join('\n'),
      [name]: write(shuffled),
    });
    assert.equal(await both.only('a.txt', name), 0, name);
  }
});

test('texts that have the words of other lines are not compared by their order', async () => {
  const bank =
    'amber birch cedar delta ember fjord grove heath islet jetty knoll larch marsh notch oasis prairie'.split(' ');
  const many = Array.from({ length: 1000 }, (_, place) =>
    [1, 3, 5, 7, 11, 13]
      .map(
        (step, part) =>
          bank[(Math.floor(place / 4 ** part) * step + place) % bank.length]! + 'abcdefg'[(place * step) % 7],
      )
      .join(' '),
  );
  await using folder = await folderOf({
    'a.txt': many.join('\n'),
    'b.txt': many.map((_, place) => many[(place * 7 + 3) % 1000]).join('\n'),
    'later.txt': ['something that nobody said at all', ...many.slice(0, -1)].join('\n'),
    'bad.txt': many.map((text, place) => (place % 3 === 0 ? text : 'thank you for watching this')).join('\n'),
    'said.csv': csv('text', many.slice(0, 10)),
    'heard.csv': csv(
      'pred',
      shuffled.map((place) => many[place]!),
    ),
  });
  for (const [reference, other] of [
    ['a.txt', 'b.txt'],
    ['a.txt', 'later.txt'],
    ['said.csv', 'heard.csv'],
  ] as const)
    assert.match(
      `${await folder.only(reference, other)}`,
      /have the words of another \(beside line \d+ .* put both in one order, or give both ids/,
      other,
    );
  assert.ok(Number(await folder.only('a.txt', 'bad.txt')) > 0.5);
});

test('in a table of both sides every row is an utterance, whatever comes again in it', async () => {
  const rows = said.flatMap((text, place) => [
    `p${place % 3},s${place},${text},${text}`,
    `p${place % 3},s${place},${text},wrong`,
  ]);
  await using folder = await folderOf({
    'both.csv': csv('id,speaker,text,pred', [...rows, ...rows]),
    'unnamed.csv': csv(
      'id,text,pred',
      [...rows, ...rows].map((row) => row.replace(/,s\d+/, '')),
    ),
  });
  for (const table of ['both.csv', 'unnamed.csv']) {
    assert.equal(await folder.only(table), 0.5, table);
  }
  assert.match(
    (await folder.run('score', 'both.csv', '-n', 'none')).stdout,
    /; 37 rows with an id that is there before, each counted\..* all 200 100 /,
  );
});

test('an id that comes again joins no two files, unless another column tells its rows apart', async () => {
  const rows = said.map((text, place) => `p${place % 3},s${place},${text}`);
  const mixed = shuffled.map((place) => rows[place]!);
  await using folder = await folderOf({
    'a.csv': csv('id,speaker,text', rows),
    'b.csv': csv('id,speaker,pred', mixed),
    'unnamed.csv': csv(
      'id,pred',
      mixed.map((row) => row.replace(/,s\d+/, '')),
    ),
    'once.csv': csv(
      'id,text',
      said.map((text, place) => `p${place},${text}`),
    ),
    'same.csv': csv(
      'id,pred',
      [...said, said[3]!].map((text, place) => `p${place === 10 ? 3 : place},${text}`),
    ),
  });
  assert.equal(await folder.only('a.csv', 'b.csv'), 0);
  for (const [reference, other, id] of [
    ['a.csv', 'unnamed.csv', 'p0'],
    ['once.csv', 'unnamed.csv', 'p2'],
    ['once.csv', 'same.csv', 'p3'],
  ] as const)
    assert.match(
      `${await folder.only(reference, other)}`,
      /expected different ids, but "p\d" stands in line \d too.* another column that tells them apart/,
      `${reference} ${other} ${id}`,
    );
});

test('a mark is taken off the names of one file alone, and what joins all of them wins', async () => {
  const endings: readonly (readonly [(place: number) => string, (id: string) => string])[] = [
    [(place) => `rec${place >> 1}_${(place % 2) + 1}`, (id) => `${id}_1`],
    [(place) => `spk${place}_0`, (id) => `${id}_0`],
    [(place) => `d${place}-0`, (id) => `${id}-0`],
    [(place) => `call_${place}_left`, (id) => `${id}_left`],
    [(place) => `rec_${place + 1}`, (id) => `${id}_1`],
    [(place) => `s0${place}/0_clean`, (id) => `${id}_enhanced`],
    [(place) => `s0${place}/0`, (id) => id.replace('/', '/asr_')],
    [(place) => `u${place}`, (id) => `asr-${id}`],
  ];
  for (const [named, marked] of endings) {
    await using folder = await folderOf({
      'a.csv': csv(
        'id,text',
        said.map((text, place) => `${named(place)},${text}`),
      ),
      'b.csv': csv(
        'id,pred',
        shuffled.map((place) => `${marked(named(place))},${said[place]}`),
      ),
      'a-marked.csv': csv(
        'id,text',
        said.map((text, place) => `${marked(named(place))},${text}`),
      ),
      'b-plain.csv': csv(
        'id,pred',
        shuffled.map((place) => `${named(place)},${said[place]}`),
      ),
    });
    assert.equal(await folder.only('a.csv', 'b.csv'), 0, named(1));
    assert.equal(await folder.only('a-marked.csv', 'b-plain.csv'), 0, named(1));
    assert.equal(await folder.only('a-marked.csv', 'b.csv'), 0, named(1));
  }
  // Half of the names are those of others, once the mark is off.
  const names = ['a', 'a_1', 'b', 'b_1', 'c', 'c_1', 'd', 'd_1', 'e', 'e_1'];
  await using folder = await folderOf({
    'a.csv': csv(
      'id,text',
      names.map((name, place) => `${name},${said[place]}`),
    ),
    'all.csv': csv(
      'id,pred',
      names.map((name, place) => `${name}_1,${said[place]}`),
    ),
    'few.csv': csv(
      'id,pred',
      names.slice(0, -1).map((name, place) => `${name}_1,${said[place]}`),
    ),
  });
  assert.equal(await folder.only('a.csv', 'all.csv'), 0);
  assert.match(
    `${await folder.only('a.csv', 'few.csv')}`,
    /few\.csv: expected one way to put its ids together with those of a\.csv, but "a_1" is "a_1_1" by id without _1 at its end, and "a_1" by id; give both files the same ids/,
  );
});

test('ids that count from 0 do not meet ids that count from 1', async () => {
  const names: readonly ((number: number) => string)[] = [String, (number) => `utt_${`${number}`.padStart(3, '0')}`];
  for (const named of names) {
    await using folder = await folderOf({
      'one.csv': csv(
        'id,text',
        said.map((text, place) => `${named(place + 1)},${text}`),
      ),
      'zero.csv': csv(
        'id,pred',
        said.map((text, place) => `${named(place)},${text}`),
      ),
      'index.csv': csv(
        ',pred',
        said.map((text, place) => `${place},${text}`),
      ),
      'short.csv': csv(
        'id,text',
        words.map((word, place) => `${named(place + 1)},${word}`),
      ),
      'short-zero.csv': csv(
        'id,pred',
        words.map((word, place) => `${named(place)},${word}`),
      ),
      'both.csv': csv(
        'id,pred',
        said.map((text, place) => `${named(place + 1)},${text}`),
      ),
    });
    const others = named(1) === '1' ? ['zero.csv', 'index.csv'] : ['zero.csv'];
    for (const other of others)
      assert.match(
        `${await folder.only('one.csv', other)}`,
        /have the words of another|as if one counted from 0 and the other from 1/,
        other,
      );
    assert.match(
      `${await folder.only('short.csv', 'short-zero.csv')}`,
      /of 10 here "\w*0" is not there, and "\w*10" there is not here, as if one counted from 0 and the other from 1/,
    );
    assert.equal(await folder.only('one.csv', 'both.csv'), 0);
  }
});

test('what names another recording is not joined by its times', async () => {
  const rows = (file: string, head: string) =>
    csv(
      head,
      said.map((text, place) => `${file},${place * 4},4,${text}`),
    );
  await using folder = await folderOf({
    'a.csv': rows('/a/talk1.wav', 'audio_filepath,offset,duration,text'),
    'b.csv': rows('/b/talk2.wav', 'audio_filepath,offset,duration,pred_text'),
    'c.csv': rows('/c/talk1.wav', 'audio_filepath,offset,duration,pred_text'),
  });
  assert.match(
    `${await folder.only('a.csv', 'b.csv')}`,
    /expected the ids of a\.csv \(such as ".a.talk1\.wav" in "audio_filepath"\), but none of them is there/,
  );
  assert.equal(await folder.only('a.csv', 'c.csv'), 0);
});

test('rows of several systems are compared by the ids of utterances, in whatever order they stand', async () => {
  const rows = (system: string, order: readonly number[]) =>
    order.map((place) => `c${place},${system},${said[place]},${said[place]}`);
  await using folder = await folderOf({
    'a.csv': csv('id,model,text,pred', [...rows('x', [...said.keys()]), ...rows('y', shuffled)]),
    'few.csv': csv('id,model,text,pred', [...rows('x', shuffled.slice(2)), ...rows('y', shuffled.slice(0, -1))]),
  });
  const { stdout } = await folder.run('compare', 'a.csv', '-n', 'none');
  assert.match(stdout, /all 10 transcripts are the same/);
  assert.match(
    (await folder.run('compare', 'few.csv', '-n', 'none')).stdout,
    /Compared over the 7 of 10 utterances that both have.*all 7 transcripts are the same/,
  );
});

test('channels counted from 0 in one file and from 1 in the other, or spelled otherwise, are put together by what both name, and one line says so', async () => {
  const rows = (head: string, channels: string) =>
    csv(
      head,
      [...channels].map((name, place) => `call,${name},${said[place]}`),
    );
  await using folder = await folderOf({
    'zero.csv': rows('id,channel,reference', '01'),
    'one.csv': rows('id,channel,text', '12'),
    'letters.csv': rows('id,channel,text', 'AB'),
    'times.csv': csv('id,channel,start,reference', ['call,0,1,here it is', 'call,1,1,not here', 'call,0,5,and again']),
    'times-one.csv': csv('id,channel,start,text', ['call,2,1,not here', 'call,1,1,here it is', 'call,1,5,and again']),
    'a.stm': 'call 1 x 0 2 here it is\ncall 2 y 0 2 not there\n',
    'single.csv': rows('id,channel,hypothesis', '1'),
    'ab.stm': 'call A x 0 2 here it is\ncall B y 0 2 not there\n',
    'single.ctm': 'call 1 0.1 0.1 here\ncall 1 0.3 0.1 it\n',
    'a.ctm': 'call 0 0.1 0.1 here\ncall 0 0.3 0.1 it\ncall 0 0.5 0.1 is\ncall 1 0.1 0.1 not\ncall 1 0.6 0.1 there\n',
    'b.ctm': 'call 1 0.1 0.1 here\ncall 1 0.3 0.1 it\ncall 1 0.5 0.1 is\ncall 2 0.1 0.1 not\ncall 2 0.6 0.1 there\n',
  });
  for (const [one, other, told] of [
    ['zero.csv', 'one.csv', 'channels 0, 1 are 1, 2 in the other'],
    ['zero.csv', 'letters.csv', 'channels 0, 1 are A, B in the other'],
    ['times.csv', 'times-one.csv', 'channels 0, 1 are 1, 2 in the other'],
    ['a.stm', 'a.ctm', 'channels 1, 2 are 0, 1 in the other'],
    ['b.ctm', 'a.ctm', 'channels 1, 2 are 0, 1 in the other'],
  ] as const) {
    const { stdout } = await folder.run('score', one, other, '--language', 'en');
    assert.match(stdout, /all \d+ \d+ 0 0 0 0\.0 %/, `${one} ${other}`);
    assert.ok(stdout.includes(told), `${one} ${other}: ${stdout.slice(0, 300)}`);
  }
  // One channel alone may be either.
  for (const [one, other, told] of [
    [
      'letters.csv',
      'single.csv',
      /single\.csv: expected the channels of letters\.csv \("A", "B"\), but it has "1" alone/,
    ],
    ['ab.stm', 'single.ctm', /single\.ctm: expected the channels of ab\.stm \("A", "B"\), but it has "1" alone/],
  ] as const)
    assert.match((await folder.run('score', one, other)).stderr, told);
  const { stdout } = await folder.run('compare', 'zero.csv', 'one.csv', 'letters.csv', '--language', 'en');
  assert.match(stdout, /channels 0, 1 are 1, 2 in the other.*channels 0, 1 are A, B in the other/);
});
