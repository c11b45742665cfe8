import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { EarwitnessError } from '../../base/errors.ts';
import { createRandom } from '../../base/random.ts';
import type { Estimate, Finding } from '../../model/finding.ts';
import { comparisonAt, estimateAt, numberAt, textAt } from '../../model/finding-rows.ts';
import type { Observation } from '../../model/observation.ts';
import { reasonText } from '../../model/reason.ts';
import type { Trial } from '../../model/trial.ts';
import type { Utterance } from '../../model/utterance.ts';
import type { Batch, StudyRecognizer } from '../contract.ts';
import {
  failedWith,
  type Invention,
  inventedContext,
  inventedRun,
  near,
  recognizerNamed,
  rowOf,
  rowsOf,
  spoken,
} from '../shared/testing/testing.ts';
import { robustness } from './robustness.ts';

const minimum = robustness.options.parse({}).minimumSpeakers;
const a = recognizerNamed('a');
const b = recognizerNamed('b');
const hiss = { name: 'hiss', steps: [{ perturbation: 'white-noise', parameters: { snrDb: 5 } }] };
const soft = { name: 'soft', steps: [{ perturbation: 'gain', parameters: { factor: 0.5 } }] };

const comparisonsOf = (finding: Finding) => rowsOf(finding, 'robustness-comparisons');
/** What stands of a recognizer in a condition. */
function inCondition(finding: Finding, recognizer: string, condition: string) {
  const row = rowOf(finding, 'robustness-conditions', { recognizer, condition });
  const degradation = row.degradation === null ? null : estimateAt(row, 'degradation');
  return { row, wordErrorRate: estimateAt(row, 'wordErrorRate'), degradation };
}
const failuresOf = (finding: Finding, recognizer: string, condition: string) =>
  rowsOf(finding, 'robustness-failures').filter((row) => row.recognizer === recognizer && row.condition === condition);

/** Utterances `u0`… of ten words, spread over speakers. */
function readBy(speakers: number, utterances: number): Utterance[] {
  return Array.from({ length: utterances }, (_, index) =>
    spoken(`u${index}`, `one two three four five six seven eight nine w${index}`, { speaker: `s${index % speakers}` }),
  );
}

/** A transcript in which each word is replaced with some probability, the same for the same trial. */
function garbled({ utterance, condition, draw, recognizer, repeat }: Trial, probability: number): string {
  const random = createRandom([utterance.id, condition.name, draw, recognizer, repeat]);
  const words = utterance.reference!.split(' ');
  return words.map((word) => (random.next() < probability ? 'x' : word)).join(' ');
}

test('Counts and rates are those computed by hand.', async () => {
  const utterances = [
    spoken('1', 'The cat sat.', { speaker: 's' }),
    spoken('2', 'a b c d', { speaker: 't' }),
    spoken('3', null),
  ];
  const answers: Record<string, string> = {
    '1 clean': 'the cat SAT', // right
    '2 clean': 'a b d', // one left out
    '1 hiss': 'the hat sat down', // one replaced, one added
    '2 hiss': '', // four left out
  };
  const finding = await inventedRun(robustness, { conditions: [hiss] }, inventedContext(utterances, [a]), (trial) => {
    return answers[`${trial.utterance.id} ${trial.condition.name}`]!;
  });
  const clean = inCondition(finding, 'a', 'clean');
  assert.deepEqual([clean.row.substitutions, clean.row.deletions, clean.row.insertions], [0, 1, 0]);
  assert.equal(clean.wordErrorRate.value, 1 / 7);
  assert.equal(clean.degradation, null);
  // `a b c d` and `a b d`: two characters of 7 left out; `the cat sat` has 11.
  assert.equal(estimateAt(clean.row, 'characterErrorRate').value, 2 / 18);
  const noisy = inCondition(finding, 'a', 'hiss');
  assert.deepEqual([noisy.row.substitutions, noisy.row.deletions, noisy.row.insertions], [1, 4, 1]);
  assert.equal(noisy.wordErrorRate.value, 6 / 7);
  assert.equal(noisy.degradation!.value, 6 / 7 - 1 / 7);
  assert.deepEqual(noisy.wordErrorRate.n, { utterances: 2, speakers: 2, words: 7 });
  // c>h: 1, ` down`: 5, and 7 left out.
  assert.equal(estimateAt(noisy.row, 'characterErrorRate').value, 13 / 18);
  assert.match(finding.warnings.join(' '), /1 utterance without a reference was not asked about/);
  assert.equal(noisy.wordErrorRate.low, null);
  assert.match(reasonText(noisy.wordErrorRate.reason!), new RegExp(`needs ${minimum} `));
  assert.match(finding.warnings.join(' '), new RegExp(`needs ${minimum} speakers.*, and the study has 2:`));
});

