import assert from 'node:assert/strict';
import { test } from 'node:test';
import { estimateAt, rowsOf } from '../../model/finding-rows.ts';
import type { Utterance } from '../../model/utterance.ts';
import type { Batch } from '../contract.ts';
import { failedWith, recognizerNamed, said, spoken } from '../shared/testing/testing.ts';
import { differential } from './differential.ts';
import { dataOf, find, hears, pair, speak, textOf, texts } from './testing/invented-search.ts';

test('Texts are tried in batches, the first at random, and the predictor finds those that fail.', async () => {
  const { searches } = dataOf(await find({}, speak(texts), hears));
  const [search] = searches;
  // A tenth of 200 texts five times; 20 texts fail in all, of which chance alone would find half in half of the texts.
  assert.deepEqual(
    search!.iterations.map(({ texts: tried }) => tried.length),
    [20, 20, 20, 20, 20],
  );
  assert.equal(new Set(search!.iterations.flatMap(({ texts: tried }) => tried)).size, 100);
  assert.equal(search!.ending, 'iterations');
  const failedOf = (who: string | null) =>
    search!.iterations.map(({ counts }) => counts.find(({ recognizer }) => recognizer === who)!.failed);
  const failed = failedOf(null);
  assert.equal(
    failed.reduce((a, b) => a + b),
    20,
  );
  assert.ok(failed[0]! < 8 && failed[1]! > 8, `${failed}`);
  assert.equal(failedOf('keen')[1], 0);
});

test('A row has text, transcript, status and where its sound is; failed ones come first and the rest is counted.', async () => {
  const { cases, counts } = dataOf(await find({ maxCases: 30 }, speak(texts), hears));
  assert.equal(cases.length, 30);
  // Of 200 tests, as half of 200 texts are tried with two recognizers, 170 are left out.
  assert.deepEqual(
    counts.map(({ status, listed }) => [status, listed]),
    [
      ['failed', 20],
      ['success', 10],
      ['indeterminable', 0],
    ],
  );
  assert.equal(
    counts.reduce((sum, { tests }) => sum + tests, 0),
    200,
  );
  assert.deepEqual(
    cases.slice(0, 20).map(({ status }) => status),
    Array(20).fill('failed'),
  );
  const [first] = cases;
  assert.match(first!.text, /^hard /);
  assert.deepEqual(
    { ...first, text: '', sound: { ...first!.sound, utteranceId: '' } },
    {
      text: '',
      voice: 'robot:tin',
      recognizer: 'deaf',
      transcript: 'pardon',
      status: 'failed',
      sound: { utteranceId: '', conditionName: 'clean', draw: 0 },
      iteration: 1,
      otherwise: { tolerant: 'failed', majority: 'indeterminable' },
    },
  );
});

test('The predictor is compared with chance, each stage and an oracle, with the same first iteration.', async () => {
  const batches: Batch[] = [];
  const options = { replicates: 3, wholePool: true };
  const finding = await find(options, speak(texts), hears, { batches });
  const { worth, wholePools } = dataOf(finding);
  const all = wholePools.find(({ recognizer }) => recognizer === null)!.counts;
  // 200 texts x 2: 20 hard ones, 20 clear ones, 160 blurred ones.
  assert.deepEqual([all.failed, all.success, all.indeterminable], [20, 60, 320]);
  const curve = (way: string) =>
    rowsOf(finding, 'differential-curves')
      .filter(({ recognizer }) => recognizer === 'all recognizers')
      .map((row) => estimateAt(row, way));
  const first = curve('predictor')[0]!;
  for (const way of ['random', 'stage 1 alone', 'stage 2 alone', 'oracle']) assert.deepEqual(curve(way)[0], first, way);
  assert.ok(first.low !== null && first.low < first.high!, 'seeds differ');
  const last = curve('oracle').at(-1)!;
  assert.deepEqual([last.value, last.reason], [20, { code: 'alike-replicates' }]);
  const [row] = worth;
  assert.ok(estimateAt(row!, 'speedUp').value! > 1.5 && estimateAt(row!, 'share').value! > 0.9, JSON.stringify(row));
  // Everything is known once the whole pool is: 200 texts x 2 recognizers, each asked once.
  let asked = 0;
  for (const batch of batches)
    for await (const question of batch.questions()) if (question.ask === 'recognition') asked++;
  assert.equal(asked, 400);
});

