import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { collected, temporaryFolder } from '../corpora/conformance.ts';
import { readDelimitedRows } from './delimited-rows.ts';
import { readTextLines } from './text-lines.ts';

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
