/**
 * How often the study `degradation` calls a fair variant unfair, beside what AequeVox counts in the same variants.
 *
 *   node bench/calibration/degradation.ts [SIMULATIONS [ONLY]]
 *
 * 10,000 simulations by default, about a quarter of an hour of one core; ONLY runs the variants whose name contains it. One line for
 * each variant: `unfair` is the share in which the study claims a difference (interval and corrected test agree), `test` that
 * in which the corrected test alone finds one (standard error .002 at 10,000); then the shares in which AequeVox has any
 * violation at each tolerance, and by how much the group with most exceeds the mean of the others.
 *
 * Invented variants: one pair of recognizers, five conditions of one family. A speaker has 100 words (or so many as the variant
 * says), a distance before of .1 and a degradation of .05 to .25 along the family, each times a lognormal factor of the
 * speaker's own (standard deviation .5 of its logarithm), and edits are drawn word by word. The words of the longer
 * transcript change by up to a tenth from condition to condition.
 *
 * - alike: groups of 20 and 60 speakers
 * - few: groups of 12 and 15
 * - words: the same numbers as alike, speakers of the smaller group having a fifth of the words
 * - before: the smaller group is served worse before (.25 and not .1), and loses as much
 * - seven: seven groups of 12 to 40 speakers
 * - spread: speakers of the smaller group differ twice as much; more of them lose everything and no more can be lost, so that
 *   the factor 1.073 makes the mean loss that of the others (500,000 speakers)
 * - many: those of the larger group do
 * - unequal: all speakers differ twice as much
 * - power: the smaller group, of 20 or 60 speakers beside three times as many, loses 1.25, 1.5 or 2 times as much; here
 *   findings are right
 */
import assert from 'node:assert/strict';
import { createRandom, type Random } from '../../src/base/random.ts';
import { type DegradationOptions, degradationOptions, type Plan } from '../../src/studies/degradation/design.ts';
import { overallShare } from '../../src/studies/degradation/group-findings.ts';
import { conclude, keptConditions, publishedCounts } from '../../src/studies/degradation/results.ts';
import { averageOver, type Counted, openCubes } from '../../src/studies/degradation/tally.ts';
import { judge } from '../../src/studies/shared/comparisons.ts';
import { testTogether } from '../../src/studies/shared/test-groups.ts';

const tolerances = [0.01, 0.05, 0.1, 0.15];
const steps = [0.05, 0.1, 0.15, 0.2, 0.25];

interface Group {
  readonly speakers: number;
  readonly words?: number;
  readonly before?: number;
  readonly spread?: number;
  readonly factor?: number;
}

const variants: Readonly<Record<string, readonly Group[]>> = {
  alike: [{ speakers: 20 }, { speakers: 60 }],
  few: [{ speakers: 12 }, { speakers: 15 }],
  words: [{ speakers: 20, words: 20 }, { speakers: 60 }],
  before: [{ speakers: 20, before: 0.25 }, { speakers: 60 }],
  seven: [12, 15, 20, 25, 30, 35, 40].map((speakers) => ({ speakers })),
  spread: [{ speakers: 20, spread: 1, factor: 1.073 }, { speakers: 60 }],
  many: [{ speakers: 20 }, { speakers: 60, spread: 1, factor: 1.073 }],
  unequal: [
    { speakers: 20, spread: 1 },
    { speakers: 60, spread: 1 },
  ],
  ...Object.fromEntries(
    [20, 60].flatMap((speakers) =>
      [1.25, 1.5, 2].map((factor): [string, Group[]] => [
        `power ${factor} ${speakers}`,
        [{ speakers, factor }, { speakers: 3 * speakers }],
      ]),
    ),
  ),
};

const plan: Plan = {
  recognizers: [],
  conditions: [0, ...steps].map((step) => ({ name: `loss ${step}`, steps: [] })),
  families: [{ name: 'loss', conditions: steps.map((_, place) => place + 1) }],
  measures: [{ kind: 'distance', name: 'a and b', recognizers: [0, 1] }],
  drawn: [0, ...steps].map(() => 1),
  shortages: [],
};

const options: DegradationOptions = degradationOptions.parse({ tolerances, resamples: 500, permutations: 999 });

function lognormal(spread: number, random: Random): number {
  return Math.exp(spread * random.normal() - spread ** 2 / 2);
}

function binomial(trials: number, chance: number, random: Random): number {
  let count = 0;
  for (let trial = 0; trial < trials; trial++) if (random.next() < chance) count++;
  return count;
}

