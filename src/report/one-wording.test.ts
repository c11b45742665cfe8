import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Comparison, Estimate } from '../model/finding.ts';
import type { GateCheck, GateResult } from '../model/gate.ts';
import type { OpenVerdict } from '../model/reason.ts';
import type { RunReport } from '../model/run.ts';
import { renderGateMarkdown } from './gate/markdown-gate.ts';
import { renderGateText } from './gate/text-gate.ts';
import { renderHtmlWith } from './html/render-html.ts';
import { renderMarkdown } from './markdown/render-markdown.ts';
import { sampleReport } from './testing/sample-report.ts';
import { renderText } from './text/render-text.ts';

// One open verdict of each kind, with the words that stand for it: by docs/glossary.md, not read from the code that words them.
const more = { more: null, unit: 'speaker' } as const;
const kinds: readonly { readonly open?: OpenVerdict; readonly word: string }[] = [
  {
    open: { reason: { code: 'few-for-verdict', have: 4, need: 10, by: 'interval' }, ...more },
    word: 'too few speakers',
  },
  { open: { reason: { code: 'holds-nothing' }, ...more }, word: 'cannot tell' },
  { open: { reason: { code: 'corrected', among: null, pValue: null }, ...more }, word: 'cannot tell' },
  { open: { reason: { code: 'unchanged' }, ...more }, word: 'same errors' },
  { word: 'cannot tell' },
];

const value: Estimate = {
  ...{ value: 0.01, low: -0.01, high: 0.03, level: 0.95, method: 'invented' },
  n: { utterances: 40, speakers: 10 },
};

function reportOf(open: OpenVerdict | undefined): RunReport {
  const comparison: Comparison = {
    ...{ difference: value, pValue: 0.2, adjustedPValue: 0.4, test: 'invented', verdict: 'cannot tell' },
    ...(open && { open }),
  };
  const sample = sampleReport();
  const column = (key: string, kind: 'text' | 'difference' | 'verdict') => ({ key, label: key, kind });
  const tables = (['told beside', 'told alone'] as const).map((id) => ({
    ...{ id, title: id, rows: [{ who: id, difference: comparison, verdict: 'cannot tell' }] },
    columns: [
      ...[column('who', 'text'), column('difference', 'difference')],
      ...(id === 'told alone' ? [column('verdict', 'verdict')] : []),
    ],
  }));
  const finding = {
    ...sample.findings[0]!,
    answer: [{ text: 'One is beside the other.', comparison }],
    sections: [{ id: 'all', title: 'All', text: [], tables }],
  };
  return { ...sample, findings: [finding], warnings: [], failures: [] };
}

function gateOf(open: OpenVerdict | undefined): GateResult {
  const check: GateCheck = {
    ...{ measure: 'worseBy', limit: 0.02, recognizer: 'new', condition: 'clean', group: null, value },
    ...{ before: 0.1, verdict: 'inconclusive', upperBound: 0.03, pValue: null },
    ...(open && { why: open.reason }),
  };
  return {
    ...{ earwitness: '1', run: 'r', runName: 'n', runBegun: null, verdict: 'inconclusive', ifInconclusive: 'block' },
    ...{ level: 0.95, normalizer: { name: 'basic', version: 1 }, baseline: null, checks: [check], conditionNames: {} },
    ...{ notes: [], worseUtterances: [] },
  };
}

test('An open verdict has the same words in terminal, Markdown, HTML and gate, beside its difference and in a column of its own.', () => {
  const words = [...new Set(kinds.map(({ word }) => word))];
  for (const { open, word } of kinds) {
    const report = reportOf(open);
    const screens = {
      terminal: [renderText(report, { width: 140, color: false, transcripts: true, verbose: true }), 3],
      Markdown: [renderMarkdown(report, { transcripts: true }), 3],
      HTML: [
        renderHtmlWith('', report, { transcripts: true, sound: false }).replaceAll(
          /<style>.*?<\/style>|(title|data-order)="[^"]*"/gs,
          '',
        ),
        3,
      ],
      gate: [renderGateText(gateOf(open), { width: 140, color: false, next: null, full: null }), 1],
      'gate in Markdown': [renderGateMarkdown(gateOf(open)), 1],
    } as const;
    for (const [screen, [text, times]] of Object.entries(screens)) {
      const count = (wanted: string) => text.split(wanted).length - 1;
      assert.ok(count(word) >= times, `${screen}: ${word} stands ${count(word)} times, not ${times}\n${text}`);
      for (const other of words.filter((one) => one !== word))
        assert.equal(
          count(other),
          0,
          `${screen} says ${other} of what is ${word}: ${text.split(other)[0]!.slice(-300)}`,
        );
    }
  }
});
