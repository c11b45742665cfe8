import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom } from '../../base/random.ts';
import { comparisonAt, estimateAt, numberAt, rowsOf, textAt } from '../../model/finding-rows.ts';
import { reasonText } from '../../model/reason.ts';
import { type Trial, withoutRate } from '../../model/trial.ts';
import type { Utterance } from '../../model/utterance.ts';
import { earwitness } from '../../perturbations/ladders/earwitness.ts';
import { srb } from '../../perturbations/ladders/srb.ts';
import { formatEstimate } from '../../report/format/cell.ts';
import { rankingOf } from '../../report/prepare/ranking.ts';
import type { Batch } from '../contract.ts';
import { failedWith, inventedContext, inventedRun, recognizerNamed, spoken } from '../shared/testing/testing.ts';
import { threshold } from './threshold.ts';

const words = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight'];

/** 20 speakers, 10 men and 10 women, with 8 clips each. */
const corpus: readonly Utterance[] = Array.from({ length: 160 }, (_, place) =>
  spoken(`clip-${place}`, words.join(' '), {
    speaker: `speaker ${place % 20}`,
    attributes: { sex: place % 2 === 0 ? 'M' : 'F' },
  }),
);

/** A clip's threshold lies around the recognizer's, and a word is right with a logistic probability: always the same. */
function hears(level: number, middle: (trial: Trial) => number, spread = 3, rise = 0.7) {
  return (trial: Trial): string => {
    const clip = createRandom({ clip: trial.utterance.id });
    const random = createRandom({ clip: trial.utterance.id, condition: trial.condition.name, who: trial.recognizer });
    const share = 1 / (1 + Math.exp(-rise * (level - middle(trial) - spread * clip.normal())));
    return words.filter(() => random.next() < share).join(' ');
  };
}

const snrOf = ({ condition }: Trial): number =>
  condition.steps.length === 0 ? 200 : Number(withoutRate(condition.steps)[0]!.parameters.snrDb);

const hears0 = (trial: Trial) => hears(snrOf(trial), () => 0)(trial);

const run = async (
  options: object,
  names: readonly string[],
  says: Parameters<typeof inventedRun>[3],
  utterances: readonly Utterance[] = corpus,
) => {
  const batches: Batch[] = [];
  const context = inventedContext(
    utterances,
    names.map((name) => recognizerNamed(name)),
    { ladders: [srb, earwitness] },
  );
  /** By recognizer: what it was asked, in order. */
  const asked = new Map(names.map((name) => [name, [] as Trial[]]));
  const listen = (trial: Trial) => {
    asked.get(trial.recognizer)!.push(trial);
    return says(trial);
  };
  const finding = await inventedRun(threshold, options, context, listen, batches);
  const thresholds = rowsOf(finding, 'threshold-thresholds').map((row) => ({
    group: textAt(row, 'group'),
    questions: numberAt(row, 'questions'),
    threshold: estimateAt(row, 'threshold'),
  }));
  const differences = ['threshold-comparisons', 'threshold-gaps'].flatMap((table) =>
    rowsOf(finding, table).map((row) => comparisonAt(row, 'difference')),
  );
  return { finding, batches, asked, thresholds, differences };
};

