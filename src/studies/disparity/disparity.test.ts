import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom } from '../../base/random.ts';
import type { Comparison, Estimate, Finding } from '../../model/finding.ts';
import { reasonText } from '../../model/reason.ts';
import type { Trial } from '../../model/trial.ts';
import type { Utterance } from '../../model/utterance.ts';
import { rankingOf } from '../../report/prepare/ranking.ts';
import type { Batch } from '../contract.ts';
import {
  failedWith,
  type Invention,
  inventedContext,
  inventedRun,
  recognizerNamed,
  rowOf,
  rowsOf,
  spoken,
  withErrors,
} from '../shared/testing/testing.ts';
import { disparity } from './disparity.ts';
import { disparityOptions } from './options.ts';

const sentence = Array.from({ length: 20 }, (_, place) => `word${place}`);
const reference = sentence.join(' ');

/** The sentence with its first words wrong. */
const wrong = (count: number) => withErrors(reference, count);

/** Two utterances each of 24 speakers, the first half women, every third from the north. */
const people: Utterance[] = Array.from({ length: 48 }, (_, place) => {
  const speaker = Math.floor(place / 2);
  return spoken(`u${place}`, reference, {
    speaker: `s${speaker}`,
    attributes: { sex: speaker < 12 ? 'female' : 'male', region: speaker % 3 === 0 ? 'north' : 'south' },
  });
});

const noise = (trial: Trial) =>
  createRandom(['errors', trial.utterance.id, trial.recognizer, trial.condition.name]).integer(4);
const isFemale = ({ utterance }: Trial) => utterance.attributes.sex === 'female';

async function run(
  invent: Invention,
  options: object = {},
  utterances: readonly Utterance[] = people,
  names: readonly string[] = ['one', 'two'],
): Promise<Finding> {
  return inventedRun(
    disparity,
    { resamples: 200, permutations: 1000, ...options },
    inventedContext(
      utterances,
      names.map((name) => recognizerNamed(name)),
      { ladders: [quiet] },
    ),
    invent,
  );
}

const quiet = {
  name: 'own',
  about: 'one scenario',
  source: 'a test',
  families: [
    {
      name: 'gain',
      about: 'softer',
      axis: 'dB',
      rungs: [{ label: '-20 dB', steps: [{ perturbation: 'gain', parameters: { gainDb: -20 } }] }],
    },
  ],
};

test('a group that is served worse is found, with its counts, its gap and a plain sentence', async () => {
  const finding = await run((trial) => wrong(noise(trial) + (isFemale(trial) && trial.recognizer === 'one' ? 6 : 0)));
  const row = rowOf(finding, 'disparity-groups', { group: 'sex female', recognizer: 'one' });
  const gap = row.gap as Comparison;
  assert.equal(gap.verdict, 'worse');
  assert.deepEqual([row.speakers, row.words], [12, 480]);
  // Half of the words are hers, so that everybody has half of her 6 words more: 3 of 20.
  assert.ok(Math.abs(gap.difference.value! - 0.15) < 0.04, `${gap.difference.value}`);
  assert.equal(rowOf(finding, 'disparity-groups', { group: 'sex female', recognizer: 'two' }).verdict, 'cannot tell');
  assert.equal(finding.answer[0]!.verdict, 'worse');
  assert.match(finding.answer[0]!.text, /1 of 2 recognizers \(one\) makes more errors/);
  assert.match(
    finding.answer[0]!.text,
    / The largest gap: one: \d+\.\d % WER for sex female \(95 % CI .*\), 1\d\.\d points more than for everybody \(95 % CI .*\)\.$/,
  );
  // What is told of one is shown on one, though two has the lower mean disparity.
  assert.match(
    finding.answer.find(({ text }) => text.startsWith('On average over all groups'))!.text,
    / for 1 of 2 recognizers: one\. The groups of one lie \d+\.\d points \[.*\] from its average; chance alone would make \d+\.\d+ points with groups of these sizes\./,
  );
  const alike = await run((trial) => wrong(noise(trial) + (isFemale(trial) ? 6 : 0)));
  assert.match(alike.answer[0]!.text, /^Both recognizers make more errors/);
  const pair = rowOf(finding, 'disparity-pairs-fairness', { recognizer: 'two' });
  assert.equal(pair.verdict, 'better');
  const plane = finding.sections.flatMap(({ planes }) => planes ?? [])[0]!;
  assert.deepEqual([plane.lines!.length, plane.front!.length > 0], [0, true]);
  // Never below 0, it has no sign.
  const { by, kind } = rankingOf(finding)!;
  assert.deepEqual([by, kind, plane.yKind], ['Mean disparity', 'points', 'points']);
  const heat = finding.sections.flatMap(({ heatMaps }) => heatMaps ?? [])[0]!;
  assert.deepEqual(heat.columns, ['one', 'two']);
  // Bars are of those worse than everybody, with what the table says of them and both means: all words, and the groups alike.
  const { bars } = finding.sections.find(({ id }) => id === 'disparity-groups')!;
  assert.ok(bars![0]!.rows.some(({ name, values }) => name === 'sex female' && values[0] === row.wordErrorRate));
  assert.ok(!bars![0]!.rows.some(({ name }) => name === 'sex male'));
  const [everybody, plain] = bars![0]!.means!.map(({ value }) => value);
  assert.equal(
    everybody,
    (rowOf(finding, 'disparity-recognizers', { recognizer: 'one' }).wordErrorRate as Estimate).value,
  );
  const ofOne = rowsOf(finding, 'disparity-groups').filter(
    ({ recognizer, note }) => recognizer === 'one' && note === 'yes',
  );
  const sum = ofOne.reduce((total, { wordErrorRate }) => total + (wordErrorRate as Estimate).value!, 0);
  assert.ok(Math.abs(plain! - sum / ofOne.length) < 1e-12);
  assert.equal(heat.rows.find(({ name }) => name === 'sex female')!.cells[0]!.verdict, 'worse');
});

