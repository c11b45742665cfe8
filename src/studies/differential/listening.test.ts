import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Finding } from '../../model/finding.ts';
import { estimateAt, rowsOf } from '../../model/finding-rows.ts';
import type { Trial } from '../../model/trial.ts';
import type { Batch } from '../contract.ts';
import { failedWith } from '../shared/testing/testing.ts';
import { differential } from './differential.ts';
import { type Counts, dataOf, find, hears, speak, textOf, texts } from './testing/invented-search.ts';

const bestFirst = { asking: 'best-first' };
/** Of 20 texts in the first iteration so many are asked of everybody. */
const early = { ...bestFirst, askedOpenly: 8 };

/** Tests of a finding's searches by status. */
function total(finding: Finding, status: 'failed' | 'success' | 'indeterminable' | 'notAsked' | 'unanswered'): number {
  return dataOf(finding)
    .searches.flatMap(({ iterations }) => iterations)
    .flatMap(({ counts }) => counts)
    .reduce((sum, counts) => sum + ('texts' in counts ? (counts[status] ?? 0) : 0), 0);
}

async function askedOf(batches: readonly Batch[], recognizer: string): Promise<Trial[]> {
  const trials: Trial[] = [];
  for (const batch of batches)
    for await (const question of batch.questions())
      if (question.ask === 'recognition' && question.trial.recognizer === recognizer) trials.push(question.trial);
  return trials;
}

/** Texts of the first iteration, in the order of asking. */
async function firstTexts(batches: readonly Batch[]): Promise<string[]> {
  return (await askedOf(batches, 'keen')).slice(0, 20).map(textOf);
}

test('After the first iteration others hear only what the best of it gets right, and no failure of theirs is missed.', async () => {
  const batches: Batch[] = [];
  // By the published ranking the cost of a text is nothing, so that both try the same.
  const finding = await find({ ...bestFirst, ranking: 'two-stage' }, speak(texts), hears, { batches });
  const everybody = await find({ ranking: 'two-stage' }, speak(texts), hears);
  // The best is always right about what anybody can hear: the same is found among the same texts.
  assert.deepEqual(
    dataOf(finding).searches[0]!.iterations.map(({ texts: tried }) => tried),
    dataOf(everybody).searches[0]!.iterations.map(({ texts: tried }) => tried),
  );
  assert.equal(total(finding, 'failed'), total(everybody, 'failed'));
  assert.equal(dataOf(finding).searches[0]!.askedFirst, 'keen');

  const heard = await askedOf(batches, 'deaf');
  const first = new Set(dataOf(everybody).searches[0]!.iterations[0]!.texts);
  assert.equal(first.size, 20);
  assert.ok(heard.slice(20).every((trial) => !textOf(trial).startsWith('blurred')));
  // Each test is answered or not asked, and every text was tried with the best.
  assert.equal((await askedOf(batches, 'keen')).length, 100);
  assert.equal(heard.length + total(finding, 'notAsked'), 100);
  assert.equal(total(finding, 'unanswered'), 0);
});

test('The best is known after few texts of the first iteration, and shares are those of the texts that everybody heard.', async () => {
  const batches: Batch[] = [];
  const finding = await find(early, speak(texts), hears, { batches });
  const whole = await find(bestFirst, speak(texts), hears);
  assert.deepEqual(dataOf(finding).searches[0]!.iterations[0]!.texts, dataOf(whole).searches[0]!.iterations[0]!.texts);
  const [first] = dataOf(finding).searches[0]!.iterations;
  const counts = first!.counts.at(-1) as Counts;
  const blurredLater = (await firstTexts(batches)).slice(8).filter((text) => text.startsWith('blurred'));
  assert.equal(counts.notAsked, blurredLater.length);
  assert.ok(blurredLater.length > 0);

  const [, table] = finding.sections.find(({ id }) => id === 'differential-first')!.tables!;
  assert.deepEqual(
    table!.rows.map((row) => row.texts),
    [8, 8, 8],
  );
  assert.ok(finding.warnings.some((warning) => warning.includes('after 8 texts keen was asked first')));
  const share = finding.answer.find(({ text }) => /^deaf: .* are failed tests/.test(text))!;
  const determinable = (await firstTexts(batches)).slice(0, 8).filter((text) => !text.startsWith('blurred'));
  assert.equal(share.estimate!.n.utterances, determinable.length);
  // Whoever is interrupted in the middle of an iteration asks the same again: questions follow from answers alone.
  const again: Batch[] = [];
  await find(early, speak(texts), hears, { batches: again });
  const order = async (all: readonly Batch[]) => (await askedOf(all, 'deaf')).map(textOf);
  assert.deepEqual(await order(again), await order(batches));
});

