import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom } from '../../../base/random.ts';
import { ratingSurvey } from '../../../base/testing/rating-survey.ts';
import { type RatingMean, ratingMeans, readRatings } from './ratings.ts';

const settings = { level: 0.95, resamples: 2000, minimumSpeakers: 10 };
const meansOf = (table: string): RatingMean[] =>
  ratingMeans(readRatings('r.csv', table), ({ condition, relation }) => relation ?? condition, {
    ...settings,
    random: createRandom('ratings'),
  });

test('Raw ratings become AequeVox’ Table 10, with the number of listeners and an interval.', () => {
  const printed = { Amp: [7.63, 7.49, 7.56, 7.5, 7.18], Noise: [7.22, 7.05, 7.03, 6.99, 6.84] };
  const survey = ratingSurvey();
  for (const effect of ['Amp', 'Noise'] as const) {
    const { severities, people, spreads } = survey[effect];
    const long = people.flatMap((ratings, listener) =>
      ratings.map((rating, place) => `${listener},${severities[place]},${rating}`),
    );
    const found = meansOf(['listener,condition,rating', ...long].join('\n'));
    // The paper's table leaves out amplitude 2, which is the first.
    const own = effect === 'Amp' ? found.slice(1) : found;
    assert.deepEqual(
      own.map(({ mean }) => Number(mean.value!.toFixed(2))),
      printed[effect],
      effect,
    );
    // Student's interval from the standard deviations: t = 1.972 for 196 degrees of freedom.
    for (const [place, { mean, ratings, listeners }] of found.entries()) {
      assert.deepEqual([ratings, listeners], [197, 197]);
      const half = (1.972 * spreads[place]!) / Math.sqrt(197);
      assert.ok(
        Math.abs(mean.high! - mean.low! - 2 * half) < 0.15 * half,
        `${effect} ${place}: ${mean.low} ${mean.high}`,
      );
    }
  }
});

test('A listener counts once: who rates ten sounds alike is one witness; without names every rating is one.', () => {
  const rows = Array.from({ length: 12 }, (_, listener) =>
    Array.from({ length: 10 }, () => [`l${listener}`, 2 + (listener % 3)] as const),
  ).flat();
  const [named] = meansOf(['listener,condition,rating', ...rows.map((row) => `${row[0]},noise,${row[1]}`)].join('\n'));
  const [nameless] = meansOf(['condition,rating', ...rows.map((row) => `noise,${row[1]}`)].join('\n'));
  assert.deepEqual([named!.ratings, named!.listeners, named!.mean.value], [120, 12, 3]);
  assert.deepEqual([nameless!.ratings, nameless!.listeners, nameless!.mean.value], [120, null, 3]);
  const width = ({ mean }: RatingMean) => mean.high! - mean.low!;
  assert.ok(width(named!) > 2.5 * width(nameless!), `${width(named!)} ${width(nameless!)}`);
});

test('Sharpness and naturalness stand apart, by relation and corpus, as in SR-MT’s Table 1.', () => {
  const table = ['relation\tcorpus\tscale\trating'];
  for (const [relation, scale, ratings] of [
    ['MR-1', 'sharpness', [4, 5]],
    ['MR-1', 'naturalness', [3, 4]],
    ['MR-2', 'sharpness', [5, 5]],
  ] as const) {
    for (const rating of ratings) table.push(`${relation}\ttimit\t${scale}\t${rating}`);
  }
  assert.deepEqual(
    meansOf(table.join('\n')).map(({ about, corpus, scale, mean }) => [about, corpus, scale, mean.value, mean.low]),
    [
      ['MR-1', 'timit', 'sharpness', 4.5, null],
      ['MR-1', 'timit', 'naturalness', 3.5, null],
      ['MR-2', 'timit', 'sharpness', 5, null],
    ],
  );
});

test('How far the conditions of a relation are apart is no chance: its interval is as wide when one of them is rated a grade worse by everybody.', () => {
  const random = createRandom('relation');
  const cells = Array.from({ length: 12 * 16 }, (_, at) => {
    const [listener, clip] = [at % 12, Math.floor(at / 12)];
    return { listener, clip, isWorse: (listener + clip) % 2 === 1, rating: 3 + random.integer(3) };
  });
  const of = (worse: number) =>
    meansOf(
      [
        'listener,utterance,condition,relation,rating',
        ...cells.map(
          ({ listener, clip, isWorse, rating }) =>
            `l${listener},u${clip},noise:${isWorse ? 2 : 1},MR-1,${rating - (isWorse ? worse : 0)}`,
        ),
      ].join('\n'),
    )[0]!.mean;
  const [alike, apart] = [of(0), of(2)];
  assert.ok(Math.abs(alike.value! - apart.value! - 1) < 1e-12);
  assert.ok(Math.abs(alike.high! - alike.low! - (apart.high! - apart.low!)) < 1e-12);
});
