import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { EarwitnessError } from '../../base/errors.ts';
import type { About, Verdict } from '../../model/finding.ts';
import { renderHtml } from '../../session/render-html.ts';
import { sampleClip } from '../testing/sample-clip.ts';
import { sampleReport } from '../testing/sample-report.ts';
import { escapeHtml, html, markupText } from './markup.ts';

const plain = { transcripts: true, sound: false };

test('templates escape whatever they are given, attributes too', () => {
  assert.equal(
    markupText(html`<a title="${'"><script>'}">${["'", '`', 1, null, false]}</a>`),
    '<a title="&quot;&gt;&lt;script&gt;">&#39;&#96;1</a>',
  );
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary' }),
      (text) => !/[<>"'`]|&(?!amp;|lt;|gt;|quot;|#39;|#96;)/.test(escapeHtml(text)),
    ),
  );
});

test('the policy names the very script and style of the page, and nothing else may load', () => {
  const text = renderHtml(sampleReport({ hostile: true }), plain);
  const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(text)?.[1] ?? '';
  for (const element of ['script', 'style']) {
    const bodies = [...text.matchAll(new RegExp(`<${element}>(.*?)</${element}>`, 'gs'))].map(
      (match) => match[1] ?? '',
    );
    assert.equal(bodies.length, 1);
    const hash = createHash('sha256')
      .update(bodies[0] ?? '')
      .digest('base64');
    assert.ok(policy.includes(`${element}-src 'sha256-${hash}'`));
  }
  assert.ok(policy.startsWith("default-src 'none'"));
  assert.doesNotMatch(policy, /unsafe|https?:|\*/);
  const body = text.slice(text.indexOf('<body>'), text.indexOf('<script>'));
  const names = new Set(
    [...body.replaceAll(/"[^"]*"/g, '""').matchAll(/ ([\w-]+)=""/g)].map((match) => match[1] ?? ''),
  );
  assert.ok(names.has('class') && names.has('href'));
  assert.deepEqual(
    [...names].filter((name) => name === 'style' || name.startsWith('on')),
    [],
  );
  assert.ok(!/ (?:src|href)="(?!#|data:)/.test(text));
});

test('hostile text is text in every place', () => {
  const text = renderHtml(sampleReport({ hostile: true }), plain);
  for (const part of ['<img', '<script>window', '\u001b', '\u202e', '\u200b']) assert.ok(!text.includes(part), part);
  assert.ok(text.includes('&lt;/script&gt;&lt;script&gt;window.stolen=1'));
  assert.ok(text.includes('⟨U+001B⟩[31m⟨U+202E⟩gnp.exe⟨U+200B⟩'));
});

test('the answer comes before everything else, with verdicts, intervals and p-values', () => {
  const text = renderHtml(sampleReport(), plain);
  const order = ['id="answer"', 'id="warnings"', 'id="robustness"', 'id="trials"', 'id="provenance"'].map((id) =>
    text.indexOf(id),
  );
  assert.deepEqual(
    order,
    [...order].sort((a, b) => a - b),
  );
  assert.ok(order.every((at) => at > 0));
  const answer = text.slice(order[0], order[1]);
  for (const part of [
    'better',
    'worse',
    'cannot tell',
    '[8.8, 14.0]',
    '−2.1 points',
    'adjusted p = .002',
    'only 1 speaker',
  ]) {
    assert.ok(answer.includes(part), part);
  }
});

test('a table without rows is said to have none', () => {
  const report = sampleReport();
  const [finding] = report.findings;
  const columns = [{ key: 'w', label: 'Word', kind: 'text' as const }];
  const sections = [
    { id: 's', title: 'S', tables: [{ id: 'e', title: 'Out-of-vocabulary words', columns, rows: [] }] },
  ];
  const told = { ...report, findings: [{ ...finding!, sections }] };
  const text = renderHtml(told, plain);
  assert.match(text, /Out-of-vocabulary words<\/bdi>: none\./);
  assert.doesNotMatch(text, /<bdi>Word<\/bdi>/);
});

test('every row of every table stands in the page, and every missing number has its reason beneath', () => {
  const report = sampleReport();
  const text = renderHtml(report, plain);
  for (const section of report.findings[0]?.sections ?? []) {
    for (const table of section.tables ?? []) {
      const body = text.slice(text.indexOf(`<span>${table.title}</span>`)).split('</table>')[0] ?? '';
      assert.equal(body.match(/<tr>/g)?.length, table.rows.length + 1, table.id);
    }
    for (const chart of section.charts ?? []) {
      // The first of them stands on the first screen too, without its table.
      const figure = text.slice(text.lastIndexOf(`<bdi>${chart.title}</bdi></h4>`)).split('</figure>')[0] ?? '';
      assert.equal(figure.match(/<tr>/g)?.length, chart.xTicks.length + 1, chart.title);
      assert.equal(figure.match(/class="hit"/g)?.length, chart.xTicks.length);
      assert.match(figure, /–<\/bdi><sup>.*?1<\/sup>.*<li>only 1 speaker: an interval needs at least 5<\/li>/s);
    }
  }
});

test('a missing point breaks the line instead of bridging it', () => {
  const text = renderHtml(sampleReport(), plain);
  // The first chart stands on the first screen too.
  const lines = [...text.matchAll(/<path class="line"[^>]* d="([^"]*)"/g)].map((match) => match[1] ?? '');
  assert.deepEqual(
    lines.map((path) => path.match(/M/g)?.length),
    [1, 2, 1, 2, 1, 3],
  );
});

test('ids are unique and headings never skip a level', () => {
  const text = renderHtml(sampleReport({ hostile: true }), plain);
  const ids = [...text.matchAll(/ id="([^"]*)"/g)].map((match) => match[1]);
  assert.equal(new Set(ids).size, ids.length);
  let before = 0;
  for (const [, level] of text.matchAll(/<h([1-6])[ >]/g)) {
    assert.ok(Number(level) <= before + 1, `h${level} after h${before}`);
    before = Number(level);
  }
});

test('a table that is cut cannot be sorted by the rows that are left, and says where all are', () => {
  const report = sampleReport();
  const [finding] = report.findings;
  const columns = [{ key: 'a', label: 'a', kind: 'number' as const }];
  const tableOf = (rows: number) => ({
    ...{ id: `t${rows}`, title: `${rows} rows`, columns },
    rows: Array.from({ length: rows }, (_, a) => ({ a })),
  });
  const sections = [{ id: 's', title: 'S', tables: [tableOf(5000), tableOf(5001)] }];
  const text = renderHtml({ ...report, findings: [{ ...finding!, sections }] }, plain);
  assert.match(text, /<table id="table-robustness-t5000" class="sortable">/);
  assert.match(text, /<table id="table-robustness-t5001" class="plain">/);
  assert.match(text, /1 more rows are in the JSON of this report and in the CSV of this table/);
});

test('ids stay what they are when findings come before', () => {
  const report = sampleReport();
  const [finding] = report.findings;
  const idsOf = (text: string) => new Set([...text.matchAll(/ id="([^"]*)"/g)].map((match) => match[1]));
  const alone = idsOf(renderHtml(report, plain));
  const other = { ...finding!, study: { name: 'other', version: 1 }, name: 'other' };
  const after = idsOf(renderHtml({ ...report, findings: [other, { ...finding!, name: 'robustness' }] }, plain));
  assert.deepEqual(
    [...alone].filter((id) => !after.has(id)),
    [],
  );
  assert.ok(alone.has('robustness-groups') && alone.has('table-robustness-groups'));
});

test('what is said in a language of right to left runs so, and what is written in another script does not', () => {
  const report = sampleReport();
  const said = (language: string) => [
    ...new Set(
      [...renderHtml({ ...report, language }, plain).matchAll(/<div class="diff" lang="[^"]*"( dir="rtl")?>/g)].map(
        ([, dir]) => dir,
      ),
    ),
  ];
  for (const language of ['he', 'ar-EG', 'fa', 'ur-PK', 'ckb', 'pa-Arab'])
    assert.deepEqual(said(language), [' dir="rtl"'], language);
  for (const language of ['en', 'ha', 'ar-Latn', 'fil', 'arn']) assert.deepEqual(said(language), [undefined], language);
});

test('what was said has its language, and none where it is not known or no language', () => {
  const report = sampleReport();
  const said = (text: string) => [...text.matchAll(/<div class="diff" lang="([^"]*)">/g)].map((match) => match[1]);
  assert.deepEqual([...new Set(said(renderHtml({ ...report, language: 'en-GB' }, plain)))], ['en-GB']);
  for (const language of [undefined, 'und', '"><script>']) {
    const { language: _, ...rest } = report;
    const known = language === undefined ? rest : { ...rest, language };
    assert.deepEqual([...new Set(said(renderHtml(known, plain)))], ['']);
  }
  const [finding] = report.findings;
  const sections = finding!.sections.map((section) => ({
    ...section,
    ...(section.examples && { examples: section.examples.map((example) => ({ ...example, language: 'de' })) }),
  }));
  const own = renderHtml({ ...report, language: 'en', findings: [{ ...finding!, sections }] }, plain);
  assert.deepEqual([...new Set(said(own))], ['de']);
});

test('without transcripts no word of them is in the file', () => {
  const text = renderHtml(sampleReport(), { transcripts: false, sound: false });
  for (const word of ['greasy', 'park', 'tall']) assert.ok(!text.includes(word), word);
  assert.ok(text.includes('3 errors in 11 words: 1 substitution, 1 deletion, 1 insertion'));
  assert.ok(!text.includes('>Reference<'));
});

test('sound is taken in worst first until the file is full, then a note says so', () => {
  const clip = sampleClip(1);
  const asked: string[] = [];
  const clips = (utteranceId: string) => {
    asked.push(utteranceId);
    return { clean: clip, changed: clip };
  };
  const maximumBytes = Buffer.byteLength(renderHtml(sampleReport(), plain)) + 200_000;
  const text = renderHtml(sampleReport(), { transcripts: true, sound: true, clips, maximumBytes });
  assert.ok(Buffer.byteLength(text) <= maximumBytes);
  assert.deepEqual(asked, ['sample-0040', 'sample-0041', 'sample-0042']);
  assert.equal(text.match(/<audio /g)?.length, 4);
  assert.equal(text.match(/No audio here: this file has reached its size limit\./g)?.length, 4);
  const first = /src="data:audio\/wav;base64,([^"]*)"/.exec(text)?.[1] ?? '';
  assert.deepEqual(new Uint8Array(Buffer.from(first, 'base64')), clip);
});

test('a sound that is not there or was not what was heard gets its note', () => {
  const clip = sampleClip(0.1);
  const notes = [null, {}, { changed: clip, note: 'Made again: <not> what was heard.' }];
  const text = renderHtml(sampleReport(), { transcripts: true, sound: true, clips: () => notes.shift() ?? null });
  assert.ok(text.includes('There is no audio for this example.'));
  assert.ok(text.includes('The audio could not be made.'));
  assert.ok(text.includes('Made again: &lt;not&gt; what was heard.'));
  assert.equal(text.match(/<audio /g)?.length, 1);
});

test('two stretches of one clip are asked for and played each', () => {
  const report = sampleReport();
  const [finding] = report.findings;
  const [example] = finding!.sections.flatMap((section) => section.examples ?? []);
  const examples = [0, 30, 30].map((startSeconds) => ({ ...example!, startSeconds }));
  const sections = [{ id: 'worst', title: 'Worst', examples }];
  const asked: number[] = [];
  const clips = (_id: string, _condition: string, _draw: number, startSeconds: number) => {
    asked.push(startSeconds);
    return { changed: sampleClip(0.1) };
  };
  const findings = [{ ...finding!, answer: [], sections }];
  const text = renderHtml({ ...report, findings }, { transcripts: true, sound: true, clips });
  assert.deepEqual(asked, [0, 30]);
  assert.equal(text.match(/<audio /g)?.length, 2);
});

test('a huge report is cut until it fits, and says so', () => {
  const report = sampleReport();
  const [finding] = report.findings;
  assert.ok(finding);
  const section = {
    id: 'huge',
    title: 'Huge',
    tables: [
      {
        id: 'huge',
        title: 'Huge',
        columns: [{ key: 'a', label: 'a', kind: 'text' as const }],
        rows: Array.from({ length: 6000 }, (_, row) => ({ a: `${row} ${'<'.repeat(5000)}` })),
      },
    ],
  };
  const huge = { ...report, findings: [{ ...finding, sections: [...finding.sections, section] }] };
  const whole = renderHtml(huge, plain);
  assert.ok(whole.includes('1,000 more rows are in the JSON'));
  const text = renderHtml(huge, { ...plain, maximumBytes: 300_000 });
  assert.ok(Buffer.byteLength(text) <= 300_000);
  assert.ok(text.includes('tables and examples were cut'));
  assert.throws(() => renderHtml(huge, { ...plain, maximumBytes: 1000 }), EarwitnessError);
});

test('beneath a claim stands how its utterances were chosen: by the rate, and on the side of the verdict', () => {
  const { findings, ...report } = sampleReport();
  const [finding] = findings;
  const [example] = finding!.sections.flatMap(({ examples = [] }) => examples);
  const chosen = (about: About, verdict?: Verdict) => {
    const answer = [{ text: 'A claim.', about, examples: [example!], ...(verdict && { verdict }) }];
    const page = renderHtml({ ...report, findings: [{ ...finding!, answer }] }, plain);
    return /class="shown"><summary>1 utterance that shows it<\/summary>\n<p>.*?: <bdi>(.*?)<\/bdi>/.exec(page)?.[1];
  };
  const beside = { recognizer: 'a', than: { recognizer: 'b' } };
  assert.equal(chosen({ recognizer: 'a' }), 'highest WER');
  assert.equal(chosen(beside, 'better'), 'WER furthest below that of b');
  assert.equal(chosen(beside, 'worse'), 'WER furthest above that of b');
  assert.equal(chosen(beside, 'cannot tell'), 'WER furthest from that of b');
  // A loss from another condition has errors rise, whatever the verdict is about.
  assert.equal(chosen({ recognizer: 'a', than: { condition: 'clean' } }, 'better'), 'WER furthest above that in clean');
  assert.equal(chosen({ ...beside, by: 'words' }, 'better'), 'number of words furthest below that of b');
  assert.equal(chosen({ recognizer: 'a', by: 'words' }), 'most words recognized where nobody speaks');
});