test('By hand: beside more than a hundred others, everybody is everybody', async () => {
  // 12 women with 10 of 20 words wrong each, 130 men with 4.
  const many = Array.from({ length: 142 }, (_, place) =>
    spoken(`u${place}`, reference, { speaker: `s${place}`, attributes: { sex: place < 12 ? 'female' : 'male' } }),
  );
  const finding = await run((trial) => wrong(isFemale(trial) ? 10 : 4), { model: false, resamples: 100 }, many, [
    'one',
  ]);
  const gapOf = (sex: string) => {
    const { gap } = rowOf(finding, 'disparity-groups', { group: `sex ${sex}` });
    return (gap as Comparison).difference.value!;
  };
  const everybody = (12 * 10 + 130 * 4) / (142 * 20);
  assert.ok(Math.abs(gapOf('female') - (10 / 20 - everybody)) < 1e-12, String(gapOf('female')));
  assert.ok(Math.abs(gapOf('male') - (4 / 20 - everybody)) < 1e-12, String(gapOf('male')));
});

test('before anything is asked it is said which groups are too small for any verdict', async () => {
  const batches: Batch[] = [];
  const context = inventedContext(people, [recognizerNamed('one')]);
  const options = { resamples: 100, permutations: 1000, model: false };
  await inventedRun(disparity, { ...options, attributes: ['region'] }, context, () => reference, batches);
  await inventedRun(disparity, { ...options, attributes: ['sex'] }, context, () => reference, batches);
  assert.deepEqual(
    batches.map(({ about }) => about),
    ['clean. No verdict for region north (8 speakers): an interval needs 10.', 'clean'],
  );
});

test('where nothing differs nothing is claimed, and the sentence does not say that all are alike', async () => {
  const finding = await run((trial) => wrong(noise(trial)));
  assert.equal(finding.answer[0]!.verdict, 'cannot tell');
  assert.match(
    finding.answer[0]!.text,
    /^None of 3 groups is shown .* does not prove that all groups are equal\. The largest gap: .*No verdict: /,
  );
  const [, beyond, least] = finding.answer;
  assert.match(beyond!.text, /not shown to differ from everybody .*No verdict: not significant: p = /);
  assert.match(
    least!.text,
    /^(one|two): lowest mean disparity, \d\.\d+ points \[[^\]]+\]\. It is not distinguished from that of (one|two)\. \1: \d\.\d+ points less mean disparity than \2 .*\. No verdict: /,
  );
  assert.ok(rowsOf(finding, 'disparity-groups').every(({ verdict }) => verdict === 'cannot tell'));
});

