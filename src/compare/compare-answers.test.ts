import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assumedLanguage } from '../base/guess-language.ts';
import { createRandom } from '../base/random.ts';
import type { Finding } from '../model/finding.ts';
import { comparisonAt, estimateAt, rowsOf } from '../model/finding-rows.ts';
import type { Observation } from '../model/observation.ts';
import { whatSettles } from '../model/reason.ts';
import type { Utterance } from '../model/utterance.ts';
import { sampleReport } from '../report/testing/sample-report.ts';
import { renderFirstScreen } from '../report/text/first-screen.ts';
import { normalizerNamed } from '../scoring/normalizers/normalizers.ts';
import { failedWith, said, spoken } from '../studies/shared/testing/testing.ts';
import { type CompareOptions, compareAnswers } from './compare-answers.ts';
import { countFamily } from './run-family.ts';
import type { AnswerPair } from './tally-pairs.ts';

const options: CompareOptions = {
  beforeLabel: 'monday',
  afterLabel: 'tuesday',
  normalizer: normalizerNamed('basic'),
  minimumSpeakers: 8,
  seed: 1,
  unpaired: { onlyBefore: 0, onlyAfter: 0 },
};

const changesIn = (finding: Finding, table: string) =>
  rowsOf(finding, table).map((row) => ({
    condition: row.condition,
    group: row.group,
    before: estimateAt(row, 'before'),
    after: estimateAt(row, 'after'),
    comparison: comparisonAt(row, 'difference'),
    /** In points. */
    within: row.within,
  }));
const conditionsOf = (finding: Finding) => {
  const [overall, ...conditions] = changesIn(finding, 'comparison-conditions');
  return { overall: overall!, conditions };
};
/** Of all conditions together. */
const changesOf = (finding: Finding) => rowsOf(finding, 'comparison-changes')[0]!;
const againOf = (finding: Finding) => {
  const [, , within, between] = rowsOf(finding, 'comparison-again');
  return {
    ...{ within: estimateAt(within!, 'other'), between: estimateAt(between!, 'other') },
    ...{ clips: between!.clips, comparison: comparisonAt(between!, 'difference') },
  };
};
const examplesOf = (finding: Finding, id: string) =>
  finding.sections.find((section) => section.id === id)?.examples ?? [];

async function* stream(pairs: Iterable<AnswerPair>): AsyncGenerator<AnswerPair> {
  yield* pairs;
}

function pair(utterance: Utterance, conditionName: string, before: string | Observation, after: string | Observation) {
  const observation = (answer: string | Observation) => (typeof answer === 'string' ? said(answer) : answer);
  return { utterance, conditionName, draw: 0, repeat: 0, before: observation(before), after: observation(after) };
}

/** Pairs over speakers, in two conditions if nothing else is said; words are replaced with the probabilities given. */
function* garbledPairs(
  speakers: number,
  utterances: number,
  probabilities: (condition: string, utterance: Utterance) => readonly [number, number],
  conditions: readonly string[] = ['clean', 'hiss'],
): Generator<AnswerPair> {
  for (let index = 0; index < utterances; index++) {
    const speaker = index % speakers;
    const utterance = spoken(`u${index}`, 'one two three four five six seven eight nine ten', {
      speaker: `s${speaker}`,
      attributes: { sex: speaker % 2 === 0 ? 'f' : 'm' },
    });
    for (const condition of conditions) {
      const [before, after] = probabilities(condition, utterance).map((probability, side) => {
        const random = createRandom([index, condition, side]);
        const words = utterance.reference!.split(' ');
        return words.map((word) => (random.next() < probability ? 'x' : word)).join(' ');
      });
      yield pair(utterance, condition, before!, after!);
    }
  }
}

