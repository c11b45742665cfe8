import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Finding } from '../../model/finding.ts';
import { biasAgreementStatement, biasesOf, biasSection } from './bias.ts';
import type { Group } from './heard-words.ts';
import type { WordDrops } from './results.ts';

// Printed in AequeVox' paper: Table 9, its three recognizers, and the totals of Table 4.
const names = ['English', 'Ganda', 'French', 'Gujarati', 'Indonesian', 'Korean', 'Russian'];
const table9 = [
  [1.21, 1.51, 1.21, 1.17, 1.07, 1.55, 1.64],
  [1.03, 1.94, 1.38, 1.35, 1.48, 1.92, 1.7],
  [0.47, 0.66, 0.4, 0.48, 0.36, 0.87, 0.63],
];
const violations = [312, 844, 413, 406, 311, 1086, 853];

const groups: Group[] = names.map((value, place) => ({
  ...{ number: place + 1, speakers: 4, group: { attribute: 'accent', value } },
}));
/** Everybody said as much: 55 words, 276 times. */
const drops = table9.flatMap((row, recognizer) =>
  row.map(
    (meanDrop, place) =>
      ({
        group: groups[place]!,
        recognizer,
        transformation: 0,
        meanDrop,
        drops: 55 * meanDrop,
        heard: 276,
      }) as WordDrops,
  ),
);

const found = (attribute: string, named: readonly string[], counts: readonly number[], name = 'degradation') =>
  ({
    study: { name, version: 1 },
    sections: [
      {
        tables: [
          {
            id: `degradation-excess-${attribute}-distance`,
            rows: named.map((group, place) => ({ group, violations: counts[place] })),
          },
        ],
      },
    ],
  }) as unknown as Finding;

test('The words of AequeVox show the same bias as its violations: RQ4, from what the paper prints.', () => {
  const [bias, ...more] = biasesOf(drops, groups, [found('accent', names, violations)]);
  assert.deepEqual(more, []);
  assert.ok(Math.abs(bias!.groups[1]!.meanDrop - 1.37) < 1e-12);
  assert.ok(Math.abs(bias!.groups[0]!.lost - (55 * 2.71) / (3 * 276)) < 1e-12);
  // Spearman's correlation and all 5,040 orders, from a loop in Python.
  assert.ok(Math.abs(bias!.correlation.value! - 25 / 28) < 1e-12);
  assert.equal(
    biasAgreementStatement(bias!).text,
    'accent, violations by distance (study degradation): lost words show the same bias (rank correlation 0.89 over 7 groups, p = .012; most words are lost for Korean, most violations are against Korean).',
  );
});

test('The answer names the study whose violations it is about: of several, the first that counts them.', () => {
  const [first, second] = ['as the paper', 'with all words'].map((name) => ({
    ...found('accent', names, violations),
    name,
  }));
  const biases = biasesOf(drops, groups, [found('sex', ['F', 'M'], [1, 2]), first!, second!]);
  assert.equal(biases.length, 1);
  assert.match(biasAgreementStatement(biases[0]!).text, /^accent, violations by distance \(study as the paper\): /);
  assert.match(biasSection(biases)!.tables![1]!.title, /violations \(study as the paper\): accent, by distance$/);
});

test('The contrary, too few groups and no order are said as what they are.', () => {
  const text = (counts: readonly number[], list: readonly string[] = names) =>
    biasAgreementStatement(biasesOf(drops, groups, [found('accent', list, counts)])[0]!).text;
  assert.match(text([6, 2, 4, 4, 7, 1, 3]), /lost words show the opposite \(rank correlation −0\.\d\d/);
  assert.match(text([1, 6, 3, 4, 2, 7, 5]), /\(rank correlation 1\.00 over 7 groups, p < \.001/);
  assert.match(
    text([1, 2], ['English', 'Korean']),
    /no conclusion whether lost words show the same bias \(it needs at least 3 values, and there are 2; most words .*\)\.$/,
  );
  assert.match(text([5, 5, 5], names.slice(0, 3)), /no conclusion .*\(all values are the same; /);
});

test('Groups are compared by shares: who said twice as much does not lose more.', () => {
  const twice = drops.map((one) =>
    one.group === groups[0] ? { ...one, heard: 2 * one.heard, drops: 2 * one.drops, meanDrop: 2 * one.meanDrop! } : one,
  );
  const [plain] = biasesOf(drops, groups, [found('accent', names, violations)]);
  const [doubled] = biasesOf(twice, groups, [found('accent', names, violations)]);
  assert.deepEqual(doubled!.correlation, plain!.correlation);
});

test('Without violations of the same groups there is nothing to compare, whatever the findings hold.', () => {
  const others = [found('sex', ['F', 'M'], [1, 2]), found('accent', names, violations, 'disparity')];
  assert.deepEqual(biasesOf(drops, groups, others), []);
  assert.deepEqual(biasesOf(drops, groups, []), []);
});