test('the order of recognizers’ answers, and running again, change nothing', async () => {
  const says: Invention = (trial) => wrong(noise(trial) + (isFemale(trial) ? 2 : 0));
  assert.deepEqual(await run(says), await run(says));
});

test('singles and intersections make groups; profile fairlens takes intersections of two alone', async () => {
  const names = (finding: Finding) => [...new Set(rowsOf(finding, 'disparity-groups').map(({ group }) => group))];
  const says: Invention = (trial) => wrong(noise(trial));
  assert.deepEqual(names(await run(says)), [
    'sex female',
    'sex male',
    'region north',
    'region south',
    'sex female × region north',
    'sex female × region south',
    'sex male × region north',
    'sex male × region south',
  ]);
  assert.equal(names(await run(says, { profile: 'fairlens' })).length, 4);
  assert.equal(names(await run(says, { orders: [1] })).length, 4);
});

test('Where the W-test decides, an open verdict says its p value.', async () => {
  const finding = await run((trial) => wrong(noise(trial)), { profile: 'fairlens', minimumSpeakers: 2 });
  const said = finding.answer.find(({ text }) => text.includes('lowest mean disparity'))!;
  const row = rowOf(finding, 'disparity-pairs-fairness', {});
  assert.equal(said.verdict, 'cannot tell');
  const printed = /No verdict on one and two: not significant over 4 groups: p = (\.\d{3})\.$/.exec(said.text);
  assert.ok(printed, said.text);
  assert.ok(Math.abs(Number(printed[1]) - (row.wTest as number)) < 5.1e-4);
});

test('FairLENS’ 71 groups come of 2 sexes, 3 ages, 4 races and 5 accents', async () => {
  const all = Array.from({ length: 120 }, (_, place) =>
    spoken(`u${place}`, 'yes', {
      speaker: `s${place}`,
      attributes: {
        sex: `s${place % 2}`,
        age: `${[15, 30, 70][Math.floor(place / 2) % 3]}`,
        race: `r${Math.floor(place / 6) % 4}`,
        accent: `a${Math.floor(place / 24)}`,
      },
    }),
  );
  const finding = await run(() => 'yes', { profile: 'fairlens', bins: { age: 'fairlens' }, model: false }, all, [
    'one',
  ]);
  assert.equal(rowsOf(finding, 'disparity-groups').length, 71);
  assert.ok(rowsOf(finding, 'disparity-groups').some(({ group }) => group === 'sex s0 × age senior (from 56)'));
  // No error anywhere: rates are 0 with n, and nobody is worse off.
  assert.equal((rowsOf(finding, 'disparity-groups')[0]!.wordErrorRate as Estimate).value, 0);
});

test('dialogues have attributes of pairs; Other is shown and never counted', async () => {
  const dialogues = Array.from({ length: 60 }, (_, place) =>
    spoken(`d${place}`, reference, {
      speaker: `pair ${place}`,
      attributes: {
        sex1: place % 2 ? 'Female' : 'Male',
        sex2: place % 3 ? 'Male' : 'Female',
        age1: 'Adult',
        age2: place % 2 ? 'Teen' : 'Adult',
      },
    }),
  );
  const finding = await run(
    (trial) => wrong(noise(trial)),
    {
      attributes: ['sex', 'age'],
      orders: [1],
      pairs: { sex: { of: ['sex1', 'sex2'], mixed: true }, age: { of: ['age1', 'age2'] } },
      model: false,
    },
    dialogues,
    ['one'],
  );
  assert.deepEqual(
    rowsOf(finding, 'disparity-groups').map(({ group, note }) => [group, note]),
    [
      ['sex Female-Female', 'yes'],
      ['sex Female-Male', 'yes'],
      ['sex Male-Male', 'yes'],
      ['age Adult-Adult', 'yes'],
      ['age Other', 'shown, but not counted'],
    ],
  );
  // The mean over the four that are counted.
  const distances = rowsOf(finding, 'disparity-groups').flatMap(({ gap, note }) =>
    note === 'yes' ? Math.abs((gap as Comparison).difference.value!) : [],
  );
  const { meanDisparity } = rowOf(finding, 'disparity-recognizers', {});
  assert.ok(Math.abs((meanDisparity as Estimate).value! - distances.reduce((sum, one) => sum + one, 0) / 4) < 1e-12);
});

