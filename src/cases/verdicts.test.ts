// Published values: CrossASR (ICSME 2020), Tables V and VI. Others are arguments on paper.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DifferentialCase } from '../studies/differential/case.ts';
import { caseId, sampleCases } from './sample-cases.ts';
import { stratifiedProportion } from './stratified-proportion.ts';
import {
  type CheckedRow,
  contradictsItself,
  judgeVerdict,
  type PersonVerdict,
  summarizeVerdicts,
  type VerificationAnswer,
} from './summarize-verdicts.ts';
import { falsePositivesFinding } from './verdicts-finding.ts';

const synthesizers = ['Google', 'ResponsiveVoice', 'Festival', 'Espeak'];
const recognizers = ['Deepspeech', 'Deepspeech2', 'wav2letter++', 'Wit'];
/**
 * Table V: failed test cases by synthesizer and recognizer. Its cells and the totals of its columns sum to 33,698; it prints 33,618, because
 * Festival's row is printed as 5,911 and sums to 5,991.
 */
const tableV = [
  [4036, 2539, 2202, 4795],
  [4510, 2436, 1911, 4214],
  [1819, 1229, 1035, 1908],
  [359, 326, 44, 335],
];
/** Table VI: sampled cases, and false positives among them. */
const sampledInPaper = [
  [47, 30, 26, 55],
  [52, 28, 22, 51],
  [21, 15, 12, 22],
  [5, 4, 1, 4],
];
const falseInPaper = [
  [3, 0, 1, 0],
  [1, 1, 0, 2],
  [1, 0, 1, 1],
  [0, 0, 0, 0],
];

const rowOf = (voice: string, recognizer: string, number: number): DifferentialCase => ({
  ...{ text: `text ${number}`, voice: `${voice}:one`, recognizer, transcript: `wrong ${number}` },
  ...{ status: 'failed', sound: { utteranceId: `${voice} ${number}`, conditionName: 'clean', draw: 0 } },
  ...{ iteration: 1, otherwise: {} },
});

const cells = synthesizers.flatMap((synthesizer, s) =>
  recognizers.map((recognizer, r) => ({ synthesizer, recognizer, failed: tableV[s]![r]!, s, r })),
);

test("CrossASR's failed cases need a sample of 380, and its own sample is 385 spread over 16 cells.", () => {
  const failed = cells.flatMap(({ synthesizer, recognizer, failed: count }) =>
    Array.from({ length: count }, (_, number) => rowOf(synthesizer, recognizer, number)),
  );
  const sample = sampleCases(failed, { seed: 1 });
  assert.deepEqual([sample.population, sample.wanted], [33_698, 380]);
  const sizes = (cases: typeof sample.cases) =>
    synthesizers.map((synthesizer) =>
      recognizers.map(
        (recognizer) =>
          cases.filter((one) => one.synthesizer === synthesizer && one.row.recognizer === recognizer).length,
      ),
    );
  assert.ok(
    sizes(sample.cases)
      .flat()
      .every((count) => count >= 1),
  );
  // Theirs are 385 (an endless population), each share rounded up; only ResponsiveVoice with Wit has two more than its share.
  const theirs = sampleCases(failed, { seed: 1, count: 385 });
  assert.equal(theirs.cases.length, 393);
  assert.deepEqual(sizes(theirs.cases), sampledInPaper.with(1, [52, 28, 22, 49]));
});

test('A sample is the same for the same seed whatever the order, and a smaller one is part of a larger one.', () => {
  const failed = Array.from({ length: 200 }, (_, number) => rowOf(number % 3 ? 'a' : 'b', 'r', number));
  const ids = (count: number, seed: number, rows = failed) =>
    sampleCases(rows, { count, seed }).cases.map(({ id }) => id);
  assert.deepEqual(ids(20, 1), ids(20, 1, failed.toReversed()));
  assert.notDeepEqual(ids(20, 1), ids(20, 2));
  const larger = new Set(ids(60, 1));
  assert.ok(ids(20, 1).every((id) => larger.has(id)));
  assert.equal(new Set(ids(200, 1)).size, 200);
  assert.deepEqual(sampleCases([], { seed: 1 }).cases, []);
  assert.notEqual(caseId(failed[0]!), caseId({ ...failed[0]!, transcript: 'edited' }));
});

const verdict = (
  saysText: VerificationAnswer | null,
  saysTranscript: VerificationAnswer | null,
  heard: string | null = null,
): PersonVerdict => ({ saysText, saysTranscript, heard });

