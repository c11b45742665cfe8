import assert from 'node:assert/strict';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import { temporaryFolder } from '../cli/testing/run-command.ts';
import { markupText } from '../report/html/markup.ts';
import { byLanguage } from '../scoring/normalizers/by-language.ts';
import type { Store, StoredTrial } from '../store/contract.ts';
import { buildIndex } from './build-index.ts';
import { exportLines } from './export-trials.ts';
import { type IndexOf, searched, sortKeys } from './index-columns.ts';
import { createIndexWriter, openIndex } from './index-file.ts';
import { served } from './links.ts';
import { createTrialIndex, type TrialQuery } from './trial-index.ts';
import { trialsPage } from './trials-page.ts';
import { Growing, removeViewFiles, viewFile } from './view-files.ts';

const of: IndexOf = {
  format: 9,
  program: '1',
  run: 'r',
  answered: 12,
  state: '1 0',
};

/** Three utterances, two conditions, two recognizers: transcripts are given as [utterance][condition][recognizer], null fails. */
function invented(): { store: Pick<Store, 'utterances' | 'trials' | 'conditions'>; trials: StoredTrial[] } {
  const utterances = [
    { id: 'a', reference: 'she sells sea shells', language: 'en', speaker: 'ann', attributes: { sex: 'F' }, tags: [] },
    { id: 'b', reference: '我 喜欢 北京', language: 'zh', speaker: 'bo', attributes: { sex: 'M' }, tags: [] },
    { id: 'C-3', language: 'en', attributes: {}, tags: [] },
  ];
  const said: (string | null)[][][] = [
    [
      ['she sells sea shells', 'she sells sea shelf'],
      ['she sells', 'SHE sells sea shells today again'],
    ],
    [
      ['我 喜欢 北京', '我 喜欢 南京'],
      ['我', null],
    ],
    [
      ['straße', 'STRASSE'],
      ['x', 'x'],
    ],
  ];
  const trials = said.flatMap((conditions, position) =>
    conditions.flatMap((texts, condition) =>
      texts.map((text, recognizer): StoredTrial => {
        const timing = { seconds: 1 + recognizer, calls: 1 };
        const told =
          text === null ? { failure: { kind: 'timeout' as const, message: 'late' } } : { transcript: { text } };
        return {
          ...{ utterance: utterances[position]!, position, answer: 100 + position, draw: 0, repeat: 0, recognizer },
          ...{ conditionName: ['clean', 'noise'][condition]!, observation: { timing, soundSeconds: 1, ...told } },
        };
      }),
    ),
  );
  return {
    trials,
    store: {
      utterances: (_, { from, limit }) => utterances.slice(from, from + limit),
      conditions: () => ['clean', 'noise'].map((name) => ({ name, steps: [] })),
      trials: () => trials,
    },
  };
}

const recognizers = ['x', 'y'].map((name) => ({ name, identity: {}, epoch: null }));
type Source = ReturnType<typeof invented>['store'];
const options = { normalizer: byLanguage, told: () => {} };

/** An index as it is read from its file. */
async function indexed(store: Source = invented().store) {
  const folder = await temporaryFolder();
  const file = viewFile(folder.file('view'), 'r', 'index');
  using writer = createIndexWriter(file);
  writer.finish(await buildIndex(store, { id: 'r', recognizers }, of, { ...options, putText: writer.putText }));
  const { header, columns, read, ...opened } = openIndex(file, of)!;
  let isOpen = true;
  const close = () => {
    if (isOpen) opened.close();
    isOpen = false;
  };
  return {
    ...{ header, columns, index: createTrialIndex(header, columns, read), close },
    async [Symbol.asyncDispose]() {
      close();
      await folder[Symbol.asyncDispose]();
    },
  };
}
const ask = (query: Partial<TrialQuery> = {}): TrialQuery => ({
  chosen: new Map(),
  search: '',
  confused: null,
  sort: null,
  by: null,
  descending: true,
  ...query,
});

