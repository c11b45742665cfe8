import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom } from '../../../base/random.ts';
import { ratingSurvey } from '../../../base/testing/rating-survey.ts';
import type { Estimate } from '../../../model/finding.ts';
import { rowsOf } from '../../../model/finding-rows.ts';
import { ratingPrecision, ratingSpreads } from '../../../statistics/planning/rating-precision.ts';
import { inventedContext } from '../testing/testing.ts';
import { findingOfRatings, passes } from './finding-of-ratings.ts';
import { createValidityGate, judgeCases } from './gate.ts';
import { readAllRatings, readRatings } from './ratings.ts';

const options = { atLeast: 4, per: 'relation', labelOf: () => null } as const;

test('AequeVox’ raw ratings in the layout of rate give its means, and the table keeps the scenarios that its listeners kept.', async () => {
  const averages: number[] = [];
  const table = ['listener,utterance,condition,relation,corpus,scale,rating,kind,plays,excluded'];
  const survey = ratingSurvey();
  for (const [effect, family] of [
    ['Amp', 'amplitude'],
    ['Noise', 'noise'],
  ] as const) {
    const { people, severities, averages: own } = survey[effect];
    averages.push(...own);
    assert.deepEqual([people.length, severities.length], [197, effect === 'Amp' ? 6 : 5]);
    for (const [person, ratings] of people.entries()) {
      for (const [place, rating] of ratings.entries())
        table.push(`${effect} ${person},female,aequevox/${family}:${place + 1},,,comprehensibility,${rating},rated,1,`);
    }
  }
  const text = table.join('\n');
  const { sections, answer } = findingOfRatings(readAllRatings('r.csv', text), {
    ...options,
    ...{ atLeast: 7.2, per: 'condition' },
  });
  const [means] = sections;
  const rows = means!.tables![0]!.rows as unknown as { about: string; mean: Estimate; verdict: string }[];
  for (const [place, { mean }] of rows.entries()) {
    // The survey's own row of averages, with nine decimals.
    assert.ok(Math.abs(mean.value! - averages[place]!) < 1e-8, `${place} ${mean.value}`);
    assert.match(mean.method, /of this clip alone$/);
  }
  assert.deepEqual(
    means!.charts![0]!.series.map(({ name, points }) => [name, points.length]),
    [
      ['aequevox/amplitude', 6],
      ['aequevox/noise', 5],
    ],
  );
  // With 197 people a mean is known to .26 or so: few lie beyond that.
  assert.match(answer[0]!.text, /^Of 11 conditions, [2-5] pass .*, [0-3] fail, and [4-8] cannot be told\.$/);

  const conditions = rows.map(({ about: name }) => ({ name, steps: [{ perturbation: 'gain', parameters: {} }] }));
  const context = inventedContext([], [], { readText: async () => text });
  const settings = { level: 0.95, resamples: 100, minimumSpeakers: 10 };
  const asking = judgeCases(
    { ratings: 'r.csv', atLeast: 7.2, per: 'condition' },
    {
      ...{ conditions, ratable: conditions.map(({ name }) => name), draws: () => 1, wanted: () => true },
      ...{ groupOf: (condition) => condition, corpusBy: 'corpus', means: settings },
    },
    context,
  );
  const judged = await asking.next();
  assert.ok(judged.done);
  const utterance = { id: 'a', attributes: {} } as never;
  const published = createValidityGate({ comprehensibility: 7.2 }, conditions, context).judge(settings);
  const kept = conditions.map((one) => judged.value.judge(utterance, one, 0) === 'kept');
  assert.deepEqual(
    kept,
    conditions.map((one) => published.keeps(utterance, one, 0)),
  );
  // Amplitudes 2 to .2, and noise at 10 dB.
  assert.deepEqual(
    kept.flatMap((stays, place) => (stays ? [place] : [])),
    [0, 1, 2, 3, 4, 6],
  );
});

