/**
 * How often `compare` says "the same within a margin" where the truth lies at the margin: at most .05 is declared. Beside it how often it
 * says so where nothing changed.
 *
 *   node bench/calibration/same-within.ts [WORLDS]     2,000 by default
 *
 * Speakers differ in how much they say (20 to 200 words) and in their rates (gamma, coefficient of variation .5). A share
 * `anew` of the words is answered anew by chance, the others alike; where the truth is at the margin (a quarter of the rate)
 * further words are wrong, every fifth speaker losing all of them in the uneven worlds. Standard error of .05: .005.
 */
import { createRandom, type Random } from '../../src/base/random.ts';
import { differenceInterval } from '../../src/statistics/bootstrap/difference-interval.ts';
import { gamma } from './gamma.ts';

const worlds = Number(process.argv[2] ?? 2000);

function binomial(random: Random, n: number, p: number): number {
  let hits = 0;
  for (let trial = 0; trial < n; trial++) if (random.next() < p) hits++;
  return hits;
}

console.log('speakers  WER   anew  uneven  at the margin  no change');
for (const speakers of [10, 20, 60]) {
  for (const rate of [0.04, 0.4]) {
    for (const anew of [0.3, 1]) {
      for (const uneven of [false, true]) {
        const margin = rate / 4;
        const said = { margin: 0, nothing: 0 };
        for (let world = 0; world < worlds; world++) {
          const random = createRandom({ world, speakers, rate, anew, uneven });
          const words = new Float64Array(speakers).map(() => 20 + Math.floor(180 * random.next()));
          const before = new Float64Array(speakers);
          const same = new Float64Array(speakers);
          const lost = new Float64Array(speakers);
          // What everybody loses on average, so that the pooled truth is the margin in expectation.
          for (let speaker = 0; speaker < speakers; speaker++) {
            const own = Math.min(0.9 - margin, (rate * gamma(4, random)) / 4);
            before[speaker] = binomial(random, words[speaker]!, own);
            const kept = binomial(random, before[speaker]!, 1 - anew + anew * own);
            same[speaker] = kept + binomial(random, words[speaker]! - before[speaker]!, anew * own);
            const share = uneven ? (speaker % 5 === 0 ? 5 * margin : 0) : margin;
            // Inserted words are errors too: there may be more of them than words.
            lost[speaker] = same[speaker]! + binomial(random, words[speaker]!, share);
          }
          for (const [after, truth] of [
            [lost, 'margin'],
            [same, 'nothing'],
          ] as const) {
            const { low, high } = differenceInterval(
              { numerators: before, denominators: words },
              { numerators: after, denominators: words },
              { level: 0.9, resamples: 500, random: createRandom({ world, truth }) },
            );
            if (low !== null && high !== null && Math.max(-low, high) <= margin) said[truth]++;
          }
        }
        const share = (count: number) => (count / worlds).toFixed(3);
        console.log(
          `${String(speakers).padEnd(10)}${String(rate).padEnd(6)}${String(anew).padEnd(6)}${(uneven ? 'yes' : 'no').padEnd(8)}${share(said.margin).padEnd(15)}${share(said.nothing)}`,
        );
      }
    }
  }
}
