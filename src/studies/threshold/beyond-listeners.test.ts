import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom } from '../../base/random.ts';
import type { Comparison } from '../../model/finding.ts';
import { reasonText } from '../../model/reason.ts';
import { type Trial, withoutRate } from '../../model/trial.ts';
import type { Utterance } from '../../model/utterance.ts';
import { srb } from '../../perturbations/ladders/srb.ts';
import { failedWith, inventedContext, inventedRun, recognizerNamed, spoken } from '../shared/testing/testing.ts';
import { threshold } from './threshold.ts';

const words = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight'];

/** 24 speakers, 12 women and 12 men, with 3 clips each. */
const corpus: readonly Utterance[] = Array.from({ length: 72 }, (_, place) =>
  spoken(`c${place}`, words.join(' '), {
    speaker: `speaker ${place % 24}`,
    attributes: { sex: place % 2 === 0 ? 'M' : 'F' },
  }),
);

/** 11 levels, -20 to 30 dB: a panel is 11 people. */
const axis = { family: 'srb/gnoise', gridStep: 5, hardest: -20 };
const seats = 11;

interface World {
  /** How many dB more than for men each needs for women. */
  readonly machine: number;
  readonly people: number;
  readonly listeners?: number | null;
  readonly fails?: (trial: Trial) => boolean;
}

async function run(
  { machine, people, listeners = seats, fails = () => false }: World,
  options: object = {},
  names = ['big', 'people'],
) {
  const says = (trial: Trial) => {
    if (fails(trial)) return failedWith('unknown-utterance');
    const snr = Number(withoutRate(trial.condition.steps)[0]!.parameters.snrDb);
    const isPeople = trial.recognizer === 'people';
    const shift = trial.utterance.attributes.sex === 'F' ? (isPeople ? people : machine) : 0;
    const middle = (isPeople ? -4 : 2) + shift + 2 * createRandom({ speaker: trial.utterance.speaker! }).normal();
    const random = createRandom({ clip: trial.utterance.id, snr, who: trial.recognizer });
    const text = words.filter(() => random.next() < 1 / (1 + Math.exp(-0.6 * (snr - middle)))).join(' ');
    if (!isPeople || listeners === null) return text;
    const seat = (Number(trial.utterance.id.slice(1)) + snr / 5 + 4) % listeners;
    const details = { listener: `person ${seat}` };
    return { transcript: { text, details }, soundSeconds: 1, timing: { seconds: 0, calls: 1 } };
  };
  const context = inventedContext(
    corpus,
    names.map((name) => recognizerNamed(name)),
    { ladders: [srb] },
  );
  const chosen = {
    conditions: [axis],
    design: 'grid',
    gridClips: 72,
    groupBy: ['sex'],
    people: ['people'],
    ...options,
  };
  const finding = await inventedRun(threshold, chosen, context, says);
  const table = finding.sections
    .flatMap(({ tables = [] }) => tables)
    .find(({ id }) => id === 'threshold-beyond-listeners');
  return { finding, rows: table?.rows ?? [] };
}

test('What a machine needs more for a group than people do comes out in decibels, with an interval by speakers and listeners.', async () => {
  const { finding, rows } = await run({ machine: 7, people: 1 });
  assert.equal(rows.length, 1);
  const [row] = rows;
  const beyond = row!.beyond as Comparison;
  // 7 - 1 dB went in; clips and voices are the same for both, so that only words drawn by chance are left.
  assert.ok(Math.abs(beyond.difference.value! - 6) < 1, String(beyond.difference.value));
  assert.ok(Math.abs((row!.machineGap as number) - (row!.peopleGap as number) - beyond.difference.value!) < 1e-9);
  assert.ok(beyond.difference.low! > 4 && beyond.difference.high! < 8);
  assert.deepEqual(
    [row!.group, row!.comparedWith, row!.recognizer, row!.unit, row!.speakers, row!.listeners, row!.heard],
    ['sex F', 'sex M', 'big', 'dB', 24, 11, 72 * 11],
  );
  assert.match(beyond.difference.method, /24 speakers, 0 of them on both sides, and 11 listeners/);
  assert.equal(beyond.verdict, 'worse');
  const [statement] = finding.answer.filter(({ text }) => /beyond what listeners need/.test(text));
  assert.match(statement!.text, /big: speakers with sex F need an easier level than sex M/);
  assert.equal(statement!.kind, 'decibels');
});

test('Voices that are as hard for people are no gap beyond them, and whoever is at a disadvantage stands first.', async () => {
  const alike = await run({ machine: 5, people: 5 });
  const beyond = alike.rows[0]!.beyond as Comparison;
  assert.ok(Math.abs(alike.rows[0]!.peopleGap as number) > 3);
  assert.equal(beyond.verdict, 'cannot tell');
  assert.ok(alike.finding.answer.some(({ text }) => /^No difference between groups is shown to be larger/.test(text)));
  const men = await run({ machine: 0, people: 6 });
  assert.deepEqual([men.rows[0]!.group, (men.rows[0]!.beyond as Comparison).verdict], ['sex M', 'worse']);
});

test('Fewer than four listeners give no interval, and a panel whose answers name nobody is one.', async () => {
  for (const [listeners, there] of [
    [3, 3],
    [null, 1],
  ] as const) {
    const { rows } = await run({ machine: 7, people: 1, listeners });
    const { difference, verdict } = rows[0]!.beyond as Comparison;
    assert.ok(Math.abs(difference.value! - 6) < 1);
    assert.deepEqual([difference.low, verdict], [null, 'cannot tell']);
    assert.deepEqual(difference.reason, { code: 'few-units', need: 4, have: [there], unit: 'listener' });
  }
});

test('Only what both heard counts: clips that are not in the table of people are left out of the machine too.', async () => {
  // People heard one clip of three, and of those only the machine's answers may count.
  const unheard = ({ utterance, recognizer }: Trial) => recognizer === 'people' && Number(utterance.id.slice(1)) >= 24;
  const some = await run({ machine: 7, people: 1, fails: unheard });
  const alone = await run({
    ...{ machine: 7, people: 1 },
    fails: ({ utterance }) => Number(utterance.id.slice(1)) >= 24,
  });
  assert.equal(some.rows[0]!.heard, 24 * 11);
  assert.deepEqual(some.rows, alone.rows);
  const never = await run({ machine: 7, people: 1, fails: ({ recognizer }) => recognizer === 'people' });
  assert.match(reasonText((never.rows[0]!.beyond as Comparison).reason!), /no threshold for one of the groups/);
  assert.ok(never.finding.answer.some(({ text }) => /none of them can be measured/.test(text)));
});

test('People without a grid, without groups or without a machine are told in one sentence.', async () => {
  const world = { machine: 0, people: 0 };
  await assert.rejects(run(world, { design: 'adaptive' }), /people: .* set design: grid$/);
  await assert.rejects(run(world, { groupBy: [] }), /people: .* groupBy names none; add/);
  await assert.rejects(run(world, { people: ['poeple'] }), /did you mean "people"/);
  await assert.rejects(run(world, {}, ['people']), /all of them are people/);
});