test('Facets count what would be there, values of one are alternatives, and all facets must hold.', async () => {
  await using made = await indexed();
  const { index } = made;
  const all = index.select(ask());
  assert.deepEqual(
    [all.count, all.clipCount, all.clips(0, 100), all.clips(4, 100), all.failed],
    [12, 6, [0, 2, 4, 6, 8, 10], [8, 10], 1],
  );
  const counts = (query: TrialQuery) =>
    Object.fromEntries(
      index
        .select(query)
        .facets.map(({ key, values }) => [key, values.map(({ value, count }) => `${value} ${count}`).join(', ')]),
    );
  assert.deepEqual(counts(ask()), {
    recognizer: 'x 6, y 6',
    condition: 'clean 6, noise 6',
    outcome: 'answered 11, timeout 1',
    length: 'no reference 4, 1–5 8',
    'is.speaker': ' 4, ann 4, bo 4',
    'is.language': 'en 8, zh 4',
    'is.sex': ' 4, F 4, M 4',
  });
  const women = ask({
    chosen: new Map([
      ['is.sex', ['F']],
      ['condition', ['noise']],
    ]),
  });
  assert.equal(index.select(women).count, 2);
  // Of a facet that is chosen the others stay countable; of the rest only what is left.
  const { 'is.sex': sex, condition, recognizer } = counts(women);
  assert.deepEqual([sex, condition, recognizer], [' 2, F 2, M 2', 'clean 2, noise 2', 'x 1, y 1']);
  assert.equal(index.select(ask({ chosen: new Map([['is.sex', ['F', 'M']]]) })).count, 8);
  assert.equal(index.select(ask({ chosen: new Map([['is.sex', ['nobody']]]) })).count, 0);
  assert.equal(index.select(ask({ chosen: new Map([['is.__proto__', ['x']]]) })).count, 0);
  const two = ask({
    chosen: new Map([
      ['is.sex', ['F']],
      ['is.language', ['zh']],
    ]),
  });
  const { 'is.sex': sexes, 'is.language': languages } = counts(two);
  assert.deepEqual([index.select(two).count, sexes, languages], [0, 'F 0, M 4', 'en 4, zh 0']);
  // Errors of the women's noise: two deletions of one recognizer, two insertions of the other, in four words each.
  const { pooled, failed } = index.select(women);
  assert.deepEqual(
    [pooled, failed],
    [
      [
        { words: 4, errors: 2 },
        { words: 4, errors: 2 },
      ],
      0,
    ],
  );
});

test('Search finds words of references, transcripts and ids, whatever their case, and Chinese without spaces between words.', async () => {
  await using made = await indexed();
  const { index } = made;
  const found = (search: string) => [...index.select(ask({ search })).all()];
  assert.deepEqual(found('sells sea shel'), [0, 1, 2, 3]);
  assert.deepEqual(found('today'), [3]);
  assert.deepEqual(found('南京'), [5]);
  assert.deepEqual(found('北京'), [4, 5, 6, 7]);
  assert.deepEqual(found('c-3'), [8, 9, 10, 11]);
  assert.deepEqual(found('strasse'), [8, 9]);
  assert.deepEqual(found('ann'), [0, 1, 2, 3]);
  // Nothing is found across two transcripts.
  assert.deepEqual([found('shells she'), found('shellss')], [[], []]);
  assert.equal(searched('  ＦＵＬＬ \n Width '), 'full width');
});

test('Confusions are counted over what is selected, and the trials that hold one are as many as it says.', async () => {
  await using made = await indexed();
  const { index } = made;
  const { confusions } = index.select(ask());
  // Of 'she sells sea shells', said four times: 'shelf' once; 'sea shells' deleted once; 'today again' inserted. Of five Chinese characters,
  // said three times, as one trial failed: 南 for 北 once, and four deleted together.
  assert.deepEqual(
    confusions(100)
      .map((one) => [one.reference, one.hypothesis, one.times, one.trials, one.said].join(' '))
      .sort(),
    [
      ['', 'again', 1, 1, 0],
      ['', 'today', 1, 1, 0],
      ['京', '', 1, 1, 3],
      ['北', '', 1, 1, 3],
      ['北', '南', 1, 1, 3],
      ['喜', '', 1, 1, 3],
      ['欢', '', 1, 1, 3],
      ['sea', '', 1, 1, 4],
      ['shells', '', 1, 1, 4],
      ['shells', 'shelf', 1, 1, 4],
    ]
      .map((one) => one.join(' '))
      .sort(),
  );
  for (const { trials, reference, hypothesis } of confusions(100))
    assert.equal(
      index.select(ask({ confused: { reference, hypothesis } })).count,
      trials,
      `${reference} ${hypothesis}`,
    );
  const held = index.select(ask({ confused: { reference: 'shells', hypothesis: 'shelf' } }));
  assert.deepEqual([[...held.all()], held.pooled.reduce((sum, { errors }) => sum + errors, 0)], [[1], 1]);
  assert.equal(index.select(ask({ confused: { reference: 'shells', hypothesis: 'sea' } })).count, 0);
  assert.equal(index.select(ask({ confused: { reference: 'nobody', hypothesis: 'said' } })).count, 0);
  const noisy = index.select(ask({ chosen: new Map([['condition', ['noise']]]) }));
  assert.deepEqual(noisy.confusions(1).length, 1);
  assert.deepEqual(
    noisy.confusions(9).find(({ reference }) => reference === 'shells'),
    { reference: 'shells', hypothesis: '', times: 1, trials: 1, said: 2 },
  );
});

