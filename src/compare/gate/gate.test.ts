import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom, type Random } from '../../base/random.ts';
import type { GateCheck, GateLimit } from '../../model/gate.ts';
import { reasonText } from '../../model/reason.ts';
import { failedWith, said, spoken } from '../../studies/shared/testing/testing.ts';
import { type Baseline, contentOf, readBaseline, writeBaseline } from './baseline.ts';
import { checkLimits } from './check-limits.ts';
import type { StudiedNumber } from './judge-fact.ts';
import { gateOptions } from './limits.ts';
import { planLooks } from './looks.ts';
import { type GateTrial, tallyTrials } from './tally-trials.ts';
import { worstVerdict } from './verdicts.ts';

const words = (text: string) => text.split(' ').filter((word) => word !== '');
const text = 'one two three four five six seven eight nine ten';

interface Told {
  readonly speakers?: number;
  readonly clips?: number;
  /** Share of words that are wrong. */
  readonly wrong: (speaker: number, random: Random) => number;
  readonly seed: string;
  readonly recognizer?: string;
  readonly answer?: (speaker: number, clip: number) => ReturnType<typeof said> | null;
}

/** Clips of ten words, some of which come out as x. */
function trialsOf({ speakers = 20, clips = 10, wrong, seed, recognizer = 'asr', answer }: Told): GateTrial[] {
  const random = createRandom(seed);
  return Array.from({ length: speakers }, (_, speaker) => {
    const own = wrong(speaker, random);
    return Array.from({ length: clips }, (_, clip): GateTrial => {
      const utterance = spoken(`s${speaker}-${clip}`, text, {
        speaker: `s${speaker}`,
        attributes: { sex: speaker % 2 === 0 ? 'female' : 'male' },
      });
      const heard = words(text).map((word) => (random.next() < own ? 'x' : word));
      const observation = answer?.(speaker, clip) ?? said(heard.join(' '));
      return { utterance, conditionName: 'clean', steps: '[]', draw: 0, repeat: 0, recognizer, observation };
    });
  }).flat();
}

async function judged(limits: readonly object[], after: GateTrial[], before: GateTrial[] | null = null) {
  const checked = gateOptions.parse({ limits });
  const groupBy = ['sex'];
  const earlier = before === null ? null : (await tallyTrials(before, words, groupBy, null)).trials;
  const tally = await tallyTrials(after, words, groupBy, earlier);
  const checks = checkLimits(checked.limits as GateLimit[], tally, [], { level: 0.95, minimumSpeakers: 5, seed: 1 });
  return { checks, verdict: worstVerdict(checks), tally };
}
const only = (checks: readonly GateCheck[]) => {
  assert.equal(checks.length, 1);
  return checks[0]!;
};

test('A rate well below its limit passes, one well above fails, and one beside it is inconclusive with how many more speakers decide.', async () => {
  const trials = trialsOf({ wrong: () => 0.1, seed: 'rates' });
  const verdicts = await Promise.all(
    [0.2, 0.05, 0.115].map(async (wer) => only((await judged([{ wer }], trials)).checks)),
  );
  assert.deepEqual(
    verdicts.map(({ verdict }) => verdict),
    ['pass', 'fail', 'inconclusive'],
  );
  assert.ok(verdicts[0]!.upperBound! > verdicts[0]!.value.value! && verdicts[0]!.upperBound! < 0.2);
  assert.match(reasonText(verdicts[2]!.why!), /^the limit lies inside the interval$/);
  assert.ok(verdicts[2]!.moreSpeakers! > 0);
});

test('Where the interval that is shown leaves the limit out, it is said that the correction forbids a fail.', async () => {
  const trials = trialsOf({
    speakers: 24,
    clips: 4,
    wrong: (_, random) => 0.1 + 0.4 * random.next(),
    seed: 'corrected',
  });
  const [alone] = (await judged([{ wer: 0.01 }], trials)).checks;
  const limit = alone!.value.low! - 0.001;
  assert.equal((await judged([{ wer: limit }], trials)).verdict, 'fail');
  const many = (
    await judged([{ wer: limit }, ...Array.from({ length: 30 }, (_, more) => ({ wer: limit + 1 + more }))], trials)
  ).checks;
  const open = many.find((check) => check.limit === limit)!;
  assert.equal(open.verdict, 'inconclusive');
  assert.match(reasonText(open.why!), /^alone it would fail, and does not after correcting for all limits/);
});

