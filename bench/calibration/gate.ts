/**
 * How often a gate fails a release without a change, and how often it sees a loss.
 *
 *   node bench/calibration/gate.ts [WORLDS [plan | looks [SPEAKERS] | power [SPEAKERS] | TRIALS.csv]]
 *
 * `aa`: WORLDS releases (1,000) that differ from their baseline by chance alone. Speakers' rates are lognormal (spread .5) around 4 or 40 %;
 * a part of the clips (.3 or all) is answered anew, as by a recognizer that is not deterministic. One limit (`worseBy: 0`), or 25 together: all, and two
 * groups in twelve conditions, correlated by their speakers. Printed: shares of fail, pass and inconclusive; the limit is the hardest, so that every false fail counts.
 * `loss`: the rate is so many points higher in truth; the limit is `worseBy: .01`.
 * `plan`: what `planLimits` says of a loss, from 120 baselines, beside what then fails; `power`: the same of releases that are asked in looks, losses of two margins, from forty.
 * `looks`: releases that are asked until the verdict is certain, beside the fixed design: losses of none, one and two margins (one of several beside one limit alone: 25 with the
 * same margin), a tenth of the speakers losing ten times as much, and what `planAsking` says. The margin is the one at which twice as much fails in about 90 % of the fixed design.
 * `recorded`: TRIALS.csv of a run with two recorded recognizers (`earwitness run` writes it): before and after are swapped for a random half of the speakers,
 * with the limit that overall and each group of the first attribute with groups are no worse; all asked, and asked until the verdict is certain.
 */
import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import { createRandom, type Random } from '../../src/base/random.ts';
import { checkLimits } from '../../src/compare/gate/check-limits.ts';
import { gateOptions } from '../../src/compare/gate/limits.ts';
import { decideAtLook, isCertain, type LookedCheck, planLooks } from '../../src/compare/gate/looks.ts';
import { planAsking, planLimits } from '../../src/compare/gate/plan-limits.ts';
import { createTrialTally, type GateTrial, tallyTrials } from '../../src/compare/gate/tally-trials.ts';
import { worstVerdict } from '../../src/compare/gate/verdicts.ts';
import type { GateLimit, GateVerdict } from '../../src/model/gate.ts';
import { normalQuantile } from '../../src/statistics/distributions.ts';

const worlds = Number(process.argv[2] ?? 1000);
const words = (text: string) => text.split(' ').filter((word) => word !== '');
const reference = 'one two three four five six seven eight nine ten';
const clips = 10;

interface World {
  readonly speakers: number;
  readonly rate: number;
  /** Added to the rate of the release. */
  readonly loss: number;
  /** Share of the clips that are answered anew where nothing was lost. */
  readonly anew: number;
  readonly conditions: readonly string[];
  /** The loss is that of one speaker in ten, ten times as much. */
  readonly few?: boolean;
}

const mostWrong = 0.95;
const spread = 0.5;

/** What is added to the rates of speakers so that they lose `mean` on average, though nobody gets more than `mostWrong` of the words wrong. */
function addedFor(rate: number, mean: number): number {
  const own = Array.from({ length: 999 }, (_, place) =>
    Math.min(mostWrong, rate * Math.exp(spread * normalQuantile((place + 1) / 1000) - spread ** 2 / 2)),
  );
  const lost = (added: number) =>
    own.reduce((sum, one) => sum + Math.min(mostWrong, one + added) - one, 0) / own.length;
  let [low, high] = [mean, mean + 0.5];
  for (let step = 0; step < 40; step++) {
    const middle = (low + high) / 2;
    if (lost(middle) < mean) low = middle;
    else high = middle;
  }
  return low;
}

function* answers(
  { speakers, rate, loss: mean, anew, conditions, few = false }: World,
  random: Random,
): Generator<[GateTrial, GateTrial]> {
  const added = mean === 0 ? 0 : addedFor(rate, mean);
  for (let speaker = 0; speaker < speakers; speaker++) {
    const own = Math.exp(spread * random.normal() - spread ** 2 / 2);
    const loss = few ? (random.next() < 0.1 ? 10 * mean : 0) : added;
    for (let clip = 0; clip < clips; clip++) {
      const attributes = { sex: speaker % 2 === 0 ? 'f' : 'm' };
      const utterance = {
        id: `${speaker}-${clip}`,
        reference,
        language: 'und',
        speaker: `${speaker}`,
        attributes,
        tags: [],
      };
      for (const conditionName of conditions) {
        const answer = (share: number): string =>
          words(reference)
            .map((word) => (random.next() < Math.min(mostWrong, share) ? 'x' : word))
            .join(' ');
        const before = answer(rate * own);
        const after = mean > 0 ? answer(rate * own + loss) : random.next() < anew ? answer(rate * own) : before;
        const trial = (text: string): GateTrial => ({
          ...{ utterance, conditionName, steps: '', draw: 0, repeat: 0, recognizer: 'asr' },
          observation: { transcript: { text }, soundSeconds: 1, timing: { seconds: 0, calls: 1 } },
        });
        yield [trial(before), trial(after)];
      }
    }
  }
}

