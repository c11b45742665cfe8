/**
 * How often the interval of a mean rating holds the truth.
 *
 *   node bench/calibration/ratings.ts [SIMULATIONS]
 *
 * 1,000 simulated studies by default, about two minutes of one core. Listeners with a bias of their own (standard deviation `bias`) rate clips that differ (`clips differ`),
 * with noise (.6), on a scale of 1 to 5; what comes out is rounded to the scale. Who rates what is the plan of `rate`: a Latin square over four conditions.
 * The truth is the mean that all listeners would give to all clips, worked out from the normal distribution.
 *
 * One line for each simulation: `mean`, how far the mean of all means is from the truth; `holds`, how many 95 % intervals hold it; `none`, how many have no interval;
 * `relation`, what holds of the mean of all conditions together; `one-way`, what holds where only listeners are clusters; `half width`, and what `ratingPrecision` says of it beforehand.
 */
import { createRandom, type Random } from '../../src/base/random.ts';
import { normalCdf } from '../../src/statistics/distributions.ts';
import { ratingPrecision } from '../../src/statistics/planning/rating-precision.ts';
import { type RatingRow, ratingMeans } from '../../src/studies/shared/validity/ratings.ts';

interface Simulated {
  readonly listeners: number;
  readonly clips: number;
  readonly bias: number;
  readonly clipsDiffer: number;
}

const variants: Readonly<Record<string, Simulated>> = {
  '20 listeners, 24 clips': { listeners: 20, clips: 24, bias: 0.5, clipsDiffer: 0.3 },
  '20 listeners, much bias': { listeners: 20, clips: 24, bias: 1, clipsDiffer: 0.3 },
  '20 listeners, no bias': { listeners: 20, clips: 24, bias: 0, clipsDiffer: 0.3 },
  '20 listeners, clips differ': { listeners: 20, clips: 24, bias: 0.5, clipsDiffer: 0.8 },
  '20 listeners, 100 clips': { listeners: 20, clips: 100, bias: 0.5, clipsDiffer: 0.3 },
  '20 listeners, 8 clips': { listeners: 20, clips: 8, bias: 0.5, clipsDiffer: 0.3 },
  '20 listeners, 4 clips': { listeners: 20, clips: 4, bias: 0.5, clipsDiffer: 0.3 },
  '20 listeners, 1 clip': { listeners: 20, clips: 1, bias: 0.5, clipsDiffer: 0 },
  '8 listeners, 24 clips': { listeners: 8, clips: 24, bias: 0.5, clipsDiffer: 0.3 },
  '5 listeners, 24 clips': { listeners: 5, clips: 24, bias: 0.5, clipsDiffer: 0.3 },
  '5 listeners, much bias': { listeners: 5, clips: 24, bias: 1, clipsDiffer: 0.3 },
  '5 listeners, 5 clips': { listeners: 5, clips: 5, bias: 0.5, clipsDiffer: 0.5 },
};
const noise = 0.6;
const means = [4.2, 3.9, 3.2, 2.4] as const;
const scale = 5;

/** What comes of a value that somebody has in mind. */
const onScale = (value: number) => Math.min(scale, Math.max(1, Math.round(value)));

/** The mean of all listeners and clips in a condition. */
function truth({ bias, clipsDiffer }: Simulated, condition: number): number {
  const spread = Math.hypot(bias, clipsDiffer, noise);
  const below = (rating: number) => (rating >= scale ? 1 : normalCdf((rating + 0.5 - means[condition]!) / spread));
  let mean = 0;
  for (let rating = 1; rating <= scale; rating++)
    mean += rating * (below(rating) - (rating > 1 ? below(rating - 1) : 0));
  return mean;
}

function rowsOf({ listeners, clips, bias, clipsDiffer }: Simulated, random: Random): RatingRow[] {
  const biases = Array.from({ length: listeners }, () => bias * random.normal());
  // A clip is as good or bad as it is in each condition by itself.
  const qualities = Array.from({ length: clips * means.length }, () => clipsDiffer * random.normal());
  const rows: RatingRow[] = [];
  for (let seat = 0; seat < listeners; seat++) {
    for (let clip = 0; clip < clips; clip++) {
      for (const condition of clips === 1 ? means.keys() : [(clip + seat) % means.length]) {
        const value =
          means[condition]! + biases[seat]! + qualities[clip * means.length + condition]! + noise * random.normal();
        rows.push({
          ...{ rating: onScale(value), utterance: `u${clip}`, condition: `c${condition}`, listener: `l${seat}` },
          ...{ relation: null, corpus: null, scale: null },
        });
      }
    }
  }
  return rows;
}

const simulations = Number(process.argv[2] ?? 1000);
console.log('simulation'.padEnd(28), 'mean    holds  none   relation  one-way  half width  said');
for (const [name, variant] of Object.entries(variants)) {
  const found = {
    holds: 0,
    relation: 0,
    relationGiven: 0,
    none: 0,
    alone: 0,
    aloneGiven: 0,
    given: 0,
    off: 0,
    half: 0,
    means: 0,
  };
  for (let simulation = 0; simulation < simulations; simulation++) {
    const random = createRandom({ bench: 'ratings', name, simulation });
    const rows = rowsOf(variant, random);
    const options = { level: 0.95, resamples: 500, minimumSpeakers: 10, random };
    const holds = ({ low, high }: { low: number | null; high: number | null }, right: number) =>
      low !== null && low <= right && high! >= right;
    for (const { about, mean } of ratingMeans(rows, ({ condition }) => condition, options)) {
      const right = truth(variant, Number(about.slice(1)));
      found.means++;
      found.off += mean.value! - right;
      if (mean.low === null) found.none++;
      else {
        found.given++;
        found.half += (mean.high! - mean.low) / 2;
        if (holds(mean, right)) found.holds++;
      }
    }
    const all = means.reduce((sum, _, condition) => sum + truth(variant, condition), 0) / means.length;
    for (const { mean } of ratingMeans(rows, () => 'all', options)) {
      if (mean.low === null) continue;
      found.relationGiven++;
      if (holds(mean, all)) found.relation++;
    }
    if (simulation % 10 > 0) continue;
    const nameless = rows.map((row) => ({ ...row, utterance: null }));
    for (const { about, mean } of ratingMeans(nameless, ({ condition }) => condition, options)) {
      if (mean.low === null) continue;
      found.aloneGiven++;
      if (holds(mean, truth(variant, Number(about.slice(1))))) found.alone++;
    }
  }
  const share = (count: number, of: number) => (of === 0 ? '-' : (count / of).toFixed(3));
  const { listeners, clips, bias, clipsDiffer } = variant;
  const said = ratingPrecision(
    { listeners, clips, conditions: clips === 1 ? 1 : means.length },
    { listeners: bias, clips: clipsDiffer, rest: noise },
    0.95,
  );
  console.log(
    name.padEnd(28),
    (found.off / found.means).toFixed(3).padEnd(7),
    share(found.holds, found.given).padEnd(6),
    share(found.none, found.means).padEnd(6),
    share(found.relation, found.relationGiven).padEnd(9),
    share(found.alone, found.aloneGiven).padEnd(8),
    (found.given === 0 ? '-' : (found.half / found.given).toFixed(3)).padEnd(11),
    said === null ? '-' : said.toFixed(3),
  );
}