/** Counts of an invented variant, as the study has them after its answers. */
function countsOf(groups: readonly Group[], random: Random, seed: number): Counted {
  const cubes = openCubes(plan, options, seed);
  groups.forEach(({ speakers, words = 100, before = 0.1, spread = 0.5, factor = 1 }, group) => {
    for (let speaker = 0; speaker < speakers; speaker++) {
      const id = `${group} ${speaker}`;
      const utterance = { id, speaker: id, language: 'en', attributes: { group: String(group) }, tags: [] };
      const own = before * lognormal(spread, random);
      const loss = factor * lognormal(spread, random);
      const errors = binomial(words, Math.min(0.9, own), random);
      const baseline = { errors, words };
      const add = (place: number, scored: typeof baseline) =>
        cubes.scores.add(utterance, [
          { condition: plan.conditions[place]!.name, ...scored, errorsBefore: errors, wordsBefore: words },
        ]);
      add(0, baseline);
      steps.forEach((step, place) => {
        const longer = words + Math.floor((0.1 * words + 1) * random.next());
        const changed = binomial(longer, Math.min(0.95, own + step * loss), random);
        add(place + 1, { errors: changed, words: longer });
      });
    }
  });
  const seen = { utterances: 1, perturbed: 0, withReference: 0, withoutSpeaker: 0 };
  return { ...cubes, plan, options, trials: [], heard: null, ...seen };
}

/**
 * What the study says of the invented groups over everything, and AequeVox's counts: those parts of `conclude` that the shares
 * need, with its random numbers. What else a report has takes most of the time. Intervals are made where the test finds
 * something, because a difference is claimed only where both do.
 */
function concludeOverall(counted: Counted, seed: number) {
  const kept = keptConditions(counted);
  const conditions = kept.flatMap((one) => (one.kept ? [one.condition] : []));
  const leaves = conditions.map((condition) => ({ measure: 0, condition }));
  const sides = counted.scores.parts('group').map((part) => averageOver(part, leaves, 'loss', plan));
  const made = testTogether([sides], {
    ...options,
    seed,
    study: 'degradation',
    what: ['overall', 'group', 'distance'],
  })[0]!;
  const pairs = made.map(({ adjustedPValue = null, difference }) => ({ pValue: adjustedPValue, difference }));
  const test = pairs.some(({ pValue }) => isSignificant(pValue));
  const unfair = pairs.some(({ pValue, difference }) => judge(difference, pValue) !== 'cannot tell');
  return { pairs, test, unfair, published: publishedCounts(counted, kept) };
}

const isSignificant = (pValue: number | null) => pValue !== null && pValue <= 0.05;

const comparedInFull = 5;
const simulations = Number(process.argv[2] ?? 10_000);
const only = process.argv[3] ?? '';
for (const [name, groups] of Object.entries(variants)) {
  if (!name.includes(only)) continue;
  const found = { unfair: 0, test: 0, excess: 0, violations: tolerances.map(() => 0) };
  const started = process.cpuUsage();
  for (let simulation = 0; simulation < simulations; simulation++) {
    const random = createRandom({ bench: 'degradation', variant: name, simulation });
    const counted = countsOf(groups, random, simulation);
    const { pairs, test, unfair, published } = concludeOverall(counted, simulation);
    if (simulation < comparedInFull) {
      const full = conclude(counted, { seed: simulation });
      const comparisons = full.overall.map(({ comparison }) => comparison);
      // The study keeps a part of the error for details.
      pairs.forEach(({ pValue }, place) => {
        const whole = (comparisons[place]!.adjustedPValue ?? 0) * overallShare;
        assert.ok(Math.abs((pValue ?? 0) - whole) < 1e-9 || comparisons[place]!.adjustedPValue === 1);
      });
      assert.deepEqual(published, full.published);
    }
    if (unfair) found.unfair++;
    if (test) found.test++;
    const { rows } = published[0]!.violations;
    tolerances.forEach((tolerance, place) => {
      const row = rows.find((one) => one.by === 'tolerance' && one.name === String(tolerance))!;
      if (row.counts.some((count) => count > 0)) found.violations[place]!++;
    });
    const total = rows[0]!.counts;
    const most = Math.max(...total);
    const others = (total.reduce((sum, count) => sum + count, 0) - most) / (total.length - 1);
    found.excess += most - others;
  }
  const { user, system } = process.cpuUsage(started);
  console.log(
    JSON.stringify({
      variant: name,
      simulations,
      unfair: found.unfair / simulations,
      test: found.test / simulations,
      aequevox: Object.fromEntries(
        tolerances.map((tolerance, place) => [tolerance, found.violations[place]! / simulations]),
      ),
      meanExcessOfMost: Number((found.excess / simulations).toFixed(2)),
      timing: { processorSeconds: Number(((user + system) / 1e6).toFixed(1)) },
    }),
  );
}