test('Thresholds are found where they are, and the difference of two recognizers with them.', async () => {
  const says = (trial: Trial) => hears(snrOf(trial), () => (trial.recognizer === 'keen' ? -6 : 0))(trial);
  const { thresholds, differences, finding, batches, asked } = await run({ maxTrials: 72 }, ['keen', 'dull'], says);
  // The thresholds that went in; four standard errors of 3 dB from 72 clips are 1.4 dB.
  for (const [place, truth] of [-6, 0].entries()) {
    const { threshold: found, questions } = thresholds[place]!;
    assert.equal(questions, 72);
    assert.ok(Math.abs(found.value! - truth) < 1.8, `${found.value} for ${truth}`);
    assert.ok(found.low! < truth + 0.5 && found.high! > truth - 0.5 && found.high! - found.low! < 4);
  }
  const [comparison] = differences;
  assert.ok(Math.abs(comparison!.difference.value! + 6) < 2);
  assert.equal(comparison!.verdict, 'better');
  const utterances = new Set([...asked.values()].flat().map(({ utterance }) => utterance.id));
  assert.equal(comparison!.difference.n.utterances, utterances.size, 'one that both heard is one');
  assert.equal(batches.length, 9, 'eight questions of each search in a batch');
  assert.equal(batches[0]!.size, 16);
  assert.match(finding.answer.at(-1)!.text, /keen reaches the threshold at a harder level than dull/);
  const ranking = rankingOf(finding)!;
  assert.equal(ranking.by, 'Threshold, SNR (dB)');
  for (const { name, estimate } of ranking.rows) {
    const printed = formatEstimate(estimate, ranking.kind).main;
    assert.match(printed, /^−?\d+\.\d dB$/);
    assert.ok(
      finding.answer.some(({ text }) => text.includes(`${name} recognizes half of the words at ${printed} SNR`)),
    );
  }
});

test('The chart draws what was fitted as a line and what was measured as markers, at the levels that were asked.', async () => {
  const { finding } = await run({ maxTrials: 24 }, ['keen'], hears0);
  const chart = finding.sections.flatMap(({ charts = [] }) => charts)[0]!;
  const [{ points, data }] = chart.series as [(typeof chart.series)[number]];
  const counts = finding.sections.flatMap(({ tables = [] }) => tables).find(({ id }) => id === 'threshold-counts')!;
  const asked = new Map(counts.rows.map(({ level, share }) => [Number.parseFloat(String(level)), share]));
  assert.ok(asked.size > 2 && data!.length === asked.size);
  // Ticks are as many dB apart from each other, and markers may lie between them.
  const [first, second] = chart.xTicks.map(Number) as [number, number];
  for (const { x, value } of data!) assert.equal(asked.get(first + x * (second - first)), value);
  assert.equal(points.length, chart.xTicks.length);
});

test('Every question of a search has another clip, speakers take turns, and recognizers hear the same clips.', async () => {
  const says = (trial: Trial) => hears(snrOf(trial), () => 0)(trial);
  const { asked } = await run({ maxTrials: 64 }, ['a', 'b'], says);
  const [first, second] = ['a', 'b'].map((name) => asked.get(name)!.map(({ utterance }) => utterance.id));
  assert.equal(new Set(first).size, 64);
  assert.deepEqual(first, second);
  const speakers = first!.slice(0, 20).map((id) => corpus.find((one) => one.id === id)!.speaker);
  assert.equal(new Set(speakers).size, 20);
});

test('The questions after the first spread gather around the threshold.', async () => {
  const says = (trial: Trial) => hears(snrOf(trial), () => 4, 2)(trial);
  const { asked } = await run({ maxTrials: 64 }, ['a'], says);
  // Eight in a batch: those of the fifth on.
  const late = asked
    .get('a')!
    .slice(32)
    .map((trial) => Math.abs(snrOf(trial) - 4));
  assert.ok(late.filter((distance) => distance <= 8).length > 0.8 * late.length, late.join());
});

test('Half of the words never or always understood is said, with a reason and no number.', async () => {
  const deaf = await run({ maxTrials: 32 }, ['deaf'], () => 'one two three');
  assert.equal(deaf.thresholds[0]!.threshold.value, null);
  assert.match(reasonText(deaf.thresholds[0]!.threshold.reason!), /not understood even at the mildest level/);
  assert.match(deaf.finding.answer[0]!.text, /deaf has no threshold/);
  const keen = await run({ maxTrials: 32 }, ['keen'], () => words.join(' '));
  assert.match(reasonText(keen.thresholds[0]!.threshold.reason!), /still understood at the hardest level/);
});

