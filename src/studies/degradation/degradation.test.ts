import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom } from '../../base/random.ts';
import type { Comparison, Estimate, Finding } from '../../model/finding.ts';
import { reasonText } from '../../model/reason.ts';
import type { Trial } from '../../model/trial.ts';
import type { Utterance } from '../../model/utterance.ts';
import type { Batch, StudyContext } from '../contract.ts';
import {
  failedWith,
  type Invention,
  inventedContext,
  inventedRun,
  recognizerNamed,
  rowOf,
  rowsOf,
  spoken,
} from '../shared/testing/testing.ts';
import { degradation } from './degradation.ts';
import { countStatement } from './violation-counts.ts';

const said = 'one two three four five six seven eight nine ten';

interface Place {
  readonly attribute: string;
  readonly group: string;
  readonly kind: string;
}

interface Compared extends Place {
  readonly comparedWith: string;
  readonly scope: string | null;
  readonly comparison: Comparison;
}

/** The tables of a finding. */
const tablesOf = (finding: Finding) => {
  const rows = <Row>(table: string) => rowsOf(finding, `degradation-${table}`) as unknown as readonly Row[];
  return {
    conditions: rows<{ readonly condition: string; readonly kind: string; readonly kept: string }>('conditions'),
    degradations: rows<Place & { readonly baseline: Estimate; readonly degradation: Estimate }>('groups'),
    overall: rows<Compared>('comparisons'),
    before: rows<Compared>('before'),
    details: rows<Compared>('detail-comparisons'),
    violations: rows<Readonly<Record<string, number>>>('violations-sex-distance'),
    excess: rows<Readonly<Record<'violations' | 'absolute' | 'before', number>>>('excess-sex-distance'),
  };
};

/** Speakers of two groups, each with some clips. */
function corpus(women: number, men: number, clips = 4): Utterance[] {
  return Array.from({ length: (women + men) * clips }, (_, place) => {
    const speaker = place % (women + men);
    return spoken(`clip-${place}`, said, {
      speaker: `speaker ${speaker}`,
      attributes: { sex: speaker < women ? 'F' : 'M' },
    });
  });
}

const isWoman = ({ utterance }: Trial) => utterance.attributes.sex === 'F';
const isNoisy = ({ condition }: Trial) => condition.name.startsWith('aequevox/noise');

/** `sharp` hears everything, `dull` loses each word with a chance. */
function losing(chance: (trial: Trial) => number): Invention {
  return (trial) => {
    if (trial.recognizer === 'sharp') return said;
    const random = createRandom([trial.utterance.id, trial.condition.name, trial.recognizer]);
    return said
      .split(' ')
      .filter(() => random.next() >= chance(trial))
      .join(' ');
  };
}

async function run(
  options: object,
  utterances: readonly Utterance[],
  invent: Invention,
  names = ['sharp', 'dull'],
  more: Partial<StudyContext> = {},
) {
  const batches: Batch[] = [];
  const context = inventedContext(
    utterances,
    names.map((name) => recognizerNamed(name)),
    more,
  );
  const finding = await inventedRun(
    degradation,
    { resamples: 300, permutations: 999, ...options },
    context,
    invent,
    batches,
  );
  return { finding, batches, data: tablesOf(finding) };
}

