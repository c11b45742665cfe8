import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type CopiedTable, compareOrders, copyForms } from './table-copies.ts';

const table: CopiedTable = {
  heads: [{ name: 'Recognizer' }, { name: 'WER', unit: '%' }, { name: 'Speed (h)', unit: 'h' }],
  rows: [
    [
      { text: '=cmd|"x"', order: '=cmd|"x"', isRight: false },
      { text: '12.5 % (10 to 15)', order: '0.125', low: '0.1', high: '0.15', isRight: true },
      { text: '2', order: '7200', isRight: true },
    ],
    [
      { text: 'a_b & c', order: 'a_b & c', isRight: false },
      { text: '– (1)', isRight: true },
      { text: '−0.5', order: '-1800', isRight: true },
    ],
  ],
  notes: ['(1) few\n speakers'],
};

test('A copy as CSV has numbers in full in the unit of their head, intervals beside them, and no formula (RFC 4180).', () => {
  assert.equal(
    copyForms.CSV.write(table),
    ['Recognizer,WER %,WER % low,WER % high,Speed (h)', `"'=cmd|""x""",12.5,10,15,2`, 'a_b & c,,,,-0.5', ''].join(
      '\r\n',
    ),
  );
});

test('A copy as Markdown shows texts as they are, notes beneath.', () => {
  assert.equal(
    copyForms.Markdown.write(table),
    [
      '| Recognizer | WER | Speed (h) |',
      '|---|---|---|',
      '| =cmd\\|"x" | 12.5 % (10 to 15) | 2 |',
      '| a\\_b & c | – (1) | −0.5 |',
      '',
      '(1) few\n speakers',
      '',
    ].join('\n'),
  );
});

test('A copy as LaTeX escapes what LaTeX reads, numbers stand right, notes are comments of one line.', () => {
  assert.equal(
    copyForms.LaTeX.write(table),
    String.raw`\begin{tabular}{lrr}
\hline
Recognizer & WER & Speed (h) \\
\hline
=cmd|"x" & 12.5 \% (10 to 15) & 2 \\
a\_b \& c & -- (1) & $-$0.5 \\
\hline
\end{tabular}
% (1) few speakers
`,
  );
});

test('What only looks like a formula in a spreadsheet is none either, as in every CSV that is written.', () => {
  const cell = { text: '＝1+1', isRight: false };
  assert.equal(copyForms.CSV.write({ heads: [{ name: ' @a' }], rows: [[cell]], notes: [] }), "' @a\r\n'＝1+1\r\n");
});

test('Rows are sorted as numbers where both are, else as texts.', () => {
  assert.deepEqual(['10', '9', '-1'].sort(compareOrders), ['-1', '9', '10']);
  assert.deepEqual(['b', '10', 'a'].sort(compareOrders), ['10', 'a', 'b']);
  assert.equal(compareOrders('x', 'x'), 0);
});