test('Of a recognizer that gets 60 % at best, half of what was said and half of its best are different levels.', async () => {
  const says = (trial: Trial) => {
    const random = createRandom({ lapse: trial.utterance.id, condition: trial.condition.name });
    const heard = hears(snrOf(trial), () => 0, 0)(trial).split(' ');
    return heard.filter(() => random.next() < 0.6).join(' ');
  };
  const options = { maxTrials: 200, minTrials: 16 };
  const said = await run(options, ['a'], says);
  const clean = await run({ ...options, of: 'clean' }, ['a'], says);
  // .6 x logistic(.7 x level) is .5 at 2.3 dB, and half of .6 at 0 dB.
  assert.ok(Math.abs(said.thresholds[0]!.threshold.value! - 2.3) < 1.2, `${said.thresholds[0]!.threshold.value}`);
  assert.ok(Math.abs(clean.thresholds[0]!.threshold.value!) < 1.2, `${clean.thresholds[0]!.threshold.value}`);
});

test('A search ends once its interval is as narrow as wanted.', async () => {
  const says = (trial: Trial) => hears(snrOf(trial), () => 0, 1)(trial);
  const { thresholds } = await run({ maxTrials: 160, intervalWidth: 3 }, ['a'], says);
  const { threshold: found, questions } = thresholds[0]!;
  assert.ok(found.high! - found.low! <= 3);
  assert.ok(questions < 160 && questions >= 48, String(questions));
});

test('Groups are searched apart and compared.', async () => {
  const middle = ({ utterance }: Trial) => (utterance.attributes.sex === 'F' ? 5 : 0);
  const says = (trial: Trial) => hears(snrOf(trial), middle, 2)(trial);
  const { thresholds, differences } = await run({ groupBy: ['sex'], maxTrials: 64 }, ['a'], says);
  assert.deepEqual(
    thresholds.map(({ group }) => group),
    ['everybody', 'F', 'M'],
  );
  const [gap] = differences;
  assert.equal(differences.length, 1);
  assert.ok(Math.abs(gap!.difference.value! - 5) < 2.5);
  assert.equal(gap!.verdict, 'worse');
});

test('Languages are groups as attributes of this name are.', async () => {
  const says = (trial: Trial) =>
    hears(snrOf(trial), ({ utterance }) => (utterance.language === 'en-GB' ? 5 : 0), 2)(trial);
  const spokenIn = corpus.map((one) => ({ ...one, language: one.attributes.sex === 'F' ? 'en-GB' : 'en-US' }));
  const named = spokenIn.map((one) => ({ ...one, attributes: { language: one.language } }));
  const options = { groupBy: ['language'], maxTrials: 32 };
  const { thresholds, differences } = await run(options, ['a'], says, spokenIn);
  assert.deepEqual(
    thresholds.map(({ group }) => group),
    ['everybody', 'en-GB', 'en-US'],
  );
  const other = await run(options, ['a'], says, named);
  assert.deepEqual([thresholds, differences], [other.thresholds, other.differences]);
});

test('Axes that get harder upwards and logarithmic ones count in their own units.', async () => {
  const loss = await run({ conditions: ['earwitness/packet-loss'], maxTrials: 64 }, ['a'], (trial) =>
    hears(-Number(withoutRate(trial.condition.steps)[0]!.parameters.lossShare) * 100, () => -20, 2)(trial),
  );
  const found = loss.thresholds[0]!.threshold;
  assert.ok(Math.abs(found.value! - 0.2) < 0.03 && found.low! < found.value! && found.high! > found.value!);

  const cut = { family: 'srb/lowpass', scale: 'logarithmic', hardest: 200 };
  const filters = await run({ conditions: [cut], maxTrials: 64 }, ['a', 'b'], (trial) =>
    hears(
      10 * Math.log2(Number(withoutRate(trial.condition.steps)[0]!.parameters.lowPassHz) / 1000),
      () => (trial.recognizer === 'a' ? 0 : 10),
      1,
    )(trial),
  );
  assert.ok(Math.abs(Math.log2(filters.thresholds[0]!.threshold.value! / 1000)) < 0.2);
  assert.ok(Math.abs(filters.differences[0]!.difference.value! + 1) < 0.2, 'an octave apart');
  // Twice the frequency is an octave.
  const [low, high] = filters.thresholds.map((one) => one.threshold.value!) as [number, number];
  assert.ok(Math.abs(filters.differences[0]!.difference.value! - Math.log2(low / high)) < 1e-9);
});

