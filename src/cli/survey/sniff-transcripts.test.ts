import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import { EarwitnessError } from '../../base/errors.ts';
import { lookAt } from '../score/open-table.ts';
import { temporaryFolder } from '../testing/run-command.ts';
import { type SniffedTranscripts, sniffTranscripts } from './sniff-transcripts.ts';

const said = [
  'the train to the city leaves at seven',
  'please put the letters on the table',
  'nobody expected so much snow in april',
  'she sells sea shells by the shore',
];
/** Every third word wrong. */
const heard = said.map((text) =>
  text
    .split(' ')
    .map((word, n) => (n % 3 === 2 ? 'uh' : word))
    .join(' '),
);

/** A table of these columns as CSV. */
function csv(columns: Readonly<Record<string, readonly string[]>>): string {
  const names = Object.keys(columns);
  const rows = said.map((_, row) => names.map((name) => columns[name]![row]).join(','));
  return [names.join(','), ...rows].join('\n');
}

const id = ['1', '2', '3', '4'];

async function sniffed(text: string): Promise<SniffedTranscripts | null> {
  await using folder = await temporaryFolder();
  await writeFile(folder.file('r.csv'), text);
  const table = await lookAt({ name: 'r.csv', path: folder.file('r.csv'), format: 'table' });
  return sniffTranscripts(table, 'r.csv');
}

async function found(text: string): Promise<SniffedTranscripts> {
  const there = await sniffed(text);
  assert.ok(there !== null);
  return there;
}

async function refused(text: string): Promise<string> {
  try {
    return `not refused: ${JSON.stringify(await sniffed(text))}`;
  } catch (error) {
    assert.ok(error instanceof EarwitnessError);
    return error.message;
  }
}

test('transcripts are told from other texts by the words of their row', async () => {
  const translated = [
    'der Zug fährt um sieben',
    'leg die Briefe hin',
    'niemand hat Schnee erwartet',
    'sie verkauft Muscheln',
  ];
  // Texts of the same words, one row further down.
  const before = [said[3]!, ...said.slice(0, 3)];
  const sex = ['f', 'f', 'm', 'm'];
  const { manifest, recorded, passedOver, quickWay } = await found(
    csv({
      id,
      sex,
      reference: said,
      whisper: heard,
      'my model': said.map((text) => text.toUpperCase()),
      translated,
      before,
    }),
  );
  assert.deepEqual(recorded, {
    whisper: { columns: { utterance: 'id', text: 'whisper' } },
    'my model': { columns: { utterance: 'id', text: 'my model' } },
  });
  assert.deepEqual(manifest, {
    columns: { id: 'id', path: null, reference: 'reference', speaker: null },
    attributes: ['sex'],
  });
  assert.deepEqual(passedOver, ['translated', 'before']);
  assert.equal(quickWay, 'earwitness compare r.csv');
  assert.equal(await sniffed(csv({ id, reference: said, translated, before })), null);
  // What is called a hypothesis is one, however wrong.
  assert.deepEqual(Object.keys((await found(csv({ id, reference: said, hyp: translated }))).recorded), ['hyp']);
  assert.equal(await sniffed('name,age\nada,3\nben,4\n'), null);
});

test('other spellings of the reference are no recognizers; scripts without blanks are compared by characters', async () => {
  const { recorded } = await found(
    csv({ id, reference: said, reference_norm: said, normalized_text: said, ref_hyp: heard }),
  );
  assert.deepEqual(Object.keys(recorded), ['ref_hyp']);
  const chinese = ['我们今天开会', '火车七点离开', '请把信放在桌上', '没有人想到下雪'];
  const wrong = chinese.map((text) => `他${text.slice(1)}`);
  assert.deepEqual(Object.keys((await found(csv({ id, text: chinese, asr: wrong }))).recorded), ['asr']);
});

test('a table that no config can be made of is told with what to do, and how to compare without one', async () => {
  assert.match(
    await refused(csv({ id, erste: said, zweite: heard })),
    /^r\.csv: expected one column that may hold the reference, but there are "erste" \(.*\), "zweite" \(.*\); name the right one with --reference-column$/,
  );
  assert.match(
    await refused(csv({ id: ['1', '1', '2', '2'], reference: said, hyp: heard })),
    /no column has a name of its own for each row: add a column id.*Without a config: earwitness score r\.csv$/,
  );
  const long = { utterance: ['1', '1', '2', '2'], system: ['a', 'b', 'a', 'b'], reference: said, hypothesis: heard };
  assert.match(
    await refused(csv(long)),
    /transcripts in "hypothesis" of several systems, which "system" names: docs\/recorded\.md has .* Without a config: earwitness score r\.csv --by system$/,
  );
  assert.match(await refused(csv({ ...long, system: ['a', 'a', 'b', 'b'] })), /add a column id/);
  assert.match(
    await refused(csv({ id, error: ['', '', 'x', ''], reference: said, hyp: heard })),
    /"error" may say that a row is no plain transcript/,
  );
  assert.match(
    await refused(csv({ id, sentence: said, transcript: heard })),
    /there are "sentence" \(.*\), "transcript" \(.*\); name the/,
  );
});