test('The questions go by utterance, condition, draw and repeat, recognizers innermost, and are as many as announced.', async () => {
  const batches: Batch[] = [];
  const names = recognizerNamed('names', { input: 'names' });
  const context = inventedContext([...readBy(2, 2), spoken('silent', null)], [a, names], {
    isRandom: async (perturbation) => perturbation === 'white-noise',
  });
  const options = { conditions: [hiss, soft], draws: 3, repeats: 2 };
  await inventedRun(robustness, options, context, garbledAt(0.1), batches);
  const asked: string[] = [];
  for await (const question of batches[0]!.questions()) {
    assert.equal(question.ask, 'recognition');
    if (question.ask !== 'recognition') continue;
    const { utterance, condition, draw, repeat, recognizer } = question.trial;
    asked.push([utterance.id, condition.name, draw, repeat, recognizer].join(' '));
  }
  assert.equal(batches.length, 1);
  assert.equal(
    batches[0]!.about,
    'clean and 2 conditions. 2 speakers are too few to compare recognizers: an interval needs 10.',
  );
  // Clean and `soft` know no chance, and who knows only names hears no draws: 2 x (2 + 3 x 2 + 2) + 2 x 3 x 2.
  assert.equal(batches[0]!.size, 2 * (2 * 2 + 2 * (3 + 1) + 2 * 2));
  assert.equal(asked.length, batches[0]!.size);
  assert.equal(new Set(asked).size, asked.length);
  assert.deepEqual(asked.slice(0, 6), [
    'u0 clean 0 0 a',
    'u0 clean 0 0 names',
    'u0 clean 0 1 a',
    'u0 clean 0 1 names',
    'u0 hiss 0 0 a',
    'u0 hiss 0 0 names',
  ]);
  assert.ok(
    asked.includes('u1 hiss 2 1 a') && !asked.includes('u1 hiss 2 1 names') && !asked.includes('u1 soft 1 0 a'),
  );
});

function garbledAt(probability: number): Invention {
  return (trial) => garbled(trial, probability);
}