test('Failed recognitions are counted and left out; with few speakers no interval is given.', async () => {
  const says = (trial: Trial) =>
    trial.utterance.id.endsWith('3') ? failedWith('crash') : hears(snrOf(trial), () => 0)(trial);
  const { finding, thresholds } = await run(
    { maxTrials: 64 },
    ['a'],
    says,
    corpus.filter((_, place) => place % 20 < 5),
  );
  assert.ok(finding.warnings.some((warning) => /^a did not answer \d+ of 64 trials/.test(warning)));
  assert.equal(thresholds[0]!.threshold.low, null);
  assert.match(reasonText(thresholds[0]!.threshold.reason!), /needs 10 speakers, and there are 4/);
});

test('A grid asks every clip at every level.', async () => {
  const axis = { family: 'srb/gnoise', gridStep: 2, hardest: -20 };
  const says = (trial: Trial) => hears(snrOf(trial), () => 0)(trial);
  const { thresholds, batches } = await run({ conditions: [axis], design: 'grid', gridClips: 20 }, ['a'], says);
  assert.equal(batches.length, 1);
  assert.equal(thresholds[0]!.questions, 20 * 26);
  assert.ok(Math.abs(thresholds[0]!.threshold.value!) < 2.5);
});

test('In a grid two recognizers are compared over the questions that both answered.', async () => {
  const axis = { family: 'srb/gnoise', gridStep: 2, hardest: -20 };
  const isHard = (id: string) => Number(id.split('-')[1]) % 3 === 0;
  // All three hear alike, every third clip 8 dB harder; one does not answer those.
  const says = (trial: Trial) =>
    trial.recognizer === 'part' && isHard(trial.utterance.id)
      ? failedWith('timeout')
      : hears(snrOf(trial), ({ utterance }) => (isHard(utterance.id) ? 8 : 0))({ ...trial, recognizer: 'all alike' });
  const options = { conditions: [axis], design: 'grid', gridClips: 20 };
  const { thresholds, differences, finding } = await run(options, ['one', 'part', 'other'], says);
  const [one, part] = thresholds;
  assert.ok(one!.threshold.value! - part!.threshold.value! > 1);
  assert.deepEqual(
    differences.map(({ difference }) => difference.value),
    [0, 0, 0],
  );
  const answered = part!.threshold.n.utterances;
  const { rows } = finding.sections.find(({ id }) => id === 'threshold-comparisons')!.tables![0]!;
  assert.deepEqual(
    rows.map(({ over }) => over),
    [`${26 * answered} of 520 questions`, 'all', `${26 * answered} of 520 questions`],
  );
  assert.deepEqual(rows[0]!.own, part!.threshold);
});

test('What is no axis is told in one sentence.', async () => {
  const wrong = (condition: unknown) => run({ conditions: [condition] }, ['a'], () => '');
  await assert.rejects(wrong('earwitness/telephone'), /expected a family whose rungs differ in one number of one step/);
  await assert.rejects(wrong('srb/nothing'), /there is no "srb\/nothing"/);
  await assert.rejects(wrong({ family: 'srb/gnoise', scale: 'logarithmic' }), /expected logarithmic levels above 0/);
  await assert.rejects(wrong({ family: 'srb/gnoise', gridStep: 30 }), /expected from 3 to 1000 levels/);
});

test('Without references there is no number and no crash.', async () => {
  const { finding } = await run({}, ['a'], () => '', [spoken('a', null), spoken('b', '')]);
  assert.deepEqual(finding.answer.length, 1);
  assert.ok(finding.warnings.some((warning) => /no recognizer was asked/.test(warning)));
});