test('where nobody has counted values of all attributes, the model is of those before the last, and says so', async () => {
  // Pairs of one sex are of two ages, and pairs of one age of two sexes: either attribute alone divides enough of them.
  const kinds = [
    { sex1: 'Female', sex2: 'Female', age1: 'Adult', age2: 'Teen' },
    { sex1: 'Male', sex2: 'Male', age1: 'Adult', age2: 'Teen' },
    { sex1: 'Female', sex2: 'Male', age1: 'Adult', age2: 'Adult' },
    { sex1: 'Female', sex2: 'Male', age1: 'Teen', age2: 'Teen' },
  ];
  const dialogues = Array.from({ length: 60 }, (_, place) =>
    spoken(`d${place}`, reference, { speaker: `pair ${place}`, attributes: kinds[place % 4]! }),
  );
  const pairs = { sex: { of: ['sex1', 'sex2'] }, age: { of: ['age1', 'age2'] } };
  const options = { attributes: ['sex', 'age'], orders: [1], pairs };
  const finding = await run((trial) => wrong(noise(trial)), options, dialogues, ['one']);
  const text = finding.sections.find(({ id }) => id === 'disparity-model')?.text?.join(' ') ?? '';
  assert.match(
    text,
    /with sex together, fitted to 30 speakers .* Left out: age, because too few speakers have counted/,
  );
  assert.deepEqual(
    rowsOf(finding, 'disparity-model').map(({ value, comparedWith }) => [value, comparedWith]),
    [['Male-Male', 'Female-Female']],
  );
  assert.ok(finding.warnings.every((warning) => !warning.includes('No model')));
  // Dialogues of which none is of two men, or of two teens: there is no second value.
  const few = dialogues.filter((_, place) => place % 4 === 0 || place % 4 === 2);
  const none = await run((trial) => wrong(noise(trial)), options, few, ['one']);
  assert.match(
    none.warnings.join(' '),
    /No model was fitted: no attribute has two values other than Other of 10 speakers/,
  );
});

test('speakers without an attribute count for everybody and in no group of it; a group of one speaker has counts alone', async () => {
  const some = people.map((utterance, place) =>
    place < 4
      ? { ...utterance, attributes: { region: 'south' } }
      : place < 6
        ? { ...utterance, attributes: { ...utterance.attributes, region: 'island' } }
        : utterance,
  );
  const finding = await run((trial) => wrong(noise(trial)), {}, some);
  assert.ok(finding.warnings.some((text) => /sex is not known for 4 utterances \(8.3 %; 2 speakers\)/.test(text)));
  const female = rowOf(finding, 'disparity-groups', { group: 'sex female', recognizer: 'one' });
  assert.equal(female.speakers, 10);
  const island = rowOf(finding, 'disparity-groups', { group: 'region island', recognizer: 'one' });
  assert.deepEqual([island.speakers, island.note], [1, 'fewer than 10 speakers']);
  const gap = island.gap as Comparison;
  assert.deepEqual([gap.pValue, gap.verdict, gap.difference.low], [null, 'cannot tell', null]);
  assert.ok(typeof gap.difference.value === 'number');
});

test('a group without a word has no rate but a reason', async () => {
  const some = people.map((utterance) =>
    utterance.attributes.sex === 'female' ? { ...utterance, reference: '' } : utterance,
  );
  const finding = await run((trial) => (isFemale(trial) ? '' : wrong(noise(trial))), {}, some, ['one']);
  const rate = rowOf(finding, 'disparity-groups', { group: 'sex female' }).wordErrorRate as Estimate;
  assert.equal(rate.value, null);
  assert.ok(rate.reason);
  assert.ok(finding.warnings.some((text) => /24 utterances have no words/.test(text)));
});