test('A recognizer without an error passes, with a bound that few speakers leave above zero.', async () => {
  const check = only((await judged([{ wer: 0.2 }], trialsOf({ wrong: () => 0, seed: 'none' }))).checks);
  assert.equal(check.verdict, 'pass');
  assert.ok(check.upperBound! > 0.01 && check.upperBound! < 0.2);
});

test('Better never fails: a lower WER passes against its baseline, whatever the tolerance.', async () => {
  const before = trialsOf({ wrong: () => 0.3, seed: 'before' });
  const after = trialsOf({ wrong: () => 0.1, seed: 'after' });
  const check = only((await judged([{ worseBy: 0 }], after, before)).checks);
  assert.equal(check.verdict, 'pass');
  assert.ok(check.value.value! < -0.1);
  assert.ok(Math.abs(check.before! - 0.3) < 0.05);
});

test('What got worse by more than the margin fails; by less it does not.', async () => {
  const before = trialsOf({ wrong: () => 0.1, seed: 'before' });
  const after = trialsOf({ wrong: () => 0.2, seed: 'after' });
  const fail = only((await judged([{ worseBy: 0.02 }], after, before)).checks);
  assert.equal(fail.verdict, 'fail');
  assert.ok(fail.pValue! <= 0.05);
  assert.equal(only((await judged([{ worseBy: 0.2 }], after, before)).checks).verdict, 'pass');
});

test('One group that got worse fails alone, with its name.', async () => {
  const before = trialsOf({ wrong: () => 0.1, seed: 'before' });
  const after = trialsOf({ wrong: (speaker) => (speaker % 2 === 0 ? 0.35 : 0.1), seed: 'after' });
  const { checks } = await judged([{ worseBy: 0.05, by: 'sex' }], after, before);
  assert.deepEqual(
    checks.filter(({ verdict }) => verdict === 'fail').map(({ group }) => group),
    [{ attribute: 'sex', value: 'female' }],
  );
  const gap = only((await judged([{ gap: 0.1, by: 'sex' }], after)).checks);
  assert.equal(gap.verdict, 'fail');
  assert.deepEqual(gap.group, { attribute: 'sex', value: 'female', other: 'male' });
  assert.equal(only((await judged([{ gap: 0.6, by: 'sex' }], after)).checks).verdict, 'pass');
  assert.equal(gap.value.n.speakers, 20);
  // Who is in both groups (moods, rooms) is one speaker.
  const both = after.map((one, place) => {
    const attributes = { sex: place % 2 === 0 ? 'female' : 'male' };
    return { ...one, utterance: { ...one.utterance, attributes } };
  });
  assert.equal(only((await judged([{ gap: 0.1, by: 'sex' }], both)).checks).value.n.speakers, 20);
});

test('Six speakers who all lost much fail, five cannot, and neither pass however much better.', async () => {
  const verdictOf = async (speakers: number, from: number, to: number) => {
    const before = trialsOf({ speakers, wrong: () => from, seed: 'before' });
    const after = trialsOf({ speakers, wrong: () => to, seed: 'after' });
    const earlier = (await tallyTrials(before, words, [], null)).trials;
    const tally = await tallyTrials(after, words, [], earlier);
    const settings = { level: 0.95, minimumSpeakers: 10, seed: 1 };
    return only(checkLimits([{ worseBy: 0.02 }], tally, [], settings)).verdict;
  };
  assert.equal(await verdictOf(6, 0.1, 0.6), 'fail');
  assert.equal(await verdictOf(5, 0.1, 0.6), 'inconclusive');
  assert.equal(await verdictOf(6, 0.6, 0.1), 'inconclusive');
  assert.equal(await verdictOf(10, 0.6, 0.1), 'pass');
});

test('The same answers pass, however few they are.', async () => {
  const one = trialsOf({ speakers: 1, clips: 1, wrong: () => 0.3, seed: 'one' });
  assert.equal((await judged([{ worseBy: 0 }], one, one)).verdict, 'pass');
});

test('One clip decides no rate: twenty unchanged runs of which three are above the limit are inconclusive, each of them.', async () => {
  for (let run = 0; run < 20; run++) {
    const trials = trialsOf({ speakers: 1, clips: 1, wrong: () => (run < 3 ? 0.2 : 0.02), seed: `run ${run}` });
    assert.equal((await judged([{ wer: 0.05 }], trials)).verdict, 'inconclusive');
  }
});

