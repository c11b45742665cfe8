import assert from 'node:assert/strict';
import { test } from 'node:test';
import { groupShortages, groupSizes, shortages } from './shortages.ts';
import { SlicedCounts } from './sliced-counts.ts';
import { machineVoices, samplingWarnings, speakerWarnings } from './speaker-warnings.ts';
import { spoken } from './testing/testing.ts';

/** Speakers of so many words and errors. */
const speakers = (all: readonly (readonly [words: number, errors: number])[]) => ({
  numerators: Float64Array.from(all, ([, errors]) => errors),
  denominators: Float64Array.from(all, ([words]) => words),
});

const of = (name: string, all: readonly (readonly [number, number])[]) => ({ name, counts: speakers(all) });

test('Speakers who say more and are misheard more are told, those who are misheard less are not.', () => {
  // Of ten speakers Spearman's correlation 1 has p = 0; ranks with one pair of neighbours turned have .988.
  const rising = Array.from({ length: 10 }, (_, place) => [100 * (place + 1), (place + 1) ** 2] as const);
  const falling = rising.map(([words], place) => [words, words / (place + 2)] as const);
  const [warning, ...more] = samplingWarnings([of('a', rising), of('b', falling)], [], 10);
  assert.match(warning!, /^Speakers who say more have a higher WER with a: .* with 10 speakers/);
  assert.deepEqual(more, []);
  assert.deepEqual(samplingWarnings([of('a', rising)], [], 11), [], 'too few speakers for an interval');
  // scipy.stats.spearmanr(range(6), [1, 2, 3, 5, 4, 0][::1]): .257, p .62
  const mixed = [1, 2, 3, 5, 4, 0].map((errors, place) => [100 + place, errors] as const);
  assert.deepEqual(samplingWarnings([of('a', mixed)], [], 5), []);
});

test('The edge is p = .05 of the rank correlation (t, two-sided): of ten speakers .6364 has .0479 and .6242 has .0537 (scipy).', () => {
  // Spearman's correlation is 1 - 6 x sum of squared rank differences / 990.
  const ranked = (order: readonly number[]) =>
    order.map((rank, place) => [100 * (place + 1), 100 * (place + 1) * rank * 0.01] as const);
  const squares = (order: readonly number[]) => order.reduce((sum, rank, place) => sum + (rank - place - 1) ** 2, 0);
  const [beyond, within] = [
    [3, 2, 1, 6, 10, 4, 8, 5, 9, 7],
    [1, 4, 6, 3, 9, 2, 7, 8, 5, 10],
  ];
  assert.deepEqual([squares(beyond), squares(within)], [60, 62]);
  assert.equal(samplingWarnings([of('a', ranked(beyond))], [], 10).length, 1);
  assert.equal(samplingWarnings([of('a', ranked(within))], [], 10).length, 0);
});

test('Speakers who say hardly more than others decide nothing, however sure it is that they are misheard more.', () => {
  const speakersOf = (more: number) =>
    Array.from({ length: 400 }, (_, place) => {
      const words = 70 + (place % 3) * more;
      return [words, words * (0.15 + 0.06 * (place % 3))] as const;
    });
  assert.deepEqual(samplingWarnings([of('a', speakersOf(10))], [], 10), []);
  // Rates of .15, .21 and .27 have the mean .21, and by words 70, 140 and 210 make .23; by 70, 170 and 270 .2335.
  assert.deepEqual(samplingWarnings([of('a', speakersOf(70))], [], 10), []);
  assert.equal(samplingWarnings([of('a', speakersOf(100))], [], 10).length, 1);
});

test('A speaker of whom nearly all words are wrong is told where the others are understood, and not where few are.', () => {
  const understood = Array.from({ length: 19 }, (_, place) => [100, 10 + (place % 3)] as const);
  assert.match(
    samplingWarnings([of('a', [...understood, [100, 90]])], [], 10).join(),
    /^Intervals of a are too narrow: 1 of 20 speakers are hardly understood /,
  );
  assert.deepEqual(samplingWarnings([of('a', [...understood, [100, 89]])], [], 10), []);
  assert.deepEqual(samplingWarnings([of('a', [...understood, [9, 9]])], [], 10), [], 'nine words say little');
  assert.match(
    samplingWarnings([of('a', [...understood, [100, 95], [9, 9], [9, 0]])], [], 10).join(),
    /1 of 20 speakers with at least 10 words are hardly understood/,
  );
  const half = understood.map(([words], place) => [words, place < 10 ? 95 : 60] as const);
  assert.deepEqual(samplingWarnings([of('a', half)], [], 10), [], 'a recognizer that fails for most is bad, not odd');
});