test('Counts, rates and lists are those made by hand.', async () => {
  const one = spoken('1', 'A b c d', { speaker: 's' });
  const two = spoken('2', 'e f', { speaker: 't' });
  const pairs = [
    pair(one, 'clean', 'a b c d', 'a B c'), // broken: 0 -> 1
    pair(one, 'hiss', 'a x y d', 'a b c d'), // fixed: 2 -> 0
    pair(two, 'clean', 'e', 'x y z'), // worse: 1 -> 3
    pair(two, 'hiss', failedWith('timeout'), 'e f'), // no longer fails
    pair(spoken('3', null), 'clean', 'a', 'b'), // without a reference
  ];
  const finding = await compareAnswers(stream(pairs), { ...options, unpaired: { onlyBefore: 3, onlyAfter: 1 } });
  const { overall, conditions } = conditionsOf(finding);
  assert.equal(overall.before.value, 3 / 10);
  assert.equal(overall.after.value, 4 / 10);
  assert.equal(overall.comparison.difference.value, 4 / 10 - 3 / 10);
  assert.deepEqual(overall.comparison.difference.n, { utterances: 2, speakers: 2, words: 10, pairs: 3 });
  assert.deepEqual(
    conditions.map(({ condition, before, after }) => [condition, before.value, after.value]),
    [
      ['clean', 1 / 6, 4 / 6],
      ['hiss', 2 / 4, 0],
    ],
  );
  assert.deepEqual(changesOf(finding), {
    condition: 'all',
    pairs: 3,
    otherTranscript: 3,
    rose: 2,
    fell: 1,
    broken: 1,
    fixed: 1,
    stillBroken: 1,
    failuresCame: 0,
    failuresWent: 1,
    failedTwice: 0,
    ...{ trials: 4, failed: 1, failedShare: 1 / 4 },
    ...{ brokenUtterances: 1, fixedUtterances: 1 },
  });
  assert.deepEqual(rowsOf(finding, 'comparison-failures'), [{ kind: 'timeout', before: 1, after: 0 }]);
  assert.deepEqual(
    examplesOf(finding, 'comparison-more-errors').map(({ utteranceId }) => utteranceId),
    ['1', '2'],
  );
  // What was wrong before too is in the list, and its title does not call it broken.
  assert.deepEqual(
    finding.sections.filter(({ examples = [] }) => examples.length > 0).map(({ title }) => title),
    [
      'Utterances with fewer errors with tuesday than with monday',
      'Utterances with more errors with tuesday than with monday',
      'Errors with both',
    ],
  );
  const [fixed] = examplesOf(finding, 'comparison-fewer-errors');
  assert.deepEqual(
    fixed!.transcripts.map(({ label }) => label),
    ['monday', 'tuesday'],
  );
  assert.deepEqual(fixed!.transcripts[0]!.aligned![1], { reference: 'b', hypothesis: 'x' });
  const warnings = finding.warnings.join(' ');
  const others = await compareAnswers(stream(pairs), { ...options, unpaired: { onlyBefore: 0, onlyAfter: 1 } });
  assert.match(others.warnings[0]!, /^1 question was asked of tuesday alone; it is not compared\.$/);
  assert.match(warnings, /3 questions were asked of monday alone, and 1 of tuesday alone; they are not compared\./);
  assert.match(warnings, /1 utterance without a reference was left out/);
  assert.match(warnings, /1 of 4 trials \(25\.0 %\) failed/);
  assert.match(warnings, /needs 8 speakers \(by default 10\), and the study has 2/);
  assert.equal(finding.answer[0]!.verdict, 'cannot tell');
});

test('What got worse in one condition and for one group is called so, and nothing else.', async () => {
  const pairs = garbledPairs(40, 240, (condition, { attributes }) =>
    condition === 'hiss' && attributes.sex === 'f' ? [0.2, 0.6] : [0.2, 0.2],
  );
  const finding = await compareAnswers(stream(pairs), options);
  const { overall, conditions } = conditionsOf(finding);
  const groups = changesIn(finding, 'comparison-groups');
  assert.equal(overall.comparison.verdict, 'worse');
  assert.deepEqual(
    conditions.map(({ condition, comparison }) => [condition, comparison.verdict]),
    [
      ['clean', 'cannot tell'],
      ['hiss', 'worse'],
    ],
  );
  assert.deepEqual(
    groups.map(({ group, comparison }) => [group, comparison.verdict]),
    [
      ['f', 'worse'],
      ['m', 'cannot tell'],
    ],
  );
  const said = finding.answer.flatMap(({ text, headline }) => (headline ? [text] : []));
  assert.equal(said.length, 1);
  assert.match(said[0]!, /^monday leads tuesday by \d+\.\d points of WER over all words\.$/);
  // Nine comparisons: all, two conditions, two groups, and these in each condition.
  assert.match(overall.comparison.test, /step-down maximum over 9 comparisons in 4 families/);
  assert.deepEqual(
    changesIn(finding, 'comparison-groups-conditions').map(({ condition, group, comparison }) => [
      ...[condition, group, comparison.verdict],
    ]),
    [
      ['clean', 'f', 'cannot tell'],
      ['clean', 'm', 'cannot tell'],
      ['hiss', 'f', 'worse'],
      ['hiss', 'm', 'cannot tell'],
    ],
  );
  assert.match(
    finding.sections[0]!.text![0]!,
    /clean audio and all conditions together \(2\), groups \(1\), single conditions \(1\) and groups in/,
  );
  assert.deepEqual(conditions[0]!.comparison.open!.reason, { code: 'holds-nothing' });
  assert.ok(overall.comparison.adjustedPValue! >= overall.comparison.pValue!);
});