test('A collapse is red at once, however few the speakers are; a loop in the reference is none.', async () => {
  const few = { speakers: 2, clips: 4, wrong: () => 0, seed: 'collapse' };
  const empty = await judged(
    [{ collapsed: 0.1 }],
    trialsOf({ ...few, answer: (_, clip) => (clip < 2 ? said('') : null) }),
  );
  assert.equal(empty.verdict, 'fail');
  assert.equal(only(empty.checks).value.value, 0.5);
  const loop = trialsOf({ ...few, answer: () => said('thank you thank you thank you thank you') });
  assert.equal((await judged([{ collapsed: 0.5 }], loop)).verdict, 'fail');
  const sung = loop.map((trial) => ({ ...trial, utterance: { ...trial.utterance, reference: 'no no no no' } }));
  assert.equal((await judged([{ collapsed: 0.5 }], sung)).verdict, 'pass');
});

test('Who fails for a third of the trials never passes: they count with every word wrong, and fail no limit on what was answered.', async () => {
  const before = trialsOf({ wrong: () => 0.1, seed: 'before' });
  const after = trialsOf({
    wrong: () => 0.1,
    seed: 'before',
    answer: (_, clip) => (clip % 3 === 0 ? failedWith('timeout') : null),
  });
  const { checks } = await judged([{ worseBy: 0.05 }, { wer: 0.2 }, { failures: 0.1 }], after, before);
  const of = (measure: string) => checks.find((check) => check.measure === measure)!.verdict;
  assert.deepEqual([of('worseBy'), of('wer'), of('failures')], ['inconclusive', 'inconclusive', 'fail']);
});

test('Where failed trials alone keep a limit from passing, no number of speakers is named that would decide.', async () => {
  const after = trialsOf({
    wrong: () => 0.1,
    seed: 'third',
    answer: (_, clip) => (clip % 3 === 0 ? failedWith('timeout') : null),
  });
  const check = only((await judged([{ wer: 0.3 }], after)).checks);
  assert.deepEqual([check.verdict, check.moreSpeakers], ['inconclusive', null]);
  assert.match(reasonText(check.why!), /^trials without a transcript decide/);
});

test('How many more speakers decide goes by the way to the limit, of a change for the better too.', async () => {
  const wrong = (_: number, random: Random) => 0.6 * random.next();
  const before = trialsOf({ clips: 2, wrong: (speaker, random) => 0.06 + wrong(speaker, random), seed: 'wide' });
  const after = trialsOf({ clips: 2, wrong, seed: 'other' });
  const { value, upperBound, moreSpeakers } = only((await judged([{ worseBy: 0.005 }], after, before)).checks);
  assert.ok(value.value! < 0 && upperBound! > 0.005, `${value.value} ${upperBound}`);
  const times = ((upperBound! - value.value!) / (0.005 - value.value!)) ** 2;
  assert.equal(moreSpeakers, Math.ceil(20 * (times - 1)));
  const beside = only((await judged([{ worseBy: Math.max(0, value.value!) + 1e-4 }], before, after)).checks);
  assert.equal(beside.verdict, 'inconclusive');
});

test('A rate right beside its limit is said to be out of reach.', async () => {
  const trials = trialsOf({ wrong: () => 0.1, seed: 'rates' });
  const { value } = only((await judged([{ wer: 0.1 }], trials)).checks);
  const check = only((await judged([{ wer: value.value! + 1e-4 }], trials)).checks);
  assert.match(reasonText(check.why!), /even 50 times as many speakers might not decide$/);
  assert.equal(check.moreSpeakers, null);
});

test('A trial about another reference or clip is not compared.', async () => {
  const before = trialsOf({ wrong: () => 0.1, seed: 'before' });
  const after = before.map((trial, place) =>
    place < 30 ? { ...trial, utterance: { ...trial.utterance, reference: text.replace('ten', 'tin') } } : trial,
  );
  const { tally } = await judged([{ worseBy: 0 }], after.slice(0, -5), before);
  const { compared, otherContent, onlyHere, onlyThere } = tally.baseline!;
  assert.deepEqual([compared, otherContent, onlyHere, onlyThere], [165, 30, 0, 5]);
});