test('Everything that is said of recordings counts the people who speak them, and nobody where nobody is named.', async () => {
  const people = (speaker: (number: number) => Partial<Utterance>) =>
    texts.slice(0, 60).map((text, number) => spoken(`${number}`, text, speaker(number)));
  const speakersOf = async (utterances: readonly Utterance[]) => {
    const finding = await find({ wholePool: true, replicates: 2 }, utterances, hears);
    const sizes = new Set<number>();
    JSON.stringify(finding, (_, value) => {
      if (typeof value?.n?.speakers === 'number' && value.n.utterances > 0) sizes.add(value.n.speakers);
      return value;
    });
    return [...sizes].sort((a, b) => a - b);
  };
  // Every iteration tries some of the texts, the last table all of them.
  const everybody = await speakersOf(people((number) => ({ speaker: `p${number}` })));
  assert.equal(everybody.at(-1), 60);
  assert.ok(!everybody.includes(1) && !everybody.includes(0), `${everybody}`);
  assert.deepEqual(await speakersOf(people(() => ({ speaker: 'ann' }))), [1]);
  assert.deepEqual(await speakersOf(people(() => ({}))), [0]);
  assert.deepEqual(await speakersOf(people(() => ({ attributes: { voice: 'robot:tin' } }))), [1]);
});

test('Without the whole pool nothing is claimed of an oracle.', async () => {
  const [row] = dataOf(await find({ replicates: 2 }, speak(texts), hears)).worth;
  assert.equal(row!.share, null);
  assert.ok(estimateAt(row!, 'speedUp').value! > 1);
});

test('Searches end by failures, calls, time, money, or when all texts have been tried.', async () => {
  const ending = async (stop: object, more: object = {}, seconds = 0, recognizers = pair) => {
    const { searches } = dataOf(await find({ stop, ...more }, speak(texts), hears, { recognizers, seconds }));
    return [searches[0]!.ending, searches[0]!.iterations.map(({ texts: tried }) => tried.length)];
  };
  assert.deepEqual(await ending({ failures: 1 }), ['failed tests reached', [20]]);
  // 50 calls are 25 texts of two recognizers.
  assert.deepEqual(await ending({ calls: 50 }), ['calls', [20, 5]]);
  // Each look at the clock comes 60 seconds later: one at the beginning, one after each iteration.
  assert.deepEqual(await ending({ minutes: 2 }, {}, 60), ['time', [20, 20]]);
  const dear = pair.map(({ name }) => recognizerNamed(name, { pricePerMinute: { amount: 60, currency: 'EUR' } }));
  // An invented sound lasts a second: a text costs 2 EUR.
  assert.deepEqual(await ending({ money: { amount: 50, currency: 'EUR' } }, {}, 0, dear), ['money', [20, 5]]);
  await assert.rejects(ending({ money: { amount: 50, currency: 'USD' } }, {}, 0, dear), /in USD, but .* in EUR/);
  assert.deepEqual(await ending({ iterations: null }, { batch: 150 }), ['all texts tried', [150, 50]]);
});

test('Empty and doubled texts are dropped and counted, also those that the normalizer makes so.', async () => {
  const all = ['a cat', 'A cat!', '...', 'two 2', 'a dog'];
  const finding = await find({}, [...speak(all), spoken('nothing', null)], (trial) => textOf(trial));
  for (const dropped of [/^1 utterance without a text/, /^1 utterance of whose text/, /^1 utterance with a text that/])
    assert.ok(
      finding.warnings.some((warning) => dropped.test(warning)),
      `${dropped}`,
    );
  assert.equal(dataOf(finding).searches[0]!.iterations.flatMap(({ texts: tried }) => tried).length, 3);
  assert.ok(finding.warnings.some((warning) => warning.includes('spoken as written')));
});