test('failures that hit one group more than others are a disparity, and are said to flatter', async () => {
  const finding = await run((trial) =>
    trial.recognizer === 'two' && isFemale(trial) && Number(trial.utterance.id.slice(1)) % 3 > 0
      ? failedWith('timeout')
      : wrong(noise(trial)),
  );
  const row = rowOf(finding, 'disparity-group-failures', { group: 'sex female', recognizer: 'two' });
  assert.deepEqual([row.failed, row.asked, row.verdict], [16, 24, 'worse']);
  assert.ok(!rowsOf(finding, 'disparity-group-failures').some(({ recognizer }) => recognizer === 'one'));
  assert.ok(finding.answer.some(({ text }) => /two fails more often for sex female/.test(text)));
  // The comparison of the two is on trials that both answered.
  const pair = rowOf(finding, 'disparity-pairs-errors', { recognizer: 'two' });
  assert.equal((pair.difference as Comparison).difference.n.pairs, 32);
});

test('a recognizer that always failed and one that was never asked about a speaker leave no NaN behind', async () => {
  const finding = await run((trial) => (trial.recognizer === 'two' ? failedWith('crash') : wrong(noise(trial))));
  assert.doesNotMatch(JSON.stringify(finding), /NaN|Infinity/);
  const row = rowOf(finding, 'disparity-recognizers', { recognizer: 'two' });
  assert.equal((row.wordErrorRate as Estimate).value, null);
});

test('groups that lose more than others where sound gets worse are found, by condition or by recording', async () => {
  const says: Invention = (trial) =>
    wrong(noise(trial) + (isHard(trial) ? 3 : 0) + (isHard(trial) && isFemale(trial) ? 6 : 0));
  const isHard = ({ condition, utterance }: Trial) =>
    condition.name !== 'clean' || utterance.attributes.place === 'outdoor';
  const byCondition = await run(says, { conditions: ['own/gain'], orders: [1], model: false });
  const shift = rowOf(byCondition, 'disparity-shift', { group: 'sex female', recognizer: 'one' });
  assert.equal(shift.verdict, 'worse');
  // Each clip of a woman, of whom half are, is heard twice: it is one utterance, and a pair.
  const { utterances: heard, pairs } = (shift.excess as Comparison).difference.n;
  assert.deepEqual([heard, pairs], [people.length / 2, people.length / 2]);
  // 6 of 20 words more for half of the words: .3 less the .15 that all lose of it.
  assert.ok(Math.abs((shift.excess as Comparison).difference.value! - 0.15) < 0.04);
  assert.equal(
    rowOf(byCondition, 'disparity-shift', { group: 'region north', recognizer: 'one' }).verdict,
    'cannot tell',
  );
  // The groups themselves are judged in clean sound, where nothing differs.
  assert.equal(
    rowOf(byCondition, 'disparity-groups', { group: 'sex female', recognizer: 'one' }).verdict,
    'cannot tell',
  );

  const recorded = people.map((utterance, place) => ({
    ...utterance,
    attributes: { ...utterance.attributes, place: place % 2 ? 'outdoor' : 'indoor' },
  }));
  const domains = { attribute: 'place', values: ['indoor', 'outdoor'] };
  const options = { attributes: ['sex', 'region'], domains, orders: [1], model: false };
  const byRecording = await run(says, options, recorded);
  const [chart] = byRecording.sections.find(({ id }) => id === 'disparity-shift')!.bars!;
  const all = rowOf(byRecording, 'disparity-shift', { group: 'everybody', recognizer: 'one' });
  assert.deepEqual(chart!.series, ['indoor', 'outdoor']);
  // Recorded once each, indoors or outdoors: no clip makes a pair.
  const { utterances: said, pairs: none } = (all.change as Estimate).n;
  assert.deepEqual([said, none], [people.length, undefined]);
  assert.deepEqual(
    chart!.means!.map(({ value }) => value),
    [all.before, all.after],
  );
  // Who loses most beside everybody comes first.
  const women = rowOf(byRecording, 'disparity-shift', { group: 'sex female', recognizer: 'one' });
  assert.deepEqual(chart!.rows[0], { name: 'sex female', values: [women.before, women.after] });
  assert.equal(rowOf(byRecording, 'disparity-shift', { group: 'sex female', recognizer: 'one' }).verdict, 'worse');
  // Of these sixteen two are indoors: nothing can be said of their change, and nothing else is corrected for them.
  const aged = recorded.map((utterance, place) => ({
    ...utterance,
    attributes: {
      ...utterance.attributes,
      age: place % 2 ? (place < 28 ? 'old' : 'young') : place < 4 ? 'old' : 'young',
    },
  }));
  const byAge = await run(says, { ...options, attributes: ['sex', 'age'] }, aged);
  const old = rowOf(byAge, 'disparity-shift', { group: 'age old', recognizer: 'one' });
  assert.deepEqual([old.verdict, old.adjustedPValue], ['cannot tell', null]);
  assert.match(reasonText((old.excess as Comparison).reason!), /an interval needs 10 speakers/);
  assert.match((old.excess as Comparison).test, /over 6 differences$/);
  await assert.rejects(
    run(says, { ...options, domains: { attribute: 'place', values: ['indoor', 'moon'] } }, recorded),
    /domains: expected utterances of "place" "moon"/,
  );
});

