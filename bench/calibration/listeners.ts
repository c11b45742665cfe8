/**
 * How often gaps beyond listeners are found where there are none, and where there are some.
 *
 *   node bench/calibration/listeners.ts [SIMULATIONS]
 *
 * 2,000 simulations by default, some minutes of one core. Invented worlds: speakers of two groups (each with clips of so many words), panels of listeners by a Latin
 * square over four conditions, as `transcribe` plans. Errors are drawn word by word. A speaker's difficulty (standard deviation .5 of its logarithm) is
 * shared by machine and listeners, who have their own skill (.3), and in some worlds their own trouble with each group (`ears`: .3).
 * The second group is harder for everybody by a factor of 1.5, which is no gap beyond listeners only if all suffer alike: so its words are as hard
 * in addition for machine and listeners (+.08).
 *
 * One line for each world: `false`, the share with a p of at most .05 in a fair world (its standard error is .005 at 2,000); `covers`,
 * how many intervals hold the truth; then with an injected gap as large as `detectable` says is found in 80 of 100: `expected` (what the study's own calculation says of
 * each simulation's gap, its noncentral mean) and `found`. `speakers alone` is the share of false gaps where listeners are no clusters.
 */
import { createRandom, type Random } from '../../src/base/random.ts';
import { normalCdf, normalQuantile } from '../../src/statistics/distributions.ts';
import { type CrossedCell, crossedContrast } from '../../src/statistics/fairness/crossed-contrast.ts';

interface World {
  readonly speakers: readonly [number, number];
  readonly clips: number;
  readonly listeners: number;
  readonly ears: number;
}

const worlds: Readonly<Record<string, World>> = {
  'one panel': { speakers: [20, 20], clips: 4, listeners: 4, ears: 0 },
  'two panels': { speakers: [20, 20], clips: 4, listeners: 8, ears: 0 },
  'four panels': { speakers: [20, 20], clips: 4, listeners: 16, ears: 0 },
  unequal: { speakers: [12, 48], clips: 4, listeners: 8, ears: 0 },
  'few speakers': { speakers: [10, 10], clips: 8, listeners: 8, ears: 0 },
  'ears differ': { speakers: [20, 20], clips: 4, listeners: 8, ears: 0.3 },
  'ears differ, more': { speakers: [20, 20], clips: 4, listeners: 16, ears: 0.3 },
  'many speakers, ears differ': { speakers: [60, 60], clips: 4, listeners: 8, ears: 0.3 },
};
const conditions = 4;
const words = 8;

function errorsOf(chance: number, random: Random): number {
  let count = 0;
  for (let word = 0; word < words; word++) if (random.next() < Math.min(0.98, Math.max(0.01, chance))) count++;
  return count;
}

/** What the machine makes wrong beyond listeners in the first condition, by cell. */
function cellsOf({ speakers, clips, listeners, ears }: World, gap: number, random: Random): CrossedCell[] {
  const skills = Array.from({ length: listeners }, () => Math.exp(0.3 * random.normal() - 0.045));
  const trouble = Array.from({ length: listeners }, () => [0, 1].map(() => 0.12 * ears * random.normal()));
  const cells: CrossedCell[] = [];
  let utterance = 0;
  let speaker = 0;
  for (const [group, count] of speakers.entries()) {
    for (let own = 0; own < count; own++, speaker++) {
      const difficulty = 0.12 * Math.exp(0.5 * random.normal() - 0.125);
      const harder = group === 1 ? 0.08 : 0;
      for (let clip = 0; clip < clips; clip++, utterance++) {
        const machine = errorsOf(difficulty + harder + (group === 1 ? gap : 0), random);
        for (let panel = 0; panel < listeners / conditions; panel++) {
          // Seat s hears utterance u in condition (u + s) mod C: this seat hears it in the first.
          const listener = panel * conditions + ((conditions - (utterance % conditions)) % conditions);
          const heard = errorsOf(difficulty * skills[listener]! + harder + trouble[listener]![group]!, random);
          cells.push({ speaker, listener, stratum: group, numerator: machine - heard, denominator: words });
        }
      }
    }
  }
  return cells;
}

const simulations = Number(process.argv[2] ?? 2000);
const strata = [
  { weight: -1, side: 0 },
  { weight: 1, side: 1 },
];
const options = { level: 0.95, minimumSpeakers: 10 };
console.log('world'.padEnd(28), 'false  covers  speakers alone  detectable  expected  found');
for (const [name, world] of Object.entries(worlds)) {
  let [wrong, covers, alone, counted] = [0, 0, 0, 0];
  const detectable: number[] = [];
  for (let simulation = 0; simulation < simulations; simulation++) {
    const random = createRandom({ bench: 'listeners', name, simulation });
    const cells = cellsOf(world, 0, random);
    const { interval, pValue, detectable: smallest } = crossedContrast(cells, strata, options);
    if (pValue === null) continue;
    counted++;
    if (pValue <= 0.05) wrong++;
    if (interval.low! <= 0 && interval.high! >= 0) covers++;
    detectable.push(smallest!);
    // Every answer a listener of its own: only speakers are clusters.
    const single = crossedContrast(
      cells.map((cell, listener) => ({ ...cell, listener })),
      strata,
      options,
    );
    if (single.pValue! <= 0.05) alone++;
  }
  const gap = detectable.reduce((sum, one) => sum + one, 0) / detectable.length;
  let found = 0;
  let injected = 0;
  for (let simulation = 0; simulation < simulations; simulation++) {
    const random = createRandom({ bench: 'listeners', name, injected: simulation });
    const { pValue, interval, detectable: smallest } = crossedContrast(cellsOf(world, gap, random), strata, options);
    injected += smallest! / simulations;
    if (pValue !== null && pValue <= 0.05 && interval.low! > 0) found++;
  }
  const share = (count: number) => (count / Math.max(1, counted)).toFixed(3);
  console.log(
    name.padEnd(28),
    share(wrong).padEnd(6),
    share(covers).padEnd(7),
    share(alone).padEnd(15),
    gap.toFixed(3).padEnd(11),
    normalCdf(normalQuantile(0.8) + (normalQuantile(0.975) + normalQuantile(0.8)) * (gap / injected - 1))
      .toFixed(3)
      .padEnd(9),
    share(found),
  );
}
