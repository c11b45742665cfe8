import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Comparison, Estimate } from '../../model/finding.ts';
import { reasonText } from '../../model/reason.ts';
import type { Trial } from '../../model/trial.ts';
import type { Answer, Batch, Question } from '../contract.ts';
import {
  failedWith,
  type Invention,
  inventedContext,
  inventedRun,
  recognizerNamed,
  spoken,
} from '../shared/testing/testing.ts';
import { adversarial } from './adversarial.ts';

// Twenty-one speakers of two clips: clip i changes at 10 + i dB of kenansville, and at 5 + i dB of white noise, or lower.
const speakers = 21;
const utterances = Array.from({ length: 2 * speakers }, (_, index) =>
  spoken(`u${index}`, 'one two three four', {
    speaker: `s${index % speakers}`,
    attributes: { sex: index % speakers < 10 ? 'f' : 'm' },
  }),
);
const levelOf = ({ utterance, condition }: Trial) =>
  (Number(utterance.id.slice(1)) % speakers) + (condition.name.startsWith('kenansville') ? 10 : 5);
const snrOf = ({ condition }: Trial) => Number(/(-?\d+) dB$/.exec(condition.name)?.[1] ?? Number.POSITIVE_INFINITY);
// Already wrong when clean: only what changes counts.
const usual: Invention = (trial) => (snrOf(trial) <= levelOf(trial) ? 'one two tree flour' : 'one two tree four');
const measure = (question: Exclude<Question, { readonly ask: 'recognition' }>): Answer => {
  assert.ok(question.ask === 'measurement');
  return { ...question, measurement: null };
};
const run = async (changed: object = {}, invent: Invention = usual, batches: Batch[] = []) => {
  const options = { attacks: ['kenansville'], snrDb: [20], resamples: 200, breaking: true, ...changed };
  const context = inventedContext(utterances, [recognizerNamed('one')]);
  const finding = await inventedRun(adversarial, options, context, invent, batches, measure);
  const section = finding.sections.find(({ id }) => id === 'adversarial-breaking')!;
  return { finding, section, rows: section?.tables?.[0]?.rows };
};

test('the median of the SNRs at which transcripts change is that of the clips, beside white noise and by group', async () => {
  const { rows, finding, section } = await run({ groupBy: ['sex'] });
  assert.deepEqual(
    rows!.map((row) => [
      row.sounds,
      row.group,
      (row.median as Estimate).value,
      row.upper,
      row.lower,
      row.clips,
      row.never,
    ]),
    [
      // Half of 21 speakers are at or above the eleventh, 10 + 10; a quarter from the sixth from above on, three quarters from the 16th.
      ['kenansville', 'all', 20, 25, 15, 42, 0],
      ['white noise', 'all', 15, 20, 10, 42, 0],
      ['kenansville', 'sex f', 15, 17, 12, 20, 0],
      ['white noise', 'sex f', 10, 12, 7, 20, 0],
      ['kenansville', 'sex m', 25, 28, 22, 22, 0],
      ['white noise', 'sex m', 20, 23, 17, 22, 0],
    ],
  );
  const { low, high } = rows![0]!.median as Estimate;
  assert.ok(low! >= 14 && low! < 20 && high! > 20 && high! <= 26, `${low} ${high}`);
  assert.equal((rows![0]!.overNoise as Estimate).value, 5);
  assert.equal(rows![0]!.verdict, 'worse');
  assert.match(
    finding.answer.at(-1)!.text,
    /^one: kenansville changes half of the transcripts .* \(white noise: 15 dB\)\.$/,
  );
  assert.equal(finding.answer.at(-1)!.headline, true);
  // 42 clips change at 10 dB and lower, 22 at 20.
  const shares = section.charts![0]!.series[0]!.points.map(({ estimate }) => estimate.value);
  assert.deepEqual(shares.slice(0, 7), [1, 1, 1, 32 / 42, 22 / 42, 12 / 42, 2 / 42]);
});

test('six rounds find what 61 ratios hold, and each asks as many questions as it says', async () => {
  const batches: Batch[] = [];
  await run({}, usual, batches);
  assert.equal(batches.length, 7);
  for (const batch of batches.slice(1)) {
    let asked = 0;
    for await (const question of batch.questions()) if (question.ask === 'recognition') asked++;
    // Read after the end nothing is open any more: the size was taken before.
    assert.ok(asked <= batch.size!);
    assert.ok(batch.size! <= 3 * utterances.length);
  }
  assert.equal(batches[1]!.size, 3 * utterances.length);
});

test('without the option nothing more is asked', async () => {
  const batches: Batch[] = [];
  const { section } = await run({ breaking: false }, usual, batches);
  assert.deepEqual([section, batches.length], [undefined, 1]);
});

test('a change below breakingCer is none, and what never or always changes has no median but a reason', async () => {
  // One letter of 17 is not a tenth.
  const never = await run({ breakingCer: 0.1 });
  const [first] = never.rows!;
  assert.equal((first!.median as Estimate).value, null);
  assert.match(reasonText((first!.median as Estimate).reason!), /fewer than half of the clips change even at 0 dB/);
  assert.deepEqual([first!.never, first!.clips, first!.upper], [42, 42, null]);
  assert.match(
    never.finding.answer.at(-1)!.text,
    /^one: it is not known at which SNR .* even at 0 dB, the lowest asked\.$/,
  );
  const always = await run({}, (trial) => (trial.condition.name === 'clean' ? 'one' : 'two'));
  assert.match(reasonText((always.rows![0]!.median as Estimate).reason!), /change at 60 dB already, the highest asked/);
});

test('an attack like the noise is not called anything', async () => {
  const { rows } = await run({}, (trial) => {
    const noise = trial.condition.name.startsWith('white')
      ? Number(trial.utterance.id.slice(1)) % 2 === 0
        ? 4
        : -4
      : 0;
    const level = 20 + (Number(trial.utterance.id.slice(1)) % speakers);
    return snrOf(trial) <= level + noise ? 'one' : 'two';
  });
  assert.equal((rows![0] as unknown as Comparison).verdict, 'cannot tell');
});

test('clips on which a recognizer fails on the way are left out, and the others are found as before', async () => {
  const { rows, section } = await run({}, (trial) =>
    trial.utterance.id === 'u5' && snrOf(trial) < 20 ? failedWith('timeout') : usual(trial),
  );
  assert.deepEqual([rows![0]!.clips, (rows![0]!.median as Estimate).value], [41, 20]);
  assert.match(section.text![1]!, /Left out .*: 1 clip\./);
  const unclean = await run({}, (trial) =>
    trial.utterance.id === 'u5' && trial.condition.name === 'clean' ? failedWith('timeout') : usual(trial),
  );
  assert.deepEqual([unclean.rows![0]!.clips, (unclean.rows![0]!.median as Estimate).value], [41, 20]);
});
