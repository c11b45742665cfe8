import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { collected, temporaryFolder } from '../corpora/conformance.ts';
import { readDelimitedRows } from './delimited-rows.ts';
import { readText, readTextLines } from './text-lines.ts';

test('lines are those of String.split, across the borders of chunks', async () => {
  await using folder = await temporaryFolder();
  const line = fc.string({ unit: fc.constantFrom('a', 'é', '語', '😀', ' '), maxLength: 40 });
  const texts = fc.sample(fc.array(line, { maxLength: 30 }), { numRuns: 20, seed: 3 });
  texts.push(Array.from({ length: 9000 }, (_, n) => `${n} é語😀`));
  for (const lines of texts) {
    await folder.write('x', lines.map((text) => `${text}\n`).join(''));
    const read = await collected(readTextLines(join(folder.path, 'x'), 'x'));
    assert.deepEqual(
      read,
      lines.map((text, index) => ({ number: index + 1, text })),
    );
  }
});

test('a CSV row written by the rules of RFC 4180 is read back, with the line of each', async () => {
  const field = fc.string({ unit: fc.constantFrom('a', ',', '"', '\n', ' ', 'é'), maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(field, field), { minLength: 1, maxLength: 5 }), async (rows) => {
      const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
      const text = ['x,y', ...rows.map(([x, y]) => `${quoted(x)},${quoted(y)}`)].join('\n');
      async function* lines() {
        for (const [index, line] of text.split('\n').entries()) yield { number: index + 1, text: line };
      }
      const read = await collected(readDelimitedRows(lines(), 'f', { delimiter: ',', quotes: 'csv' }));
      assert.deepEqual(
        read.map((row) => [row.text('x'), row.text('y')]),
        rows,
      );
      let line = 2;
      for (const [index, row] of read.entries()) {
        assert.equal(row.line, line);
        line += rows[index]!.join('').split('\n').length;
      }
    }),
    { numRuns: 300 },
  );
});

test('text in Windows-1252 is refused with how it reads and what makes it UTF-8, and what is hardly that without', async () => {
  await using folder = await temporaryFolder();
  const refusalOf = async (bytes: Buffer) => {
    const file = join(folder.path, 'a b.txt');
    await folder.write('a b.txt', bytes);
    assert.equal(await readText(file, 1000), '');
    const read = readTextLines(file, 'a b.txt');
    return read.next().then(
      () => assert.fail(),
      ({ message }: Error) => message,
    );
  };
  const said = 'ja, "sch\u00f6n war\u2019s", Caf\u00e9';
  const western = Buffer.from(said.replace('\u2019', '\u0092'), 'latin1');
  assert.equal(
    await refusalOf(western),
    'a b.txt:1:9: expected UTF-8 text, but byte 0xf6 is not part of any character; it reads "schön" as Windows-1252: if that is right, iconv -f WINDOWS-1252 -t UTF-8 \'a b.txt\' writes it as UTF-8',
  );
  // Windows-1251 of Russian, and ISO 8859-2 of Polish.
  for (const hex of ['eff0e8e2e5f220eae0ea20e4e5ebe0', '7a61bff3b3e6'])
    assert.match(await refusalOf(Buffer.from(hex, 'hex')), /is not part of any character; save the file as UTF-8$/);
  // Read by halves, a character is no fault.
  await folder.write('whole.txt', 'aé'.repeat(3000));
  assert.match(await readText(join(folder.path, 'whole.txt'), 4097), /^aé/);
});
