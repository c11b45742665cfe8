import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Trial } from '../../../model/trial.ts';
import type { Utterance } from '../../../model/utterance.ts';
import type { Answer } from '../../contract.ts';
import { tableOf } from '../tables.ts';
import { failedWith, near, said, spoken } from '../testing/testing.ts';
import { openCube } from './cube.ts';

interface Marked {
  readonly condition: string;
  readonly marks: number;
  readonly liked: number;
}

const openMarks = () =>
  openCube<Marked>()({
    series: ['mild', 'harsh'],
    conditions: ['noise', 'hall'],
    counts: {
      cases: { label: 'Cases', help: 'All that were answered.', of: ({ liked }) => (liked > 0 ? 0 : 1) },
      marks: { label: 'Marks', of: ({ marks }) => marks },
      likes: { label: 'Likes', of: ({ liked }) => liked },
    },
    ratios: {
      marked: { label: 'Marked', kind: 'rate', over: ['marks', 'cases'], proportion: true, counted: 'pairs' },
      clean: { label: 'Clean', kind: 'rate', over: ['marks', 'cases'], proportion: true, complement: true },
      liked: { label: 'Liked', kind: 'rate', over: ['likes', 'cases'], counted: 'pairs' },
      likes: { label: 'Likes', kind: 'rate', over: ['likes', 'likes'], counted: 'utterances' },
    },
    slices: {
      cell: {
        columns: [
          { key: 'language', label: 'Language', kind: 'text' },
          { key: 'condition', label: 'Condition', kind: 'text' },
        ],
        paired: true,
        apart: true,
        of: ({ condition }, { language }) => [[language, condition]],
      },
    },
    unit: 'speaker',
    settings: { level: 0.95, resamples: 200, minimumSpeakers: 5, seed: 3 },
  });

/** Ten speakers who say one sentence in each of two languages. */
const people: Utterance[] = Array.from({ length: 20 }, (_, place) =>
  spoken(`u${place}`, 'one two', { speaker: `s${place % 10}`, language: place < 10 ? 'en' : 'de' }),
);

/** Two draws of each condition; `harsh` marks every case in noise, `mild` none, and both every second speaker in the hall. */
async function* answers(fails: (trial: Trial) => boolean): AsyncGenerator<Answer> {
  for (const utterance of people) {
    for (const name of ['noise', 'hall']) {
      for (const draw of [0, 1]) {
        for (const recognizer of ['mild', 'harsh']) {
          const trial = { utterance, condition: { name, steps: [] }, draw, recognizer, repeat: 0 };
          yield { ask: 'recognition', trial, observation: fails(trial) ? failedWith('timeout') : said('x') };
        }
      }
    }
  }
}

async function filled(fails: (trial: Trial) => boolean = () => false) {
  const cube = openMarks();
  const met: Trial[] = [];
  await cube.fill(
    answers(fails),
    ({ trial: { recognizer, condition, utterance } }) => {
      const second = Number(utterance.id.slice(1)) % 2;
      return {
        condition: condition.name,
        liked: 0,
        marks: condition.name === 'hall' ? second : Number(recognizer === 'harsh'),
      };
    },
    (trial) => met.push(trial),
  );
  return { cube, met };
}

const inEnglish = {
  name: 'English',
  cells: [
    ['en', 'noise'],
    ['en', 'hall'],
  ],
};
const inBoth = { name: 'both', cells: [...inEnglish.cells, ['de', 'noise'], ['de', 'hall']] };

test('Cells counted together are one row: sums of all, and each utterance once though it is in several, in every language its own.', async () => {
  const { cube } = await filled();
  const [mild, harsh, , all] = cube.over('cell', [inEnglish, inBoth]);
  // Of ten utterances two draws in each condition.
  assert.deepEqual(harsh!.counts, { cases: 40, marks: 20 + 10, likes: 0 });
  near(mild!.ratios.marked, 10 / 40);
  near(mild!.ratios.clean, 30 / 40);
  assert.deepEqual(
    [mild!.ratios.clean.low, mild!.ratios.clean.high],
    [1 - mild!.ratios.marked.high!, 1 - mild!.ratios.marked.low!],
  );
  assert.deepEqual(harsh!.ratios.marked.n, { utterances: 10, speakers: 10, pairs: 40 });
  assert.deepEqual(all!.ratios.marked.n, { utterances: 20, speakers: 10, pairs: 80 });
  const [nothing] = cube.over('cell', [{ cells: [['fr', 'noise']] }]);
  assert.deepEqual([nothing!.counts.cases, nothing!.ratios.marked.value], [0, null]);
  const table = tableOf('mine', 'Mine', cube.over('cell', [inEnglish]), cube.columns('clean', 'cases'));
  assert.deepEqual(table.columns, [
    { key: 'clean', label: 'Clean', kind: 'rate' },
    { key: 'cases', label: 'Cases', kind: 'count', help: 'All that were answered.' },
  ]);
  assert.deepEqual(table.rows[1], { clean: harsh!.ratios.clean, cases: 40 });
});

test('Pairs are told set by set on what both answered, and an utterance that failed in one draw still stands behind them.', async () => {
  const { cube, met } = await filled(({ recognizer, utterance: { id }, condition, draw }) => {
    if (recognizer !== 'harsh' || condition.name !== 'noise') return false;
    return id === 'u2' || (id === 'u3' && draw === 0);
  });
  const noise = { name: 'noise', cells: [['en', 'noise']] };
  const [one, whole] = cube.pairsOver('marked', 'cell', [noise, inBoth]);
  assert.deepEqual([one!.set.name, one!.first, one!.second], ['noise', 'mild', 'harsh']);
  near(one!.comparison.difference, 1);
  // 20 draws without 3; of u3 one is left, of u2 none.
  assert.deepEqual(one!.comparison.difference.n, { utterances: 9, speakers: 9, pairs: 17 });
  near(whole!.comparison.difference, 37 / 77);
  assert.deepEqual(whole!.comparison.difference.n, { utterances: 20, speakers: 10, pairs: 77 });
  assert.equal(met.length, 160, 'failed trials are met too');
});

test('What is added beside the answers stands in its cells, and is no answer, no utterance and none of a pair.', async () => {
  const { cube } = await filled();
  const noise = { cells: [['en', 'noise']] };
  const before = cube.pairsOver('marked', 'cell', [noise]);
  cube.add(people[0]!, [{ condition: 'noise', marks: 0, liked: 3 }, null], 'beside');
  const [mild] = cube.over('cell', [noise]);
  assert.deepEqual(mild!.counts, { cases: 20, marks: 0, likes: 3 });
  assert.deepEqual(mild!.ratios.liked.n, { utterances: 10, speakers: 10, pairs: 20 });
  // Only of whom there is any.
  assert.deepEqual(mild!.ratios.likes.n, { utterances: 3, speakers: 1 });
  assert.deepEqual(cube.pairsOver('marked', 'cell', [noise]), before);
});

test('One ratio less another of the same cells is tested for all rows together.', async () => {
  const { cube } = await filled();
  const [mild, harsh, hall] = cube.against('cell', [inEnglish, { cells: [['de', 'hall']] }], 'marked', 'liked');
  near(mild!.difference, 10 / 40);
  near(harsh!.difference, 30 / 40);
  // Every speaker is marked more often than liked, or every second.
  assert.deepEqual([harsh!.verdict, mild!.verdict], ['worse', 'cannot tell']);
  near(hall!.difference, 1 / 2);
});