test('Pairs with a failed side are left out of both sides, whatever draws, repeats and recognizers there are.', async () => {
  const names = recognizerNamed('names', { input: 'names' });
  const context = inventedContext(readBy(9, 40), [a, b, names]);
  const told = new Map<string, { trial: Trial; errors: number | null }>();
  const key = (trial: Omit<Trial, 'utterance' | 'condition'> & { utterance: string; condition: string }) =>
    [trial.utterance, trial.condition, trial.draw, trial.recognizer, trial.repeat].join(' ');
  const invent = (trial: Trial): string | Observation => {
    const chance = createRandom([
      'fails',
      trial.utterance.id,
      trial.condition.name,
      trial.draw,
      trial.recognizer,
    ]).next();
    const answer = garbled(trial, trial.recognizer === 'a' ? 0.2 : 0.3);
    const errors = chance < 0.2 ? null : answer.split(' ').filter((word) => word === 'x').length;
    told.set(key({ ...trial, utterance: trial.utterance.id, condition: trial.condition.name }), { trial, errors });
    return chance < 0.2 ? failedWith(chance < 0.1 ? 'timeout' : 'crash') : answer;
  };
  const options = { conditions: [hiss], draws: 2, repeats: 2, resamples: 100 };
  const finding = await inventedRun(robustness, options, context, invent);

  const rates = (of: (trial: Trial) => string, condition: string, recognizer: string) => {
    let own = 0;
    let other = 0;
    let words = 0;
    for (const { trial, errors } of told.values()) {
      if (trial.condition.name !== condition || trial.recognizer !== recognizer || errors === null) continue;
      const partner = told.get(of(trial))?.errors ?? null;
      if (partner === null) continue;
      own += errors;
      other += partner;
      words += 10;
    }
    return { difference: own / words - other / words, pairs: words / 10 };
  };
  for (const row of comparisonsOf(finding)) {
    const [recognizer, condition] = [textAt(row, 'recognizer'), textAt(row, 'condition')];
    const comparedWith = textAt(row, 'comparedWith');
    const expected = rates(
      (trial) => key({ ...trial, utterance: trial.utterance.id, condition, recognizer: comparedWith }),
      condition,
      recognizer,
    );
    const { difference } = comparisonAt(row, 'difference');
    near(difference, expected.difference);
    assert.equal(difference.n.pairs, expected.pairs);
  }
  assert.equal(comparisonsOf(finding).length, 6);
  for (const name of ['a', 'b', 'names']) {
    const { degradation } = inCondition(finding, name, 'hiss');
    const expected = rates(
      (trial) => key({ ...trial, utterance: trial.utterance.id, condition: 'clean', draw: 0 }),
      'hiss',
      name,
    );
    assert.ok(Math.abs(degradation!.value! - expected.difference) < 1e-12);
    assert.equal(degradation!.n.pairs, expected.pairs);
  }
  const failures = failuresOf(finding, 'a', 'hiss');
  const failed = failures.reduce((sum, row) => sum + numberAt(row, 'count'), 0);
  assert.equal(numberAt(inCondition(finding, 'a', 'hiss').row, 'failed'), failed / 160);
  assert.deepEqual(
    failures.map(({ kind }) => kind),
    ['crash', 'timeout'],
  );
  assert.match(finding.warnings.join(' '), /a did not answer \d+ of 240 trials \(\d+\.\d %\), most in (clean|hiss)/);
});

test('A clearly worse recognizer is called worse, and the answer opens with the better one.', async () => {
  const utterances = readBy(20, 100);
  const finding = await inventedRun(robustness, { conditions: [hiss] }, inventedContext(utterances, [a, b]), (trial) =>
    garbled(trial, (trial.recognizer === 'a' ? 0.05 : 0.25) + (trial.condition.name === 'hiss' ? 0.2 : 0)),
  );
  const [clean, worst] = finding.answer;
  const percents = ({ value, low, high }: Estimate) =>
    [value, low, high].map((one) => (100 * Math.abs(one!)).toFixed(1));
  const [rate, from, to] = percents(clean!.estimate!);
  const [less, most, least] = percents(clean!.comparison!.difference);
  assert.equal(
    clean!.text,
    `a: ${rate} % WER on clean audio (95 % CI ${from}-${to}). a: ${less} points less than b (95 % CI ${least}-${most}).`,
  );
  assert.equal(clean!.verdict, 'better');
  assert.equal(clean!.estimate!.value, inCondition(finding, 'a', 'clean').wordErrorRate.value);
  assert.ok(clean!.comparison!.difference.high! < 0);
  assert.ok(clean!.comparison!.adjustedPValue! <= 0.05);
  assert.match(worst!.text, /^a: [\d.]+ % WER in hiss \(95 % CI .*\)\. a: [\d.]+ points less than b/);
  const [compared] = comparisonsOf(finding);
  assert.deepEqual([compared!.recognizer, compared!.comparedWith, compared!.verdict], ['b', 'a', 'worse']);
  const { low, value, high } = inCondition(finding, 'b', 'clean').wordErrorRate;
  assert.ok(low! < value! && value! < high! && low! > 0.15 && high! < 0.35);
});