test("The paper's four kinds of false positives are told apart.", () => {
  const other = { text: 'it produces benefits', transcript: 'it reduces benefits' };
  assert.equal(judgeVerdict(other, verdict('yes', 'no')), 'true failure');
  assert.equal(judgeVerdict(other, verdict('no', 'yes')), 'says the transcript');
  assert.equal(judgeVerdict(other, verdict('no', 'no')), 'says neither');
  assert.equal(judgeVerdict(other, verdict('yes', 'yes')), 'ambiguous');
  assert.equal(judgeVerdict(other, verdict('yes', 'unsure')), 'ambiguous');
  assert.equal(judgeVerdict(other, verdict('yes', null)), null);
  for (const [text, transcript] of [
    ['spending taxpayers money', 'spending tax payers money'],
    ['it may be so', 'it maybe so'],
  ] as const) {
    assert.equal(judgeVerdict({ text, transcript }, verdict('yes', 'no')), 'normalization');
  }
  assert.ok(contradictsItself(other, verdict('yes', 'no', 'It reduces benefits.')));
  assert.ok(!contradictsItself(other, verdict('yes', 'no', 'It produces benefits.')));
  assert.ok(!contradictsItself(other, verdict('no', 'no', 'it seduces benefits')));
});

function paperRows(person = 'native speaker'): CheckedRow[] {
  return cells.flatMap(({ synthesizer, recognizer, failed, s, r }) =>
    Array.from({ length: sampledInPaper[s]![r]! }, (_, number): CheckedRow => {
      const { text, transcript, voice } = rowOf(synthesizer, recognizer, number);
      const id = `${synthesizer} ${recognizer} ${number}`;
      return {
        checked: {
          id,
          text: `${text} ${id}`,
          transcript,
          recognizer,
          voice,
          synthesizer,
          sampleSize: 395,
          cellFailed: failed,
        },
        person,
        verdict: number < falseInPaper[s]![r]! ? verdict('no', 'yes') : verdict('yes', 'no'),
      };
    }),
  );
}

test('Table VI comes out of its published cells: 11 of 395, not 12, and Wit with ResponsiveVoice 3.9 % and not 9 %.', () => {
  const summary = summarizeVerdicts(paperRows());
  const cell = (synthesizer: string, recognizer: string) =>
    summary.cells.find((one) => one.synthesizer === synthesizer && one.recognizer === recognizer)!;
  for (const { synthesizer, recognizer, failed, s, r } of cells) {
    const found = cell(synthesizer, recognizer);
    assert.deepEqual(
      [found.failed, found.judged, found.falsePositives],
      [failed, sampledInPaper[s]![r], falseInPaper[s]![r]],
    );
  }
  assert.deepEqual([summary.judged, summary.all.falsePositives, summary.all.failed], [395, 11, 33_698]);
  assert.equal(cell('ResponsiveVoice', 'Wit').rate.value, 2 / 51);
  // Printed there as 6 %, 3 %, 3 % and 8 %.
  assert.equal(Math.floor(100 * cell('Google', 'Deepspeech').rate.value!), 6);
  assert.equal(Math.floor(100 * cell('Google', 'wav2letter++').rate.value!), 3);
  assert.equal(Math.floor(100 * cell('ResponsiveVoice', 'Deepspeech2').rate.value!), 3);
  assert.equal(Math.floor(100 * cell('Festival', 'wav2letter++').rate.value!), 8);
  // One case of a cell of 44 says nothing: 0 of 1 is up to 97.5 %.
  assert.equal(cell('Espeak', 'wav2letter++').rate.high?.toFixed(3), '0.975');
  const weighted = cells.reduce(
    (sum, { failed, s, r }) => sum + (failed / 33_698) * (falseInPaper[s]![r]! / sampledInPaper[s]![r]!),
    0,
  );
  assert.ok(Math.abs(summary.all.rate.value! - weighted) < 1e-12);
  const { low, high } = summary.all.rate;
  assert.ok(low! > 0.012 && low! < 0.016 && high! > 0.045 && high! < 0.056, `${low} to ${high}`);
});

test('Half-filled files are counted, several people are set against each other, and divided cases are no failures.', () => {
  const [first, second] = [paperRows('anna'), paperRows('ben')];
  const rows = [
    ...first,
    ...second.map((row, place) => {
      if (place === 0) return { ...row, verdict: verdict('yes', 'no') };
      if (place === 100) return { ...row, verdict: verdict('no', 'no') };
      return place < 200 ? row : { ...row, verdict: verdict(null, null) };
    }),
  ];
  const summary = summarizeVerdicts(rows);
  assert.deepEqual([summary.judged, summary.empty, summary.half], [395, 0, 0]);
  assert.equal(summary.divided, 2);
  // Case 100 is now divided in equal parts, and no longer a true failure.
  assert.equal(summary.all.falsePositives, 12);
  const alpha = summary.agreement!['false positive'];
  assert.equal(alpha.units, 200);
  assert.ok(alpha.value! > 0.5 && alpha.value! < 1);

  const half = summarizeVerdicts(
    first.map((row, place) =>
      place < 10
        ? { ...row, verdict: verdict(null, null) }
        : place < 15
          ? { ...row, verdict: verdict('yes', null) }
          : row,
    ),
  );
  assert.deepEqual([half.cases, half.judged, half.empty, half.half], [395, 380, 10, 5]);
  assert.match(
    falsePositivesFinding(half, 0.95).warnings[0]!,
    /15 of 395 cases have no complete verdict: 10 are empty, in 5/,
  );
  const lost = summarizeVerdicts(first.slice(0, 390));
  assert.deepEqual([lost.cases, lost.missing], [390, 5]);
  assert.match(
    falsePositivesFinding(lost, 0.95).warnings[0]!,
    /^5 cases of the sample of 395 are missing from all files/,
  );
  const none = summarizeVerdicts(first.map((row) => ({ ...row, verdict: verdict(null, null) })));
  assert.equal(none.all.rate.value, null);
  assert.equal(falsePositivesFinding(none, 0.95).answer[0]!.estimate?.value, null);
});

