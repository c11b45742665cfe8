// What is written comes back as it was, and what was edited is refused where it stands.
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { EarwitnessError } from '../../base/errors.ts';
import { sampleCases } from '../../cases/sample-cases.ts';
import type { DifferentialCase } from '../../studies/differential/case.ts';
import { readCheckFile, readCheckFiles, readUnfilledCheckFile } from './read-check-file.ts';
import { writeCheckFile } from './write-check-file.ts';

const rowOf = (text: string, transcript: string): DifferentialCase => ({
  ...{ text, voice: 'flite:slt', recognizer: 'small', transcript, status: 'failed' },
  ...{ sound: { utteranceId: text, conditionName: 'clean', draw: 0 }, iteration: 1, otherwise: {} },
});
const hostile = [
  rowOf('=cmd|/c calc \uD800', '+1 -1 @x \0'),
  rowOf('say "yes", please; now', "'tis"),
  rowOf('', '__proto__'),
  rowOf('the tax is due', 'the tacks is due'),
  rowOf('\u202Eevil', ' '),
  rowOf("'=1", '＝1'),
];
/** As tables of earlier versions were, whose identities cover less. */
const earlier = (text: string) => text.replaceAll(/^(case-[0-9a-f]{16})-[0-9a-f]{8}/gm, '$1');
/** As UTF-8 and spreadsheets can have it. */
const carried = (text: string) => text.toWellFormed().replaceAll('\0', '␀');

async function written(context: TestContext, name: string, rows = hostile) {
  const folder = await mkdtemp(join(tmpdir(), 'earwitness-check-'));
  context.after(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, name);
  const result = await writeCheckFile(file, sampleCases(rows, { seed: 1 }), null, () => {});
  assert.deepEqual([result.soundFolder, result.failures], [null, []]);
  return file;
}

for (const name of ['check.csv', 'check.tsv', 'check.jsonl']) {
  test(`Hostile texts come back from ${name} as they were, and nothing is filled in.`, async (context) => {
    const file = await written(context, name);
    const rows = await readCheckFile(file, name);
    assert.deepEqual(
      rows.map(({ checked: { text, transcript } }) => `${text}|${transcript}`).sort(),
      hostile
        .map(({ text, transcript }) =>
          name.endsWith('l') ? `${text}|${transcript}` : carried(`${text}|${transcript}`),
        )
        .sort(),
    );
    for (const { checked, person, verdict } of rows) {
      assert.deepEqual([checked.cellFailed, checked.synthesizer, person], [6, 'flite', 'check']);
      assert.deepEqual(verdict, { saysText: null, saysTranscript: null, heard: null });
    }
  });
}