test('Where it breaks is the condition that is shown to be above clean audio, of the one with fewer errors.', async () => {
  const brokenOf = async (wrong: number) => {
    const pairs = garbledPairs(20, 80, (condition) => (condition === 'hiss' ? [wrong, 0.8] : [0.1, 0.3]));
    const { answer } = await compareAnswers(stream(pairs), options);
    return answer.flatMap(({ text, headline }) => (headline && text.includes('worst') ? [text] : []));
  };
  const [worst, ...others] = await brokenOf(0.5);
  assert.match(worst!, /^monday is at its worst in hiss: (?:4[5-9]|5[0-5])\.\d % WER, \d\d\.\d points above clean\.$/);
  assert.deepEqual(others, []);
  assert.deepEqual(await brokenOf(0.1), []);
});

test('Of several conditions above clean audio the worst is the one furthest above it, wherever it stands.', async () => {
  const wrong = { clean: 0.1, hum: 0.3, hiss: 0.7, babble: 0.5 };
  for (const conditions of [
    ['clean', 'hum', 'hiss', 'babble'],
    ['hiss', 'babble', 'hum', 'clean'],
  ]) {
    const same = (condition: string) => wrong[condition as keyof typeof wrong];
    const pairs = garbledPairs(12, 24, (condition) => [same(condition), same(condition)], conditions);
    const { answer } = await compareAnswers(stream(pairs), { ...options, resamples: 200 });
    const texts = answer.flatMap(({ text }) => (text.includes('at its worst') ? [text] : []));
    assert.equal(texts.length, 1);
    assert.match(texts[0]!, / is at its worst in hiss: /);
  }
});

test('The same answers twice are the same, and cannot be told apart.', async () => {
  const pairs = [...garbledPairs(10, 40, () => [0.2, 0.2])].map((one) => ({ ...one, after: one.before }));
  const finding = await compareAnswers(stream(pairs), options);
  const { overall } = conditionsOf(finding);
  assert.equal(overall.comparison.difference.value, 0);
  assert.equal(overall.comparison.pValue, 1);
  assert.equal(overall.comparison.verdict, 'cannot tell');
  assert.equal(changesOf(finding).otherTranscript, 0);
  assert.ok(
    finding.answer.some(({ text }) => text === 'monday and tuesday: unchanged, all 80 transcripts are the same.'),
  );
  assert.deepEqual(examplesOf(finding, 'comparison-more-errors'), []);
});