test('Equal recognizers cannot be told apart.', async () => {
  const finding = await inventedRun(
    robustness,
    { conditions: [hiss] },
    inventedContext(readBy(12, 60), [a, b]),
    (trial) => garbled({ ...trial, recognizer: 'either' }, 0.2),
  );
  for (const row of comparisonsOf(finding)) {
    const comparison = comparisonAt(row, 'difference');
    assert.equal(comparison.verdict, 'cannot tell');
    assert.equal(comparison.difference.value, 0);
    assert.equal(comparison.pValue, 1);
  }
  assert.match(
    finding.answer[0]!.text,
    /\. a: 0\.0 points more or less than b\. No verdict: both have the same errors for every speaker\.$/,
  );
  assert.equal(finding.answer[0]!.verdict, 'cannot tell');
});

test('With one speaker there are rates and no intervals, and nothing is claimed.', async () => {
  const finding = await inventedRun(robustness, { conditions: [] }, inventedContext(readBy(1, 30), [a, b]), (trial) =>
    garbled(trial, trial.recognizer === 'a' ? 0 : 0.9),
  );
  const row = inCondition(finding, 'b', 'clean');
  assert.ok(row.wordErrorRate.value! > 0.5);
  assert.equal(row.wordErrorRate.low, null);
  const comparison = comparisonAt(comparisonsOf(finding)[0]!, 'difference');
  assert.equal(comparison.verdict, 'cannot tell');
  assert.match(reasonText(comparison.reason!), new RegExp(`needs ${minimum} `));
  assert.equal(finding.answer[0]!.verdict, 'cannot tell');
});

test('Utterances of unknown speakers count one by one, and the report says so.', async () => {
  const utterances = readBy(1, 40).map(({ speaker: _, ...utterance }) => utterance);
  const finding = await inventedRun(robustness, { conditions: [] }, inventedContext(utterances, [a]), garbledAt(0.3));
  const { wordErrorRate } = inCondition(finding, 'a', 'clean');
  assert.ok(wordErrorRate.low! < wordErrorRate.value!);
  assert.equal(wordErrorRate.n.speakers, 0);
  assert.match(finding.warnings.join(' '), /The speakers are unknown/);
});

test('Where every trial fails there is no rate, and the failures are told.', async () => {
  const finding = await inventedRun(robustness, { conditions: [hiss] }, inventedContext(readBy(10, 10), [a, b]), () =>
    failedWith('unavailable'),
  );
  const row = inCondition(finding, 'a', 'hiss');
  assert.equal(row.wordErrorRate.value, null);
  assert.ok(row.wordErrorRate.reason);
  assert.equal(row.degradation!.value, null);
  assert.deepEqual(
    failuresOf(finding, 'a', 'hiss').map(({ kind, count }) => [kind, count]),
    [['unavailable', 10]],
  );
  assert.match(finding.answer[0]!.text, /^No result on clean audio: nothing was answered\.$/);
  assert.match(finding.warnings.join(' '), /a did not answer any of its 20 trials: it has no results\./);
  assert.equal(finding.timing!.answer.length, 0);
});

test('A recognizer that fails everywhere leaves the other one’s rate standing.', async () => {
  const finding = await inventedRun(robustness, { conditions: [] }, inventedContext(readBy(10, 10), [a, b]), (trial) =>
    trial.recognizer === 'b' ? failedWith('crash') : garbled(trial, 0.2),
  );
  assert.match(
    finding.answer[0]!.text,
    /^a: [\d.]+ % WER on clean audio \(95 % CI [\d.]+-[\d.]+\); b has no rate, as none of its answers can be counted\.$/,
  );
  assert.equal(finding.answer[0]!.verdict, undefined);
  assert.equal(comparisonAt(comparisonsOf(finding)[0]!, 'difference').difference.value, null);
});

