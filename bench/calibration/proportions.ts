/**
 * How often intervals of proportions of level .95 hold the truth, near 0 and 1 above all, on invented speakers.
 *
 *   node bench/calibration/proportions.ts [SIMULATIONS [SECTION | SPEAKERS] …]     sections: rates pairs groups
 *
 * 10,000 simulations of all sections with 8, 16, 20 and 50 speakers by default. A speaker's own proportion is beta around that
 * of all with an intraclass correlation (0: all alike; .5: most are near 0 or 1, and near the edge nearly all are at it).
 * Speakers have 20 or 100 items, or 4 or 60, as many of each. One line for each number of speakers, items and correlation:
 * coverage, after a slash the mean length. The standard error of a coverage of .95 is .0022 (.0049 with 2,000 simulations).
 *
 * - rates: proportions .5, .9, .95, .99
 * - pairs: two systems on the same items. C is wrong in both, L in the first alone, G in the second alone, each with the
 *   correlation; beside the difference's interval that of the bootstrap where it has one
 * - groups: the same for two groups of as many speakers, with proportions of their own
 */
import { createRandom, type Random } from '../../src/base/random.ts';
import type { ClusteredCounts } from '../../src/statistics/bootstrap/clustered-counts.ts';
import { differenceInterval } from '../../src/statistics/bootstrap/difference-interval.ts';
import { rateInterval } from '../../src/statistics/bootstrap/rate-interval.ts';
import type { Interval } from '../../src/statistics/interval.ts';
import { beta } from './gamma.ts';

const simulations = Number(process.argv[2] ?? 10_000);
const chosen = process.argv.slice(3);
const chosenSizes = chosen.map(Number).filter((size) => size > 0);
const sizes = chosenSizes.length > 0 ? chosenSizes : [8, 16, 20, 50];
const sections = chosen.filter((name) => !(Number(name) > 0));
const wanted = (section: string) => sections.length === 0 || sections.includes(section);
const itemCounts: Readonly<Record<string, (random: Random) => number>> = {
  '20': () => 20,
  '100': () => 100,
  '4-or-60': (random) => (random.next() < 0.5 ? 4 : 60),
};

class Coverage {
  #held = 0;
  #given = 0;
  #length = 0;

  add({ low, high }: Interval, truth: number): void {
    if (low === null || high === null) return;
    this.#given++;
    if (low <= truth + 1e-12 && truth <= high + 1e-12) this.#held++;
    this.#length += high - low;
  }

  toString(): string {
    return `${(this.#held / this.#given).toFixed(3)}/${(this.#length / this.#given).toFixed(3)}`;
  }
}

function hitsOf(items: number, rate: number, random: Random): number {
  let hits = 0;
  for (let item = 0; item < items; item++) if (random.next() < rate) hits++;
  return hits;
}

interface Setting {
  readonly speakers: number;
  readonly items: (random: Random) => number;
  readonly correlation: number;
  readonly random: Random;
}

function group(rate: number, { speakers, items, correlation, random }: Setting): ClusteredCounts {
  const denominators = Float64Array.from({ length: speakers }, () => items(random));
  const numerators = denominators.map((count) => hitsOf(count, beta(rate, correlation, random), random));
  return { numerators, denominators, proportion: true };
}

function pair([both, lost, gained]: readonly [number, number, number], setting: Setting) {
  const { speakers, items, correlation, random } = setting;
  const denominators = Float64Array.from({ length: speakers }, () => items(random));
  const first = new Float64Array(speakers);
  const second = new Float64Array(speakers);
  denominators.forEach((count, speaker) => {
    const own = [both, lost, gained].map((rate) => beta(rate, correlation, random));
    for (let item = 0; item < count; item++) {
      if (random.next() < own[1]!) first[speaker]!++;
      else if (random.next() < own[2]!) second[speaker]!++;
      else if (random.next() < own[0]!) {
        first[speaker]!++;
        second[speaker]!++;
      }
    }
  });
  return {
    first: { numerators: first, denominators, proportion: true },
    second: { numerators: second, denominators, proportion: true },
  };
}

type Case = (setting: Setting, add: (kind: string, interval: Interval, truth: number) => void) => void;

/** One line for each setting of a section. */
function go(section: string, cases: Readonly<Record<string, Case>>): void {
  if (!wanted(section)) return;
  for (const speakers of sizes) {
    for (const [items, count] of Object.entries(itemCounts)) {
      for (const correlation of [0, 0.1, 0.5]) {
        const shown = Object.entries(cases).map(([name, one]) => {
          const random = createRandom([section, speakers, items, correlation, name]);
          const kinds = new Map<string, Coverage>();
          for (let simulation = 0; simulation < simulations; simulation++) {
            one({ speakers, items: count, correlation, random }, (kind, interval, truth) => {
              const coverage = kinds.get(kind) ?? new Coverage();
              coverage.add(interval, truth);
              kinds.set(kind, coverage);
            });
          }
          return `${name}: ${[...kinds].map(([kind, coverage]) => `${kind}${coverage}`).join(' ')}`;
        });
        console.log(
          `${section}, ${speakers} speakers of ${items} items, correlation ${correlation} | ${shown.join(' | ')}`,
        );
      }
    }
  }
}

console.log(`${simulations} simulations`);
go(
  'rates',
  Object.fromEntries(
    [0.5, 0.9, 0.95, 0.99].map((rate) => [
      rate,
      (setting: Setting, add: Parameters<Case>[1]) => {
        add('', rateInterval(group(rate, setting), { minimumClusters: 2, random: setting.random }), rate);
      },
    ]),
  ),
);
const systems = [
  [0.4, 0.05, 0.05],
  [0.4, 0, 0.02],
  [0.01, 0.01, 0.01],
  [0, 0, 0.05],
] as const;
go(
  'pairs',
  Object.fromEntries(
    systems.map((rates) => [
      `C ${rates[0]} L ${rates[1]} G ${rates[2]}`,
      (setting: Setting, add: Parameters<Case>[1]) => {
        const { first, second } = pair(rates, setting);
        const truth = rates[2] * (1 - rates[1]) - rates[1];
        const options = { minimumClusters: 2, resamples: 100, random: setting.random };
        add('', differenceInterval(first, second, options), truth);
        const amount = { ...first, proportion: false };
        add('bootstrap ', differenceInterval(amount, second, options), truth);
      },
    ]),
  ),
);
const groups = [
  [0.5, 0.4],
  [0.95, 0.9],
  [0.99, 0.95],
  [0.99, 0.99],
] as const;
go(
  'groups',
  Object.fromEntries(
    groups.map(([one, other]) => [
      `${one} and ${other}`,
      (setting: Setting, add: Parameters<Case>[1]) => {
        const options = { minimumClusters: 2, clusters: 'separate', random: setting.random } as const;
        add('', differenceInterval(group(one, setting), group(other, setting), options), other - one);
      },
    ]),
  ),
);
