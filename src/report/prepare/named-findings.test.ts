import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sampleReport } from '../sample-report.ts';
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