test('A group that noise costs more is found, without references and with them, and so is what is alike.', async () => {
  const invent = losing((trial) => (isNoisy(trial) ? (isWoman(trial) ? 0.5 : 0.1) : 0.05));
  const { data, finding, batches } = await run(
    { conditions: ['aequevox/noise', 'aequevox/drop'] },
    corpus(14, 12),
    invent,
  );
  assert.equal(batches.length, 1);
  assert.equal(batches[0]!.size, 26 * 4 * 11 * 2);
  for (const kind of ['distance', 'word error rate']) {
    const found = data.overall.find((one) => one.kind === kind)!;
    assert.deepEqual([found.group, found.comparedWith], ['M', 'F']);
    // .4 in one of two families; of two recognizers one loses words, so that rates of errors are half of that.
    const expected = kind === 'distance' ? -0.2 : -0.1;
    assert.ok(Math.abs(found.comparison.difference.value! - expected) < 0.03, `${found.comparison.difference.value}`);
    assert.equal(found.comparison.verdict, 'better');
    const details = data.details.filter(({ kind: by, scope }) => by === kind && scope?.startsWith('aequevox/'));
    const verdicts = Object.fromEntries(details.map(({ scope, comparison }) => [scope, comparison.verdict]));
    assert.deepEqual(verdicts, { 'aequevox/noise': 'better', 'aequevox/drop': 'cannot tell' });
    assert.equal(data.before.find((one) => one.kind === kind)!.comparison.verdict, 'cannot tell');
  }
  assert.match(
    finding.answer[0]!.text,
    /^Perturbed audio costs sex M less than sex F: 1\d\.\d points less distance between recognizers \(95 % CI .*\)\.$/,
  );
  // Noise against women: five rungs at four tolerances, for the one pair.
  const { row: _, ...noise } = rowOf(finding, 'degradation-violations-sex-distance', { row: 'aequevox/noise' });
  assert.deepEqual(noise, { F: 20, M: 0 });
});

test('The rates are those of a few lines of arithmetic.', async () => {
  const invent: Invention = ({ recognizer, condition, utterance }) => {
    if (recognizer === 'sharp' || condition.name === 'clean') return 'a b c d';
    return utterance.attributes.sex === 'F' ? 'a b x' : 'a b c';
  };
  const { data } = await run({ conditions: ['aequevox/noise:1'], wordErrors: false }, corpus(2, 3, 1), invent);
  const of = (group: string) => data.degradations.find((one) => one.group === group)!;
  // Of four words two differ for women and one for men.
  assert.deepEqual([of('F').baseline.value, of('F').degradation.value, of('M').degradation.value], [0, 0.5, 0.25]);
  assert.equal(of('F').degradation.low, null);
  assert.match(reasonText(of('F').degradation.reason!), /speaker|cluster/);
  assert.deepEqual([data.violations[0]!.F, data.violations[0]!.M], [4, 0]);
  assert.deepEqual(
    data.excess.map(({ violations, absolute, before }) => [violations, absolute, before]),
    [
      [4, 4, 0],
      [0, 4, 0],
    ],
  );
});

test('Conditions in which everything is lost are left out and named, and so is a group without room.', async () => {
  const invent = losing((trial) =>
    trial.condition.name === 'aequevox/noise:5' ? 1 : isWoman(trial) ? 0.95 : isNoisy(trial) ? 0.2 : 0.1,
  );
  const { data, finding } = await run({ conditions: ['aequevox/noise'] }, corpus(12, 30), invent);
  const left = data.conditions.filter(({ kept, kind }) => kept.startsWith('no: ') && kind === 'distance');
  assert.deepEqual(
    left.map(({ condition }) => condition),
    ['aequevox/noise:5'],
  );
  assert.ok(finding.warnings.some((text) => /Left out for the distance.*aequevox\/noise:5/.test(text)));
  assert.ok(
    finding.warnings.some((text) =>
      /sex F has a distance between recognizers of 9\d\.\d %.*cannot lose much more/.test(text),
    ),
  );
});

test('The profile has the baseline of AequeVox and leaves out by name what it left out.', async () => {
  const { data, finding } = await run({ conditions: ['aequevox'], profile: 'aequevox' }, corpus(2, 2, 1), () => 'a b');
  assert.equal(finding.settings.baseline, 'aequevox/original:1');
  assert.equal(data.conditions.length / 2, 41);
  const left = data.conditions.filter(({ kept, kind }) => kept.startsWith('no: ') && kind === 'distance');
  assert.deepEqual(
    left.map(({ condition }) => condition),
    ['aequevox/scale:4', 'aequevox/scale:5'],
  );
  assert.deepEqual(finding.settings.normalizer, { name: 'aequevox', version: 1 });
  assert.ok(!finding.warnings.some((text) => /normalizer: aequevox/.test(text)));
  const other = { conditions: ['aequevox'], profile: 'aequevox', normalizer: 'basic' };
  const warned = (await run(other, corpus(2, 2, 1), () => 'a b')).finding.warnings;
  assert.ok(warned.some((text) => /normalizer: aequevox/.test(text)));
});

