// Rates, intervals and differences are written into a finding here, and are what Python is told.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Comparison, Estimate, Finding } from '../model/finding.ts';
import { sampleReport } from '../report/testing/sample-report.ts';
import { openBrowser, pageFaults, skipWithoutBrowser } from '../web/testing/browser.ts';
import { toldReport, toldTables } from './told-report.ts';

const n = { utterances: 40, speakers: 20, words: 400 };
const estimate = (value: number, low: number, high: number): Estimate => {
  return { value, low, high, level: 0.95, n, method: 'x' };
};
const compared = (difference: Estimate, verdict: Comparison['verdict']): Comparison => {
  return { difference, pValue: 0.01, adjustedPValue: 0.02, test: 'x', verdict };
};
const text = (key: string) => ({ key, label: key, kind: 'text' }) as const;
const of = (table: string, column: string) => ({ table, column });
const finding: Finding = {
  ...{ study: { name: 'mine', version: 1 }, title: 'Mine', settings: {}, answer: [], warnings: ['A warning.'] },
  scores: {
    ...{ measure: 'WER', ranks: 0 },
    columns: [
      { words: 'on clean audio', head: ['clean'], rates: of('rates', 'rate'), comparisons: of('pairs', 'difference') },
    ],
    gaps: { of: 'clean audio', differences: of('gaps', 'gap'), rates: of('gaps', 'rate') },
  },
  sections: [
    {
      ...{ id: 's', title: 'S' },
      tables: [
        {
          ...{ id: 'rates', title: 'Rates', columns: [text('recognizer'), { key: 'rate', label: 'r', kind: 'rate' }] },
          rows: [
            { recognizer: 'slow', rate: estimate(0.3, 0.25, 0.36) },
            { recognizer: 'quick', rate: estimate(0.2, 0.11, 0.42) },
          ],
        },
        {
          ...{ id: 'pairs', title: 'Pairs' },
          columns: [text('recognizer'), text('comparedWith'), { key: 'difference', label: 'd', kind: 'difference' }],
          rows: [
            {
              ...{ recognizer: 'slow', comparedWith: 'quick' },
              difference: compared(estimate(0.1, 0.04, 0.17), 'worse'),
            },
          ],
        },
        {
          ...{ id: 'gaps', title: 'Gaps' },
          columns: [text('recognizer'), text('attribute'), text('group'), text('comparedWith')],
          rows: [
            {
              ...{
                recognizer: 'quick',
                attribute: 'sex',
                group: 'f',
                comparedWith: 'm',
                rate: estimate(0.25, 0.2, 0.3),
              },
              gap: compared(estimate(0.05, 0.01, 0.08), 'worse'),
            },
          ],
        },
      ],
    },
  ],
};
type Row = Readonly<Record<string, unknown>>;
/** As Python has it. */
interface Told {
  readonly tables: readonly [{ readonly rows: readonly Row[]; readonly gaps: readonly Row[] }];
  readonly warnings: readonly string[];
  readonly text: string;
  readonly html: string;
  readonly style: string;
  readonly markdown: string;
}
const report = { ...sampleReport(), findings: [finding], failures: [], warnings: [] };

test('Rows of a result have the rates with both ends, how far they are above the first, and the gaps of groups.', () => {
  const { tables, warnings, text: screen, html, markdown } = toldTables(report) as unknown as Told;
  const size = { utterances: 40, speakers: 20 };
  const told = { pValue: 0.02, verdict: 'worse' };
  const [{ rows, gaps, ...table }] = tables;
  assert.deepEqual(table, { finding: 'mine', measure: 'WER', of: 'recognizer', columns: ['clean'] });
  const withoutWords = ({ says: _, ...one }: Row) => one;
  assert.deepEqual(
    rows.map(({ above, ...row }) => ({ ...row, above: above && withoutWords(above as Row) })),
    [
      { name: 'quick', values: [0.2], low: 0.11, high: 0.42, ...size, above: null },
      {
        name: 'slow',
        values: [0.3],
        low: 0.25,
        high: 0.36,
        ...size,
        above: { value: 0.1, low: 0.04, high: 0.17, ...told },
      },
    ],
  );
  assert.deepEqual(gaps.map(withoutWords), [
    { name: 'quick', attribute: 'sex', groups: ['f', 'm'], value: 0.05, low: 0.01, high: 0.08, ...told },
  ]);
  // The screen, the page and the text say the same.
  assert.deepEqual(warnings, ['A warning.']);
  for (const one of [screen, html, markdown]) assert.match(one, /quick/);
  for (const one of [html, markdown]) assert.match(one, /11\.0(?:,|–| to) ?42\.0/);
  assert.match(html, /^<div class="earwitness-result">/);
  assert.match(screen, /quick makes the fewest errors on clean audio: 10\.0 points below slow\./);
});

