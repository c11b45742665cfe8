import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom } from '../base/random.ts';
import type { Estimate, Finding } from '../model/finding.ts';
import { comparisonAt, estimateAt, rowsOf } from '../model/finding-rows.ts';
import { sampleReport } from '../report/testing/sample-report.ts';
import { renderFirstScreen } from '../report/text/first-screen.ts';
import { normalizerNamed } from '../scoring/normalizers/normalizers.ts';
import { spoken } from '../studies/shared/testing/testing.ts';
import type { HistoryRun, HistoryTrial } from './count-runs.ts';
import { historyFinding } from './history.ts';

const options = { recognizer: 'asr', condition: 'clean', normalizer: () => normalizerNamed('basic'), seed: 1 } as const;
const runsOf = (count: number): HistoryRun[] =>
  Array.from({ length: count }, (_, run) => ({
    ...{ id: `run-${run}`, begunAtMs: Date.UTC(2026, 0, run + 1), changed: [] },
    ...(run === 4 && { changed: [{ what: 'asr: file', before: 'a', after: 'b' }] }),
  }));

const runsIn = (finding: Finding) => rowsOf(finding, 'history-runs');
/** Of those that are compared. */
const ratesOf = (finding: Finding) =>
  runsIn(finding).flatMap((row) => (row.rate === null ? [] : [estimateAt(row, 'rate')]));
/** The runs from one on less those before it, of every run that a change may begin with. */
const beginningsOf = (finding: Finding) =>
  runsIn(finding).flatMap((row) => (row.since === null ? [] : [estimateAt(row, 'since')]));
const trendsOf = (finding: Finding) => {
  const [trend, ...groups] = rowsOf(finding, 'history-trends').map((row) => comparisonAt(row, 'difference'));
  return { trend: trend!, groups };
};

/** Utterances of ten words by 24 speakers; each word is wrong anew in every run, or only where the run's share says so. */
function* answers(
  { id }: HistoryRun,
  share: (run: number, sex: string) => number,
  { utterances = 96, seed = 0, sure = false } = {},
): Generator<HistoryTrial> {
  const run = Number(id.slice(4));
  for (let index = 0; index < utterances; index++) {
    const sex = index % 2 === 0 ? 'f' : 'm';
    const utterance = spoken(`u${index}`, 'a', { speaker: `s${index % 24}`, attributes: { sex } });
    const random = createRandom(sure ? [seed, index] : [seed, index, run]);
    const errors = Array.from({ length: 10 }, () => (random.next() < share(run, sex) ? 1 : 0) as number);
    yield { question: `q${index}`, utterance, words: 10, errors: errors.reduce((sum, one) => sum + one, 0) };
  }
}

test('a slow rise is told with its slope and its beginning; what changed there stands beside it', () => {
  const runs = runsOf(8);
  const finding = historyFinding(runs, (run) => answers(run, (at) => 0.1 + 0.03 * Math.max(0, at - 3)), options);
  const { trend } = trendsOf(finding);
  assert.equal(trend.difference.n.pairs, 96);
  assert.equal(trend.verdict, 'worse');
  const { value, low, high } = trend.difference;
  assert.ok(value! > 0.01 && value! < 0.03 && low! > 0 && low! < value! && value! < high! && high! < 0.04);
  assert.equal(beginningsOf(finding).length, 7);
  assert.match(
    finding.answer[0]!.text,
    /^asr makes more errors from run to run: \+\d+\.\d points of WER on clean audio\.$/,
  );
  assert.match(
    finding.answer[1]!.text,
    /^It grows from the run of 2026-01-05 00:00 on: \+\d+\.\d points of WER since\.$/,
  );
  assert.equal(finding.answer[2]!.text, 'Also changed then: asr: file (a → b).');
});

test('a step is told where it came', () => {
  const finding = historyFinding(runsOf(7), (run) => answers(run, (at) => (at < 2 ? 0.3 : 0.1)), options);
  assert.equal(finding.answer[1]!.verdict, 'better');
  assert.match(
    finding.answer[1]!.text,
    /^The change came with the run of 2026-01-03 00:00: −\d+\.\d points of WER since\.$/,
  );
  assert.match(finding.answer[2]!.text, /^Nothing that is known of the recognizer changed/);
});

test('a drift of one group is told of it, and not of the other', () => {
  const share = (at: number, sex: string) => (sex === 'f' ? 0.1 + 0.04 * at : 0.1);
  const finding = historyFinding(runsOf(6), (run) => answers(run, share), options);
  assert.deepEqual(
    rowsOf(finding, 'history-trends')
      .slice(1)
      .map(({ group, verdict }) => [group, verdict]),
    [
      ['f', 'worse'],
      ['m', 'cannot tell'],
    ],
  );
});