const baselineOf = (pairs: readonly (readonly [GateTrial, GateTrial])[], groupBy: readonly string[]) =>
  tallyTrials(
    pairs.map(([one]) => one),
    words,
    groupBy,
    null,
  );

async function verdictOf(
  pairs: readonly (readonly [GateTrial, GateTrial])[],
  limits: readonly GateLimit[],
  groupBy: readonly string[],
) {
  const before = await baselineOf(pairs, groupBy);
  const after = await tallyTrials(
    pairs.map(([, other]) => other),
    words,
    groupBy,
    before.trials,
  );
  // Ten thousand arrangements and resamples cost time, and not the level.
  const settings = { level: 0.95, minimumSpeakers: 5, seed: 1, permutations: 1000, resamples: 500 };
  return worstVerdict(checkLimits(limits, after, [], settings));
}

async function print(name: string, count: number, draw: (random: Random) => Promise<GateVerdict>): Promise<void> {
  const random = createRandom(['gate', name]);
  const counts: Record<GateVerdict, number> = { pass: 0, fail: 0, inconclusive: 0 };
  for (let world = 0; world < count; world++) counts[await draw(random)]++;
  const share = (verdict: GateVerdict) => `${verdict} ${(counts[verdict] / count).toFixed(3)}`;
  console.log(`${name}: ${share('fail')}, ${share('pass')}, ${share('inconclusive')} of ${count}`);
}

/** The same, asked in looks; `asked` is the share of the speakers. Trials come speaker by speaker, in an order that says nothing. */
async function askedVerdict(
  pairs: readonly (readonly [GateTrial, GateTrial])[],
  limits: readonly GateLimit[],
  groupBy: readonly string[],
) {
  const before = await baselineOf(pairs, groupBy);
  const tally = createTrialTally(words, groupBy, before.trials);
  const bySpeaker = [...Map.groupBy(pairs, ([{ utterance }]) => utterance.speaker!).values()];
  for (const own of bySpeaker) tally.expect(own[0]![0].utterance);
  let checks: readonly LookedCheck[] = [];
  let at = 0;
  for (const look of planLooks(bySpeaker.length, Math.min(10, bySpeaker.length))) {
    for (; at < look.speakers; at++) for (const [, after] of bySpeaker[at]!) tally.add(after);
    const settings = { level: 0.95, minimumSpeakers: 5, seed: 1, permutations: 1000, resamples: 500, look };
    checks = decideAtLook(checks, checkLimits(limits, tally.tally(), [], settings), look);
    if (look.share === 1 || isCertain(checks, 'verdict')) return { verdict: worstVerdict(checks), asked: look.share };
  }
  throw new Error('there was no last look');
}

async function printAsked(name: string, draw: (random: Random) => ReturnType<typeof askedVerdict>): Promise<void> {
  let asked = 0;
  const seen = async (random: Random) => {
    const said = await draw(random);
    asked += said.asked / worlds;
    return said.verdict;
  };
  await print(name, worlds, seen);
  console.log(`  asked ${asked.toFixed(3)}`);
}

/** What `planAsking` says of a loss of twice the margin, and of none, on average over baselines. */
async function printPlanned(speakers: number, rate: number, margin: number): Promise<void> {
  const alone = limitsOf([{ worseBy: margin }]);
  const said = { asked: 0, fails: 0, none: 0, passes: 0 };
  const baselines = 40;
  const random = createRandom(['plan', speakers, rate]);
  for (let baseline = 0; baseline < baselines; baseline++) {
    const world = { speakers, rate, loss: 0, anew: 1, conditions: ['clean'] };
    const trials = [...answers(world, random)].map(([before]) => before);
    const tally = await tallyTrials(trials, words, [], null);
    const settings = {
      level: 0.95,
      minimumSpeakers: 10,
      seed: baseline,
      anew: 1,
      loss: 2 * margin,
      releases: Math.ceil(worlds / baselines),
    };
    const utterances = new Map(trials.map(({ utterance }) => [utterance.id, utterance]));
    const [none, lost] = planAsking(tally.trials, utterances, alone, { ...settings, askUntil: 'verdict' });
    said.none += none!.asked / baselines;
    said.passes += none!.passes / baselines;
    said.asked += lost!.asked / baselines;
    said.fails += lost!.fails / baselines;
  }
  console.log(
    `plan, ${aboutOf(speakers, rate, margin)}: loss 2: fail ${said.fails.toFixed(3)}, asked ${said.asked.toFixed(3)}; loss 0: pass ${said.passes.toFixed(3)}, asked ${said.none.toFixed(3)}`,
  );
}

