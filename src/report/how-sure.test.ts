// How far each is above the lowest, and how sure that is: the same on every screen, however narrow.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import { findingsOf, worlds } from '../cli/testing/invented-worlds.ts';
import { bareNumber } from './format/cell.ts';
import { renderHtmlWith } from './html/render-html.ts';
import { renderMarkdown } from './markdown/render-markdown.ts';
import { resultTableOf } from './prepare/result-table.ts';
import { sampleReport } from './testing/sample-report.ts';
import { renderFirstScreen } from './text/first-screen.ts';

test('Beside each difference from the lowest stands its interval, the same in terminal, report and Markdown, and in words where no column has room', async () => {
  const [finding] = await findingsOf('robustness', worlds['many recognizers']!);
  const { rows } = resultTableOf(finding!)!;
  const report = { ...sampleReport(), findings: [{ ...finding!, name: 'robustness' }], failures: [], warnings: [] };
  const plain = (text: string) =>
    text.replaceAll(/<style>.*?<\/style>|<svg.*?<\/svg>|<[^>]*>|\\/gs, '').replaceAll(/\s+/g, ' ');
  const terminal = (width: number) =>
    stripVTControlCharacters(renderFirstScreen(report, { width, color: true, transcripts: true }));
  const screens = {
    terminal: terminal(80),
    wide: terminal(140),
    report: renderHtmlWith('', report, { transcripts: true, sound: false }),
    Markdown: renderMarkdown(report, { transcripts: true }),
  };
  const differences = rows.flatMap(({ behind }) => (behind === null ? [] : [behind]));
  assert.ok(differences.length >= 2);
  assert.ok(differences.some(({ verdict }) => verdict === 'cannot tell'));
  const points = (value: number | null) => bareNumber(value!, 'difference');
  for (const { difference, open, verdict } of differences) {
    const corrected = open?.reason.code === 'corrected' && open.reason.low !== undefined ? open.reason : difference;
    const interval = `[${points(corrected.low ?? null)}, ${points(corrected.high ?? null)}]`;
    const said = `${points(difference.value)} ${interval}${verdict === 'cannot tell' ? ' ≈' : ''}`;
    for (const [screen, text] of Object.entries(screens))
      assert.ok(plain(text).includes(said), `${screen} has no ${said}`);
  }
  const [{ difference }] = differences as [(typeof differences)[number]];
  assert.match(plain(terminal(50)), new RegExp(`${points(difference.value).replace('+', '\\+')} \\[.*\\] ≈ beside `));
});