test('the same answers in every run are the same to the last digit, whatever their number', () => {
  for (const count of [2, 3, 4, 7]) {
    const finding = historyFinding(runsOf(count), (run) => answers(run, () => 0.17, { sure: true }), options);
    const { trend, groups } = trendsOf(finding);
    // The one place that a change is likeliest to begin at has a test on the screen.
    const told = runsIn(finding).filter(({ verdict }) => verdict !== undefined);
    assert.equal(told.length, count === 2 ? 0 : 1);
    for (const { difference } of [trend, ...groups]) assert.equal(difference.value, 0);
    for (const { pValue, verdict } of [trend, ...groups, ...told]) {
      assert.equal(pValue, 1);
      assert.equal(verdict, 'cannot tell');
    }
    const beginnings = beginningsOf(finding);
    for (const { value } of beginnings) assert.equal(value, 0);
    assert.equal(beginnings.length, count === 2 ? 0 : count - 1);
    assert.equal(finding.answer.length, 1);
  }
});

test('of chance alone at most one history in twenty says anything', () => {
  let told = 0;
  for (let seed = 1; seed <= 60; seed++) {
    const finding = historyFinding(runsOf(5), (run) => answers(run, () => 0.2, { seed, utterances: 48 }), {
      ...{ ...options, resamples: 200 },
    });
    if (finding.answer.some(({ verdict }) => verdict === 'better' || verdict === 'worse')) told++;
  }
  // More than 7 of 60 has a chance below .01 where it is 1 in 20.
  assert.ok(told <= 7, String(told));
});

test('slopes by hand: each run weighted by its distance from the middle', () => {
  const share = [1, 1, 3, 3].map((errors) => errors / 10);
  const trials = (run: HistoryRun): HistoryTrial[] =>
    Array.from({ length: 12 }, (_, index) => ({
      ...{ question: `q${index}`, utterance: spoken(`u${index}`, 'a', { speaker: `s${index}` }) },
      ...{ words: 10, errors: Math.round(10 * share[Number(run.id.slice(4))]!) },
    }));
  const finding = historyFinding(runsOf(4), trials, options);
  assert.deepEqual(
    ratesOf(finding).map(({ value }) => value),
    share,
  );
  // (3 · .3 + 1 · .3 − 1 · .1 − 3 · .1) / 4 over runs that are 2 · (3 · 1.5 + 1 · .5) / 4 = 2.5 apart.
  assert.ok(Math.abs(trendsOf(finding).trend.difference.value! - 0.2 / 2.5) < 1e-12);
});

test('a verdict on where a change began stands at one run alone: not at those before it that are like their forerunners', () => {
  const finding = historyFinding(
    runsOf(4),
    (run) => answers(run, (at) => (at < 3 ? 0.15 : 0.28), { sure: true }),
    options,
  );
  const { rows } = finding.sections[0]!.tables![0]!;
  assert.deepEqual(
    rows.map(({ verdict }) => verdict),
    [undefined, undefined, undefined, 'worse'],
  );
  assert.ok(rows.slice(1).every(({ since }) => (since as Estimate).value! > 0));
});

test('two runs are compared over what these two answered: what a third did not answer takes nothing from them', () => {
  // Of four clips of each speaker the third is wrong from run 1 on, which has not answered it.
  const trials =
    (isMissing: (run: number, speaker: number, clip: number) => boolean) =>
    (run: HistoryRun): HistoryTrial[] =>
      Array.from({ length: 96 }, (_, index) => {
        const [at, speaker, clip] = [Number(run.id.slice(4)), index % 24, Math.floor(index / 24)];
        const errors = isMissing(at, speaker, clip) ? null : clip === 2 && at > 0 ? 10 : clip;
        const utterance = spoken(`u${index}`, 'a', {
          speaker: `s${speaker}`,
          attributes: { sex: speaker % 2 ? 'm' : 'f' },
        });
        return { question: `q${index}`, utterance, words: 10, errors };
      });
  const runs = runsOf(3);
  const whole = historyFinding(
    runs,
    trials(() => false),
    options,
  );
  const part = historyFinding(
    runs,
    trials((run, _, clip) => run === 1 && clip === 2),
    options,
  );
  for (const place of [0, 2]) assert.deepEqual(ratesOf(part)[place], ratesOf(whole)[place]);
  const [one, other] = [part, whole].map((finding) => finding.sections[0]!.tables![0]!.rows);
  assert.deepEqual(
    one!.map(({ rate, answered }) => [(rate as Estimate).n.utterances, answered]),
    [
      [96, 96],
      [72, 72],
      [96, 96],
    ],
  );
  assert.equal(other![0]!.answered, undefined);
  // By hand: 8 of 40 words more between the first and the last, none between others over the clips that run 1 answered.
  const slope = (2 * 0.2 + 0 + 0) / (2 ** 2 + 1 + 1);
  assert.ok(Math.abs(trendsOf(part).trend.difference.value! - slope) < 1e-12);
  assert.match(
    part.sections[0]!.text![0]!,
    /those of the 96 questions of the newest run that a run answered; what differs between two runs is over the questions that both answered\.$/,
  );
  // Where errors of questions and of runs add up, what is missing changes no difference.
  const added =
    (isMissing: (run: number, clip: number) => boolean) =>
    (run: HistoryRun): HistoryTrial[] =>
      trials(() => false)(run).map((trial, index) => {
        const [at, clip] = [Number(run.id.slice(4)), Math.floor(index / 24)];
        return { ...trial, errors: isMissing(at, clip) ? null : clip + [0, 1, 1, 5][at]! };
      });
  const four = runsOf(4);
  const [all, fewer] = [added(() => false), added((at, clip) => clip === [3, 0, 0, 2][at] && at !== 3)].map(
    (answered) => historyFinding(four, answered, options),
  );
  const differences = (finding: Finding) => {
    const { trend, groups } = trendsOf(finding);
    const tested = [trend, ...groups].map(({ difference }) => difference);
    return [...tested, ...beginningsOf(finding)].map(({ value }) => Number(value!.toFixed(10)));
  };
  assert.deepEqual(differences(fewer!), differences(all!));
  assert.ok(differences(all!)[0]! > 0.1);
});

