import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom } from '../../../base/random.ts';
import type { Utterance } from '../../../model/utterance.ts';
import { randomOfData } from '../../../statistics/bootstrap/random-of-data.ts';
import { rateInterval } from '../../../statistics/bootstrap/rate-interval.ts';
import { toEstimate } from '../estimates.ts';
import { spoken } from '../testing/testing.ts';
import { groupsOf, type Part } from './contract.ts';
import { contrastGroups, overInWords } from './contrasts.ts';
import { openCube } from './cube.ts';

interface Scored {
  readonly condition: string;
  readonly errors: number;
  readonly words: number;
}

const settings = { level: 0.95, resamples: 200, minimumSpeakers: 5, seed: 3 };
const conditions = ['clean', 'noise', 'room'];

const lossCube = (attributes: readonly string[] | null) =>
  openCube<Scored>()({
    series: ['a', 'b'],
    conditions,
    counts: {
      errors: { label: 'Errors', of: ({ errors }) => errors },
      words: { label: 'Words', of: ({ words }) => words },
    },
    ratios: { wer: { label: 'WER', kind: 'rate', over: ['errors', 'words'] } },
    slices: {
      group: groupsOf<Scored>(attributes, {
        columns: [{ key: 'condition', label: 'Condition', kind: 'text' }],
        order: conditions,
        of: ({ condition }) => [[condition]],
      }),
    },
    unit: 'speaker',
    words: 'words',
    paired: false,
    settings,
  });

/** Twelve women and ten men, of two recordings each. */
const people: Utterance[] = Array.from({ length: 44 }, (_, place) =>
  spoken(`u${place}`, null, {
    speaker: `s${place % 22}`,
    attributes: { sex: place % 22 < 12 ? 'F' : 'M', clip: String(place) },
  }),
);
const lone = spoken('x', null, { speaker: 'lone', attributes: { sex: 'X' } });

/** Of ten words so many are wrong; `lone` is heard in clean sound and noise alone. */
function filled(utterances: readonly Utterance[], attributes: readonly string[] | null = ['sex']) {
  const cube = lossCube(attributes);
  for (const utterance of utterances) {
    for (const condition of conditions) {
      const random = createRandom([utterance.id, condition]);
      const harder = condition === 'noise' && utterance.attributes.sex === 'F' ? 6 : 2;
      const scored = { condition, errors: random.integer(harder + 1), words: 10 };
      cube.add(utterance, utterance === lone && condition === 'room' ? [null, null] : [scored, null]);
    }
  }
  return cube;
}

type Losses = Part<'errors' | 'words', 'wer'>;
const rateIn = (part: Losses, condition: string) => {
  const { errors, words } = part.counts(0, [condition]);
  return errors / words;
};
const termsOf = (cells: readonly string[]) =>
  cells.map((condition) => ({ series: 0, path: [condition], ratio: 'wer' as const, weight: 1 / cells.length }));

test('A part has the sums of its cells and everybody who was met in it; a weighted sum of them has the interval of such a sum.', () => {
  const silent = spoken('y', null, { speaker: 'silent', attributes: { sex: 'F' } });
  const cube = filled(people);
  cube.add(silent, [null, null]);
  const [women, men] = cube.parts('group') as [Losses, Losses];
  assert.deepEqual([women.group, women.units.length, men.units.length], [{ attribute: 'sex', value: 'F' }, 13, 10]);
  assert.deepEqual([women.counts(0, ['noise']).words, women.counts(1, ['noise']).words], [240, 0]);
  const lost = women.weighted([...termsOf(['noise', 'room']), { ...termsOf(['clean'])[0]!, weight: -1 }])!;
  const expected = (rateIn(women, 'noise') + rateIn(women, 'room')) / 2 - rateIn(women, 'clean');
  assert.ok(Math.abs(women.estimate(lost).value! - expected) < 1e-12);
  assert.deepEqual([lost.n, lost.clusters], [{ utterances: 24, speakers: 12, words: 240 }, women.units]);
  const estimate = women.estimate(women.side({ series: 0, path: ['noise'], ratio: 'wer' }));
  const [row] = cube.rows('group').filter(({ path }) => path.join() === 'sex,F,noise');
  assert.deepEqual(estimate, row!.ratios.wer);
  const interval = rateInterval(women.side({ series: 0, path: ['noise'], ratio: 'wer' }).counts, {
    ...{ level: 0.95, resamples: 200, minimumClusters: 5, random: randomOfData(3) },
  });
  assert.deepEqual(estimate, toEstimate(interval, estimate.n));
  assert.equal(women.weighted(termsOf(['noise', 'elsewhere'])), null);
  assert.equal(women.weighted([]), null);
});