test('the model tells what goes with one attribute from what goes with another', async () => {
  // All of the north are men here but two: errors go with the region alone.
  const mixed = Array.from({ length: 80 }, (_, place) =>
    spoken(`u${place}`, reference, {
      speaker: `s${place}`,
      attributes: { sex: place % 4 ? 'male' : 'female', region: place % 4 && place < 60 ? 'north' : 'south' },
    }),
  );
  const finding = await run(
    (trial) => wrong(1 + noise(trial) + (trial.utterance.attributes.region === 'north' ? 5 : 0)),
    {},
    mixed,
    ['one'],
  );
  const tests = rowsOf(finding, 'disparity-model-tests');
  const pOf = (attribute: string) => tests.find((row) => row.attribute === attribute)!.adjustedPValue as number;
  assert.ok(pOf('region') < 0.001);
  assert.ok(pOf('sex') > 0.05);
  const ratio = rowsOf(finding, 'disparity-model').find(({ attribute }) => attribute === 'region')!.ratio as Estimate;
  // 2.5 errors of 20 words in the south, 7.5 in the north; the reference is the north, which has more speakers.
  assert.ok(Math.abs(ratio.value! - 1 / 3) < 0.08, `${ratio.value}`);
  // Without the model men look worse off, since most of them are of the north.
  assert.equal(rowOf(finding, 'disparity-groups', { group: 'sex male' }).verdict, 'worse');
});

test('overlapping intervals and the paired test may part, and the table says so', async () => {
  // The same errors, one more for each second utterance: the pairing sees it, the overlap of intervals does not.
  const finding = await run((trial) => {
    const base = createRandom(['errors', trial.utterance.speaker ?? '']).integer(12);
    return wrong(base + (trial.recognizer === 'two' && Number(trial.utterance.id.slice(1)) % 2 ? 1 : 0));
  });
  const row = rowOf(finding, 'disparity-pairs-errors', { recognizer: 'two' });
  assert.deepEqual([row.verdict, row.overlap, row.rules], ['worse', 'yes', 'disagree']);
});

test('mistakes in the options are told with what to do', async () => {
  const says: Invention = () => reference;
  await assert.rejects(run(says, { attributes: ['sexx'] }), /none has "sexx"; did you mean "sex"\?/);
  const ages = people.map((utterance, place) => ({ ...utterance, attributes: { age: `${place * 1.1}` } }));
  const many = [
    ...ages,
    ...ages.map((one, place) => ({ ...one, id: `v${place}`, attributes: { age: `${100 + place}` } })),
  ];
  await assert.rejects(
    run(says, { attributes: ['age'] }, many),
    /at most 60 values, but "age" has more; divide numbers/,
  );
  assert.throws(() => disparityOptions.parse({ attributes: ['a', 'a'] }), /each named once/);
  assert.throws(
    () => disparityOptions.parse({ domains: { attribute: 'a', values: ['b', 'c'] }, conditions: ['own/gain'] }),
    /not both/,
  );
});

