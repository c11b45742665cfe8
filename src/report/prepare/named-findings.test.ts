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