test('Only what people understood is asked, by the ratings of AequeVox or by a table of others, which stands in the report.', async () => {
  const asked = async (validity: object, readText?: StudyContext['readText']) => {
    const { data, finding } = await run(
      { conditions: ['aequevox/noise'], validity, wordErrors: false },
      corpus(2, 2, 1),
      () => 'a',
      undefined,
      readText === undefined ? {} : { readText },
    );
    return {
      finding,
      kept: data.conditions.filter(({ kept }) => !kept.startsWith('no: ')).map(({ condition }) => condition),
    };
  };
  assert.deepEqual((await asked({ comprehensibility: 7.2 })).kept, ['aequevox/noise:1']);
  // Twelve listeners rate two severities 8 or 7; the unrounded mean of the second is just below the edge.
  const rows = Array.from({ length: 12 }, (_, listener) => [
    `${listener},aequevox/nosie:4,8`,
    `${listener},aequevox/noise:4,${listener % 2 === 0 ? 8 : 7}`,
    `${listener},aequevox/noise:5,${listener < 5 ? 8 : 7}`,
  ]).flat();
  const readText = async () => ['listener,condition,rating', ...rows].join('\n');
  const { finding, kept } = await asked({ ratings: 'listeners.csv', atLeast: 7.42 }, readText);
  assert.deepEqual(kept, ['aequevox/noise:4'], 'what nobody rated does not count either');
  const [counting] = finding.sections.find(({ id }) => id === 'degradation-conditions')!.tables!;
  assert.match(String(counting!.rows[0]!.kept), /^no: no clip .* counts \(mean rating of at least 7\.42, by condition/);
  const unmet = finding.warnings!.filter((warning) => warning.includes('not used'));
  assert.deepEqual(unmet.length, 1);
  assert.match(unmet[0]!, /^Ratings of aequevox\/nosie:4 were not used: .* \(there are aequevox\/noise:1, /);
  const [table] = finding.sections.find(({ id }) => id === 'degradation-ratings')!.tables!;
  const [, first, second] = table!.rows as unknown as {
    severity: string;
    mean: Estimate;
    ratings: number;
    listeners: number;
  }[];
  assert.deepEqual([first!.severity, first!.mean.value, first!.ratings, first!.listeners], ['4 dB', 7.5, 12, 12]);
  assert.ok(Math.abs(second!.mean.value! - 89 / 12) < 1e-12 && second!.mean.low! < 7.3 && second!.mean.high! > 7.5);
});

test('A recognizer that fails more often on one group is reported, and its trials leave both sides.', async () => {
  const sound = losing((trial) => (isNoisy(trial) ? 0.3 : 0.05));
  const invent: Invention = (trial) =>
    trial.recognizer === 'dull' && isWoman(trial) && Number(trial.utterance.id.split('-')[1]) % 2 === 0
      ? failedWith('timeout')
      : sound(trial);
  const { data, finding } = await run({ conditions: ['aequevox/noise:3'] }, corpus(15, 15, 6), invent);
  const failures = data.before.find(({ kind }) => kind === 'share of failed trials')!;
  assert.equal(failures.comparison.verdict, 'better');
  assert.equal(failures.group, 'M');
  assert.equal(data.overall.find(({ kind }) => kind === 'distance')!.comparison.verdict, 'cannot tell');
  assert.ok(finding.warnings.some((text) => /dull did not answer/.test(text)));
});

test('Attributes that some lack, groups of one, groups without words and strange names are survived and said.', async () => {
  const utterances = [
    ...corpus(12, 12, 1),
    spoken('x', null, { speaker: 'lone', attributes: { sex: '__proto__' } }),
    spoken('y', null, { speaker: 'mute', attributes: { sex: 'constructor' } }),
    spoken('z', null, { speaker: 'nobody' }),
  ];
  const invent: Invention = ({ utterance }) => (utterance.id === 'y' ? '' : 'a b');
  const { data, finding } = await run({ conditions: ['aequevox/noise:1'] }, utterances, invent);
  assert.ok(finding.warnings.some((text) => /^sex constructor is not compared by distance between/.test(text)));
  const lonely = data.overall.find(({ group, kind }) => group === '__proto__' && kind === 'distance');
  assert.equal(lonely!.comparison.verdict, 'cannot tell');
  assert.equal(lonely!.comparison.pValue, null);
  assert.ok(finding.warnings.some((text) => /Fewer than 10 speakers.*__proto__ \(1\)/.test(text)));
  for (const { comparison } of data.overall) assert.equal(comparison.verdict, 'cannot tell');
});

test('Speakers who are in both groups are counted once, and few of them are asked for as few more.', async () => {
  const moods = (speakers: number) =>
    corpus(speakers, 0, 4).map((one, place) => ({
      ...one,
      attributes: { mood: place < 2 * speakers ? 'angry' : 'neutral' },
    }));
  const invent = losing((trial) => (isNoisy(trial) && trial.utterance.attributes.mood === 'angry' ? 0.12 : 0.1));
  const options = { conditions: ['aequevox/noise:1'], groupBy: ['mood'] };
  const { data } = await run(options, moods(24), invent);
  for (const { comparison } of [...data.overall, ...data.before]) assert.equal(comparison.difference.n.speakers, 24);
  // Three are in both, so that 7 more are needed and not 4.
  const few = await run(options, moods(3), invent);
  assert.equal(few.data.overall[0]!.comparison.open!.more, 7);
});

test('Languages are groups as attributes of this name are.', async () => {
  const spokenIn = corpus(12, 12).map((one) => ({ ...one, language: one.attributes.sex === 'F' ? 'en-GB' : 'en-US' }));
  const named = spokenIn.map((one) => ({ ...one, attributes: { language: one.language } }));
  const invent = losing((trial) => (isNoisy(trial) && trial.utterance.language === 'en-GB' ? 0.5 : 0.1));
  const options = { conditions: ['aequevox/noise:1'], groupBy: ['language'] };
  const { data, finding } = await run(options, spokenIn, invent);
  assert.ok(data.overall.length > 0);
  const { sections, answer, warnings } = (await run(options, named, invent)).finding;
  assert.deepEqual([finding.sections, finding.answer, finding.warnings], [sections, answer, warnings]);
});

test('Too few speakers of a group are said to be too few of that group, not of both, and why stands in the answer.', async () => {
  const invent = losing((trial) => (isNoisy(trial) && isWoman(trial) ? 0.5 : 0.05));
  const { data, finding, batches } = await run({ conditions: ['aequevox/noise:1'] }, corpus(5, 4), invent);
  assert.equal(
    batches[0]!.about,
    'baseline and 1 condition. No verdict for sex F (5 speakers) and M (4): an interval needs 10 in each.',
  );
  const { open, reason } = data.overall[0]!.comparison;
  assert.deepEqual(open!.reason, { code: 'few-units', need: 10, have: [5, 4], each: 'group', unit: 'speaker' });
  // Five more of the one and six of the other.
  assert.deepEqual([open!.more, reason], [11, open!.reason]);
  const { rows } = finding.sections
    .flatMap(({ tables }) => tables ?? [])
    .find(({ id }) => id === 'degradation-comparisons')!;
  assert.match(String(rows[0]!.why), /and they have 5 and 4; 11 more speakers would do$/);
  assert.match(finding.answer[0]!.text, /is open: .*No verdict: an interval needs 10/);
});

test('Two groups are compared over the conditions that both have, however few words a third one has, and a difference says what it rests on.', async () => {
  const tiny = spoken('tiny', said, { speaker: 'lone', attributes: { sex: 'X' } });
  const sound = losing((trial) => (isNoisy(trial) && isWoman(trial) ? 0.5 : 0.05));
  const invent: Invention = (trial) =>
    trial.utterance.id === 'tiny' && isNoisy(trial) ? failedWith('timeout') : sound(trial);
  const options = { conditions: ['aequevox/noise:1', 'aequevox/drop:1'] };
  const alone = await run(options, corpus(12, 12), sound);
  const { finding, data } = await run(options, [tiny, ...corpus(12, 12)], invent);
  const between = ({ overall }: ReturnType<typeof tablesOf>, group: string) =>
    overall.find((one) => one.kind === 'word error rate' && one.group === group && one.comparedWith === 'F')!;
  const { adjustedPValue, test: _, ...found } = between(data, 'M').comparison;
  const { adjustedPValue: before, test: __, ...expected } = between(alone.data, 'M').comparison;
  // Half of the words in one of two families, for one of two recognizers.
  assert.ok(Math.abs(found.difference.value! + 0.1125) < 0.02, `${found.difference.value}`);
  assert.deepEqual(
    [found.verdict, found.pValue, found.difference.value, found.difference.low, found.difference.high],
    ['better', expected.pValue, ...[expected.difference.value, expected.difference.low, expected.difference.high]],
  );
  assert.ok(adjustedPValue! <= 0.05 && before! <= 0.05);
  const rows = rowsOf(finding, 'degradation-comparisons').filter(({ kind }) => kind === 'word error rate');
  const rests = rows.map(({ group, comparedWith, over }) => [group, comparedWith, over]);
  assert.deepEqual(rests, [
    ['M', 'F', 'all'],
    ['X', 'F', '1 of 2 conditions'],
    ['X', 'M', '1 of 2 conditions'],
  ]);
  // The two losses there are those that the difference is the difference of, and no group's own: women lose most in noise.
  const [, one] = rows;
  const [own, others] = [one!.own as Estimate, one!.others as Estimate];
  const { difference } = one!.comparison as Comparison;
  assert.ok(Math.abs(own.value! - others.value! - difference.value!) < 1e-12);
  const women = rowOf(finding, 'degradation-groups', { group: 'F', kind: 'word error rate' });
  assert.deepEqual([women.over, (women.degradation as Estimate).value! > others.value! + 0.05], ['all', true]);
  assert.match(
    finding.answer.map(({ text }) => text).join('\n'),
    /sex X more or less than sex F is open: .*, over 1 of 2 conditions \([+−][\d.]+ points, compared with \+[\d.]+\)\./,
  );
});

test('Groups of the same speakers are compared within them.', async () => {
  const utterances = Array.from({ length: 48 }, (_, place) =>
    spoken(`clip-${place}`, said, {
      speaker: `speaker ${place % 12}`,
      attributes: { mood: place % 24 < 12 ? 'angry' : 'calm' },
    }),
  );
  const invent = losing((trial) => (trial.utterance.attributes.mood === 'angry' && isNoisy(trial) ? 0.5 : 0.05));
  const { data, finding } = await run({ conditions: ['aequevox/noise'] }, utterances, invent);
  const [found] = data.overall;
  assert.equal(found!.comparison.verdict, 'better');
  assert.match(found!.comparison.test, /^paired permutation test.*some speakers are in both/);
  assert.ok(finding.warnings.some((text) => /several values of mood/.test(text)));
});

test('Other draws of a sound count with the baseline as often, and names are asked once.', async () => {
  const batches: Batch[] = [];
  const context = inventedContext(corpus(1, 1, 1), [
    recognizerNamed('one'),
    recognizerNamed('two', { input: 'names' }),
  ]);
  const finding = await inventedRun(
    degradation,
    { conditions: ['aequevox/noise:1'], draws: 3, ceiling: 2, resamples: 100, permutations: 100 },
    context,
    ({ draw }) => ['a b', 'a', 'b'][draw]!,
    batches,
  );
  assert.equal(batches[0]!.size, 2 * (2 + 3 + 1));
  const means = tablesOf(finding).degradations;
  assert.ok(means.every(({ degradation: mean }) => mean.n.utterances === 1));
  // Nobody says a word of the reference: all ten are wrong in every draw, before and after.
  assert.deepEqual(
    means.map(({ kind, baseline, degradation: mean }) => [kind, baseline.value, mean.value]),
    ['distance', 'distance', 'word error rate', 'word error rate'].map((kind) => [
      kind,
      kind === 'distance' ? 0 : 1,
      0,
    ]),
  );
});

test('One recognizer without references leaves nothing to compare, and that is said.', async () => {
  const utterances = corpus(2, 2, 1).map(({ reference: _, ...utterance }) => utterance);
  const { finding } = await run({ conditions: ['aequevox/noise:1'] }, utterances, () => 'a', ['sharp']);
  assert.match(finding.answer[0]!.text, /No two groups/);
  assert.ok(finding.warnings.some((text) => /No utterance has a reference/.test(text)));
  await assert.rejects(
    run({ baseline: 'aequevox/noise' }, utterances, () => 'a'),
    /matches 5/,
  );
  await assert.rejects(
    run({ baseline: 'nosie' }, utterances, () => 'a'),
    /nosie/,
  );
});

test('What a group loses beyond listeners: noise that people hear through too is blamed on nobody.', async () => {
  const utterances = corpus(15, 15);
  const lose = (trial: Trial, share: number) => {
    const random = createRandom(['people', trial.utterance.id, trial.condition.name, trial.recognizer]);
    return said
      .split(' ')
      .filter(() => random.next() >= share)
      .join(' ');
  };
  const run = async (ofPeople: (trial: Trial) => number) => {
    const finding = await inventedRun(
      degradation,
      { conditions: ['aequevox/noise:1', 'aequevox/noise:2'], people: ['people'], resamples: 200, permutations: 500 },
      inventedContext(utterances, [recognizerNamed('machine'), recognizerNamed('people', { input: 'names' })]),
      (trial) => {
        const share = 0.1 + (isNoisy(trial) ? 0.1 + (isWoman(trial) ? 0.3 : 0) : 0);
        if (trial.recognizer === 'machine') return lose(trial, share);
        const listener = `l${(Number(trial.utterance.id.slice(5)) + trial.condition.name.length) % 6}`;
        const text = lose(trial, ofPeople(trial));
        return { transcript: { text, details: { listener } }, soundSeconds: null, timing: { seconds: 0, calls: 1 } };
      },
    );
    const beyond = rowsOf(finding, 'degradation-beyond-listeners');
    assert.equal(beyond.length, 1);
    return beyond[0] as unknown as { group: string; comparedWith: string; beyond: Comparison; clips: number };
  };
  const alone = await run(() => 0.1);
  assert.deepEqual([alone.group, alone.comparedWith], ['sex M', 'sex F']);
  // 120 clips in three conditions.
  assert.equal(alone.clips, 360);
  assert.equal(alone.beyond.verdict, 'better');
  assert.ok(Math.abs(alone.beyond.difference.value! + 0.3) < 0.06, String(alone.beyond.difference.value));
  const shared = await run((trial) => 0.1 + (isNoisy(trial) ? 0.1 + (isWoman(trial) ? 0.3 : 0) : 0));
  assert.equal(shared.beyond.verdict, 'cannot tell');
});

test('What AequeVox counts is said of both of two groups, and of more beside the reference, with the percentage once.', () => {
  const text = (counts: readonly number[], reference = {}) => {
    const groups = counts.map((_, place) => ['F', 'M', 'X'][place]!);
    const comparedBy = counts.map(() => 9);
    const violations = { groups, rows: [{ by: 'total', name: 'all', counts }], compared: 9, comparedBy } as never;
    return countStatement({ attribute: 'sex', kind: 'distance', violations } as never, reference)[0]!.text;
  };
  const untested = ' Counts without a test: chance makes some in any data.';
  const begin = 'sex, distance between recognizers: AequeVox counts 7 violations against F';
  assert.equal(text([7, 3], { sex: 'M' }), `${begin} and 3 against M.${untested}`);
  assert.equal(text([7, 3]), `${begin} and 3 against M.${untested}`);
  assert.equal(text([7, 3, 5]), `${begin}, the most of 3 groups.${untested}`);
  assert.equal(
    text([7, 3, 5], { sex: 'M' }),
    `${begin}, the most of 3 groups. Against M it counts 3, and against each other group on average 6.0 (100.0 % more).${untested}`,
  );
  assert.match(
    text([7, 0, 5], { sex: 'M' }),
    /\. Against M it counts 0, and against each other group on average 6\.0\. /,
  );
  assert.equal(text([0, 0]), 'sex, distance between recognizers: AequeVox counts no violation against any group.');
  assert.match(
    text([7, 3, 4], { sex: 'F' }),
    /of 3 groups\. It counts against each other group on average 3\.5 \(50\.0 % fewer\)\. /,
  );
});