test('hostile names of attributes and values, and nothing at all, come through', async () => {
  const hostile = people.map((utterance, place) => ({
    ...utterance,
    attributes: Object.fromEntries([
      ['__proto__', place < 24 ? 'constructor' : '__proto__'],
      ['x'.repeat(500), place % 4 < 2 ? '<b>' : ''],
    ]),
  }));
  const finding = await run((trial) => wrong(noise(trial)), {}, hostile, ['one']);
  assert.ok(rowsOf(finding, 'disparity-groups').some(({ group }) => group === '__proto__ constructor'));
  const empty = await run(() => '', {}, []);
  assert.equal(empty.answer[0]!.verdict, 'cannot tell');
  assert.ok(empty.warnings.some((text) => /No utterance has a reference/.test(text)));
  assert.doesNotMatch(JSON.stringify(empty), /NaN/);
  const nobody = await run(() => '', {}, people, []);
  assert.match(nobody.answer[0]!.text, /no recognizer/);
});

/** Two panels of four listeners: a transcript is that of whoever has this clip in the square. */
const withPanels = (machine: (trial: Trial) => number, listener: (trial: Trial) => number): Invention => {
  const panels = ['people-1', 'people-2'];
  return (trial) => {
    const panel = panels.indexOf(trial.recognizer);
    const text = wrong((panel < 0 ? machine : listener)(trial));
    const seat = 4 * panel + (Number(trial.utterance.id.slice(1)) % 4);
    return panel < 0
      ? text
      : { transcript: { text, details: { listener: `l${seat}` } }, soundSeconds: 1, timing: { seconds: 0, calls: 1 } };
  };
};

test('Gaps beyond listeners: what is hard for people too is no gap, what is hard for the machine alone is one.', async () => {
  const names = ['one', 'people-1', 'people-2'];
  const options = { people: ['people-1', 'people-2'], attributes: ['sex'], model: false };
  const hard = (trial: Trial) => noise(trial) + (isFemale(trial) ? 6 : 0);
  const rows = async (invent: Invention) => {
    const finding = await run(invent, options, people, names);
    return { finding, row: rowOf(finding, 'disparity-beyond-listeners', { group: 'sex female', recognizer: 'one' }) };
  };
  const alone = await rows(withPanels(hard, noise));
  const beyond = alone.row.beyond as Comparison;
  assert.equal(beyond.verdict, 'worse');
  // Six of her twenty words, half of which are everybody's.
  assert.ok(Math.abs(beyond.difference.value! - 0.15) < 0.04, String(beyond.difference.value));
  assert.ok(
    Math.abs(beyond.difference.value! - ((alone.row.machineGap as number) - (alone.row.peopleGap as number))) < 1e-12,
  );
  // Everybody was heard by two people each, so that the machine's own gap is that of its rates.
  const [hers, everybodys] = [
    rowOf(alone.finding, 'disparity-groups', { group: 'sex female', recognizer: 'one' }),
    rowOf(alone.finding, 'disparity-recognizers', { recognizer: 'one' }),
  ].map(({ wordErrorRate }) => (wordErrorRate as Estimate).value!);
  assert.ok(Math.abs((alone.row.machineGap as number) - (hers! - everybodys!)) < 1e-12, String(alone.row.machineGap));
  assert.deepEqual([alone.row.speakers, alone.row.listeners, alone.row.clips], [24, 8, 96]);
  assert.ok(alone.finding.answer.some(({ text }) => /where listeners have .* on the same clips/.test(text)));

  // A gap of people in favour of the group has the minus sign of other numbers.
  const easier = await rows(withPanels(hard, (trial) => noise(trial) + (isFemale(trial) ? 0 : 3)));
  assert.ok(easier.finding.answer.some(({ text }) => /where listeners have −\d+\.\d points on/.test(text)));

  const shared = await rows(withPanels(hard, hard));
  assert.equal(rowOf(shared.finding, 'disparity-groups', { group: 'sex female', recognizer: 'one' }).verdict, 'worse');
  assert.equal((shared.row.beyond as Comparison).verdict, 'cannot tell');
  assert.ok(shared.finding.answer.some(({ text }) => /^No gap is shown to be larger than that of people/.test(text)));
  // Two groups are one question: the correction is for one.
  const { pValue, adjustedPValue } = shared.row.beyond as Comparison;
  assert.equal(adjustedPValue, pValue);

  await assert.rejects(
    run(() => wrong(0), { people: ['tow'] }),
    /people: .* did you mean "two"/,
  );
  await assert.rejects(
    run(() => wrong(0), { people: ['one', 'two'] }),
    /all of them are people/,
  );
});