test('What is confused twice in one trial counts twice, and is one trial.', async () => {
  const { store, trials } = invented();
  const twice = trials.slice(0, 1).map((trial) => ({
    ...trial,
    utterance: { ...trial.utterance, reference: 'go go go' },
    observation: { ...trial.observation, transcript: { text: 'no go no' } } as StoredTrial['observation'],
  }));
  await using made = await indexed({ ...store, trials: () => twice });
  const { confusions } = made.index.select(ask());
  assert.deepEqual(confusions(9), [{ reference: 'go', hypothesis: 'no', times: 2, trials: 1, said: 3 }]);
});

test('What no column can hold is refused, not taken for another: more draws, or more than 4 GiB of transcripts.', async () => {
  const { store, trials } = invented();
  const build = (draw: number, putText: (() => void) | null) => {
    const own = { ...store, trials: () => [{ ...trials[0]!, draw }] };
    return buildIndex(own, { id: 'r', recognizers }, of, { ...options, putText });
  };
  assert.deepEqual([...(await build(65_535, null)).columns.draw], [65_535]);
  await assert.rejects(build(65_536, null), { code: 'bad-input', message: /pages can number .* but it needs 65536;/ });
  const starts = new Growing(Uint32Array);
  starts.push(2 ** 32 - 1);
  assert.throws(() => starts.push(2 ** 32), { message: /4 GiB of transcripts/ });
  const [counts, shares] = [new Growing(Int32Array), new Growing(Float32Array)];
  counts.push(-1);
  for (const share of [0.1, Number.NaN]) shares.push(share);
  assert.deepEqual([starts.length, [...counts.done()], [...shares.done()]], [1, [-1], [Math.fround(0.1), Number.NaN]]);
});

test('Where several studies asked for the same trials, the list says which of two totals it shows.', async () => {
  const { header, columns } = await buildIndex(invented().store, { id: 'r', recognizers }, of, {
    ...{ ...options, putText: null },
  });
  const listed = (answered: number) =>
    markupText(
      trialsPage({
        ...{
          run: 'r',
          links: served,
          query: ask(),
          page: 1,
          transcripts: false,
          audio: false,
          newer: false,
          finished: true,
        },
        index: createTrialIndex({ ...header, of: { ...of, answered } }, columns, () => assert.fail('nothing is read')),
        utterance: () => ({ id: 'a', language: 'en', reference: null, words: null }),
        heard: () => assert.fail('no words are shown'),
      }),
    );
  assert.match(listed(24), /12 trials \(24 requests; the same request of two studies counts once\)\./);
  assert.doesNotMatch(listed(12), /requests/);
});

test('A search finds a word whatever its case and accents, and keeps marks that are letters, vowels or tones.', () => {
  for (const [one, other] of [
    ['GRÖSSE', 'Größe'],
    ['cafe', 'Café'],
    ['cafe', 'cafe\u0301'],
    ['istanbul', 'İstanbul'],
    ['ΣΟΦΟΣ', 'σοφός'],
    ['Ёлка', 'елка'],
    ['ｆｕｌｌ', 'full'],
    ['viet', 'Việt'],
  ] as const)
    assert.equal(searched(one), searched(other), `${one} ${other}`);
  for (const [one, other] of [
    ['कि', 'क'],
    ['กี่', 'ก'],
    ['عَلَم', 'علم'],
    ['שָׁלוֹם', 'שלום'],
    ['が', 'か'],
    ['パリ', 'ハリ'],
  ] as const)
    assert.notEqual(searched(one), searched(other), `${one} ${other}`);
  assert.deepEqual([searched('한국어'), searched('  A\n b ')], ['한국어', 'a b']);
});

test('Orders: by WER, loss from clean, disagreement, insertions and seconds; what is undefined stands last both ways.', async () => {
  await using made = await indexed();
  const { index } = made;
  const rows = (sort: TrialQuery['sort'], descending: boolean) => [...index.select(ask({ sort, descending })).all()];
  // WER: rows 2 and 3 lose 2 of 4, row 6 4 of 5, row 5 1 of 5, row 1 1 of 4; row 7 failed, 8 to 11 have no reference.
  assert.deepEqual(rows('wer', true), [6, 3, 2, 1, 5, 4, 0, 7, 8, 9, 10, 11]);
  assert.deepEqual(rows('wer', false), [0, 4, 5, 1, 2, 3, 6, 7, 8, 9, 10, 11]);
  // Loss: x loses .5 of a and .8 of b; y .25 of a (from .25 to .5).
  assert.deepEqual(rows('loss', true).slice(0, 3), [6, 2, 3]);
  const { columns } = index;
  assert.ok(Math.abs(columns.loss[3]! - 0.25) < 1e-6);
  assert.ok(Number.isNaN(columns.loss[0]!));
  assert.deepEqual(rows('insertions', true)[0], 3);
  // Neither of two that agree differs; a failed one and its partner have nothing to differ from.
  assert.deepEqual([columns.disagreement[10], columns.disagreement[0]], [0, 0.25]);
  assert.ok(Number.isNaN(columns.disagreement[6]!) && Number.isNaN(columns.seconds[7]!));
});