test('Where nobody says which attributes, those with 2 to 8 values make groups, and who lacks them is counted.', () => {
  const cube = filled([...people, spoken('z', null, { speaker: 'z' })], null);
  const met = cube.groupsIn('group');
  assert.deepEqual(
    met.groups().map(({ group }) => group!.value),
    ['F', 'M'],
  );
  assert.deepEqual([[...met.manyValued], met.missing()], [['clip'], [{ attribute: 'sex', utterances: 1 }]]);
  assert.deepEqual([met.clusters.count, met.attributesLeftOut], [23, false]);
});

test('Every two groups are compared over what both have, and one that lacks a condition takes nothing from the others.', () => {
  const contrasts = (utterances: readonly Utterance[]) => {
    const parts: readonly Losses[] = filled(utterances).parts('group');
    const cells = parts.map((part) => conditions.filter((name) => part.counts(0, [name]).words > 0));
    const [asked] = contrastGroups(
      [{ cells, sideOver: (group: number, own: readonly string[]) => parts[group]!.weighted(termsOf(own)) }],
      { ...settings, permutations: 500, study: 'mine', what: 'losses' },
    );
    return asked!.map(({ shared, test }) => {
      const meanOf = (group: number) =>
        shared.reduce((sum, name) => sum + rateIn(parts[group]!, name), 0) / shared.length;
      assert.ok(Math.abs(test.difference.value! - (meanOf(test.second) - meanOf(test.first))) < 1e-12);
      const over = overInWords(shared, conditions, [{ noun: 'conditions', of: (name) => name }]);
      return { between: `${parts[test.first]!.group!.value}${parts[test.second]!.group!.value}`, over, test };
    });
  };
  const alone = contrasts(people);
  const among = contrasts([lone, ...people]);
  assert.deepEqual(
    among.map(({ between, over }) => [between, over]),
    [
      ['FM', null],
      ['FX', '2 of 3 conditions'],
      ['MX', '2 of 3 conditions'],
    ],
  );
  assert.equal(alone[0]!.test.pValue, among[0]!.test.pValue);
  assert.deepEqual(alone[0]!.test.difference, among[0]!.test.difference);
  assert.ok(among[0]!.test.adjustedPValue! < 0.05);
});

test('A pair is not compared in a cell that is lost for it, and cells of two kinds are told by both.', () => {
  const parts: readonly Losses[] = filled(people).parts('group');
  const cells = parts.map(() => conditions);
  const [asked] = contrastGroups(
    [
      {
        ...{ cells, sideOver: (group: number, own: readonly string[]) => parts[group]!.weighted(termsOf(own)) },
        isLost: (name: string) => name !== 'clean',
      },
    ],
    { ...settings, permutations: 500, study: 'mine', what: 'losses' },
  );
  assert.deepEqual(
    asked!.map(({ shared }) => shared),
    [['clean']],
  );
  const grid = ['a1', 'a2', 'b1', 'b2'];
  const axes = [
    { noun: 'conditions', of: (cell: string) => cell[0] },
    { noun: 'recognizers', of: (cell: string) => cell[1] },
  ];
  assert.deepEqual(
    [grid, ['a1', 'b1'], ['a1', 'b2'], ['a1']].map((own) => overInWords(own, grid, axes)),
    [null, '1 of 2 recognizers', '2 of 4 conditions of recognizers', '1 of 2 conditions and 1 of 2 recognizers'],
  );
});
