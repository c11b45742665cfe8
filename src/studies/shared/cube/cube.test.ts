import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom } from '../../../base/random.ts';
import { reasonText } from '../../../model/reason.ts';
import type { Trial } from '../../../model/trial.ts';
import { clean } from '../../../model/trial.ts';
import type { Utterance } from '../../../model/utterance.ts';
import { randomOfData } from '../../../statistics/bootstrap/random-of-data.ts';
import { rateInterval } from '../../../statistics/bootstrap/rate-interval.ts';
import type { Answer } from '../../contract.ts';
import { toEstimate } from '../estimates.ts';
import { createProfileRows, type SpeakerClusters } from '../speaker-clusters.ts';
import { failedWith, near, said, spoken } from '../testing/testing.ts';
import { type Cube, groupsOf, whole } from './contract.ts';
import { openCube } from './cube.ts';
import { decidedRates } from './decided.ts';
import { cubeWarnings, gapsTable, pairsTable } from './tables.ts';

interface Scored {
  readonly errors: number;
  readonly words: number;
  readonly room: string;
}

const settings = { level: 0.95, resamples: 400, minimumSpeakers: 5, seed: 7 };

const wordCube = (series: readonly string[], unit: 'speaker' | SpeakerClusters = 'speaker') =>
  openCube<Scored>()({
    series,
    conditions: ['clean'],
    counts: {
      errors: { label: 'Errors', of: ({ errors }) => errors },
      words: { label: 'Words said', of: ({ words }) => words },
    },
    ratios: { wer: { label: 'WER', kind: 'rate', over: ['errors', 'words'], empty: { code: 'no-words' } } },
    slices: {
      all: { ...whole, paired: true },
      room: {
        columns: [{ key: 'room', label: 'Room', kind: 'text' }],
        of: ({ room }) => [[room]],
        order: ['small', 'large'],
      },
      group: groupsOf(['sex', 'day']),
    },
    unit,
    words: 'words',
    settings,
  });

/** Three recordings each of 20 speakers, of 5 to 8 words. */
const people: Utterance[] = Array.from({ length: 60 }, (_, place) =>
  spoken(`u${place}`, 'w '.repeat(5 + (place % 4)).trim(), {
    speaker: `s${place % 20}`,
    attributes: { sex: place % 2 === 0 ? 'female' : 'male' },
  }),
);

const missed = (recognizer: string, { id }: Utterance) => {
  const random = createRandom([recognizer, id]);
  return Math.floor((recognizer === 'good' ? 2 : 5) * random.next());
};

async function* answersOf(
  utterances: readonly Utterance[],
  series: readonly string[],
  fails: (trial: Trial) => boolean = () => false,
): AsyncGenerator<Answer> {
  for (const utterance of utterances) {
    for (const recognizer of series) {
      const trial = { utterance, condition: clean, draw: 0, recognizer, repeat: 0 };
      yield { ask: 'recognition', trial, observation: fails(trial) ? failedWith('timeout') : said('x') };
    }
  }
}

