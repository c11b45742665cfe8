import assert from 'node:assert/strict';
import { test } from 'node:test';
import { examplesOf } from '../prepare/report-parts.ts';
import { sampleReport } from '../testing/sample-report.ts';
import { escapeMarkdown, renderMarkdown } from './render-markdown.ts';

test('text from outside stands for itself', () => {
  // What each character would start, from CommonMark 0.31.2 and GitHub's extensions.
  assert.equal(escapeMarkdown('a|b'), 'a\\|b');
  assert.equal(escapeMarkdown('<img onerror=x>'), '&lt;img onerror=x&gt;');
  assert.equal(escapeMarkdown('`x` *y* _z_ ~~w~~'), '\\`x\\` \\*y\\* \\_z\\_ \\~\\~w\\~\\~');
  assert.equal(escapeMarkdown('[a](b) ![c](d)'), '\\[a\\]\\(b\\) \\!\\[c\\]\\(d\\)');
  assert.equal(escapeMarkdown('one\ntwo'), 'one↵two');
  assert.equal(escapeMarkdown('- item'), '\\- item');
  assert.equal(escapeMarkdown('1. item'), '1\\. item');
  assert.equal(escapeMarkdown('&amp;'), '&amp;amp;');
  assert.equal(escapeMarkdown('@all https://x www.y'), '@<!-- -->all https:<!-- -->//x www.<!-- -->y');
});

test('a hostile report has only the HTML that we write', () => {
  const whole = renderMarkdown(sampleReport({ hostile: true }), { transcripts: true });
  // What stands between fences is shown as it is, and no line of it is a fence.
  const parts = whole.split(/^`{3,}$/m);
  assert.equal(parts.length, 1 + 2 * sampleReport().findings.flatMap(examplesOf).length, 'each diff is one block');
  const text = parts.filter((_, place) => place % 2 === 0).join('');
  const tags = new Set(text.match(/<[^>]*>/g));
  assert.deepEqual([...tags].sort(), ['<!-- -->']);
  assert.doesNotMatch(text, /(?<!\\)\]\(|(?<!\\)`/);
  assert.doesNotMatch(text.replaceAll('\n', ''), /[\p{Cc}\u202e\u200b]/u);
});

test('every table keeps its columns in every row', () => {
  const text = renderMarkdown(sampleReport({ hostile: true }), { transcripts: true });
  const blocks = text.split(/\n\n+/).filter((block) => block.startsWith('|'));
  assert.ok(blocks.length >= 5);
  for (const block of blocks) {
    const counts = block.split('\n').map((line) => line.match(/(?<!\\)\|/g)?.length);
    assert.equal(new Set(counts).size, 1, block);
  }
});

test('the answer comes first and each dash has its reason', () => {
  const text = renderMarkdown(sampleReport(), { transcripts: true });
  assert.match(text, /^# .*\n\n## Robustness.*\n\n- \*\*better\*\*: debian-default makes fewer errors/);
  assert.ok(text.includes('– (2)'));
  assert.ok(text.includes('- (2) only 1 speaker: an interval needs at least 5'));
});

test('a table without rows is said to have none', () => {
  const report = sampleReport();
  const [finding] = report.findings;
  const columns = [{ key: 'w', label: 'Word', kind: 'text' as const }];
  const sections = [
    { id: 's', title: 'S', tables: [{ id: 'e', title: 'Out-of-vocabulary words', columns, rows: [] }] },
  ];
  const told = { ...report, findings: [{ ...finding!, sections }] };
  assert.match(renderMarkdown(told, { transcripts: true }), /### Out-of-vocabulary words\n\nNone\.\n/);
});

test('without transcripts no word of them is shown', () => {
  assert.doesNotMatch(renderMarkdown(sampleReport(), { transcripts: false }), /greasy|park/);
});