test('Two cases of one clip are one answer whether it says its text: agreement on twice the rows is no surer.', () => {
  const answer = (row: number, person: number): VerificationAnswer =>
    (row * 7 + person * (row % 4 === 0 ? 1 : 0)) % 3 === 0 ? 'yes' : 'no';
  const rows = (people: readonly string[], recognizersOfClip: number): CheckedRow[] =>
    people.flatMap((person, at) =>
      Array.from({ length: 30 * recognizersOfClip }, (_, place) => {
        const clip = place % 30;
        const recognizer = recognizers[Math.floor(place / 30)]!;
        const checked = { id: `${clip} ${recognizer}`, text: `text ${clip}`, transcript: `wrong ${clip}`, recognizer };
        const cell = { voice: 'human', synthesizer: 'human', sampleSize: 30 * recognizersOfClip, cellFailed: 30 };
        return { checked: { ...checked, ...cell }, person, verdict: verdict(answer(clip, at), 'no') };
      }),
    );
  const of = (count: number) => summarizeVerdicts(rows(['anna', 'ben'], count)).agreement!['says the text'];
  const [one, two] = [of(1), of(2)];
  assert.deepEqual([one.units, two.units], [30, 60]);
  assert.ok((two.high! - two.low!) / (one.high! - one.low!) > 0.9, `${two.low} to ${two.high}`);
  const estimate = falsePositivesFinding(summarizeVerdicts(rows(['anna', 'ben'], 2)), 0.95).answer[0]!.estimate!;
  assert.deepEqual(estimate.n, { ratings: 120, listeners: 2, utterances: 30, speakers: 0 });
});

test('Weights undo that small cells were given more than their share, and clusters lengthen the interval.', () => {
  const hits = (count: number, hit: number, cluster: (place: number) => string) =>
    Array.from({ length: count }, (_, place) => ({ hit: place < hit, cluster: cluster(place) }));
  const own = (place: number) => `${place}`;
  const two = stratifiedProportion([
    { size: 990, hits: hits(99, 0, (place) => `a${place}`) },
    { size: 10, hits: hits(10, 10, (place) => `b${place}`) },
  ]);
  assert.ok(Math.abs(two.value! - 0.01) < 1e-12);
  // A simple random sample is the exact interval itself (up to the degree of freedom).
  const simple = stratifiedProportion([{ size: 1000, hits: hits(100, 10, own) }]);
  assert.ok(
    Math.abs(simple.low! - 0.049) < 0.002 && Math.abs(simple.high! - 0.1762) < 0.002,
    `${simple.low} ${simple.high}`,
  );
  const clustered = stratifiedProportion([{ size: 1000, hits: hits(100, 10, (place) => `${Math.floor(place / 10)}`) }]);
  assert.ok(clustered.high! > simple.high! && clustered.low! < simple.low!);
  // Ten texts without a hit are ten, however many of their cases were looked at: 1 - .025 ** (1 / 10).
  const tenTexts = stratifiedProportion([{ size: 1000, hits: hits(100, 0, (place) => `${place % 10}`) }]);
  assert.ok(Math.abs(tenTexts.high! - 0.3085) < 1e-4, `${tenTexts.high}`);
  const none = stratifiedProportion([{ size: 1000, hits: hits(100, 0, own) }]);
  assert.equal(none.low, 0);
  assert.ok(none.high! > 0.03);
  // Weights whose sum is 1 - 2e-16: one case of a cell of a thousand is worth what one case is: .025 at the lower end.
  const alike = stratifiedProportion(
    [1000, 1, 1, 1, 1, 1, 1].map((size, place) => ({ size, hits: [{ hit: true, cluster: `${place}` }] })),
  );
  assert.ok(alike.low! < 0.03, `${alike.low}`);
  assert.deepEqual(
    stratifiedProportion([
      { size: 5, hits: [] },
      { size: 5, hits: hits(5, 1, own) },
    ]).reason,
    { code: 'parts-left-out', left: 1, of: 2 },
  );
});