async function filled(
  series: readonly string[],
  utterances: readonly Utterance[] = people,
  fails: (trial: Trial) => boolean = () => false,
  unit?: SpeakerClusters,
) {
  const cube = wordCube(series, unit);
  await cube.fill(answersOf(utterances, series, fails), ({ trial: { utterance, recognizer } }) => {
    const words = (utterance.reference ?? '').split(' ').filter((word) => word !== '').length;
    const room = Number(utterance.id.slice(1)) % 3 === 0 ? 'large' : 'small';
    return { errors: Math.min(words, missed(recognizer, utterance)), words, room };
  });
  return cube;
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

test('A row has the sums of its facts, the interval of its speakers, and the size of what stands behind it.', async () => {
  const cube = await filled(['good', 'bad']);
  const [good] = cube.rows('all');
  const errors = people.map((one) => missed('good', one));
  const words = people.map((_, place) => 5 + (place % 4));
  assert.deepEqual(good!.counts, { errors: sum(errors), words: sum(words) });
  const bySpeaker = (values: readonly number[]) =>
    Float64Array.from({ length: 20 }, (_, speaker) => sum(values.filter((_, place) => place % 20 === speaker)));
  const interval = rateInterval(
    { numerators: bySpeaker(errors), denominators: bySpeaker(words) },
    { level: 0.95, resamples: 400, minimumClusters: 5, random: randomOfData(7) },
  );
  assert.deepEqual(good!.ratios.wer, toEstimate(interval, { utterances: 60, speakers: 20, words: sum(words) }));
});

test('Sums by unit are of units as a study numbers them, and of what both of two answered.', async () => {
  // Three rows of every speaker: recordings of one length.
  const rows = createProfileRows(({ id }) => [String(Number(id.slice(1)) % 3)]);
  const lost = (trial: Trial) => trial.recognizer === 'bad' && trial.utterance.id === 'u7';
  const { units } = rows;
  const cube = await filled(['good', 'bad'], people, lost, units);
  assert.equal(units.count, 60);
  const errors = (recognizer: string) => people.map((one) => missed(recognizer, one));
  assert.deepEqual([...cube.gather('all', [[]], 0).counts.errors], errors('good'));
  const kept = (recognizer: string) => errors(recognizer).map((count, place) => (place === 7 ? 0 : count));
  assert.deepEqual([...cube.gather('all', [[]], 0, 1).counts.errors], kept('good'));
  assert.deepEqual([...cube.gather('all', [[]], 1, 0).counts.errors], kept('bad'));
  const large = cube.gather('room', [['large']], 1).counts.words;
  assert.deepEqual([large.length, large[3], large[4]], [60, 8, 0]);
  assert.throws(() => cube.gather('group', [[]], 0), /without groups, but got group/);
});

test('What an order does not name stands behind what it names, as it came.', async () => {
  const cube = wordCube(['good']);
  const rooms = ['hall', 'large', 'attic', 'small'];
  await cube.fill(answersOf(people, ['good']), ({ trial: { utterance } }) => ({
    ...{ errors: 1, words: 5, room: rooms[Number(utterance.id.slice(1)) % rooms.length]! },
  }));
  assert.deepEqual(
    cube.rows('room').map(({ path }) => path[0]),
    ['small', 'large', 'hall', 'attic'],
  );
});

test('Cells stand in the order asked for, series innermost, and add up to everything.', async () => {
  const cube = await filled(['good', 'bad']);
  const rooms = cube.rows('room');
  assert.deepEqual(
    rooms.map(({ path, series }) => [...path, series]),
    [
      ['small', 'good'],
      ['small', 'bad'],
      ['large', 'good'],
      ['large', 'bad'],
    ],
  );
  assert.equal(rooms[0]!.counts.errors + rooms[2]!.counts.errors, cube.rows('all')[0]!.counts.errors);
  const chart = cube.chart('room', 'wer', 'WER by room');
  assert.deepEqual([chart.xLabel, chart.xTicks, chart.yLabel], ['Room', ['small', 'large'], 'WER']);
  assert.deepEqual(
    chart.series.map(({ name, points }) => [name, points.map(({ estimate }) => estimate.value)]),
    ['good', 'bad'].map((name) => [
      name,
      rooms.filter(({ series }) => series === name).map(({ ratios }) => ratios.wer.value),
    ]),
  );
  const table = cube.table('group', 'mine', 'By group');
  assert.deepEqual(
    table.columns.map(({ key }) => key),
    ['attribute', 'group', 'recognizer', 'wer', 'errors', 'words'],
  );
  assert.deepEqual(
    table.rows.map(({ group, recognizer }) => [group, recognizer]),
    [
      ['female', 'good'],
      ['female', 'bad'],
      ['male', 'good'],
      ['male', 'bad'],
    ],
  );
});

test('Two series are compared on what both answered, and a third changes nothing between them but the correction.', async () => {
  const fails = ({ recognizer, utterance }: Trial) =>
    (recognizer === 'bad' && utterance.id === 'u3') || (recognizer === 'third' && utterance.id !== 'u5');
  const both = people.filter(({ id }) => id !== 'u3');
  const rate = (name: string) =>
    sum(both.map((one) => missed(name, one))) / sum(both.map((one) => one.reference!.split(' ').length));
  const [pair] = (await filled(['good', 'bad'], people, fails)).pairs('wer');
  assert.ok(Math.abs(pair!.comparison.difference.value! - (rate('bad') - rate('good'))) < 1e-12);
  assert.equal(pair!.comparison.difference.n.pairs, 59);
  assert.equal(pair!.comparison.verdict, 'worse');
  const among = (await filled(['good', 'third', 'bad'], people, fails)).pairs('wer');
  const same = among.find(({ first, second }) => first === 'good' && second === 'bad')!;
  assert.deepEqual(same.comparison.difference, pair!.comparison.difference);
  assert.equal(same.comparison.pValue, pair!.comparison.pValue);
  // Of one answer no rate is compared.
  assert.equal(among[0]!.comparison.difference.n.pairs, 1);
  assert.equal(among[0]!.comparison.verdict, 'cannot tell');
  assert.deepEqual(
    pairsTable(among, 'mine', 'Pairs').rows.map(({ recognizer, comparedWith }) => [recognizer, comparedWith]),
    [
      ['third', 'good'],
      ['bad', 'good'],
      ['bad', 'third'],
    ],
  );
});

test('Gaps between groups are tested for every series, and a speaker of a third group moves none of their values.', async () => {
  const harder = people.map((one) => (one.attributes.sex === 'male' ? { ...one, id: `${one.id}0000` } : one));
  const gaps = (await filled(['good', 'bad'], harder)).gaps('wer', 'group');
  assert.deepEqual(
    gaps.map(({ series, first, second }) => [series, first, second]),
    [
      ['good', 'female', 'male'],
      ['bad', 'female', 'male'],
    ],
  );
  const other = spoken('u9', 'one two', { speaker: 'alone', attributes: { sex: 'other' } });
  const more = (await filled(['good', 'bad'], [...harder, other])).gaps('wer', 'group');
  for (const gap of gaps) {
    const same = more.find(
      ({ series, first, second }) => series === gap.series && first === 'female' && second === 'male',
    )!;
    near(same.comparison.difference, gap.comparison.difference.value!);
  }
  assert.equal(gapsTable(more, 'mine', 'Gaps').rows.length, 6);
});

test('Failures are counted by condition and kind, and no rate has them.', async () => {
  const cube = await filled(['good', 'bad'], people, ({ recognizer }) => recognizer === 'bad');
  assert.deepEqual(
    cube.trials.map(({ recognizer, answered, failed }) => [recognizer, answered, failed]),
    [
      ['good', 60, 0],
      ['bad', 0, 60],
    ],
  );
  assert.deepEqual(
    cube.rows('all').map(({ series }) => series),
    ['good'],
  );
});

test('Nothing to divide by has the reason of the ratio; too few speakers have theirs.', async () => {
  const silent = people.slice(0, 3).map((one) => ({ ...one, reference: '' }));
  const [row] = (await filled(['good'], silent)).rows('all');
  assert.deepEqual([row!.ratios.wer.value, row!.ratios.wer.reason], [null, { code: 'no-words' }]);
  const few = await filled(['good'], people.slice(0, 3));
  assert.match(reasonText(few.rows('all')[0]!.ratios.wer.reason!), /needs 5 speakers, and there are 3/);
  assert.deepEqual(cubeWarnings(few, 'speaker', 5), [
    'An interval needs 5 speakers, and there are 3: there is no interval and no verdict.',
  ]);
});

test('An attribute of more than 100 values makes no groups, and is named.', async () => {
  const days = (count: number) =>
    Array.from({ length: count }, (_, day) => spoken(`u${day}`, 'one two', { attributes: { day: String(day) } }));
  const named = async (count: number) => {
    const cube: Pick<Cube<never, never, never, 'group'>, 'manyValued' | 'rows'> = await filled(['good'], days(count));
    return [cube.manyValued, cube.rows('group').length];
  };
  assert.deepEqual(await named(100), [[], 100]);
  assert.deepEqual(await named(101), [['day'], 0]);
});

test('Of a group, too, there is what both of two answered; a recording of which one sound was lost stands behind it.', () => {
  const cube = openCube<Scored>()({
    series: ['good', 'bad'],
    conditions: [],
    counts: { errors: { label: 'Errors', of: ({ errors }) => errors }, words: { label: 'Words', of: () => 10 } },
    ratios: { wer: { label: 'WER', kind: 'rate', over: ['errors', 'words'] } },
    slices: { group: groupsOf(['sex'], { ...whole, paired: true }) },
    unit: 'speaker',
    words: 'words',
    paired: false,
    settings,
  });
  const scored = (errors: number): Scored => ({ errors, words: 10, room: '' });
  for (const one of people) {
    cube.add(one, [scored(1), scored(2)]);
    // Of the last two recordings, a woman's and a man's, one loses a sound.
    cube.add(one, [scored(3), one.id === 'u58' || one.id === 'u59' ? null : scored(4)]);
  }
  const [female] = cube.parts('group');
  const both = female!.side({ series: 0, path: [], ratio: 'wer', also: 1 });
  assert.deepEqual(both.n, { utterances: 30, speakers: 10, words: 590, pairs: 59 });
  assert.equal(
    both.counts.numerators.reduce((sum, one) => sum + one, 0),
    30 * 4 - 3,
  );
  assert.equal(female!.side({ series: 0, path: [], ratio: 'wer' }).n.words, 600);
  assert.deepEqual(cube.parts('group')[1]!.side({ series: 0, path: [], ratio: 'wer', also: 1 }).n.utterances, 30);
});

test('The cells that one utterance decides are told for each series, with the ratio without it; in groups too.', async () => {
  const cube = openCube<{ errors: number; words: number; said: string }>()({
    series: ['a', 'b'],
    conditions: ['clean'],
    counts: {
      errors: { label: 'Errors', of: ({ errors }) => errors },
      words: { label: 'Words', of: ({ words }) => words },
    },
    ratios: { wer: { label: 'WER', kind: 'rate', over: ['errors', 'words'], watched: true } },
    slices: { all: whole, group: groupsOf(['sex']) },
    unit: 'speaker',
    heard: ({ said }) => said.split(' '),
    settings: { level: 0.95, resamples: 500, minimumSpeakers: 10, seed: 1 },
  });
  const loop = Array.from({ length: 110 }, () => 'thank you').join(' ');
  for (let index = 0; index < 120; index++) {
    const utterance = spoken(`u${index}`, '', {
      speaker: `s${index % 40}`,
      attributes: { sex: index % 2 === 0 ? 'f' : 'm' },
    });
    const usual = { errors: index % 7 === 0 ? 2 : index % 3 === 0 ? 1 : 0, words: 10, said: 'words' };
    cube.add(utterance, [usual, index === 24 ? { ...usual, errors: 220, said: loop } : usual]);
  }
  const [only, ...others] = cube.decisive('all', 'wer');
  assert.deepEqual([only!.series, only!.path, others], ['b', [], []]);
  const {
    utterances: [utterance],
    speaker,
    without,
  } = only!.decisive;
  assert.deepEqual([utterance!.id, speaker, utterance!.loop], ['u24', 's24', { words: 2, repeats: 110 }]);
  assert.ok(Math.abs(without.value! - (cube.rows('all')[0]!.counts.errors - 1) / 1190) < 1e-12);
  assert.deepEqual(
    cube.decisive('group', 'wer').map(({ series, path }) => [series, ...path]),
    [['b', 'sex', 'f']],
  );
  const { warnings, sections } = decidedRates('mine', cube.decisive('group', 'wer'), { measure: 'WER' });
  assert.match(
    warnings[0]!,
    /^b, sex, f: one of 60 utterances, u24, .* To hear it, search for it in `earwitness view`\.$/,
  );
  assert.equal(sections[0]!.tables![0]!.rows.length, 1);
});