/** Ratings of listeners who each hear every clip in one of two relations. */
function simulated(means: Readonly<Record<string, number>>, kindOf: (listener: number) => string | null = () => null) {
  const random = createRandom('ratings');
  const lines = ['listener,utterance,relation,corpus,scale,rating,kind,excluded'];
  const bias = Array.from({ length: 16 }, () => 0.2 * random.normal());
  for (let listener = 0; listener < 16; listener++) {
    for (let clip = 0; clip < 20; clip++) {
      for (const [name, mean] of Object.entries(means)) {
        const [relation, scale] = name.split(' ');
        const rating = Math.min(5, Math.max(1, Math.round(mean + bias[listener]! + 0.5 * random.normal())));
        lines.push(`l${listener},u${clip},${relation},timit,${scale},${rating},rated,${kindOf(listener) ?? ''}`);
      }
    }
  }
  return lines.join('\n');
}

test('A relation passes where the intervals of both scales lie above the threshold, and fails where one lies below.', () => {
  const text = simulated({
    ...{ 'MR-1 sharpness': 4.6, 'MR-1 naturalness': 4.5, 'MR-2 sharpness': 4.6, 'MR-2 naturalness': 4 },
    ...{ 'MR-3 sharpness': 3.2, 'MR-3 naturalness': 4.5 },
  });
  const { sections, answer } = findingOfRatings(readAllRatings('r.csv', text), options);
  const verdicts = rowsOf({ sections }, 'ratings-means').map(({ about, scale, verdict }) => [about, scale, verdict]);
  assert.deepEqual(verdicts.toSorted(), [
    ['MR-1', 'naturalness', 'pass'],
    ['MR-1', 'sharpness', 'pass'],
    ['MR-2', 'naturalness', 'cannot tell'],
    ['MR-2', 'sharpness', 'pass'],
    ['MR-3', 'naturalness', 'pass'],
    ['MR-3', 'sharpness', 'fail'],
  ]);
  assert.match(answer[0]!.text, /^Of 3 relations, 1 pass .*, 1 fail, and 1 cannot be told\.$/);
  assert.match(answer[1]!.text, /, of \d+ ratings\.$/);
  assert.equal(answer[1]!.estimate, undefined);
  assert.equal(passes({ low: null, high: null }, 4), 'cannot tell');
  assert.equal(passes({ low: 4, high: 5 }, 4), 'pass');
});

test('A mean has one half width: that of its interval, also where conditions of a relation are rated apart; and its size is in ratings, listeners and utterances.', () => {
  const random = createRandom('one half width');
  const lines = ['listener,utterance,condition,relation,scale,rating'];
  const listeners = Array.from({ length: 12 }, () => 0.7 * random.normal());
  for (const [listener, bias] of listeners.entries())
    for (let clip = 0; clip < 16; clip++)
      for (const [scale, mean] of Object.entries({ sharpness: 4, naturalness: 3 }))
        lines.push(
          `l${listener},u${clip},noise:${1 + ((clip + listener) % 2)},MR-1,${scale},${Math.round(mean + bias + random.normal())}`,
        );
  const { sections } = findingOfRatings(readAllRatings('r.csv', lines.join('\n')), options);
  const rated = sections[0]!.tables![0]!.rows as unknown as { scale: string; mean: Estimate }[];
  const spreads = sections[1]!.tables![1]!.rows as unknown as Readonly<Record<string, number | string>>[];
  assert.equal(spreads.length, 2);
  for (const { scale, usual, now, moreListeners, moreClips } of spreads) {
    assert.equal(usual, 'MR-1');
    const { mean } = rated.find((one) => one.scale === scale)!;
    assert.ok(Math.abs(Number(now) - (mean.high! - mean.low!) / 2) < 1e-12, `${now} ${mean.high! - mean.low!}`);
    // Listeners are as far apart as the rest: twice as many are worth more than a fifth, twice the clips less.
    const [ofListeners, ofClips] = [moreListeners, moreClips].map((more) => Number(more) / Number(now));
    assert.ok(ofListeners! < 0.8 && ofClips! > 0.8 && ofClips! < 1, `${ofListeners} ${ofClips}`);
    assert.deepEqual(mean.n, { utterances: 16, speakers: 0, ratings: 192, listeners: 12 });
  }
});

