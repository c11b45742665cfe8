import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderMarkdown } from '../markdown/render-markdown.ts';
import { sampleReport } from '../testing/sample-report.ts';
import { namedFindings } from './named-findings.ts';

const [finding] = sampleReport().findings;
const other = { ...finding!, study: { name: 'disparity', version: 1 }, title: 'Disparity' };

test('findings of one study are numbered or have the names that they were given, in headings too', () => {
  const named = namedFindings([finding!, other, finding!, finding!], [undefined, undefined, 'Robustness']);
  assert.deepEqual(
    named.map(({ name }) => name),
    // Letter case alone tells no files apart.
    ['robustness-2', 'disparity', 'Robustness', 'robustness-3'],
  );
  assert.deepEqual(
    named.map(({ title }) => title.replace(finding!.title, '')),
    [' (robustness-2)', 'Disparity', ' (Robustness)', ' (robustness-3)'],
  );
});

test('sections that are headed alike say whose they are', () => {
  const titles = namedFindings([finding!, finding!], []).flatMap(({ sections }) => sections.map(({ title }) => title));
  assert.equal(new Set(titles).size, titles.length);
  assert.ok(titles.includes(`${finding!.sections[0]!.title} (robustness-2)`));
  const alone = namedFindings([finding!, { ...other, sections: [] }], []);
  assert.deepEqual(
    alone[0]!.sections.map(({ title }) => title),
    finding!.sections.map(({ title }) => title),
  );
});

test('a finding that is alone keeps its heading, unless it was given a name', () => {
  assert.deepEqual(
    namedFindings([finding!, other], []).map(({ name, title }) => [name, title]),
    [
      ['robustness', finding!.title],
      ['disparity', 'Disparity'],
    ],
  );
  assert.equal(namedFindings([other], ['calls'])[0]!.title, 'Disparity (calls)');
});

test('every rate over words names its normalizer: in sizes, beneath tables and beside charts', () => {
  const report = sampleReport();
  const settings = { ...finding!.settings, normalizer: { name: 'english', version: 2 } };
  const [shown] = namedFindings([{ ...finding!, settings }], []);
  const text = renderMarkdown({ ...report, findings: [shown!] }, { transcripts: true });
  assert.match(text, /1,440 words \\\(normalizer english\\\)/);
  assert.match(text, /drawn again for the intervals\. Words: normalizer english\./);
  assert.equal(shown!.sections[0]!.charts?.[0]?.yLabel, 'Word error rate (normalizer english)');
  // What rests on no words names none.
  assert.equal(
    shown!.sections.flatMap(({ tables }) => tables ?? []).find(({ id }) => id === 'suspicious')!.note,
    undefined,
  );
});

test('intervals are over speakers, or over utterances where nobody says who speaks, and never over clusters', () => {
  const reason = 'an interval needs 10 clusters (speakers), and there are 2';
  const estimate = { value: 0.5, low: null, high: null, level: 0.95, reason, method: 'bootstrap over clusters' };
  const said = (speakers: number, more: readonly number[] = []) => {
    const sized = [speakers, ...more].map((size) => ({ ...estimate, n: { utterances: 2, speakers: size } }));
    const answer = sized.map((one) => ({ text: `No verdict: ${reason}.`, estimate: one }));
    const [shown] = namedFindings([{ ...other, answer, sections: [], timing: { answer: [], sections: [] } }], []);
    return shown!.answer.map(({ text, estimate: shownEstimate }) => [
      text,
      shownEstimate!.reason,
      shownEstimate!.method,
    ]);
  };
  const [speakers, utterances] = ['speakers', 'utterances'].map((unit) => [
    `No verdict: an interval needs 10 ${unit}, and there are 2.`,
    `an interval needs 10 ${unit}, and there are 2`,
    `bootstrap over ${unit}`,
  ]);
  assert.deepEqual(said(2), [speakers]);
  assert.deepEqual(said(0), [utterances]);
  // What is known of some is said of the whole, each number by its own.
  assert.deepEqual(said(2, [0]), [speakers, [speakers![0], ...utterances!.slice(1)]]);
});