test('Where none of the first texts is heard by anybody, as many more are asked of everybody.', async () => {
  const batches: Batch[] = [];
  const unlucky = await find({ ...early, askedOpenly: 1 }, speak(texts), hears, { batches });
  const vain = (await firstTexts(batches)).findIndex((text) => !text.startsWith('blurred'));
  assert.ok(vain > 0);
  assert.ok(unlucky.warnings.some((warning) => warning.includes(`after ${vain + 1} texts keen was asked first`)));
});

test('A search does not see what others asked: failures of whoever is asked first are in the whole pool alone.', async () => {
  const whispered = new Set(texts.filter((_, number) => number % 40 === 1));
  const says = (trial: Trial) =>
    whispered.has(textOf(trial)) && trial.recognizer === 'deaf' ? textOf(trial) : hears(trial);
  const options = { ...bestFirst, wholePool: true, stop: { iterations: null } };
  const finding = await find(options, speak(texts), says);
  const { wholePools, searches } = dataOf(finding);
  const [search] = searches;
  assert.equal(search!.askedFirst, 'keen');
  const inFirst = search!.iterations[0]!.counts.find(({ recognizer }) => recognizer === 'keen')!;
  const searched = rowsOf(finding, 'differential-recognizers').find(({ recognizer }) => recognizer === 'keen')!;
  assert.equal(searched.failed, inFirst.failed);
  // All texts were tried, and in the end everybody was asked about every one.
  assert.equal(wholePools.find(({ recognizer }) => recognizer === 'keen')!.counts.failed, 5);
  assert.equal(wholePools.find(({ recognizer }) => recognizer === null)!.counts.notAsked, 0);
  const warning = finding.warnings.find((one) => one.includes('keen was asked first'))!;
  assert.ok(
    warning.endsWith(
      `of ${inFirst.failed + inFirst.success} determinable texts among them it got ${inFirst.failed} wrong.`,
    ),
    warning,
  );
});

test('The comparison counts recognitions: chance asks everybody, the search does not.', async () => {
  const options = { ...bestFirst, replicates: 3, wholePool: true };
  const meanOf = async (more: object, key: string) =>
    estimateAt(dataOf(await find({ ...options, ...more }, speak(texts), hears)).worth[0]!, key).value!;
  assert.equal(await meanOf({}, 'usualRecognitions'), 200);
  assert.equal(await meanOf({ asking: 'all' }, 'recognitions'), 200);
  const recognitions = await meanOf({}, 'recognitions');
  assert.ok(recognitions < 160, `${recognitions}`);
  // As many failed tests, in fewer recognitions.
  const fewer = 200 / recognitions;
  assert.ok(
    Math.abs((await meanOf({}, 'speedUp')) / ((await meanOf({ asking: 'all' }, 'speedUp')) * fewer) - 1) < 0.02,
  );
});

test('Where nobody has been right yet everybody is asked, and where the best gives no answer the others are.', async () => {
  const deafened = await find(bestFirst, speak(texts), () => 'what');
  assert.equal(total(deafened, 'notAsked'), 0);
  assert.equal(dataOf(deafened).searches[0]!.askedFirst, null);

  let answers = 0;
  const breaks = (trial: Trial) => (trial.recognizer === 'keen' && ++answers > 20 ? failedWith('crash') : hears(trial));
  const broken = await find(bestFirst, speak(texts), breaks);
  assert.equal(total(broken, 'notAsked'), 0);
  assert.equal(total(broken, 'unanswered'), 80);

  const dead = await find(bestFirst, speak(texts), (trial) =>
    textOf(trial).startsWith('hard') ? failedWith('sound') : hears(trial),
  );
  assert.ok(dead.warnings.some((warning) => /could not be synthesized or recognized/.test(warning)));
});

test('Texts that are drawn at random, without a predictor, can be heard by the best first as well.', async () => {
  const finding = await find({ ...bestFirst, predictor: null }, speak(texts), hears);
  assert.equal(dataOf(finding).searches[0]!.askedFirst, 'keen');
  assert.ok(total(finding, 'notAsked') > 40);
});

test('What most wrote is known only where all were asked.', () => {
  assert.throws(
    () => differential.options.parse({ ...bestFirst, rule: 'majority' }),
    /expected all with the rule majority/,
  );
});