/** Margins as bench/calibration/sequential.ts finds them. */
const marginsOf = (speakers: number): readonly (readonly [rate: number, margin: number])[] =>
  speakers <= 20
    ? [
        [0.04, 0.0262],
        [0.4, 0.051],
      ]
    : [
        [0.04, 0.0132],
        [0.4, 0.0279],
      ];

const aboutOf = (speakers: number, rate: number, margin: number): string =>
  `${speakers} speakers, WER ${100 * rate} %, margin ${(100 * margin).toFixed(2)}`;

/** Power as it is found, beside what plans say of it. */
async function measurePower(speakers: number): Promise<void> {
  for (const [rate, margin] of marginsOf(speakers)) {
    const alone = limitsOf([{ worseBy: margin }]);
    const world = { speakers, rate, loss: 2 * margin, anew: 1, conditions: ['clean'] };
    await printAsked(`looks, ${aboutOf(speakers, rate, margin)}, loss 2`, (random) =>
      askedVerdict([...answers(world, random)], alone, ['sex']),
    );
    await printPlanned(speakers, rate, margin);
  }
}

async function measureLooks(speakers: number): Promise<void> {
  const conditions = ['clean', ...Array.from({ length: 11 }, (_, place) => `noise ${place}`)];
  for (const [rate, margin] of marginsOf(speakers)) {
    const alone = limitsOf([{ worseBy: margin }]);
    const family = limitsOf([
      { worseBy: margin, condition: 'all' },
      ...conditions.map((condition) => ({ worseBy: margin, condition, by: 'sex' })),
    ]);
    const about = aboutOf(speakers, rate, margin);
    for (const times of [0, 1, 2]) {
      const world = { speakers, rate, loss: times * margin, anew: 1, conditions: ['clean'] };
      if (times > 0)
        await print(`fixed, ${about}, loss ${times}`, worlds, (random) =>
          verdictOf([...answers(world, random)], alone, ['sex']),
        );
      await printAsked(`looks, ${about}, loss ${times}`, (random) =>
        askedVerdict([...answers(world, random)], alone, ['sex']),
      );
    }
    const edge = { speakers, rate, loss: margin, anew: 1, conditions };
    await printAsked(`looks, 25 limits, ${about}, loss 1`, (random) =>
      askedVerdict([...answers(edge, random)], family, ['sex']),
    );
    const few = { ...edge, conditions: ['clean'], few: true };
    await print(`fixed, ${about}, loss 1 of few`, worlds, (random) =>
      verdictOf([...answers(few, random)], alone, ['sex']),
    );
    await printAsked(`looks, ${about}, loss 1 of few`, (random) =>
      askedVerdict([...answers(few, random)], alone, ['sex']),
    );
    await printPlanned(speakers, rate, margin);
  }
}

const limitsOf = (limits: readonly object[]) => gateOptions.parse({ limits }).limits as GateLimit[];
const one = limitsOf([{ worseBy: 0 }]);
const conditions = ['clean', ...Array.from({ length: 11 }, (_, place) => `noise ${place}`)];
const many = limitsOf([
  { worseBy: 0, condition: 'all' },
  ...conditions.map((condition) => ({ worseBy: 0, condition, by: 'sex' })),
]);