test('Ratings that do not count are in no mean: of listeners who are left out, hidden originals, anchors and repeats.', () => {
  const text = `${simulated({ 'MR-1 sharpness': 4.6 }, (listener) => (listener < 3 ? 'repeats apart' : null))}
l5,u1,MR-1,timit,sharpness,1,repeat,
l5,u30,,timit,sharpness,5,original,
l5,u31,,timit,sharpness,1,anchor,`;
  assert.equal(readRatings('r.csv', text).length, 13 * 20);
  const { sections } = findingOfRatings(readAllRatings('r.csv', text), options);
  const rows = sections[0]!.tables![0]!.rows as unknown as { about: string; mean: Estimate; ratings: number }[];
  assert.deepEqual(
    rows.map(({ about, ratings }) => [about, ratings]),
    [
      ['MR-1', 260],
      ['hidden originals', 1],
      ['anchors', 1],
    ],
  );
  assert.match(rows[0]!.mean.method, /^two-way clusters: 20 clips, 13 listeners, t with/);
  assert.deepEqual(
    rowsOf({ sections }, 'ratings-excluded').map(({ ratings, reason }) => [ratings, reason]),
    Array.from({ length: 3 }, () => [20, 'repeats apart']),
  );
  const [agreement] = sections[1]!.tables![0]!.rows as unknown as { repeats: number; apart: number }[];
  assert.equal(agreement!.repeats, 1);
  assert.ok(agreement!.apart >= 2);
});

test('Alpha of a table of ratings is that of Krippendorff’s own example.', () => {
  // K. Krippendorff, "Computing Krippendorff's alpha-reliability" (2011), example C: ordinal .815.
  const ratings = [
    '1 2 3 3 2 1 4 1 2 . . .',
    '1 2 3 3 2 2 4 1 2 5 . 3',
    '. 3 3 3 2 3 4 2 2 5 1 .',
    '1 2 3 3 2 4 4 1 2 5 1 .',
  ];
  const lines = ratings.flatMap((row, listener) =>
    row.split(' ').flatMap((rating, clip) => (rating === '.' ? [] : [`l${listener},u${clip},noise,${rating}`])),
  );
  const rows = readAllRatings('r.csv', ['listener,utterance,condition,rating', ...lines].join('\n'));
  const { sections } = findingOfRatings(rows, { ...options, per: 'condition', atLeast: null });
  const [{ alpha, units }] = sections[1]!.tables![0]!.rows as unknown as [{ alpha: Estimate; units: number }];
  assert.deepEqual([alpha.value!.toFixed(3), units], ['0.815', 11]);
});

test('Spreads of listeners, clips and the rest are found again, and say how many of each a half width needs.', () => {
  const random = createRandom('spreads');
  const [listeners, clips] = [0, 1].map(() => Array.from({ length: 80 }, () => random.normal()));
  const all = listeners!.flatMap((bias, listener) =>
    clips!.flatMap((quality, clip) =>
      (listener + clip) % 4 === 0
        ? [
            {
              listener: `${listener}`,
              clip: `${clip}`,
              group: 'a',
              rating: 3 + bias + 0.5 * quality + 0.7 * random.normal(),
            },
          ]
        : [],
    ),
  );
  const found = ratingSpreads(all)!;
  for (const [name, expected] of Object.entries({ listeners: 1, clips: 0.5, rest: 0.7 }))
    assert.ok(Math.abs(found[name as keyof typeof found] / expected - 1) < 0.2, `${name} ${JSON.stringify(found)}`);
  // By hand: two listeners 2 apart, who each differ by 0 between two clips.
  const four = ['a', 'b'].flatMap((listener) =>
    ['x', 'y'].map((clip) => ({ listener, clip, group: '', rating: listener === 'a' ? 2 : 4 })),
  );
  assert.deepEqual(ratingSpreads(four), { listeners: Math.SQRT2, clips: 0, rest: 0 });
  assert.equal(ratingSpreads([four[0]!]), null);
  const half = (listeners: number, clips: number) =>
    ratingPrecision({ listeners, clips, conditions: 1 }, { listeners: 1, clips: 0, rest: 0 }, 0.95);
  // One mean of 20 numbers with a standard deviation of 1: Student's interval, t = 2.093.
  assert.ok(Math.abs(half(20, 1)! - 2.093 / Math.sqrt(20)) < 1e-3, String(half(20, 1)));
  // Of one clip alone, ten listeners are needed, as the mean has no interval with fewer.
  assert.deepEqual([half(9, 1), half(3, 4)], [null, null]);
  assert.ok(half(10, 1)! > 0 && half(4, 4)! > 0);
});