test('A run that one loop decides says which, and the rate without it; runs without say nothing', () => {
  const runs = runsOf(3);
  const heard = Array.from({ length: 300 }, () => 'so');
  const trials = function* (run: HistoryRun) {
    for (const trial of answers(run, () => 0.1))
      yield run.id === 'run-2' && trial.question === 'q7' ? { ...trial, errors: 300, heard } : trial;
  };
  assert.deepEqual(historyFinding(runs.slice(0, 2), trials, options).warnings, []);
  const [told, ...others] = historyFinding(runs, trials, options).warnings;
  assert.match(
    told!,
    /^run of 2026-01-03 00:00: one of 96 utterances, u7, moves the WER from (?:9|1\d)\.\d % .* to \d\d\.\d %: it has 300 of the \d+ errors \(1 word repeated 300 times\)\.$/,
  );
  assert.deepEqual(others, []);
});

test('Of each run that loops decide the rate without them stands beside it, and no number of speakers is asked for', () => {
  const runs = runsOf(6);
  const heard = Array.from({ length: 300 }, () => 'so');
  const loops = [[], ['q7'], ['q7', 'q31'], ['q55'], ['q7', 'q31', 'q60'], ['q70']];
  const trials = function* (run: HistoryRun) {
    const own = loops[runs.indexOf(run)]!;
    for (const trial of answers(run, () => 0.1))
      yield own.includes(trial.question) ? { ...trial, errors: 300, heard } : trial;
  };
  const finding = historyFinding(runs, trials, options);
  const without = rowsOf(finding, 'history-runs').map((row) => String(row.without).replace(/: \d+\.\d+$/, ''));
  assert.deepEqual(without, ['', 'u7', '2 of 96', 'u55', '3 of 96', 'u70']);
  const screen = renderFirstScreen(
    { ...sampleReport(), findings: [finding] },
    { width: 80, color: false, transcripts: true },
  );
  for (const who of without) assert.ok(screen.includes(who), `${who}\n${screen}`);
  assert.doesNotMatch(screen, /more speakers? would/);
});

test('what a run answered of the newest one is shown; a run of other questions is shown and left out; one run has no history', () => {
  const runs = runsOf(4);
  const trials = function* (run: HistoryRun) {
    for (const trial of answers(run, () => 0.1, { utterances: 48 })) {
      if (run.id === 'run-1') yield { ...trial, question: `another ${trial.question}` };
      else yield run.id === 'run-2' && trial.question === 'q3' ? { ...trial, errors: null } : trial;
    }
  };
  const finding = historyFinding(runs, trials, options);
  assert.deepEqual(
    finding.sections[0]!.tables![0]!.rows.map(({ answered }) => answered),
    [48, null, 47, 48],
  );
  assert.deepEqual(finding.settings.runs, ['run-0', 'run-2', 'run-3']);
  assert.match(
    finding.warnings[0]!,
    /^1 run has less than half of the newest run's questions in common, and is not compared\.$/,
  );
  const [table] = finding.sections[0]!.tables!;
  assert.deepEqual(
    table!.rows.map(({ rate }) => rate === null),
    [false, true, false, false],
  );
  assert.equal(finding.title, 'asr over 3 of 4 runs');
  const two = historyFinding(runs.slice(2), trials, options);
  assert.match(
    two.answer[0]!.text,
    /^asr makes (?:more|fewer) errors than in the earlier run|^asr: (?:cannot be told from|same errors as) the earlier run on clean audio\.$/,
  );
  const one = historyFinding(runs.slice(0, 1), trials, options);
  assert.match(one.answer[0]!.text, /^No history yet: one run has answers on clean audio\./);
  assert.match(historyFinding([], trials, options).answer[0]!.text, /no run has answers to compare/);
});
