import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Finding } from '../../model/finding.ts';
import { createTraceFinder } from './personal-traces.ts';

const finder = createTraceFinder({
  names: ['anna', '1', 'u-7', '/rec/anna/u-7.wav'],
  texts: ['The zebra, it ran!', 'yes'],
  values: ['Welsh', 'F'],
});

test('a person is found by whole names, texts that only they said, and what nobody else has', () => {
  for (const text of ['anna', 'worst is anna.', '"u-7" in noise', 'at /rec/anna/u-7.wav', 'speaker 1 of the run', '1'])
    assert.ok(finder.mentions(text), text);
  for (const text of ['the zebra it ran', 'heard: THE ZEBRA IT RAN AWAY', 'Yes.', 'Welsh speakers', 'F'])
    assert.ok(finder.mentions(text), text);
  for (const text of [
    'annabel',
    'u-77',
    '1 of 12 speakers',
    'yes we can',
    'the zebra ran',
    'F0 of 120 Hz',
    'joanna: u-7b',
  ])
    assert.ok(!finder.mentions(text), text);
});

test('rows, points, sentences and examples about a person leave a finding, all others stay as they were', () => {
  const estimate = { value: 0.1, low: null, high: null, level: 0.95, n: { utterances: 1, speakers: 1 }, method: 'm' };
  const point = (name: string) => ({ name, value: 1 });
  const box = { name: 'all', least: 0, firstQuartile: 0, median: 0, thirdQuartile: 0, most: 1 };
  const finding: Finding = {
    study: { name: 's', version: 1 },
    title: 't',
    settings: { only: ['anna', 'ben'] },
    answer: [{ text: 'anna is worst' }, { text: 'ben is best', estimate }],
    sections: [
      {
        id: 'a',
        title: 'A',
        tables: [
          {
            id: 't',
            title: 'T',
            columns: [],
            rows: [
              { who: 'u-7', rate: estimate },
              { who: 'u-8', rate: 1 },
            ],
          },
        ],
        boxPlots: [
          { title: 'B', label: 'l', kind: 'rate', boxes: [{ ...box, points: [point('anna'), point('ben')] }] },
        ],
        bars: [
          {
            title: 'B',
            label: 'l',
            kind: 'count',
            series: ['s'],
            rows: [
              { name: 'anna', values: [1] },
              { name: 'ben', values: [2] },
            ],
          },
        ],
        examples: [{ title: 'E', utteranceId: 'u-7', conditionName: 'clean', draw: 0, transcripts: [] }],
      },
    ],
    warnings: [],
  };
  const rest = finder.prunedFinding(finding, 'from before')!;
  // Places stay: another list may be counted along with it.
  assert.deepEqual(rest.settings, { only: ['forgotten', 'ben'] });
  assert.deepEqual(rest.answer, [finding.answer[1]]);
  assert.deepEqual(rest.sections[0]!.tables![0]!.rows, [{ who: 'u-8', rate: 1 }]);
  assert.deepEqual(rest.sections[0]!.boxPlots![0]!.boxes[0]!.points, [point('ben')]);
  assert.deepEqual(rest.sections[0]!.bars![0]!.rows, [{ name: 'ben', values: [2] }]);
  assert.deepEqual(rest.sections[0]!.examples, []);
  assert.deepEqual(rest.warnings, ['from before']);
  assert.deepEqual(finder.prunedFinding(rest, 'from before')!.warnings, ['from before']);
  assert.equal(finder.prunedFinding({ ...finding, title: 'About anna' }, ''), null);
});