test('References without words make no rate, and what is heard in them counts as added.', async () => {
  const silent = Array.from({ length: 10 }, (_, index) =>
    spoken(`u${index}`, index < 5 ? '' : '...', { speaker: `s${index}` }),
  );
  const finding = await inventedRun(robustness, { conditions: [] }, inventedContext(silent, [a]), () => 'two words');
  const { row, wordErrorRate } = inCondition(finding, 'a', 'clean');
  assert.equal(row.insertions, 20);
  assert.equal(wordErrorRate.value, null);
  assert.match(reasonText(wordErrorRate.reason!), /undefined/);
  assert.match(finding.warnings.join(' '), /10 utterances have no words in the reference/);
  const mixed = await inventedRun(
    robustness,
    { conditions: [] },
    inventedContext([...silent, ...readBy(10, 10)], [a]),
    ({ utterance }) =>
      utterance.id.length > 0 && utterance.reference!.length < 4 ? 'two words' : utterance.reference!,
  );
  assert.equal(inCondition(mixed, 'a', 'clean').wordErrorRate.value, 20 / 100);
});

test('Nothing to score is said and is no crash.', async () => {
  for (const utterances of [[], [spoken('u', null)]]) {
    const finding = await inventedRun(robustness, {}, inventedContext(utterances, [a, b]), () => '');
    assert.match(finding.warnings.join(' '), /No utterance has a reference/);
    assert.equal(finding.answer.length, 1);
  }
});

test('Groups are looked at on clean and in the worst condition, and one with too few speakers is not called the worst.', async () => {
  const utterances = Array.from({ length: 120 }, (_, index) => {
    const speaker = index % 30;
    const accent = speaker < 3 ? 'rare' : speaker < 15 ? 'north' : 'south';
    return spoken(`u${index}`, 'one two three four five six seven eight nine ten', {
      speaker: `s${speaker}`,
      attributes: { accent, room: 'same', clip: `c${index}` },
    });
  });
  const finding = await inventedRun(
    robustness,
    { conditions: [hiss] },
    inventedContext(utterances, [a, b]),
    (trial) => {
      const accent = trial.utterance.attributes.accent;
      return garbled(
        trial,
        (accent === 'rare' ? 0.6 : accent === 'north' ? 0.4 : 0.1) + (trial.recognizer === 'b' ? 0.4 : 0),
      );
    },
  );
  // Only the attribute with 2 to 8 values; three groups, two conditions, two recognizers.
  const [clean, worst] = ['clean', 'worst-condition'].map((of) => rowsOf(finding, `robustness-groups-${of}`));
  assert.deepEqual([clean!.length, worst!.length], [6, 6]);
  const rare = estimateAt(rowOf(finding, 'robustness-groups-clean', { group: 'rare' }), 'wordErrorRate');
  assert.equal(rare.low, null);
  assert.equal(rare.n.speakers, 3);
  const statement = finding.answer.find(({ text }) => text.includes('for accent north, the worst group, in hiss'))!;
  assert.equal(statement.verdict, 'better');
  const inGroup = comparisonsOf(finding).filter(({ attribute }) => attribute !== null);
  assert.deepEqual(
    inGroup.map(({ attribute, group }) => [attribute, group]),
    [['accent', 'north']],
  );
  assert.equal(comparisonAt(inGroup[0]!, 'difference').difference.n.speakers, 12);
  assert.match(finding.warnings.join(' '), /too many values: clip/);

  const words = clean!.filter(({ recognizer }) => recognizer === 'a').map((row) => numberAt(row, 'words'));
  assert.equal(
    words.reduce((sum, one) => sum + one),
    1200,
  );

  const asked = await inventedRun(
    robustness,
    { conditions: [], groupBy: ['room', 'nothing'] },
    inventedContext(utterances, [a]),
    garbledAt(0.1),
  );
  assert.equal(
    asked.sections.find(({ id }) => id === 'robustness-groups'),
    undefined,
  );
});

