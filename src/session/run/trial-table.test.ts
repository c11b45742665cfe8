import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { test } from 'node:test';

import { parse } from 'csv-parse/sync';
import { runCommand, temporaryFolder } from '../../cli/testing/run-command.ts';
import { reportSchema } from '../../report/json/report-schema.ts';
import { partsOf } from '../../system/parquet-rows.ts';
import { writeTrials } from './write-report.ts';

const people = [
  'id\tspeaker\tsex\tcondition\tlanguage\ttext',
  "a\tann\tF\t-quiet\ten\tI don't know",
  'b\t\tM\t\tde\tguten Tag',
];
const heard = ['id\ttext', 'a\t=I do not no', 'b\tgute Tag auch'];

/** A run of two recognizers of which one hears nothing, and two studies of one type. */
async function project(report: object = {}) {
  const folder = await temporaryFolder();
  await writeFile(folder.file('people.tsv'), `${people.join('\n')}\n`);
  await writeFile(folder.file('heard.tsv'), `${heard.join('\n')}\n`);
  await writeFile(folder.file('less.tsv'), `${heard.slice(0, 2).join('\n')}\n`);
  const config = {
    corpus: { type: 'manifest', file: 'people.tsv' },
    recognizers: {
      one: { type: 'recorded', file: 'heard.tsv', columns: { utterance: 'id', text: 'text' } },
      two: { type: 'recorded', file: 'less.tsv', columns: { utterance: 'id', text: 'text' } },
    },
    studies: [
      { type: 'robustness', conditions: [], resamples: 100 },
      { type: 'robustness', name: 'plain', conditions: [], resamples: 100, normalizer: 'basic' },
    ],
    failures: { maxShare: 1 },
    report: { folder: 'report', sound: false, ...report },
  };
  await writeFile(folder.file('earwitness.config.json'), JSON.stringify(config));
  const { code, stderr } = await runCommand(['run'], { cwd: folder.path });
  assert.equal(code, 0, stderr);
  const [run] = await readdir(folder.file('report'));
  return {
    folder,
    file: (name: string) => `${folder.path}/report/${run}/${name}`,
    [Symbol.asyncDispose]: folder[Symbol.asyncDispose],
  };
}

test('Every trial is a row of every form, with its attributes, answer, time and counts by each normalizer.', async () => {
  await using made = await project({ trials: ['csv', 'jsonl', 'parquet'] });
  const read: Record<string, string>[] = parse(await readFile(made.file('trials.csv')), { columns: true });
  assert.deepEqual(
    read.map(({ utterance, speaker, sex, attribute_condition, condition, recognizer, draw, failure, transcript }) =>
      [utterance, speaker, sex, attribute_condition, condition, recognizer, draw, failure, transcript].join('|'),
    ),
    [
      // A spreadsheet would run what begins with "=".
      "a|ann|F|-quiet|clean|one|0||'=I do not no",
      "a|ann|F|-quiet|clean|two|0||'=I do not no",
      'b||M||clean|one|0||gute Tag auch',
      'b||M||clean|two|0|unknown-utterance|',
    ],
  );
  const counts = (row: Record<string, unknown>, normalizer: string) =>
    ['words', 'substitutions', 'deletions', 'insertions', 'characters', 'character_errors'].map((name) =>
      row[`${name}_${normalizer}`] === '' ? null : Number(row[`${name}_${normalizer}`]),
    );
  // "I do not know" and "I do not no"; "i don t know" and "i do not no": English has rules of its own.
  assert.deepEqual(counts(read[0]!, 'by-language'), [4, 1, 0, 0, 13, 2]);
  assert.deepEqual(counts(read[0]!, 'basic').slice(0, 4), [4, 3, 0, 0]);
  assert.deepEqual(counts(read[2]!, 'by-language').slice(0, 4), [2, 1, 0, 1]);
  assert.deepEqual(counts(read[3]!, 'by-language'), [2, null, null, null, null, null]);
  assert.ok(Number(read[0]!.seconds) >= 0 && read[0]!.calls === '1');

  const lines = (await readFile(made.file('trials.jsonl'), 'utf8')).trimEnd().split('\n');
  const objects: Record<string, unknown>[] = lines.map((line) => JSON.parse(line));
  assert.equal(objects[0]!.transcript, '=I do not no');
  assert.deepEqual([objects[2]!.speaker, objects[3]!.transcript], [null, null]);
  assert.deepEqual(
    objects.map((row) =>
      Object.values(row)
        .map((value) => (value === null ? '' : String(value)))
        .slice(0, 10),
    ),
    read.map((row) => Object.values(row).slice(0, 10)),
  );

  const { asyncBufferFromFile, parquetReadObjects } = await import('hyparquet');
  const rows = await parquetReadObjects({ file: await asyncBufferFromFile(made.file('trials.parquet')) });
  assert.deepEqual(
    JSON.parse(JSON.stringify(rows, (_, value) => (typeof value === 'bigint' ? Number(value) : value))),
    objects,
  );
});

