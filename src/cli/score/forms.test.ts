import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { test } from 'node:test';
import { runCommand, temporaryFolder } from '../testing/run-command.ts';

const said = [
  'the train leaves at seven',
  'put the letters down',
  'nobody expected snow',
  'she sells sea shells',
  'so it is',
];
const people = ['Ann Smith', 'Björn Müller', 'Ann Smith', 'Björn Müller', 'Ann Smith'];
const clock = (place: number) => `0:00:0${place}.00`;

/** What was said on one channel, then what was said on the other. */
const byChannel = [0, 1].flatMap((channel) =>
  said.map((text, place) => ({ text, place })).filter(({ place }) => place % 2 === channel),
);

async function folderOf(files: Readonly<Record<string, string | Buffer>>) {
  const folder = await temporaryFolder();
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(folder.file(name)), { recursive: true });
    await writeFile(folder.file(name), content);
  }
  const run = async (...args: readonly string[]) => {
    const { stdout, stderr, code } = await runCommand(args, { cwd: folder.path });
    return { stdout: stdout.replace(/\s+/g, ' '), stderr: stderr.replace(/\s+/g, ' '), code };
  };
  return { run, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

/** Each is about the words of `said`, and nothing else. */
const forms: Readonly<Record<string, { readonly content: string; readonly told?: RegExp }>> = {
  'zoom.vtt': {
    content: `WEBVTT\n\n${said.map((text, place) => `${place}\n0${clock(place)}0 --> 0${clock(place + 1)}0\n${people[place]}: ${text}\n`).join('\n')}`,
    told: /subtitles, names of speakers left out/,
  },
  'names.srt': {
    content: said
      .map(
        (text, place) =>
          `${place}\n0${clock(place)}0 --> 0${clock(place + 1)}0\n${people[place]!.toUpperCase()}: ${text}\n`,
      )
      .join('\n'),
    told: /subtitles, names of speakers left out/,
  },
  // One cue in two has a name: without one somebody is seen to speak.
  'few-names.srt': {
    content: said
      .map(
        (text, place) =>
          `${place}\n0${clock(place)}0 --> 0${clock(place + 1)}0\n${place % 2 === 0 ? 'ANN: ' : ''}${text}\n`,
      )
      .slice(0, 5)
      .join('\n'),
    told: /names of speakers left out/,
  },
  'close.srt': {
    content: said.map((text, place) => `${place + 1}\n0${clock(place)}0 --> 0${clock(place + 1)}0\n${text}`).join('\n'),
  },
  'close.vtt': {
    content: `WEBVTT\n\n${said.map((text, place) => `${place + 1}\n0${clock(place)}0 --> 0${clock(place + 1)}0\n${text}`).join('\n')}`,
  },
  'labels.txt': { content: said.map((text, place) => `${place}.00\t${place}.90\tspk${place % 2}\t${text}`).join('\n') },
  'a.TextGrid': {
    content: `File type = "ooTextFile"\nObject class = "TextGrid"\n\n0\n9\n<exists>\n1\n"IntervalTier"\n"words"\n0\n9\n8\n${['sil', ...said, 'sp', '<p:>'].map((text, place) => `${place}\n${place + 1}\n"${text}"`).join('\n')}\n`,
  },
  'channels.json': {
    content: JSON.stringify({
      results: {
        channels: [0, 1].map((channel) => {
          const own = said.map((text, place) => ({ text, place })).filter(({ place }) => place % 2 === channel);
          const words = own.flatMap(({ text, place }) =>
            text.split(' ').map((word, at) => ({ word, start: place + at / 10, end: place + (at + 1) / 10 })),
          );
          return { alternatives: [{ transcript: own.map(({ text }) => text).join(' '), words }] };
        }),
      },
    }),
  },
  'batch.json': {
    content: JSON.stringify({
      combinedRecognizedPhrases: [0, 1].map((channel) => ({
        channel,
        display: said.filter((_, place) => place % 2 === channel).join(' '),
      })),
      recognizedPhrases: byChannel.map(({ text, place }) => ({
        channel: place % 2,
        offsetInTicks: place * 1e7,
        nBest: [{ display: text }],
      })),
    }),
  },
  'fast.json': {
    content: JSON.stringify({
      combinedPhrases: [0, 1].map((channel) => ({
        channel,
        text: said.filter((_, place) => place % 2 === channel).join(' '),
      })),
      phrases: byChannel.map(({ text, place }) => ({ channel: place % 2, offsetMilliseconds: place * 1000, text })),
    }),
  },
  'tags.json': {
    content: JSON.stringify({
      results: byChannel.map(({ text, place }) => ({
        alternatives: [{ transcript: text }],
        channelTag: (place % 2) + 1,
        resultEndTime: `${place + 0.5}s`,
      })),
    }),
  },
  'mono.json': {
    content: JSON.stringify({
      results: [1, 2].map((channelTag) => ({ alternatives: [{ transcript: said.join(' ') }], channelTag })),
    }),
  },
  'a.sbv': { content: said.map((text, place) => `${clock(place)}0,${clock(place + 1)}0\n${text}\n`).join('\n') },
  'a.ttml': {
    content: `<?xml version="1.0"?><tt xmlns="http://www.w3.org/ns/ttml"><body><div>${said.map((text, place) => `<p begin="${place}.5s" end="0${clock(place + 1)}"><span>${text.replace(' ', '<br/>')}</span></p>`).join('\n')}</div></body></tt>`,
  },
  'a.ass': {
    content: `[Events]\nFormat: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text\n${said.map((text, place) => `Dialogue: 0,${clock(place)},${clock(place + 1)},Default,,0,0,0,,{\\i1}${text.replace(' ', '\\N')}`).join('\n')}`,
  },
  'a.lrc': { content: `[ar:Somebody]\n${said.map((text, place) => `[00:0${place}.00]${text}`).join('\n')}` },
  'otter.txt': {
    content: `${said.map((text, place) => `${people[place]}  0:0${place}\n${text}\n`).join('\n')}\nTranscribed by https://otter.ai\n`,
    told: /turns of speakers/,
  },
  'v.json': {
    content: JSON.stringify(
      said.map((text) => ({ result: text.split(' ').map((word) => ({ conf: 1, start: 0, end: 1, word })), text })),
    ),
  },
  'a.json3': {
    content: JSON.stringify({
      wireMagic: 'pb3',
      events: said.map((text, place) => ({
        tStartMs: place * 1000,
        dDurationMs: 900,
        segs: text.split(' ').map((word, at) => ({ utf8: at === 0 ? word : ` ${word}` })),
      })),
    }),
  },
};

test('words of one recording are read as meetings, subtitles and services write them, without who speaks', async () => {
  for (const [name, { content, told }] of Object.entries(forms)) {
    await using folder = await folderOf({ 'said.txt': said.join('\n'), [name]: content });
    for (const files of [
      ['said.txt', name],
      [name, 'said.txt'],
    ]) {
      const { stdout, stderr } = await folder.run('score', ...files, '-n', 'none');
      assert.match(stdout, / 19 19 0 0 0 0\.0 % /, `${name} ${stderr}`);
      assert.match(stdout, told ?? /as one text/);
    }
  }
});

test('forms whose words are not read, and channels in no order, are refused in place of counting their marks', async () => {
  const refused: readonly (readonly [string, string, RegExp])[] = [
    [
      'a.cha',
      `@UTF8\n@Begin\n${said.map((text) => `*PAR:\t${text} .\n%mor:\tn|x`).join('\n')}\n@End\n`,
      /but it is CHAT/,
    ],
    [
      'a.smi',
      `<SAMI><BODY>${said.map((text, place) => `<SYNC Start=${place}><P>${text}`).join('')}</BODY></SAMI>`,
      /but it is SAMI/,
    ],
    [
      'a.json',
      JSON.stringify({ combinedPhrases: said.slice(0, 2).map((text, channel) => ({ channel, text })) }),
      /a\.json: expected times, since it has the words of 2 channels, but nothing says in which order they spoke/,
    ],
  ];
  for (const [name, content, expected] of refused) {
    await using folder = await folderOf({ 'said.txt': said.join(' '), [name]: content });
    for (const files of [
      ['said.txt', name],
      [name, 'said.txt'],
      [name, name],
    ]) {
      const { stderr, code } = await folder.run('score', ...files);
      assert.notEqual(code, 0, name);
      assert.match(stderr, expected, name);
    }
  }
});

test('names of speakers before most lines or texts are no words, which the first line says; a label of one line is words', async () => {
  const named = said.map((text, place) => `${people[place]}: ${text}`);
  const noted = said.map((text, place) => (place === 1 ? `note: ${text}` : text));
  const row = (text: string, place: number) => `u${place},"${text}","${said[place]}"`;
  await using folder = await folderOf({
    'said.txt': said.join('\n'),
    'named.txt': named.join('\n'),
    'noted.txt': noted.join('\n'),
    'both.csv': ['id,reference,hypothesis', ...named.map(row)].join('\n'),
    'named.csv': ['id,reference', ...named.map((text, place) => `u${place},${text}`)].join('\n'),
    'said.csv': ['id,hypothesis', ...said.map((text, place) => `u${place},${text}`)].join('\n'),
  });
  for (const files of [
    ['named.txt', 'said.txt'],
    ['said.txt', 'named.txt'],
    ['named.txt', 'named.txt'],
    ['both.csv'],
    ['named.csv', 'said.csv'],
  ]) {
    const { stdout } = await folder.run('score', ...files, '-n', 'none');
    assert.match(stdout, / 19 19 0 0 0 0\.0 % /, files.join(' '));
    assert.match(stdout, /^Compared: .*names of speakers left out: Ann Smith, Björn Müller/);
  }
  const { stdout } = await folder.run('score', 'named.txt', 'said.txt', '-n', 'none', '--by', 'speaker');
  assert.match(stdout, /Ann Smith 11 11 .*Björn Müller 8 8 /);
  assert.match((await folder.run('score', 'noted.txt', 'said.txt', '-n', 'none')).stdout, / 20 19 0 1 0 /);
});

test('letters that stand apart are put together to words, as fairseq writes them', async () => {
  const letters = said.map(
    (text) =>
      `${text
        .toUpperCase()
        .split(' ')
        .map((word) => [...word].join(' '))
        .join(' | ')} |`,
  );
  await using folder = await folderOf({
    'test.wrd': said.map((text) => text.toUpperCase()).join('\n'),
    'test.ltr': letters.join('\n'),
    'hypo.units.txt': letters
      .map((text, place) => `${text} (None-${place})`)
      .reverse()
      .join('\n'),
  });
  for (const files of [
    ['test.wrd', 'test.ltr'],
    ['test.ltr', 'test.ltr'],
    ['test.ltr', 'hypo.units.txt'],
  ]) {
    const { stdout } = await folder.run('score', ...files, '-n', 'none');
    assert.match(stdout, /letters put together to words.* 19 19 0 0 0 0\.0 % /s, files.join(' '));
  }
});

test('what Python writes where there is no value is no text, and sums below a table are no utterance', async () => {
  const rows = said.map((text, place) => `u${place},${text},${text}`);
  const refs = said.map((text, place) => `u${place},${place === 1 ? 'nan' : text}`);
  const hyps = said.map((text, place) => `u${place},${place === 2 ? 'NaN' : text}`);
  await using folder = await folderOf({
    'both.csv': ['id,reference,hypothesis', 'a,nan,so it was', 'b,so it was,NaN', ...rows].join('\n'),
    'ref.csv': ['id,reference', ...refs].join('\n'),
    'hyp.csv': ['id,hypothesis', ...hyps].join('\n'),
    'ref.txt.csv': ['reference', ...refs.map((row) => row.split(',')[1]!)].join('\n'),
    'hyp.txt.csv': ['hypothesis', ...said].join('\n'),
    'sums.csv': ['id,reference,hypothesis,wer', ...rows.map((row) => `${row},0`), ',,,', 'TOTAL,,,0.0', ',,,'].join(
      '\n',
    ),
  });
  const cases = [
    [
      ['both.csv'],
      / 22 19 0 3 0 .*Missing hypotheses, scored as deletions: 1 \(b\).*No reference, not scored: 1 \(a\)/s,
    ],
    [['ref.csv', 'hyp.csv'], / 15 12 0 3 0 .*deletions: 1 \(u2\).*No reference, not scored: 1 \(u1\)/s],
    [['ref.txt.csv', 'hyp.txt.csv'], / 15 15 0 0 0 .*No reference, not scored: 1 \(line 3\)/s],
    [['sums.csv'], / 19 19 0 0 0 .*tterances with errors: 0 of 5 /s],
  ] as const;
  for (const [files, expected] of cases) {
    const { stdout, stderr } = await folder.run('score', ...files, '-n', 'none');
    assert.match(stdout, expected, `${files.join(' ')} ${stderr}`);
  }
});

test('folders of Kaldi, ids with the mark of a recognizer, ids as numbers and other JSON beside transcripts are put together', async () => {
  await using folder = await folderOf({
    'ref.csv': ['id,reference', ...said.map((text, place) => `${place}.0,${text}`)].join('\n'),
    'hyp.csv': ['id,hypothesis', ...said.map((text, place) => `${place},${text}`).reverse()].join('\n'),
    'ids.csv': ['id,reference', ...said.map((text, place) => `utt${place},${text}`)].join('\n'),
    'marked.csv': ['id,hypothesis', ...said.map((text, place) => `utt${place}_0_beam5,${text}`).reverse()].join('\n'),
    'data/test/text': said.map((text, place) => `utt${place} ${text}`).join('\n'),
    'data/test/wav.scp': said.map((_, place) => `utt${place} /away/${place}.wav`).join('\n'),
    'exp/decode/text': said
      .map((text, place) => `utt${place} ${text}`)
      .reverse()
      .join('\n'),
    ...Object.fromEntries(
      said.flatMap((text, place) => [
        [`refs/utt${place}.txt`, text],
        [`hyps/utt${place}_whisper.txt`, text],
      ]),
    ),
    ...Object.fromEntries(said.map((text, place) => [`json/utt${place}.json`, JSON.stringify({ text })])),
    'json/summary.json': '{"wer": 0.1, "by": {"s0": 0.2}}',
    'broken/utt0.json': '{"wer": 0.1, "by": {"s0": 0.2}}',
    ...Object.fromEntries(
      said.slice(1).map((text, place) => [`broken/utt${place + 1}.json`, JSON.stringify({ text })]),
    ),
  });
  for (const files of [
    ['ref.csv', 'hyp.csv'],
    ['ids.csv', 'marked.csv'],
    ['data/test', 'exp/decode'],
    ['refs', 'hyps'],
    ['refs', 'json'],
  ]) {
    const { stdout, stderr } = await folder.run('score', ...files, '-n', 'none');
    assert.match(stdout, / 19 19 0 0 0 0\.0 % /, `${files.join(' ')} ${stderr}`);
  }
  assert.match(
    (await folder.run('score', 'refs', 'broken')).stderr,
    /broken\/utt0\.json: expected the transcript of one recording/,
  );
  assert.match(
    (await folder.run('compare', 'data/test', 'exp/decode', 'hyps')).stdout,
    /^Compared: data\/test\/text with /,
  );
});

test('what a table is written like is said where no column is found, and one file is not compared with itself in silence', async () => {
  await using folder = await folderOf({
    't.tsv': 'id;reference;hypothesis\na;one two;one two\n',
    'title.csv': 'ASR evaluation 2024,,\n,,\nid,reference,hypothesis\na,one two,one two\n',
    'many.jsonl': '{"id":"a","references":["one two","one too"],"hypothesis":"one two"}\n',
    'a.csv': 'id,reference,hypothesis\na,one two,one two\n',
  });
  for (const [args, expected] of [
    [
      ['score', 't.tsv'],
      /expected columns with tabs between them, as its name says, but found "id;reference;hypothesis" with ";"; give it a name that ends in \.csv/,
    ],
    [
      ['score', 'title.csv'],
      /expected names of columns in the first line, but they stand in line 3; take out the lines above/,
    ],
    [
      ['score', 'many.jsonl'],
      /there is "id", "hypothesis" \(and "references", which holds no text but a list or an object\)/,
    ],
    [['compare', 'a.csv', './a.csv'], /expected different files, but got \.\/a\.csv twice/],
  ] as const) {
    const { stderr, code } = await folder.run(...args);
    assert.notEqual(code, 0);
    assert.match(stderr, expected);
  }
  assert.match((await folder.run('score', 'a.csv', 'a.csv')).stdout, /^Compared: a\.csv with itself, by id/);
});

test('a title of one cell above the names of the columns is no row, and the first line says so', async () => {
  const rows = (between: string) =>
    said.map((text, place) => ['', `u${place}`, text, `${text} so`].slice(1).join(between));
  const table = (title: string, between: string, head = ['id', 'reference', 'whisper']) =>
    [title, head.join(between), ...rows(between)].join('\n');
  await using files = await folderOf({
    'cells.csv': table('Results of the test;;', ';'),
    'alone.csv': table('Results of the test', ','),
    'quoted.csv': table('"Results, as of May",,', ','),
    'blank.tsv': table('Results\n', '\t'),
    'two.csv': table('Results\nof the test', ','),
    'name.csv': table('text', ','),
    'unknown.csv': table('Results', ',', ['nr', 'Ann', 'Ben']),
    'ref.csv': ['Results', 'id,reference', ...said.map((text, place) => `u${place},${text}`)].join('\n'),
    'hyp.csv': ['id,hyp', ...said.map((text, place) => `u${place},${text} so`)].join('\n'),
  });
  // Of 19 words none is wrong, and five are more.
  const rate = / 19 19 0 0 5 26\.3 %/;
  for (const name of ['cells.csv', 'alone.csv', 'quoted.csv', 'blank.tsv'] as const) {
    const { stdout, stderr } = await files.run('score', name);
    assert.ok(
      stdout.startsWith(`Compared: ${name}, without the title above its columns, row by row: reference in reference`),
      stderr,
    );
    assert.match(stdout, rate);
  }
  const two = await files.run('score', 'ref.csv', 'hyp.csv');
  assert.match(
    two.stdout,
    /^Compared: ref\.csv with hyp\.csv, by id \(without the title above its columns, hypothesis in hyp\)\./,
  );
  assert.match(two.stdout, rate);
  for (const name of ['two.csv', 'name.csv', 'unknown.csv']) {
    const { code, stderr } = await files.run('score', name);
    assert.equal(code, 4, stderr);
    assert.match(stderr, /two\.csv:1:1: expected a column of references|expected 1 fields as in the first line/);
  }
});

test('nan is a word in plain lines, and in what a scoring program prints; Nan is a name in a table too', async () => {
  const pra = (id: string, text: string) =>
    `id: (${id})\nScores: (#C #S #D #I) 1 0 0 0\nREF:  ${text}\nHYP:  ${text}\nEval:\n\n`;
  await using folder = await folderOf({
    'ref.txt': 'nan\nyes\n',
    'ref.ids': 'u1 nan\nu2 yes\n',
    'results.txt': `Speakers:\n  0: u\n\n${pra('u1', 'nan')}${pra('u2', 'yes')}`,
    'table.csv': 'id,reference,whisper\nu1,Nan,Nan\nu2,yes,yes\n',
  });
  for (const files of [
    ['ref.txt', 'ref.txt'],
    ['ref.ids', 'ref.ids'],
    ['results.txt'],
    ['table.csv'],
    ['table.csv', 'ref.ids', '--case', 'fold'],
  ])
    assert.match((await folder.run('score', ...files)).stdout, / all 2 2 0 0 0 0\.0 % /, files.join(' '));
});