test('A limit that is none is refused with what is wrong.', () => {
  const refused = (limit: object) => gateOptions.safeParse({ limits: [limit] }).error!.issues[0]!.message;
  assert.match(refused({}), /exactly one of wer, worseBy/);
  assert.match(refused({ wer: 0.1, gap: 0.1 }), /but got wer and gap/);
  assert.match(refused({ gap: 0.1 }), /the attribute whose groups are compared/);
  assert.match(refused({ failures: 0.1, by: 'sex' }), /groups with wer, worseBy or gap/);
  assert.match(refused({ wer: 0.1, by: 'sex', group: { sex: 'female' } }), /`by` or `group`/);
});

const sample: Baseline = {
  name: 'main',
  run: '20261124T0800-1',
  earwitness: '0.1.0',
  normalizer: { name: 'english', version: 2 },
  recognizers: [{ name: 'asr', identity: { engine: 'x', version: '1' } }],
  trials: ['b', 'a\tb', '"q"', 'ü\nz', ' blank'].map((utterance, place) => ({
    ...{
      recognizer: 'asr',
      condition: 'clean',
      utterance,
      draw: 0,
      repeat: 0,
      words: 10,
      errors: place,
      content: 'c0ffee',
    },
  })),
};

test('A baseline is read as it was written, whatever its names hold, and does not depend on the order of trials.', () => {
  const written = writeBaseline(sample);
  const read = readBaseline(written, 'main.tsv');
  const sorted = (trials: Baseline['trials']) => trials.toSorted((a, b) => a.errors - b.errors);
  assert.deepEqual({ ...read, trials: sorted(read.trials) }, sample);
  assert.equal(writeBaseline({ ...sample, trials: sample.trials.toReversed() }), written);
  assert.deepEqual(readBaseline(written.replaceAll('\n', '\r\n'), 'main.tsv'), read);
});