test('Each voice and each condition is searched by itself, and sums stand beneath them.', async () => {
  const utterances = [...speak(texts, 'tin'), ...speak(texts, 'brass'), ...speak(texts.slice(0, 50), 'ann', 'people')];
  const conditions = ['clean', { name: 'quiet', steps: [{ perturbation: 'gain', parameters: { gainDb: -20 } }] }];
  const finding = await find({ conditions }, utterances, hears);
  const { searches } = dataOf(finding);
  assert.equal(searches.length, 6);
  assert.notDeepEqual(searches[0]!.iterations[0]!.texts, searches[2]!.iterations[0]!.texts, 'each has its own chance');
  const rows = rowsOf(finding, 'differential-searches').map(({ voice }) => voice);
  assert.deepEqual(rows, [
    'robot:tin',
    'robot:tin in quiet',
    'robot:brass',
    'robot:brass in quiet',
    'people:ann',
    'people:ann in quiet',
    'robot, all voices',
    'people, all voices',
    'all',
  ]);
});

test('Recordings have the voice that their attribute says: tables by voice come from transcripts that are there already.', async () => {
  const recording = (id: string, reference: string, attributes: Record<string, string>): Utterance =>
    spoken(id, reference, { attributes });
  const utterances = texts
    .slice(0, 60)
    .flatMap((text, number) => [
      recording(`tin ${number}`, text, { voice: 'robot:tin' }),
      recording(`brass ${number}`, text, { voice: 'robot:brass', by: 'ann' }),
      ...(number < 30 ? [recording(`other ${number}`, text, {})] : []),
    ]);
  // The second voice is worse: nobody understands the first half of its texts.
  const says: typeof hears = (trial) => {
    const [voice, number] = trial.utterance.id.split(' ');
    return voice === 'brass' && Number(number) < 30 ? 'what' : hears(trial);
  };
  const finding = await find({ wholePool: true }, utterances, says);
  const { tables } = finding.sections.find(({ id }) => id === 'differential-whole')!;
  // Of 60 texts 6 are hard (the deaf one fails, the keen one succeeds), 6 clear (two succeed), 48 blurred (two cannot be told).
  assert.deepEqual(
    tables![0]!.rows.map(({ voice, keen, deaf, failed, success, indeterminable }) => [
      ...[voice, keen, deaf, failed, success, indeterminable],
    ]),
    [
      ['robot:tin', 0, 6, 6, 18, 96],
      ['robot:brass', 0, 3, 3, 9, 108],
      ['recorded', 0, 3, 3, 9, 48],
      ['robot, all voices', 0, 9, 9, 27, 204],
      ['all', 0, 12, 12, 36, 252],
    ],
  );
  const byOther = dataOf(await find({ voiceBy: 'by' }, utterances, says));
  assert.deepEqual(
    byOther.searches.map(({ voice }) => voice),
    ['recorded', 'ann'],
  );
});

test('A recognizer may be called all: its counts are not those of all recognizers.', async () => {
  const recognizers = [recognizerNamed('all'), recognizerNamed('deaf')];
  const { searches } = dataOf(await find({}, speak(texts), hears, { recognizers }));
  const counts = searches[0]!.iterations.map((iteration) =>
    iteration.counts.map(({ recognizer, failed }) => ({ recognizer, failed })),
  );
  // Only the one that is hard of hearing fails.
  for (const [own, deaf, total] of counts) {
    assert.deepEqual(own, { recognizer: 'all', failed: 0 });
    assert.deepEqual(total, { recognizer: null, failed: deaf!.failed });
  }
});

test('What one voice was understood to say is tried with the others, unless each search is to know its own.', async () => {
  // Nothing in these texts tells which of them are understood; from both voices they are the same.
  const alike = texts.map((text) => `said ${text.split(' ')[1]}`);
  const understood = new Set(alike.filter((_, number) => number % 4 === 0));
  const says: typeof hears = (trial) => {
    if (!understood.has(textOf(trial))) return 'what';
    return trial.recognizer === 'deaf' ? 'pardon' : textOf(trial);
  };
  const voices = [...speak(alike, 'tin'), ...speak(alike, 'brass')];
  const failedOf = async (options: object) => {
    const { searches } = dataOf(await find(options, voices, says));
    return searches
      .flatMap(({ iterations }) => iterations.flatMap(({ counts }) => counts))
      .reduce((sum, { recognizer, failed }) => sum + (recognizer === null ? failed : 0), 0);
  };
  const [together, apart] = [await failedOf({}), await failedOf({ acrossVoices: false })];
  // Half of each voice's texts are tried, so that chance finds half of 100.
  assert.ok(apart > 35 && apart < 65, `${apart}`);
  assert.ok(together > apart + 10, `${together} beside ${apart}`);
});