test('Charts show each family of severities with clean audio first.', async () => {
  const context = inventedContext(readBy(8, 8), [a, b]);
  const finding = await inventedRun(
    robustness,
    { conditions: ['aequevox/noise:4', 'aequevox/noise:2', soft] },
    context,
    garbledAt(0.2),
  );
  const [chart, ...others] = finding.sections.find(({ id }) => id === 'robustness-curves')!.charts!;
  assert.equal(others.length, 0);
  assert.deepEqual(chart!.xTicks, ['clean', '8 dB', '4 dB']);
  assert.deepEqual(
    chart!.series.map(({ name, points }) => [name, points.map(({ x }) => x)]),
    [
      ['a', [0, 1, 2]],
      ['b', [0, 1, 2]],
    ],
  );
  assert.equal(
    chart!.series[1]!.points[1]!.estimate.value,
    inCondition(finding, 'b', 'aequevox/noise:2').wordErrorRate.value,
  );
});

test('Ladders of the study’s own and of the config are known, and unknown names are not.', async () => {
  const ladder = (name: string) => ({
    name,
    about: '',
    source: 'a test',
    families: [{ name: 'soft', about: 'softer', axis: 'factor', rungs: [{ label: '0.5', steps: soft.steps }] }],
  });
  const context = inventedContext(readBy(1, 1), [a], { ladders: [ladder('house')] });
  const options = { conditions: ['mine', 'house/soft:1', 'clean'], ladders: [ladder('mine')] };
  const finding = await inventedRun(robustness, options, context, garbledAt(0));
  assert.deepEqual(finding.settings.conditions, ['clean', 'mine/soft:1', 'house/soft:1']);
  await assert.rejects(
    inventedRun(robustness, { conditions: ['aequevox/noize'] }, context, garbledAt(0)),
    (thrown) => thrown instanceof EarwitnessError && thrown.code === 'bad-config' && /noise/.test(thrown.message),
  );
  await assert.rejects(
    inventedRun(robustness, { conditions: [hiss, { ...soft, name: 'hiss' }] }, context, garbledAt(0)),
    /"hiss" is used for two/,
  );
  await assert.rejects(
    inventedRun(robustness, { conditions: [{ ...soft, name: 'clean' }] }, context, garbledAt(0)),
    /"clean" is used for two \(it means unchanged audio\)/,
  );
});

test('The worst utterances are those that were understood clean, by the share of words that was lost.', async () => {
  const utterances = [
    spoken('half', 'one two three four', { speaker: 's' }),
    spoken('all', 'one two three', { speaker: 's' }),
    spoken('never', 'one two', { speaker: 't' }),
    spoken('fine', 'one', { speaker: 't' }),
  ];
  const answers: Record<string, string> = { half: 'one two', all: 'x x x', never: 'y y', fine: 'one' };
  const invent = ({ utterance: { id, reference }, condition, recognizer }: Trial) => {
    if (recognizer === 'b') return id === 'half' ? failedWith('timeout', 'x'.repeat(1e6)) : reference!;
    return condition.name === 'clean' && id !== 'never' ? reference! : answers[id]!;
  };
  const finding = await inventedRun(robustness, { conditions: [hiss] }, inventedContext(utterances, [a, b]), invent);
  const examples = (id: string) => finding.sections.find((section) => section.id === id)!.examples!;
  const broken = examples('robustness-newly-broken');
  assert.deepEqual(
    broken.map(({ utteranceId, conditionName }) => [utteranceId, conditionName]),
    [
      ['all', 'hiss'],
      ['half', 'hiss'],
    ],
  );
  assert.deepEqual(
    broken[1]!.transcripts.map(({ label }) => label),
    ['a, clean', 'a', 'b'],
  );
  assert.deepEqual(broken[1]!.transcripts[1]!.aligned!.at(-1), { reference: 'four', hypothesis: null });
  assert.equal(broken[1]!.transcripts[2]!.aligned, null);
  assert.ok(broken[1]!.transcripts[2]!.failure!.message!.length < 400);
  assert.deepEqual(
    examples('robustness-most-errors').map(({ utteranceId, conditionName }) => [utteranceId, conditionName]),
    [['never', 'clean']],
  );
});