test('Without transcripts no word that was said is in any file; report writes the same trials again.', async () => {
  await using made = await project({ transcripts: false, trials: ['csv', 'jsonl'] });
  for (const name of ['trials.csv', 'trials.jsonl', 'report.json']) {
    assert.doesNotMatch(await readFile(made.file(name), 'utf8'), /I don't|guten/i, name);
  }
  const first = await readFile(made.file('trials.csv'), 'utf8');
  const { cwd } = { cwd: made.folder.path };
  const { code } = await runCommand(['report', '--out', 'again', '--no-transcripts'], { cwd });
  assert.equal(code, 0);
  assert.equal(await readFile(`${cwd}/again/trials.csv`, 'utf8'), first);
  await runCommand(['report', '--out', 'none', '--trials', 'none'], { cwd });
  assert.deepEqual((await readdir(`${cwd}/none`)).sort(), ['report.html', 'report.json', 'report.md', 'tables']);
});

test('Two studies of one type have files and headings of their own, which a name tells apart.', async () => {
  await using made = await project();
  const tables = await readdir(made.file('tables'));
  for (const name of ['robustness-conditions.csv', 'plain-conditions.csv']) assert.ok(tables.includes(name), name);
  const report = JSON.parse(await readFile(made.file('report.json'), 'utf8'));
  assert.deepEqual(reportSchema.parse(report), report);
  const { findings } = report;
  const names: string[] = findings.map(({ name }: { name: string }) => name);
  assert.deepEqual(names, ['robustness', 'plain', 'corpus']);
  assert.equal(new Set(findings.map(({ title }: { title: string }) => title)).size, 3);
  // Each table of the report has a file.
  const ids = findings.flatMap(
    ({ sections, timing }: { sections: { tables?: object[] }[]; timing?: { sections: { tables?: object[] }[] } }) =>
      [...sections, ...(timing?.sections ?? [])].flatMap((section) => section.tables ?? []),
  );
  assert.equal(tables.filter((name) => name !== 'failures.csv').length, ids.length);
});

test('More than a million trials are a set of Parquet files, read as one; what an earlier report left is gone.', async () => {
  await using folder = await temporaryFolder();
  const table = (trials: number) => ({
    columns: [
      { name: 'utterance', type: 'string' },
      { name: 'draw', type: 'int64' },
    ] as const,
    *rows() {
      for (let row = 0; row < trials; row++) yield [`u${row}`, row];
    },
  });
  const write = async (trials: number) => {
    const files = await writeTrials(table(trials), folder.path, ['parquet'], true);
    assert.deepEqual((await readdir(folder.path)).map((name) => folder.file(name)).sort(), files);
    return files.map((file) => file.slice(folder.path.length + 1));
  };
  assert.deepEqual(await write(3), ['trials.parquet']);
  const parts = ['trials-00000-of-00002.parquet', 'trials-00001-of-00002.parquet'];
  assert.deepEqual(await write(1_000_001), parts);
  const { asyncBufferFromFile, parquetReadObjects } = await import('hyparquet');
  const first = await asyncBufferFromFile(folder.file(parts[0]!));
  const ends = await parquetReadObjects({ file: first, rowStart: 999_999, rowEnd: 1_000_001 });
  assert.deepEqual(ends, [{ utterance: 'u999999', draw: 999_999n }]);
  const second = await asyncBufferFromFile(folder.file(parts[1]!));
  assert.deepEqual(await parquetReadObjects({ file: second }), [{ utterance: 'u1000000', draw: 1_000_000n }]);
  // Whichever part is named, our own reader takes all of them.
  const read = await partsOf(folder.file(parts[1]!));
  assert.deepEqual(
    read,
    parts.map((part) => folder.file(part)),
  );
  assert.deepEqual(await write(2), ['trials.parquet']);
});