for (const [name, start] of [
  ['check.csv', /(?:^|,|\n)"?[=+@＝]/],
  ['check.tsv', /(?:^|\t|\n)[=+@＝]/],
] as const) {
  test(`In ${name} nothing begins as a formula does.`, async (context) => {
    const text = await readFile(await written(context, name), 'utf8');
    assert.doesNotMatch(text, start);
    assert.match(text, /'=cmd\|\/c calc/);
  });
}

test('What a spreadsheet makes of it is read: a byte order mark, semicolons, other words for yes and no.', async (context) => {
  const file = await written(context, 'check.tsv', [rowOf('the tax', 'the tacks')]);
  const [header, row] = (await readFile(file, 'utf8'))
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t'));
  const cells = row!.map((cell, place) => {
    const name = header![place]!;
    return name === 'sound_says_text'
      ? 'Y'
      : name === 'sound_says_transcript'
        ? ' No '
        : name === 'person'
          ? 'Ben'
          : cell;
  });
  const csv = join(file, '..', 'saved.csv');
  await writeFile(csv, `\uFEFF${header!.join(';')}\r\n${cells.map((cell) => `"${cell}"`).join(';')}\r\n`);
  const [read] = await readCheckFile(csv);
  const told = ({ person, verdict }: NonNullable<typeof read>) => [person, verdict.saysText, verdict.saysTranscript];
  assert.deepEqual(told(read!), ['Ben', 'yes', 'no']);
  // With tabs under a name that promises commas, a full stop after an answer, and rows of nothing at the end.
  const tabs = [
    header!,
    cells.map((cell) => (cell === 'Y' ? 'Yes.' : cell)),
    header!.map(() => ''),
    header!.map(() => ''),
  ];
  await writeFile(csv, tabs.map((line) => `${line.join('\t')}\r\n`).join(''));
  const again = await readCheckFile(csv);
  assert.deepEqual(again.map(told), [['Ben', 'yes', 'no']]);
});

const damages: readonly [what: string, damage: (text: string) => string, message: RegExp][] = [
  [
    'An edited text',
    (text) => text.replace('the tax is due', 'the fax is due'),
    /^bad\.tsv:\d:1: expected the row as it was/,
  ],
  [
    'A column that was renamed',
    (text) => text.replace('sound_says_text', 'says_text'),
    /^bad\.tsv:2:1: .* column sound_says_text/,
  ],
  ['A column that is gone', (text) => text.replaceAll(/\t[^\t\n]*\n/g, '\n'), /^bad\.tsv:2:1: .* column cell_failed/],
  [
    'A case that stands there twice',
    (text) => {
      const lines = text.split('\n');
      return [...lines.slice(0, 3), lines[1], ''].join('\n');
    },
    /^bad\.tsv:4:1: expected each case once for each person, but line 2 has it too/,
  ],
  [
    'An answer that is none',
    (text) => text.replace('\t\t\t\t', '\t\t\tperhaps\t'),
    /^bad\.tsv:2:\d+: expected yes, no, unsure or nothing, but got "perhaps"/,
  ],
  [
    'A weight that is no number',
    (text) => text.replace(/\t6\n/, '\tmany\n'),
    /^bad\.tsv:2:\d+: expected a whole number of at least 1, but got "many"/,
  ],
  [
    'A weight that was changed in every row',
    (text) => text.replaceAll(/\t6\n/g, '\t999\n'),
    /^bad\.tsv:2:1: expected the row as it was written, but its sound, sample_size or cell_failed was changed/,
  ],
  [
    'A size of the sample that was changed in every row',
    (text) => text.replaceAll(/\t6\t6\n/g, '\t7\t6\n'),
    /^bad\.tsv:2:1: expected the row as it was written, but its sound, sample_size or cell_failed was changed/,
  ],
  [
    'Another clip',
    (text) => text.replaceAll(/^(case-[0-9a-f-]{25}\t)/gm, '$1other.wav'),
    /^bad\.tsv:2:1: expected the row as it was written, but its sound, sample_size or cell_failed was changed/,
  ],
  [
    'A case that a spreadsheet took for a number',
    (text) => text.replace(/^case-[0-9a-f-]{25}/m, '1.02E+15'),
    /^bad\.tsv:2:1: expected the row as it was written, but its case, text/,
  ],
  ['A line cut off', (text) => text.slice(0, text.indexOf('\n') + 30), /^bad\.tsv:2:\d+: expected 15 fields/],
  [
    'A file without cases',
    (text) => text.slice(0, text.indexOf('\n') + 1),
    /^bad\.tsv: expected a check file with cases/,
  ],
];
for (const [what, damage, message] of damages) {
  test(`${what} is refused with file, line and column.`, async (context) => {
    const file = await written(context, 'check.tsv');
    await writeFile(file, damage(await readFile(file, 'utf8')));
    await assert.rejects(readCheckFile(file, 'bad.tsv'), (error) => {
      assert.ok(error instanceof EarwitnessError && error.code === 'bad-input', String(error));
      assert.match(error.message, message);
      return true;
    });
  });
}

test('A name that tells no format is refused before anything is drawn.', async (context) => {
  await assert.rejects(written(context, 'check.xlsx'), /expected a name that ends in \.tsv, \.csv or \.jsonl/);
});

test('Files of samples of different sizes are not read together, nor are identities numbers to a spreadsheet.', async (context) => {
  const [small, large] = [await written(context, 'a.tsv', hostile.slice(3)), await written(context, 'b.tsv')];
  await writeFile(small, earlier(await readFile(small, 'utf8')).replaceAll('\t3\n', '\t6\n'));
  await assert.rejects(readCheckFiles([small, large]), /files of one sample, but sample_size is 6 here and 3 before/);
  // 1e5 or 0123 as a field would come back as another.
  for (const { checked } of await readCheckFile(large)) assert.ok(Number.isNaN(Number(checked.id)));
  const text = earlier(await readFile(large, 'utf8'));
  await writeFile(large, text.replace('\t6\n', '\t999\n').replaceAll(/^(case-[0-9a-f]{16}\t)/gm, '$1a.wav'));
  await assert.rejects(
    readUnfilledCheckFile(large),
    /files of one sample, but cell_failed of flite and small is 6 here/,
  );
});

test('Files of one name, of one person twice, or of different samples are not read together.', async (context) => {
  const file = await written(context, 'check.tsv');
  const same = await written(context, 'check.tsv');
  await assert.rejects(readCheckFiles([file, same]), /files of different names.*check\.tsv comes twice/);
  const [first, second] = [join(file, '..', 'a.tsv'), join(file, '..', 'b.tsv')];
  const text = await readFile(file, 'utf8');
  await writeFile(first, text);
  await writeFile(second, text);
  const people = (await readCheckFiles([first, second])).map(({ person }) => person);
  assert.deepEqual(Object.fromEntries(Map.groupBy(people, (name) => name)), {
    a: people.slice(0, 6),
    b: people.slice(6),
  });
  // The column person comes before the file's name.
  const anna = text.replaceAll(/^case-[0-9a-f-]{25}\t{5}/gm, (start) => `${start}anna`);
  await writeFile(first, anna);
  await writeFile(second, anna);
  await assert.rejects(
    readCheckFiles([first, second]),
    /b\.tsv: expected each case once for each person, but .*a\.tsv has case/,
  );
  await writeFile(second, earlier(await readFile(file, 'utf8')).replaceAll(/\t6\n/g, '\t7\n'));
  await assert.rejects(
    readCheckFiles([first, second]),
    /files of one sample, but cell_failed of flite and small is 7 here and 6/,
  );
});