test('A whole report is that of report.json, and what compares two without a table says so in its own words.', () => {
  const { report: whole } = toldReport(report) as unknown as { report: { findings: { title: string }[] } };
  assert.deepEqual(
    whole.findings.map(({ title }) => title),
    ['Mine'],
  );
  const { scores: _, ...without } = finding;
  const answer = [{ text: 'They differ.', headline: true }] as const;
  const told = toldTables({ ...report, findings: [{ ...without, answer }] }) as unknown as Told;
  assert.deepEqual(told.tables, []);
  assert.match(told.markdown, /^They differ\./);
  assert.match(told.html, /<p class="found"><bdi>They differ\.<\/bdi><\/p>/);
});

// What Jupyter's own style says of tables (JupyterLab 4 and nbconvert 7, rendermime), and two of its themes.
const jupyter = `
body{--jp-layout-color0:#fff;--jp-row:#f5f5f5;--jp-ui-font-color1:rgba(0,0,0,.87);background:var(--jp-layout-color0)}
body[data-jp-theme-light="false"]{--jp-layout-color0:#111;--jp-row:#212121;--jp-ui-font-color1:#fff}
.jp-RenderedHTMLCommon{color:var(--jp-ui-font-color1);font:14px/1.6 sans-serif}
.jp-RenderedHTMLCommon table{border-collapse:collapse;border-spacing:0;border:none;color:var(--jp-ui-font-color1);font-size:13px;table-layout:fixed;margin:0 auto 1em}
.jp-RenderedHTMLCommon :is(td,th,tr){vertical-align:middle;padding:.5em;line-height:normal;white-space:normal;max-width:none;border:none}
:not(.jp-RenderedMarkdown).jp-RenderedHTMLCommon :is(td,th,tr){text-align:right}
.jp-RenderedHTMLCommon th{font-weight:bold}
.jp-RenderedHTMLCommon tbody tr:nth-child(odd){background:var(--jp-layout-color0)}
.jp-RenderedHTMLCommon tbody tr:nth-child(even){background:var(--jp-row)}
.jp-RenderedHTMLCommon p{text-align:left;margin:0 0 1em}
.jp-RenderedHTMLCommon svg{max-width:100%;height:auto}`;

test('In a notebook every column has its width, no text lies on another, and all is read in both themes whatever the system prefers.', {
  skip: skipWithoutBrowser,
}, async () => {
  const { html, style } = toldTables(report) as unknown as Told;
  const browser = await openBrowser();
  try {
    for (const isLight of [true, false])
      for (const colorScheme of ['light', 'dark'] as const) {
        const page = await browser.newPage({ colorScheme, viewport: { width: 1100, height: 900 } });
        await page.setContent(
          `<!doctype html><html lang="en"><title>x</title><style>${jupyter}</style><body data-jp-theme-light="${isLight}"><main><h1>x</h1><div class="jp-RenderedHTMLCommon jp-RenderedHTML"><style>${style}</style>${html}</div></main>`,
        );
        const told = (await page.evaluate(`({
          narrow: [...document.querySelectorAll('th,td')].filter((cell) => cell.clientWidth < 30).map((cell) => cell.textContent),
          wider: [...document.querySelectorAll('th,td')].filter((cell) => cell.scrollWidth > cell.clientWidth + 1).map((cell) => cell.textContent),
          names: [...document.querySelectorAll('tbody th')].map((cell) => getComputedStyle(cell).textAlign),
          ground: getComputedStyle(document.querySelector('.earwitness-result')).backgroundColor,
        })`)) as { narrow: unknown[]; wider: unknown[]; names: string[]; ground: string };
        assert.deepEqual([told.narrow, told.wider], [[], []]);
        assert.deepEqual([...new Set(told.names)], ['left']);
        assert.equal(Number(/\d+/.exec(told.ground)?.[0]) > 127, isLight);
        assert.deepEqual(await pageFaults(page), []);
        await page.close();
      }
  } finally {
    await browser.close();
  }
});

test('Where a notebook takes the style and the drawings away, what is left is read as words.', () => {
  const { html } = toldTables(report) as unknown as Told;
  const words = html.replace(/<\/(?:t[hd]|p|caption)>/g, '|').replace(/<[^>]*>/g, '');
  assert.match(words, /95 % interval \(scale 20, 40\)\|/);
  assert.match(words, /, points \(scale 0, \+5\)\|/);
  assert.match(words, /\|✗ worse for f\|/);
});