test('Speed and price stand in timing alone, and the rest is the same from run to run.', async () => {
  const priced: StudyRecognizer = recognizerNamed('b', { pricePerMinute: { amount: 0.5, currency: 'EUR' } });
  const run = (seconds: number) =>
    inventedRun(robustness, { conditions: [hiss], draws: 2 }, inventedContext(readBy(10, 30), [a, priced]), (trial) => {
      const timing = { seconds: seconds * (trial.utterance.id === 'u0' ? 9 : 1), calls: 1 };
      const transcript = { text: garbled(trial, 0.2) };
      const price = { amount: 0.01, currency: 'USD' };
      return { transcript: trial.recognizer === 'a' ? { ...transcript, price } : transcript, soundSeconds: 2, timing };
    });
  const [first, second, again] = [await run(0.5), await run(0.7), await run(0.5)];
  const { timing, ...rest } = first;
  const { timing: otherTiming, ...otherRest } = second;
  assert.deepEqual(first, again);
  assert.deepEqual(rest, otherRest);
  assert.notDeepEqual(timing, otherTiming);
  assert.equal(JSON.stringify(rest), JSON.stringify(otherRest));
  const [row, declared] = timing!.sections[0]!.tables![0]!.rows;
  // One utterance in thirty takes nine times as long.
  assert.ok(Math.abs((row!.elapsedSecondsPerSecond as Estimate).value! - (0.25 * 38) / 30) < 1e-12);
  assert.ok(Math.abs((row!.elapsedMedian as Estimate).value! / 0.25 - 1) < 0.006);
  assert.deepEqual((row!.elapsedSecondsPerSecond as Estimate).n, { utterances: 30, speakers: 10 });
  assert.ok(Math.abs((row!.pricePerHour as Estimate).value! - 18) < 1e-9);
  assert.deepEqual([row!.currency, declared!.currency, (declared!.pricePerHour as Estimate).value], ['USD', 'EUR', 30]);
});

test('No number is undefined, infinite or NaN, and every missing one has its reason.', async () => {
  const utterances = [
    ...readBy(9, 9),
    spoken('empty', '', { attributes: { sex: 'f' } }),
    spoken('e', 'a', { attributes: { sex: 'm' } }),
  ];
  const finding = await inventedRun(robustness, { conditions: [hiss] }, inventedContext(utterances, [a, b]), (trial) =>
    trial.recognizer === 'b' && trial.condition.name === 'hiss' ? failedWith('error') : garbled(trial, 0.5),
  );
  assert.deepEqual(JSON.parse(JSON.stringify(finding)), finding);
  const visit = (value: unknown) => {
    if (typeof value !== 'object' || value === null) return;
    if ('low' in value && 'n' in value) {
      const estimate = value as Estimate;
      assert.ok((estimate.value !== null && estimate.low !== null) || estimate.reason);
    }
    Object.values(value).forEach(visit);
  };
  visit(finding);
});