test('A first screen calls conditions as a run does, and says in a line, after all others, who is unchanged.', async () => {
  const conditions = ['clean', 'hiss'].map((name) => ({
    ...{ name, steps: [] },
    ...(name === 'hiss' && { rung: { family: 'lab/noise', rank: 1, label: '10 dB' } }),
  }));
  const same = [...garbledPairs(10, 40, () => [0.2, 0.2])].map((one) => ({ ...one, after: one.before }));
  const findings = await Promise.all(
    [same, garbledPairs(10, 40, (condition) => [0.2, condition === 'hiss' ? 0.6 : 0.2])].map((pairs, at) =>
      compareAnswers(stream(pairs), { ...options, conditions, recognizer: at === 0 ? 'still' : 'moved' }),
    ),
  );
  const report = { ...sampleReport(), findings, failures: [], warnings: [] };
  const shown = renderFirstScreen(report, { width: 80, color: false, transcripts: true });
  assert.match(shown, /^noise 10 dB +\d/m);
  assert.match(shown, /^For example, noise 10 dB \(/m);
  assert.match(shown, /^moved is at its worst in noise 10 dB: \d\d\.\d % WER now, \d\d\.\d points above clean\.$/m);
  assert.match(shown, /^Words that were right and are wrong now: /m);
  assert.match(shown, /^all words +\d.*\n/m);
  assert.doesNotMatch(shown, /hiss|\+0\.0/);
  assert.match(shown, /\n\nstill: unchanged, all 80 transcripts are the same\.\n/);
  assert.ok(shown.indexOf('still') > shown.indexOf('moved'));
});

test('The same within a margin is told where both ends of the interval are nearer, and only there.', async () => {
  const pairs = [...garbledPairs(40, 400, () => [0.1, 0.1])];
  const told = async (margin?: number) => {
    const finding = await compareAnswers(stream(pairs), { ...options, ...(margin !== undefined && { margin }) });
    return { finding, text: finding.answer.map(({ text }) => text).join(' ') };
  };
  const { finding, text } = await told();
  const { overall } = conditionsOf(finding);
  const [within, { comparison }] = [(overall.within as number) / 100, overall];
  // Two one-sided tests: less than the further end of the 95 % interval, more than the difference.
  const { value, low, high } = comparison.difference;
  assert.ok(within > Math.abs(value!) && within < Math.max(-low!, high!), String(within));
  assert.doesNotMatch(text, /same within/);
  assert.match((await told(within + 0.001)).text, /The same within [\d.]+ points?: no more than \d/);
  assert.match((await told(within - 0.001)).text, /Not shown to be the same within [\d.]+ points?: they may be \d/);
  const [few] = [[...garbledPairs(4, 40, () => [0.1, 0.1])]];
  const unknown = await compareAnswers(stream(few), { ...options, margin: 0.1 });
  assert.match(
    unknown.answer.map(({ text }) => text).join(' '),
    /Not shown to be the same within 10 points: an interval needs 8/,
  );
});

test('By the t table: how far apart two may be is an end of the interval of 90 %.', async () => {
  // Of 40 speakers of ten words each, every other has one more word wrong after, the rest one less: a mean of 0.
  const pairs = Array.from({ length: 40 }, (_, place) => {
    const [right, wrong] = ['a b c d e f g h i j', 'x b c d e f g h i j'];
    const utterance = spoken(`u${place}`, right, { speaker: `s${place}` });
    return place % 2 === 0 ? pair(utterance, 'clean', right, wrong) : pair(utterance, 'clean', wrong, right);
  });
  const { overall } = conditionsOf(await compareAnswers(stream(pairs), options));
  assert.equal(overall.comparison.difference.value, 0);
  // Differences of .1 either way have a standard error of .1 / sqrt(39); t of 39 degrees of freedom is 1.6849 at .95 and 2.0227 at .975.
  const [ofTwoSided90, of95] = [1.6849, 2.0227].map((t) => (100 * t * 0.1) / Math.sqrt(39)) as [number, number];
  const within = overall.within as number;
  assert.ok(Math.abs(within - ofTwoSided90) < 0.1 * (of95 - ofTwoSided90) + 0.1, `${within}: ${ofTwoSided90}, ${of95}`);
});

test('By Bonferroni: of two chosen among three recognizers, whether answers differ again has three times the p.', async () => {
  const pairs = Array.from({ length: 120 }, (_, index) => {
    const utterance = spoken(`u${Math.floor(index / 2)}`, 'a b', { speaker: `s${Math.floor(index / 2) % 12}` });
    const answer = (side: number) =>
      createRandom([index, side]).next() < 0.25 ? `a ${side === 0 ? 'x' : 'y'}` : 'a b';
    return { ...pair(utterance, 'clean', answer(0), answer(1)), repeat: index % 2 };
  });
  async function* trials() {
    for (const { before, after, ...asked } of pairs)
      for (const [recognizer, observation] of [before, after, before].entries())
        yield { ...asked, recognizer, observation };
  }
  const counts = await countFamily(trials(), 3, [0, 1], (text) => text.split(' '));
  const alone = againOf(await compareAnswers(stream(pairs), options)).comparison;
  const family = {
    recognizers: ['a', 'b', 'c'],
    by: 'the run',
    studies: 0,
    known: () => null,
    ranks: null,
    counts,
  } as const;
  const chosen = againOf(await compareAnswers(stream(pairs), { ...options, family })).comparison;
  assert.ok(alone.adjustedPValue! > 0.01 && alone.adjustedPValue! < 1 / 3, String(alone.adjustedPValue));
  assert.ok(Math.abs(chosen.adjustedPValue! - 3 * alone.adjustedPValue!) < 1e-12, String(chosen.adjustedPValue));
  assert.equal(chosen.pValue, alone.pValue);
});

test('Answers that two sides gave again say whether the sides differ more than each from itself.', async () => {
  const again = (changes: readonly [number, number]) => {
    const pairs: AnswerPair[] = [];
    for (let index = 0; index < 240; index++) {
      const utterance = spoken(`u${index}`, 'a b', { speaker: `s${index % 24}` });
      for (const repeat of [0, 1]) {
        const answer = (side: number) =>
          createRandom([index, repeat, side]).next() < changes[side]! ? `a ${side === 0 ? 'x' : 'y'}` : 'a b';
        pairs.push({ ...pair(utterance, 'clean', answer(0), answer(1)), repeat });
      }
    }
    return compareAnswers(stream(pairs), options);
  };
  const other = againOf(await again([0.1, 0.6]));
  assert.equal(other.comparison.verdict, 'worse');
  const noise = await again([0.4, 0.4].map((share) => share / 2) as [number, number]);
  // The two sides err in words of their own: the same clip's answers are apart a little more often than within one.
  const { within, between } = againOf(noise);
  assert.ok(within.value! > 0.2 && within.value! < 0.45 && between.value! > 0.25 && between.value! < 0.5);
  assert.match(
    noise.answer.map(({ text }) => text).join(' '),
    /Of two answers, one of each side, [\d.]+ % are different/,
  );
  assert.ok(noise.sections.some(({ id }) => id === 'comparison-again'));
  const once = await compareAnswers(stream(garbledPairs(10, 40, () => [0.2, 0.2])), options);
  assert.deepEqual(rowsOf(once, 'comparison-again'), []);
});

test('By hand: of four answers to a clip two are apart within a side and three across.', async () => {
  const utterance = spoken('u', 'a b', { speaker: 's' });
  const pairs = [
    { ...pair(utterance, 'clean', 'a', 'a'), repeat: 0 },
    { ...pair(utterance, 'clean', 'b', 'c'), repeat: 1 },
    { ...pair(utterance, 'clean', 'd', 'd'), repeat: 2 },
  ];
  const { within, between, clips } = againOf(await compareAnswers(stream(pairs), options));
  assert.deepEqual([within.value, between.value, between.n.pairs, clips], [1, 3 / 4, 1, 1]);
});

test('What else differs is said first, and what one side alone was asked is listed by condition.', async () => {
  const finding = await compareAnswers(stream(garbledPairs(10, 40, () => [0.2, 0.2])), {
    ...options,
    differing: [{ what: 'earwitness', before: '0.1.0', after: '0.2.0' }],
    unpaired: {
      ...{ onlyBefore: 1, onlyAfter: 2 },
      conditions: [{ condition: 'hiss', onlyBefore: 1, onlyAfter: 2, utterances: ['u7'] }],
    },
  });
  // What was found comes first, and then what differs besides, before any table.
  assert.match(finding.answer[0]!.text, /^tuesday: cannot be told from monday, |^tuesday makes|same errors/);
  const differs = finding.answer.find(({ text }) => text === 'Changed between the runs: earwitness (0.1.0 → 0.2.0).');
  assert.ok(differs?.headline);
  assert.equal(finding.sections[0]!.id, 'comparison-settings');
  const unpaired = finding.sections.find(({ id }) => id === 'comparison-unpaired')!;
  assert.deepEqual(unpaired.tables![0]!.rows, [{ condition: 'hiss', before: 1, after: 2, utterances: 'u7, …' }]);
});

test('What differs and who failed is told too where all is unchanged, and where nothing can be compared.', async () => {
  const differing = [{ what: 'earwitness', before: '0.1.0', after: '0.2.0' }];
  const utterance = spoken('1', 'a b', { speaker: 's' });
  const textsOf = async (pairs: readonly AnswerPair[], own: object = {}) => {
    const finding = await compareAnswers(stream(pairs), { ...options, differing, ...own });
    return finding.answer.map(({ text }) => text);
  };
  const differs = 'Changed between the runs: earwitness (0.1.0 → 0.2.0).';
  const failure = pair(utterance, 'hiss', 'a b', failedWith('timeout'));
  const ofFailures = '1 trial failed only with tuesday, 0 only with monday.';
  const unchanged = 'monday and tuesday: unchanged, the only transcript is the same.';
  assert.deepEqual(await textsOf([pair(utterance, 'clean', 'a b', 'a b'), failure]), [unchanged, differs, ofFailures]);
  const failed = await textsOf([failure]);
  assert.deepEqual(failed.slice(1), [differs, ofFailures]);
  // Of one recognizer at two times it is counted what is right only now.
  const times = { beforeLabel: 'before', afterLabel: 'after', recognizer: 'asr' };
  const two = [
    pair(utterance, 'clean', 'a x', 'a b'),
    pair(spoken('2', 'c d'), 'clean', 'c d', 'c x'),
    pair(spoken('3', 'e f'), 'clean', 'e f', 'x f'),
  ];
  assert.ok((await textsOf(two, times)).includes('Of 3 trials, 1 is right only now, 2 only before.'));
});

test('By hand: of two groups the one with more errors stands first, by what is after where before they were alike.', async () => {
  for (const [worse, better] of ['fm', 'mf']) {
    const pairs = Array.from({ length: 24 }, (_, place) => {
      const sex = place % 2 === 0 ? 'f' : 'm';
      const utterance = spoken(`u${place}`, 'a b c d', { speaker: `s${place}`, attributes: { sex } });
      return pair(utterance, 'clean', 'a b c x', sex === worse ? 'a x x x' : 'a b c x');
    });
    const finding = await compareAnswers(stream(pairs), options);
    const [row] = rowsOf(finding, 'comparison-gaps');
    const gapIn = (key: 'before' | 'after') => estimateAt(row!, key).value;
    // One word of four before, three after.
    assert.deepEqual([row!.group, row!.comparedWith, gapIn('before'), gapIn('after')], [worse, better, 0, 0.5]);
    assert.equal(comparisonAt(row!, 'difference').difference.value, 0.5);
  }
});

test('By hand: each group is set beside the one of most speakers, if it has as many as an interval needs.', async () => {
  // Speakers, and how many of four words each has wrong before and after.
  const groups = { seven: [7, 0, 0], eight: [8, 1, 3], ten: [10, 2, 3], sixteen: [16, 1, 1] } as const;
  const wrong = (count: number) => ['a', 'b', 'c', 'd'].map((word, place) => (place < count ? 'x' : word)).join(' ');
  const pairs = Object.entries(groups).flatMap(([team, [speakers, before, after]]) =>
    Array.from({ length: speakers }, (_, place) => {
      const utterance = spoken(`${team}${place}`, wrong(0), { speaker: `${team}${place}`, attributes: { team } });
      return pair(utterance, 'clean', wrong(before), wrong(after));
    }),
  );
  const finding = await compareAnswers(stream(pairs), options);
  const rows = rowsOf(finding, 'comparison-gaps').map((row) => [
    ...[row.group, row.comparedWith, estimateAt(row, 'before').value, estimateAt(row, 'after').value],
    comparisonAt(row, 'difference').difference.value,
  ]);
  assert.deepEqual(
    rows.toSorted((one, other) => String(one[0]).localeCompare(String(other[0]))),
    [
      ['eight', 'sixteen', 0, 0.5, 0.5],
      ['ten', 'sixteen', 0.25, 0.5, 0.25],
    ],
  );
});

test('Turned around, better becomes worse and broken becomes fixed.', async () => {
  const pairs = [...garbledPairs(20, 100, () => [0.1, 0.3])];
  const turned = pairs.map((one) => ({ ...one, before: one.after, after: one.before }));
  const [there, back] = [await compareAnswers(stream(pairs), options), await compareAnswers(stream(turned), options)];
  assert.equal(conditionsOf(there).overall.comparison.verdict, 'worse');
  assert.equal(conditionsOf(back).overall.comparison.verdict, 'better');
  assert.equal(changesOf(there).broken, changesOf(back).fixed);
  assert.deepEqual(
    examplesOf(there, 'comparison-more-errors').map(({ utteranceId }) => utteranceId),
    examplesOf(back, 'comparison-fewer-errors').map(({ utteranceId }) => utteranceId),
  );
  assert.deepEqual(await compareAnswers(stream(pairs), options), there);
});

test('Nothing in common is said and is no crash.', async () => {
  const utterance = spoken('1', 'a', { speaker: 's' });
  const cases: AnswerPair[][] = [
    [],
    [pair(utterance, 'clean', failedWith('crash'), failedWith('crash'))],
    [pair(utterance, 'clean', 'a', failedWith('crash'))],
    [pair(spoken('2', ''), 'clean', 'a', 'a')],
    [pair(spoken('3', null), 'clean', 'a', 'a')],
  ];
  for (const pairs of cases) {
    const finding = await compareAnswers(stream(pairs), options);
    assert.match(finding.answer[0]!.text, /monday and tuesday cannot be compared/);
    assert.ok(conditionsOf(finding).overall.comparison.reason);
    assert.deepEqual(JSON.parse(JSON.stringify(finding)), finding);
  }
});

test('Lists are bounded, whatever is counted.', async () => {
  const finding = await compareAnswers(stream(garbledPairs(20, 300, () => [0.02, 0.5])), options);
  assert.equal(examplesOf(finding, 'comparison-more-errors').length, 20);
  assert.ok((changesOf(finding).broken as number) > 300);
  const ids = examplesOf(finding, 'comparison-more-errors').map(({ utteranceId }) => utteranceId);
  assert.equal(new Set(ids).size, 20);
});

test('A comparison names the normalizer as the study of the same rate does: by-language only where several were used.', async () => {
  const normalizer = normalizerNamed('by-language');
  const nameFor = async (...languages: string[]) => {
    const pairs = languages.map((language, index) =>
      pair(spoken(`u${index}`, 'one two', { language, speaker: 'a' }), 'clean', 'one', 'one two'),
    );
    return (await compareAnswers(stream(pairs), { ...options, normalizer })).settings.normalizer;
  };
  assert.deepEqual(await nameFor('en', 'en-IN'), {
    name: 'plain-english',
    version: normalizerNamed('plain-english').version,
  });
  assert.deepEqual(await nameFor('fr'), { name: 'plain', version: normalizerNamed('plain').version });
  assert.deepEqual(await nameFor('en', 'fr'), {
    ...{ name: 'by-language', version: normalizer.version, used: ['plain', 'plain-english'] },
  });
});

test('By hand: each answer of one side is held against both of the other.', async () => {
  const utterance = spoken('u', 'a b', { speaker: 's' });
  const pairs = [
    { ...pair(utterance, 'clean', 'a', 'b'), repeat: 0 },
    { ...pair(utterance, 'clean', 'b', 'b'), repeat: 1 },
  ];
  // Of one side a and b, of the other b and b: two of the four pairs across differ, and one of the two within.
  const { within, between } = againOf(await compareAnswers(stream(pairs), options));
  assert.deepEqual([within.value, between.value], [1 / 2, 2 / 4]);
});

test('Two rates are the same within no less than they are apart, whichever is the better.', async () => {
  for (const [before, after] of [
    [0.1, 0.3],
    [0.3, 0.1],
  ] as const) {
    const { overall } = conditionsOf(
      await compareAnswers(stream(garbledPairs(20, 100, () => [before, after])), options),
    );
    const points = 100 * Math.abs(overall.comparison.difference.value!);
    assert.ok((overall.within as number) > points, `${before} to ${after}: ${overall.within}`);
  }
});

test('Trials that failed on both sides are among those that are left out.', async () => {
  const utterance = spoken('1', 'a b', { speaker: 's' });
  const pairs = [
    pair(utterance, 'clean', 'a b', 'a b'),
    pair(utterance, 'hiss', failedWith('timeout'), failedWith('timeout')),
  ];
  const { warnings } = await compareAnswers(stream(pairs), options);
  assert.match(warnings.join(' '), /1 of 2 trials \(50\.0 %\) failed on one side or both/);
});

test('More than one failed trial of a hundred is warned of.', async () => {
  const warnsOf = async (failed: number) => {
    const pairs = Array.from({ length: 100 }, (_, place) =>
      pair(spoken(`u${place}`, 'a b'), 'clean', 'a b', place < failed ? failedWith('timeout') : 'a x'),
    );
    const { warnings } = await compareAnswers(stream(pairs), { ...options, resamples: 100 });
    return warnings.filter((warning) => warning.includes('failed on one side'));
  };
  assert.deepEqual(await warnsOf(1), []);
  assert.deepEqual(await warnsOf(2), [
    '2 of 100 trials (2.0 %) failed on one side or both and are left out of the rates of both.',
  ]);
});

test('A place that goes against all of it is named before one that goes with it, and one recognizer on both sides by its name.', async () => {
  const pairs = garbledPairs(40, 240, (condition) => (condition === 'hiss' ? [0.1, 0.6] : [0.3, 0.1]));
  const asr = { beforeLabel: 'before', afterLabel: 'after', recognizer: 'asr' };
  const finding = await compareAnswers(stream(pairs), { ...options, ...asr });
  assert.equal(finding.title, 'asr, before and after');
  const said = finding.answer.flatMap(({ text, headline }) => (headline ? [text] : []));
  assert.match(said[0]!, /^asr makes more errors than before: \+/);
  assert.match(said[1]!, /^Yet asr makes fewer errors on clean audio: −/);
  // It is no mean of a run, which leaves clean audio out.
  const texts = finding.answer.map(({ text }) => text);
  const pooled =
    'of all conditions together, clean too; the mean of a run leaves clean out and weighs conditions alike.';
  assert.ok(texts.includes(`all words: ${pooled}`), texts.join('\n'));
});

test('A difference that one utterance decides is told with the difference without it, and never where many do.', async () => {
  const alike = () => [0.1, 0.1] as const;
  const pairs = [...garbledPairs(20, 60, alike)];
  const quiet = await compareAnswers(stream(pairs), options);
  assert.deepEqual(
    quiet.warnings.filter((warning) => warning.includes('moves the')),
    [],
  );
  const loop = Array.from({ length: 80 }, () => 'thank you').join(' ');
  const looped = pairs.map((one) =>
    one.utterance.id === 'u7' && one.conditionName === 'hiss' ? { ...one, after: said(loop) } : one,
  );
  const finding = await compareAnswers(stream(looped), options);
  const { warnings } = finding;
  // More speakers would not settle it: that one would.
  const { open } = conditionsOf(finding).overall.comparison;
  assert.deepEqual([open?.decidedBy, open?.more], [{ count: 1, what: 'utterance' }, null]);
  // What was taken for granted comes behind it.
  const report = { ...sampleReport(), warnings: [`${assumedLanguage(['it is here']).told}.`], findings: [finding] };
  const screen = renderFirstScreen(report, { width: 100, color: false, transcripts: true });
  assert.match(screen.replace(/\s+/g, ' '), /most important: tuesday, all conditions: one of 60 utterances, u7, moves/);
  assert.match(whatSettles(open!)!, /^one utterance decides it: listen to what was heard, or leave it out$/);
  const told = warnings.filter((warning) => warning.includes('moves the'));
  assert.equal(told.length, 1);
  assert.match(
    told[0]!,
    /^tuesday, all conditions: one of 60 utterances, u7, moves the difference to monday from [+−]\d\.\d+ points \(95 % CI .*\) to \+1\d\.\d points: it adds \d+ errors \(2 words repeated 80 times\)\. It decides \d other rates too\.$/,
  );
  // Nor where there are several, and the line stands beside the rates, before what was heard.
  for (const ids of [
    ['u7', 'u31'],
    ['u7', 'u31', 'u48'],
  ]) {
    const several = pairs.map((one) => (ids.includes(one.utterance.id) ? { ...one, after: said(loop) } : one));
    const found = await compareAnswers(stream(several), options);
    const { overall, conditions } = conditionsOf(found);
    for (const { comparison } of [overall, ...conditions]) {
      const count = ids.length;
      assert.deepEqual(
        [comparison.open?.decidedBy, comparison.open?.more],
        [{ count, what: 'utterance' }, null],
        comparison.verdict,
      );
    }
    const lines = renderFirstScreen(
      { ...sampleReport(), warnings: [], findings: [found] },
      { width: 100, color: false, transcripts: true },
    );
    assert.doesNotMatch(lines, /more speakers? would/);
    assert.match(
      lines,
      /! .*tuesday, (?:all conditions|.*sex m): [23] of \d+ utterances[\s\S]*Words most often wrong with/,
    );
  }
});