test('A baseline that is empty, foreign, newer, cut off, changed or in conflict is refused in one sentence.', () => {
  const written = writeBaseline(sample);
  const refusal = (changed: string) => {
    try {
      readBaseline(changed, 'main.tsv');
    } catch (error) {
      return (error as Error).message;
    }
    return 'none';
  };
  assert.match(refusal(''), /^main\.tsv: expected a baseline, but the file is empty/);
  assert.match(refusal('id\ttext\n'), /^main\.tsv:1: expected "# earwitness baseline 1", but got "id/);
  assert.match(refusal(written.replace('baseline 1', 'baseline 2')), /of version 1, but got 2; install the earwitness/);
  assert.match(refusal(written.slice(0, -20)), /changed by hand, or cut off/);
  assert.match(refusal(written.replace('\t4\t', '\t3\t')), /changed by hand, or cut off/);
  assert.match(refusal(`<<<<<<< HEAD\n${written}`), /merge conflict/);
});

test('A gap fails where the interval that is shown lies above its limit, and nowhere else: each of two groups may be the worse.', async () => {
  const trials = trialsOf({ wrong: (speaker) => (speaker % 2 === 0 ? 0.35 : 0.1), seed: 'gap' });
  const gapAt = async (gap: number) => only((await judged([{ gap, by: 'sex' }], trials)).checks);
  const { group, value } = await gapAt(0.9);
  // Whoever has more errors stands first.
  assert.deepEqual([group!.value, value.value! > 0], [group!.other === 'male' ? 'female' : 'male', true]);
  const mirrored = trialsOf({ wrong: (speaker) => (speaker % 2 === 1 ? 0.35 : 0.1), seed: 'gap' });
  const other = only((await judged([{ gap: 0.9, by: 'sex' }], mirrored)).checks);
  assert.deepEqual([other.group!.value, other.value.value! > 0], [group!.other, true]);
  const { low, high } = value;
  const nearer = Math.min(Math.abs(low!), Math.abs(high!));
  assert.equal((await gapAt(nearer - 0.001)).verdict, 'fail');
  assert.equal((await gapAt(nearer + 0.001)).verdict, 'inconclusive');
});

test('Who failed in trials passes no change, though what was answered is better.', async () => {
  const before = trialsOf({ wrong: () => 0.2, seed: 'before' });
  const answer = (_: number, clip: number) => (clip % 3 === 0 ? failedWith('timeout') : null);
  const check = only(
    (await judged([{ worseBy: 0.05 }], trialsOf({ wrong: () => 0.1, seed: 'after', answer }), before)).checks,
  );
  assert.ok(check.value.value! < 0 && check.upperBound! > 0.1, `${check.value.value} ${check.upperBound}`);
  assert.equal(check.verdict, 'inconclusive');
});

const studied = (value: number, measure: StudiedNumber['measure'] = 'thresholdDb'): StudiedNumber => ({
  ...{ measure, recognizer: 'asr', condition: null },
  estimate: {
    value,
    low: value - 1,
    high: value + 1,
    n: { utterances: 20, speakers: 20 },
    level: 0.95,
    method: 'invented',
  },
});

test('Of several numbers that studies found the worst is held against the limit.', async () => {
  const tally = await tallyTrials(trialsOf({ wrong: () => 0, seed: 'studied' }), words, [], null);
  const settings = { level: 0.95, seed: 1 };
  const found = [studied(5), studied(9)];
  for (const numbers of [found, found.toReversed()]) {
    const check = only(checkLimits([{ thresholdDb: 7 }], tally, numbers, settings));
    assert.deepEqual([check.verdict, check.value.value], ['fail', 9]);
  }
});

test('Before the end a count fails only where no trial to come can mend it.', async () => {
  const half = planLooks(20, 5).find(({ share }) => share === 0.5)!;
  const answer = (_: number, clip: number) => (clip === 0 ? failedWith('timeout') : null);
  const tally = await tallyTrials(trialsOf({ speakers: 10, wrong: () => 0, seed: 'counts', answer }), words, [], null);
  const at = (failures: number) =>
    only(checkLimits([{ failures }], tally, [], { level: 0.95, seed: 1, look: half })).verdict;
  // One in ten failed until now: one in twenty in the end, if none fails any more.
  assert.deepEqual([at(0.06), at(0.04)], ['inconclusive', 'fail']);
});

test('A failed trial, of whose clip nobody knows the duration, is not compared where its reference has other words.', async () => {
  const before = trialsOf({ wrong: () => 0.1, seed: 'before' });
  const after = before.map((trial, place) => {
    if (place >= 10) return trial;
    const reference = text.replace(' ten', '');
    return { ...trial, utterance: { ...trial.utterance, reference }, observation: failedWith('timeout') };
  });
  const { tally } = await judged([{ worseBy: 0 }], after, before);
  assert.deepEqual([tally.baseline!.compared, tally.baseline!.otherContent], [190, 10]);
});

test('A clip of another duration is another clip, to the millisecond.', () => {
  const of = (seconds: number | null) => contentOf('a', 'en', '[]', seconds);
  assert.notEqual(of(1.2), of(1.201));
  assert.equal(of(1.2), of(1.2 + 1e-5));
  assert.notEqual(of(null), of(0));
});

test('A remnant of the trials passes nothing against the baseline, on whichever side the others lack; a loss in it fails still.', async () => {
  const all = trialsOf({ wrong: () => 0.1, seed: 'whole' });
  const few = all.filter((_, index) => index % 10 < 4);
  const half = all.filter((_, index) => index % 10 < 5);
  const changeOf = async (after: GateTrial[], before: GateTrial[]) =>
    only((await judged([{ worseBy: 0.02 }], after, before)).checks);
  const ofHere = await changeOf(all, few);
  assert.deepEqual([ofHere.verdict, ofHere.moreSpeakers], ['inconclusive', null]);
  assert.match(reasonText(ofHere.why!), /^only 40\.0 % of the trials of this run there are compared \(80 of 200\)/);
  const ofThere = await changeOf(few, all);
  assert.deepEqual(
    [ofThere.verdict, /^only 40\.0 % of the trials of the baseline .*\(80 of 200\)/.test(reasonText(ofThere.why!))],
    ['inconclusive', true],
  );
  assert.deepEqual([(await changeOf(all, half)).verdict, (await changeOf(half, all)).verdict], ['pass', 'pass']);
  // Without a transcript they are not compared either.
  const failing = all.map((one, index) => (index % 10 < 4 ? one : { ...one, observation: failedWith('timeout') }));
  const { checks, tally } = await judged([{ worseBy: 1 }], failing, all);
  assert.deepEqual(
    [only(checks).verdict, tally.baseline!.compared, tally.baseline!.failedHere],
    ['inconclusive', 80, 120],
  );
  const lost = few.map((one) => ({ ...one, observation: said('x x x x x x x x x x') }));
  assert.equal((await changeOf(lost, all)).verdict, 'fail');
});

test('A remnant of a group passes nothing either, and groups of which most is compared do.', async () => {
  const all = trialsOf({ wrong: () => 0.1, seed: 'whole' });
  const before = all.filter(({ utterance }, index) => utterance.attributes.sex === 'male' || index % 10 === 0);
  const { checks } = await judged([{ worseBy: 0.02, by: 'sex' }], all, before);
  assert.deepEqual(
    checks.map(({ group, verdict }) => [group!.value, verdict]),
    [
      ['female', 'inconclusive'],
      ['male', 'pass'],
    ],
  );
});

test('Failures are of all recognitions that were asked; what was asked beside is in no rate of words, and what cannot be asked in nothing.', async () => {
  const answered = trialsOf({ wrong: () => 0, seed: 'counted' });
  const besides = answered.map((one) => ({ ...one, repeat: 1, observation: failedWith('timeout'), isBeside: true }));
  const silent = answered.map((one) => ({ ...one, conditionName: 'noise', observation: failedWith('inapplicable') }));
  const own = answered.flatMap((one, index) => [one, besides[index]!, silent[index]!]);
  const { checks, tally } = await judged(
    [
      { failures: 0.4 },
      { failures: 0.4, condition: 'noise' },
      { failures: 0.4, condition: 'all' },
      { wer: 0.2, condition: 'all' },
    ],
    own,
  );
  const shown = checks.map(({ measure, condition, value: { value, n }, verdict }) => [
    measure,
    condition,
    value,
    n.pairs,
    verdict,
  ]);
  assert.deepEqual(shown.toSorted(), [
    ['failures', null, 0.5, 400, 'fail'],
    ['failures', 'noise', null, 0, 'inconclusive'],
    ['wer', null, 0, 200, 'pass'],
  ]);
  assert.equal(tally.trials.length, 200);
});

const withUtterance = (trials: GateTrial[], change: (one: GateTrial['utterance'], index: number) => object) =>
  trials.map((one, index) => ({ ...one, utterance: { ...one.utterance, ...change(one.utterance, index) } }));
const lasting = ({ checks }: { readonly checks: readonly GateCheck[] }) =>
  checks.map(({ measure, group, verdict, notes = [] }) => [measure, group?.value ?? null, verdict, ...notes]);

test('Who has no value of an attribute is told with its groups, and where they are more than a tenth no limit on all groups passes.', async () => {
  const trials = trialsOf({ speakers: 40, wrong: () => 0.1, seed: 'unknown groups' });
  const without = (speakers: number) =>
    withUtterance(trials, ({ speaker }) => (Number(speaker!.slice(1)) < speakers ? { attributes: {} } : {}));
  const limits = [{ wer: 0.3, by: 'sex' }, { gap: 0.3, by: 'sex' }, { wer: 0.3, group: { sex: 'male' } }, { wer: 0.3 }];
  const note = 'sex is not known for 5 of 40 speakers (12.5 %)';
  assert.deepEqual(lasting(await judged(limits, without(5))), [
    ['wer', 'female', 'inconclusive', note],
    ['wer', 'male', 'inconclusive', note],
    ['gap', 'male', 'inconclusive', note],
    ['wer', 'male', 'pass'],
    ['wer', null, 'pass'],
  ]);
  const few = lasting(await judged(limits.slice(0, 2), without(4)));
  assert.deepEqual(
    few.map(([, , verdict, said]) => [verdict, said]),
    Array(3).fill(['pass', 'sex is not known for 4 of 40 speakers (10.0 %)']),
  );
  // Speakers of whom some clips alone lack it.
  const clips = withUtterance(trials, (_, index) => (index % 5 === 0 ? { attributes: {} } : {}));
  const [first] = (await judged([{ wer: 0.3, by: 'sex' }], clips)).checks;
  assert.deepEqual(
    [first!.verdict, first!.notes],
    ['inconclusive', ['sex is not known for 80 of 400 utterances (20.0 %)']],
  );
  // What is broken is broken, and what did not change at all did for nobody.
  assert.deepEqual(
    (await judged([{ wer: 0.01, by: 'sex' }], without(5))).checks.map(({ verdict }) => verdict),
    ['fail', 'fail'],
  );
  const same = await judged([{ worseBy: 0, by: 'sex' }], without(5), without(5));
  assert.deepEqual(
    same.checks.map(({ verdict }) => verdict),
    ['pass', 'pass'],
  );
});

test('Clips of unknown speakers are told to stand for speakers, and pass no limit on groups.', async () => {
  const trials = trialsOf({ wrong: () => 0.1, seed: 'unknown speakers' });
  const nobody = withUtterance(trials, () => ({ speaker: undefined }));
  const limits = [{ wer: 0.3, group: { sex: 'male' } }, { gap: 0.3, by: 'sex' }, { wer: 0.3 }];
  const note = 'speakers unknown: clips are taken as speakers';
  assert.deepEqual(lasting(await judged(limits, nobody)), [
    ['wer', 'male', 'inconclusive', note],
    ['gap', 'female', 'inconclusive', note],
    ['wer', null, 'pass', note],
  ]);
  const some = withUtterance(trials, (_, index) => (index < 10 ? { speaker: undefined } : {}));
  const [whole] = (await judged([{ wer: 0.3 }], some)).checks;
  assert.deepEqual(whole!.notes, ['speakers of 10 of 200 clips unknown: these clips are taken as speakers']);
});

test('Where speakers do not differ, the exact bounds of a proportion over speakers decide.', async () => {
  const all = (answer: string, speakers = 20) =>
    trialsOf({ speakers, wrong: () => 0, seed: 'alike', answer: () => said(answer) });
  const wrong = 'x x x x x x x x x x';
  for (const answer of ['', wrong, `${wrong} x x`]) {
    const { checks } = await judged([{ wer: 0.8 }, { wer: 0.95, by: 'sex' }], all(answer));
    assert.deepEqual(
      checks.map(({ group, verdict }) => [group?.value ?? null, verdict]),
      [
        [null, 'fail'],
        ['female', 'inconclusive'],
        ['male', 'inconclusive'],
      ],
    );
    // Of 20 of 20 (Clopper and Pearson), by hand: the share p with p^20 = .025.
    if (answer !== `${wrong} x x`) assert.ok(Math.abs(checks[0]!.value.low! - 0.025 ** (1 / 20)) < 1e-9);
  }
  // None of 20 in each group: with 95 % confidence at most 1 - .05^(1/20), 13.9 %, and so is their difference.
  const gapOf = async (gap: number) => only((await judged([{ gap, by: 'sex' }], all(text, 40))).checks);
  const kept = await gapOf(0.14);
  assert.deepEqual([kept.verdict, (await gapOf(0.13)).verdict], ['pass', 'inconclusive']);
  assert.ok(Math.abs(kept.upperBound! - (1 - 0.05 ** (1 / 20))) < 1e-9);
  const apart = trialsOf({
    speakers: 40,
    wrong: () => 0,
    seed: 'apart',
    answer: (speaker) => said(speaker % 2 === 0 ? text : wrong),
  });
  assert.equal(only((await judged([{ gap: 0.5, by: 'sex' }], apart)).checks).verdict, 'fail');
});

test('A limit that one utterance decides says which, and the rate and the change without it.', async () => {
  const about = { speakers: 20, clips: 5, wrong: () => 0.1 };
  const loop = Array.from({ length: 90 }, () => 'thank you').join(' ');
  const answer = (speaker: number, clip: number) => (speaker === 3 && clip === 2 ? said(loop) : null);
  const before = trialsOf({ ...about, seed: 'steady' });
  const limits = [{ wer: 0.15 }, { worseBy: 0.02 }];
  const steady = await judged(limits, before, before);
  assert.deepEqual(
    steady.checks.flatMap(({ notes }) => notes ?? []),
    [],
  );
  const { checks } = await judged(limits, trialsOf({ ...about, seed: 'steady', answer }), before);
  for (const { moreSpeakers, why } of checks)
    assert.deepEqual([moreSpeakers ?? null, Object.keys(why ?? {})], [null, why ? ['code'] : []]);
  const noteOf = (measure: string) => checks.find((check) => check.measure === measure)!.notes!.join('; ');
  assert.match(
    noteOf('wer'),
    /^one of 100 utterances, s3-2, moves the WER from (9|1\d)\.\d % \(95 % CI .*\) to 2\d\.\d %: it has 180 of the \d+ errors \(2 words repeated 90 times\)$/,
  );
  assert.match(
    noteOf('worseBy'),
    /^one of 100 utterances, s3-2, moves the difference to the baseline from 0\.0 points to \+1\d\.\d points: it adds 1\d\d errors \(2 words repeated 90 times\)$/,
  );
});