test('Clips stand where the foremost of their chosen trials does, each once, or by one recognizer alone; the pages of a list meet.', async () => {
  await using made = await indexed();
  const { index } = made;
  const clips = (query: Partial<TrialQuery>, from = 0, limit = 9) => index.select(ask(query)).clips(from, limit);
  // Rows 6 and 7 are the noise of b, 2 and 3 that of a, 4 and 5 the clean b: the highest of each counts.
  assert.deepEqual(clips({ sort: 'wer' }), [6, 2, 0, 4, 8, 10]);
  assert.deepEqual([clips({ sort: 'wer' }, 0, 2), clips({ sort: 'wer' }, 2, 4)].flat(), clips({ sort: 'wer' }));
  // By y alone, whose noise of b failed: it stands behind those that have a number, in the order of the corpus.
  assert.deepEqual(clips({ sort: 'wer', by: 'y' }), [2, 0, 4, 6, 8, 10]);
  assert.deepEqual(clips({ sort: 'wer', by: 'y', descending: false }), [4, 0, 2, 6, 8, 10]);
  const ofX = new Map([['recognizer', ['x']]]);
  assert.deepEqual(clips({ sort: 'wer', by: 'y', chosen: ofX }), [0, 2, 4, 6, 8, 10]);
  assert.deepEqual(clips({ search: 'today' }), [2]);
  assert.deepEqual(
    [index.clipRows(3), index.clipRows(10)],
    [
      [2, 4],
      [10, 12],
    ],
  );
});

test('All trials of a selection come one by one as the list has them, though other pages read and the index is closed meanwhile; an export begins before the first of them.', async () => {
  await using made = await indexed();
  const { index, header, columns } = made;
  const begun = sortKeys.flatMap((sort) =>
    [true, false].map((descending) => {
      const { all } = index.select(ask({ search: 's', sort, descending }));
      const rest = all()[Symbol.iterator]();
      return { listed: [...all()], first: rest.next().value, rest };
    }),
  );
  made.close();
  for (const { listed, first, rest } of begun) assert.deepEqual([first, ...Iterator.from(rest)], listed);
  assert.ok(new Set(begun.map(({ listed }) => listed.join())).size > 4);
  const none = { utterances: () => assert.fail('nothing is read'), observation: () => assert.fail('nothing is read') };
  const run = { id: 'r', recognizers };
  const [head] = exportLines({ ...index, header, columns }, index.select(ask()).all(), none, run, 'csv');
  assert.match(head!, /^utterance,speaker,language,condition,.*,sex,.*,transcript_words\r?\n$/);
});

test('An index is read back as it was written, by its owner alone, and one of another state is not taken.', async () => {
  await using folder = await temporaryFolder();
  const file = viewFile(folder.file('view'), 'r', 'index');
  const texts: Uint8Array[] = [];
  using writer = createIndexWriter(file);
  const putText = (bytes: Uint8Array) => {
    texts.push(bytes);
    writer.putText(bytes);
  };
  const made = await buildIndex(invented().store, { id: 'r', recognizers }, of, { ...options, putText });
  writer.finish(made);
  assert.equal((await stat(file)).mode & 0o777, 0o600);
  const opened = openIndex(file, of)!;
  assert.deepEqual([opened.header, opened.columns], [made.header, made.columns]);
  for (const [name, column] of Object.entries(made.others))
    assert.deepEqual(opened.read(name as keyof typeof made.others), column, name);
  assert.deepEqual(opened.read('text'), new Uint8Array(Buffer.concat(texts)));
  // A stretch is that stretch, also behind a longer one.
  assert.deepEqual(opened.read('textStart', 2, 4), made.others.textStart.slice(2, 4));
  opened.close();
  assert.equal(openIndex(file, { ...of, answered: 13 }), null);
  assert.equal(openIndex(file, { ...of, state: '2 0' }), null);
  const bytes = await readFile(file);
  for (const cut of [0, 5, 20, bytes.length - 9]) {
    await writeFile(file, bytes.subarray(0, cut));
    assert.equal(openIndex(file, of), null, String(cut));
  }
  removeViewFiles(folder.file('store.sqlite'));
  await assert.rejects(stat(file), { code: 'ENOENT' });
});