test('A group whose speakers differ much more than the others is told.', () => {
  const narrow = Array.from({ length: 20 }, (_, place) => [1000, 100 + (place % 5)] as const);
  const wide = Array.from({ length: 20 }, (_, place) => [1000, [20, 50, 100, 200, 400][place % 5]!] as const);
  const groups = [
    { name: 'young', counts: speakers(narrow) },
    { name: 'old', counts: speakers(wide) },
  ];
  assert.match(
    samplingWarnings([], [{ name: 'age', groups }], 10).join(),
    /^Speakers of age old differ from each other/,
  );
  assert.deepEqual(samplingWarnings([], [{ name: 'age', groups }], 21), []);
  assert.deepEqual(
    samplingWarnings([], [{ name: 'age', groups: [groups[1]!, { ...groups[1]!, name: 'young' }] }], 10),
    [],
  );
});

function slicesOf(ages: readonly string[]): SlicedCounts {
  const slices = new SlicedCounts(null);
  ages.forEach((age, index) => {
    slices.enter(spoken(`u${index}`, 'a', { speaker: `s${index}`, attributes: { age } }));
  });
  return slices;
}

const people = (count: number, age: string) => Array.from({ length: count }, () => age);

test('What so few speakers cannot show is said of everybody, or of each group that is too small.', () => {
  assert.deepEqual(shortages(slicesOf(people(5, 'teens')), 4, 0.95), [
    '5 speakers are too few to compare recognizers: a paired test needs 6.',
  ]);
  // An interval may need more than the test.
  assert.deepEqual(shortages(slicesOf([...people(12, 'adults'), ...people(5, 'teens'), 'old']), 10, 0.95), [
    'Recognizers cannot be compared within age old (1 speaker) and teens (5): an interval needs 10 in each.',
  ]);
  assert.deepEqual(shortages(slicesOf([...people(6, 'adults'), ...people(6, 'teens')]), 2, 0.95), []);
  assert.deepEqual(shortages(slicesOf([]), 10, 0.95), []);
});

test('Of groups that are compared with each other each must have enough; how few there are of everybody does not matter.', () => {
  const slices = slicesOf([...people(3, 'adults'), ...people(2, 'teens')]);
  assert.deepEqual(groupShortages(groupSizes(slices), 3, slices.clusters), [
    'No verdict for age teens (2 speakers): an interval needs 3 (by default 10).',
  ]);
  assert.deepEqual(groupShortages(groupSizes(slices), 2, slices.clusters), []);
});

test('Of groups whose speakers nobody knows the utterances are counted, and called so.', () => {
  const slices = new SlicedCounts(null);
  for (const [place, age] of ['teens', 'teens', ...people(12, 'adults')].entries())
    slices.enter(spoken(`u${place}`, 'a', { attributes: { age } }));
  assert.deepEqual(groupShortages(groupSizes(slices), 3, slices.clusters), [
    'No verdict for age teens (2 utterances): an interval needs 3 (by default 10).',
  ]);
  assert.deepEqual(shortages(slices, 10, 0.95), [
    'Recognizers cannot be compared within age teens (2 utterances): an interval needs 10.',
  ]);
});

test('Where intervals begin at fewer speakers than usual, whoever reads one of so few is told, and told what is usual.', () => {
  const warned = (ages: readonly string[], minimumSpeakers: number) =>
    speakerWarnings(slicesOf(ages), { utterances: ages.length, withoutSpeaker: 0, minimumSpeakers });
  const told =
    'Intervals are given from 5 speakers on (minimumSpeakers), by default from 10: with fewer, they contain the true value less often than stated.';
  assert.deepEqual(warned(people(6, 'teens'), 5), [told]);
  // Of all there are enough, and of one group as few.
  assert.deepEqual(warned([...people(20, 'adults'), ...people(6, 'teens')], 5), [told]);
  assert.deepEqual(warned([...people(20, 'adults'), ...people(4, 'teens')], 5), []);
  assert.deepEqual(warned(people(20, 'adults'), 10), []);
  assert.deepEqual(warned(people(4, 'teens'), 5), [
    'An interval needs 5 speakers (by default 10), and the study has 4: there is no interval and no verdict.',
  ]);
});

test('Voices of synthesizers are told, recordings of people are not.', async () => {
  const told = (...sounds: readonly object[]) =>
    machineVoices({
      async *utterances() {
        for (const [place, sound] of sounds.entries()) yield spoken(`u${place}`, 'a', sound);
      },
    });
  const voice = { sound: { text: 'a', synthesizer: 'flite', voice: 'slt' } };
  assert.deepEqual(await told({}, { sound: { file: 'a.wav' } }), []);
  assert.match(
    (await told({}, { attributes: { kind: 'synthetic', sex: 'f' } }, { attributes: { synthesizer: 'none' } })).join(),
    /^1 of 3 utterances is spoken by synthesizers: /,
  );
  assert.match(
    (await told({}, voice, {})).join(),
    /^1 of 3 utterances is spoken by synthesizers: .* nothing about people/,
  );
});