test('A hundred thousand answers are scored in seconds and in flat memory.', async () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage: () => void = runInNewContext('gc');
  const run = async (utterances: number) => {
    const list = () =>
      Iterator.from({
        next: (
          (index) => () =>
            index++ < utterances
              ? {
                  value: spoken(`u${index}`, `one two three four five six seven eight nine w${index % 97}`, {
                    speaker: `s${index % 5000}`,
                    attributes: { sex: index % 2 ? 'f' : 'm' },
                  }),
                  done: false,
                }
              : { value: undefined, done: true }
        )(0) as () => IteratorResult<Utterance>,
      });
    let peak = 0;
    let asked = 0;
    const before = process.cpuUsage();
    // A resample costs what the speakers are, not the answers.
    const options = { conditions: ['aequevox/noise'], resamples: 200 };
    await inventedRun(robustness, options, inventedContext(list, [a, b]), (trial) => {
      if (++asked % 25_000 === 0) {
        // What a collection leaves to be swept beside it is swept by the next one.
        collectGarbage();
        collectGarbage();
        peak = Math.max(peak, process.memoryUsage().heapUsed + process.memoryUsage().arrayBuffers);
      }
      return asked % 3 === 0 ? 'one two too for five six seven eight nine' : trial.utterance.reference!;
    });
    const { user, system } = process.cpuUsage(before);
    return { peak, asked, seconds: (user + system) / 1e6 };
  };
  const small = await run(2500);
  const large = await run(8334);
  assert.ok(large.asked > 100_000);
  // Measured at a second; with room for slow and busy machines.
  assert.ok(large.seconds < 10, `${large.seconds} s`);
  assert.ok(large.peak - small.peak < 8 * 2 ** 20, `${(large.peak - small.peak) / 2 ** 20} MiB more`);
});

test('which words are taken for which on clean audio is counted by recognizer, the most frequent first', async () => {
  const utterances = Array.from({ length: 8 }, (_, index) =>
    spoken(`u${index}`, 'all day long we walk and talk', { speaker: `s${index % 4}` }),
  );
  const finding = await inventedRun(
    robustness,
    { conditions: [hiss], resamples: 200, normalizer: 'basic' },
    inventedContext(utterances, [a, b]),
    ({ utterance, recognizer, condition }) => {
      const said = utterance.reference!;
      if (condition.name === 'hiss') return said.replace('walk', 'noise');
      if (recognizer === 'b') return said;
      const place = Number(utterance.id.slice(1));
      return said
        .replace('walk', 'work')
        .replace('day', place < 3 ? 'they' : 'day')
        .replace(' talk', '');
    },
  );
  assert.deepEqual(rowsOf(finding, 'robustness-misheard'), [
    { recognizer: 'a', said: 'walk', heard: 'work', count: 8 },
    { recognizer: 'a', said: 'day', heard: 'they', count: 3 },
  ]);
});

test('The widest gap between groups on clean audio is told from one joint test of all pairs; attributes share the error.', async () => {
  const people = Array.from({ length: 72 }, (_, index) => {
    const attributes = { accent: `a${index % 3}`, sex: index % 2 === 0 ? 'F' : 'M' };
    return spoken(`u${index}`, 'one two three four five six seven eight nine ten', {
      speaker: `s${index % 36}`,
      attributes,
    });
  });
  const invent: Invention = (trial) => garbled(trial, trial.utterance.attributes.accent === 'a1' ? 0.5 : 0.1);
  const finding = await inventedRun(
    robustness,
    { conditions: [], resamples: 200 },
    inventedContext(people, [a]),
    invent,
  );
  const { text, comparison } = finding.answer.at(-1)!;
  assert.match(text, /^a, WER by accent on clean audio: a1 is \d\d\.\d points above a\d \(95 % CI .*\)\.$/);
  assert.equal(comparison!.verdict, 'worse');
  assert.match(comparison!.test, /step-down maximum over 3 comparisons, over 2 attributes$/);
  assert.deepEqual([comparison!.difference.n.utterances, comparison!.difference.n.speakers], [48, 24]);
  // Of 10,000 arrangements none is as far out, twice that for two attributes.
  assert.ok(Math.abs(comparison!.adjustedPValue! - 2 / 10_001) < 1e-9, `${comparison!.adjustedPValue}`);
});
