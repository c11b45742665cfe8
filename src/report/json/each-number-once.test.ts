import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findingsOf, worlds } from '../../cli/testing/invented-worlds.ts';
import { isComparison } from '../../model/comparison.ts';
import type { Comparison, Estimate, Finding } from '../../model/finding.ts';
import { rowsOf } from '../../model/finding-rows.ts';
import { sampleReport } from '../testing/sample-report.ts';
import { eachNumberOnce } from './each-number-once.ts';

/** Every number with an interval, wherever it stands. */
function numbersIn(value: unknown): (Estimate | Comparison)[] {
  if (typeof value !== 'object' || value === null) return [];
  if ('method' in value || 'test' in value) return [value as Estimate | Comparison];
  return Object.values(value).flatMap(numbersIn);
}

function valuesIn(value: unknown): Set<number | null> {
  return new Set(numbersIn(value).map((one) => (isComparison(one) ? one.difference : one).value));
}

const studiesTried = ['robustness', 'disparity', 'metamorphic', 'degradation', 'hallucination'] as const;

test('No number is lost, a sentence names the cell that it quotes, and less is written.', async () => {
  const [, world] = Object.entries(worlds)[0]!;
  for (const study of studiesTried) {
    for (const finding of await findingsOf(study, world)) {
      const once = eachNumberOnce(finding);
      assert.deepEqual(valuesIn(once), valuesIn(finding), study);
      for (const [place, { cell, ...said }] of once.answer.entries()) {
        const { estimate, comparison, text } = finding.answer[place]!;
        assert.equal(said.text, text);
        if (cell === undefined) continue;
        const quoted = rowsOf(finding, cell.table)[cell.row]![cell.column];
        assert.deepEqual(
          quoted,
          said.comparison === undefined && comparison !== undefined ? comparison : estimate,
          text,
        );
      }
      const drawnBefore = finding.sections.flatMap(({ charts, bars, heatMaps }) => [charts, bars, heatMaps].flat());
      assert.ok(JSON.stringify(once).length < JSON.stringify(finding).length || drawnBefore.length === 0, study);
    }
  }
});

test('A chart of numbers that no table has stays, and so does a number that a sentence alone has.', () => {
  const [finding] = sampleReport().findings as [Finding];
  const emptied = { ...finding, sections: finding.sections.map(({ tables: _, ...section }) => section) };
  assert.deepEqual(eachNumberOnce(emptied), emptied);
});