test('The predictor learns three times in an iteration, or as often as it is told to.', async () => {
  const predictions = async (options: object) => {
    const batches: Batch[] = [];
    const { searches } = dataOf(await find(options, speak(texts), hears, { batches }));
    assert.deepEqual(
      searches[0]!.iterations.map(({ texts: tried }) => tried.length),
      [20, 20, 20, 20, 20],
    );
    return batches.filter(({ about }) => about.endsWith(': prediction')).length;
  };
  assert.equal(await predictions({}), 12);
  assert.equal(await predictions({ learnAfter: 20 }), 4);
  assert.equal(await predictions({ learnAfter: 1 }), 80);
});

test('It takes two recognizers, and a predictor that there is.', async () => {
  await assert.rejects(find({}, speak(texts), hears, { recognizers: pair.slice(0, 1) }), /two are needed/);
  await assert.rejects(find({ predictor: 'text-featurs' }, speak(texts), hears), /did you mean "text-features"/);
  assert.throws(() => differential.options.parse({ batch: 10, keep: 5 }), /keep to be at least batch/);
});

test('A silent synthesizer, a recognizer that always fails and texts that nobody can speak are said, not hidden.', async () => {
  const silent = await find({}, speak(texts), () => '');
  assert.ok(silent.warnings.some((warning) => /no recognizer got any of 100 texts right/.test(warning)));
  assert.equal(
    dataOf(silent).cases.every(({ status }) => status === 'indeterminable'),
    true,
  );

  const broken = await find({}, speak(texts), (trial) =>
    trial.recognizer === 'deaf' ? failedWith('crash') : textOf(trial),
  );
  assert.ok(
    broken.warnings.some((warning) => /deaf gave no transcript at all \(100 recognitions failed\)/.test(warning)),
  );
  const [all] = rowsOf(broken, 'differential-iterations');
  assert.deepEqual([all!.failed, all!.success, all!.unanswered], [0, 20, 20]);

  const unspeakable = await find({}, speak(texts), (trial) =>
    textOf(trial).startsWith('hard') ? failedWith('sound') : said(hears(trial) as string),
  );
  assert.ok(unspeakable.sections.some(({ id, tables }) => id === 'differential-failures' && tables!.length === 2));
  assert.ok(
    unspeakable.warnings.some((warning) => /robot:tin: \d+ texts could not be synthesized or recognized/.test(warning)),
  );

  const dead = await find({}, speak(texts), () => failedWith('sound'));
  // One cause, one warning: neither the recognizers nor the rule are at fault.
  assert.deepEqual(
    dead.warnings.filter((warning) => warning.startsWith('robot:tin')),
    ['robot:tin: 100 texts could not be synthesized or recognized, and are not tests; the first: no answer'],
  );

  const nothing = await find({ replicates: 2 }, [], hears);
  assert.ok(nothing.warnings.some((warning) => /no text/.test(warning)));
});

test('The same answers give the same finding, but for the time.', async () => {
  const once = async () => {
    const { timing: _, ...rest } = await find({ replicates: 2 }, speak(texts), hears);
    return rest;
  };
  assert.deepEqual(await once(), await once());
});

test('The share of failed tests of a recognizer shows tests that it failed and another passed.', async () => {
  const { answer } = await find({ replicates: 2 }, speak(texts), hears);
  const deaf = answer.find(({ about }) => about?.recognizer === 'deaf');
  assert.equal(deaf?.about?.by, 'failed tests');
  // Of the 20 texts that were drawn at random.
  assert.ok(deaf!.examples!.length > 0 && deaf!.examples!.length <= 3);
  for (const { transcripts } of deaf!.examples!) {
    const errors = Object.fromEntries(
      transcripts.map(({ label, aligned }) => [
        label,
        aligned!.filter((one) => one.reference !== one.hypothesis).length,
      ]),
    );
    assert.ok(errors.deaf! > 0 && errors.keen === 0, JSON.stringify(errors));
  }
  // The keen one passes whatever is determinable: nothing shows a failure of it.
  assert.ok(answer.some(({ about }) => about?.recognizer === 'keen'));
  assert.equal(answer.find(({ about }) => about?.recognizer === 'keen')?.examples, undefined);
});