const table = process.argv[3];
if (table === 'power') {
  for (const speakers of process.argv[4] === undefined ? [20, 60] : [Number(process.argv[4])])
    await measurePower(speakers);
} else if (table === 'looks') {
  for (const speakers of process.argv[4] === undefined ? [20, 60] : [Number(process.argv[4])])
    await measureLooks(speakers);
} else if (table === undefined || table === 'plan') {
  for (const speakers of table === 'plan' ? [] : [5, 20, 60]) {
    for (const rate of [0.04, 0.4]) {
      for (const anew of [0.3, 1]) {
        const world = { speakers, rate, loss: 0, anew, conditions: ['clean'] };
        const about = `${speakers} speakers, WER ${100 * rate} %, ${100 * anew} % anew`;
        await print(`aa, one limit, ${about}`, worlds, (random) =>
          verdictOf([...answers(world, random)], one, ['sex']),
        );
        await print(`aa, 25 limits, ${about}`, worlds, (random) =>
          verdictOf([...answers({ ...world, conditions }, random)], many, ['sex']),
        );
      }
    }
  }
  const margin = limitsOf([{ worseBy: 0.01 }]);
  for (const speakers of table === 'plan' ? [] : [20, 60]) {
    for (const loss of [0.02, 0.05, 0.1]) {
      const world = { speakers, rate: 0.1, loss, anew: 1, conditions: ['clean'] };
      await print(`loss, ${speakers} speakers, WER 10 %, ${100 * loss} points more, limit 1`, worlds, (random) =>
        verdictOf([...answers(world, random)], margin, ['sex']),
      );
    }
  }
  for (const [speakers, rate] of [
    [20, 0.1],
    [60, 0.1],
    [20, 0.4],
  ] as const) {
    const world = { speakers, rate, loss: 0.04, anew: 1, conditions: ['clean'] };
    const random = createRandom(['plan', speakers, rate]);
    const said: number[] = [];
    for (let baseline = 0; baseline < 120; baseline++) {
      const trials = [...answers({ ...world, loss: 0 }, random)].map(([before]) => before);
      const tally = await tallyTrials(trials, words, [], null);
      const utterances = new Map(trials.map(({ utterance }) => [utterance.id, utterance]));
      const settings = {
        level: 0.95,
        minimumSpeakers: 5,
        seed: baseline,
        anew: 1,
        loss: world.loss,
        releases: Math.ceil(worlds / 120),
      };
      const [planned] = planLimits(tally.trials, utterances, margin, settings).limits;
      said.push(planned!.losses.find(({ loss }) => loss === world.loss)!.fails);
    }
    const mean = said.reduce((sum, share) => sum + share, 0) / said.length;
    const about = `${speakers} speakers, WER ${100 * rate} %, 4 points more, limit 1`;
    console.log(
      `plan, ${about}: ${mean.toFixed(3)} said on average, from ${Math.min(...said).toFixed(2)} to ${Math.max(...said).toFixed(2)}`,
    );
    await print(`loss, ${about}`, worlds, (own) => verdictOf([...answers(world, own)], margin, ['sex']));
  }
} else {
  type Row = Readonly<Record<string, string>>;
  const rows = (parse(readFileSync(table), { columns: true }) as Row[]).filter(
    ({ condition }) => condition === 'clean',
  );
  const recognizers = [...new Set(rows.map(({ recognizer }) => recognizer!))].slice(0, 2);
  const attribute = Object.keys(rows[0]!).find((name) => name === 'sex' || name === 'gender')!;
  const byUtterance = Map.groupBy(rows, ({ utterance }) => utterance!);
  const pairs = [...byUtterance.values()].flatMap((own) => {
    const [first, second] = recognizers.map((name) => own.find(({ recognizer }) => recognizer === name));
    return first === undefined || second === undefined ? [] : [[first, second] as const];
  });
  const speakers = [...new Set(pairs.map(([{ speaker }]) => speaker!))];
  console.log(`${recognizers.join(' and ')}: ${pairs.length} clips, ${speakers.length} speakers, ${attribute}`);
  const limits = limitsOf([{ worseBy: 0 }, { worseBy: 0, by: attribute }]);
  const trial = (row: Row, text: string): GateTrial => ({
    utterance: {
      ...{ id: row.utterance!, reference: row.reference_words!, language: 'und', speaker: row.speaker!, tags: [] },
      attributes: row[attribute] ? { [attribute]: row[attribute]! } : {},
    },
    ...{ conditionName: 'clean', steps: '', draw: 0, repeat: 0, recognizer: 'asr' },
    observation: { transcript: { text }, soundSeconds: 1, timing: { seconds: 0, calls: 1 } },
  });
  const swapped = (random: Random) => {
    const others = new Set(speakers.filter(() => random.next() < 0.5));
    return pairs.map(([first, second]): [GateTrial, GateTrial] => {
      const [before, after] = others.has(first.speaker!) ? [second, first] : [first, second];
      return [trial(first, before.transcript_words!), trial(first, after.transcript_words!)];
    });
  };
  await print('recorded', worlds, (random) => verdictOf(swapped(random), limits, [attribute]));
  // In an order of its own each time.
  await printAsked('recorded, looks', (random) => {
    const bySpeaker = Map.groupBy(swapped(random), ([{ utterance }]) => utterance.speaker!);
    const drawn = [...bySpeaker.values()].map((own) => ({ own, place: random.next() }));
    const inOrder = drawn.sort((a, b) => a.place - b.place).flatMap(({ own }) => own);
    return askedVerdict(inOrder, limits, [attribute]);
  });
}
