/**
 * How often intervals of level .95 of a share hold the truth that was sampled by cells, as the cases that people verify
 * are: 16 cells of the sizes of CrossASR's Table V (44 to 4,795), from which 40, 120 or 395 cases are drawn in proportion, one
 * from each at the least.
 *
 *   node bench/calibration/stratified-proportions.ts [SIMULATIONS]      1,200 by default, half a minute
 *
 * The chance of a hit is .03 or .15, in all cells alike or from none to six times as much. Cases are of texts of their own, or four
 * share one and every second of these has the text's own luck. A line for each situation: coverage, after a slash the mean
 * length. The standard error of a coverage of .95 is .006 with 1,200 simulations.
 */
import { createRandom } from '../../src/base/random.ts';
import { type Stratum, stratifiedProportion } from '../../src/cases/stratified-proportion.ts';
import { proportionalAllocation } from '../../src/statistics/planning/sample-size.ts';

const simulations = Number(process.argv[2] ?? 1200);
const cells = [4036, 2539, 2202, 4795, 4510, 2436, 1911, 4214, 1819, 1229, 1035, 1908, 359, 326, 44, 335];
const unlike = [0, 0.2, 0.5, 1, 1, 1, 1.5, 1, 1, 2, 1, 0.3, 3, 1, 6, 1];
const everyOne = cells.reduce((sum, size) => sum + size, 0);
const random = createRandom('stratified proportions');

function sample(chances: readonly number[], count: number, casesOfText: number): Stratum[] {
  const texts = Math.ceil(count / casesOfText);
  const luckOfTexts = Array.from({ length: texts }, () => random.next());
  let number = 0;
  return proportionalAllocation(cells, count).map((drawn, cell) => ({
    size: cells[cell]!,
    hits: Array.from({ length: drawn }, () => {
      const text = casesOfText === 1 ? number++ : random.integer(texts);
      const shared = casesOfText > 1 && random.next() < 0.5;
      const luck = shared ? luckOfTexts[text]! : random.next();
      return { hit: luck < chances[cell]!, cluster: `${text}` };
    }),
  }));
}

console.log('cases  chance  cells   cases of a text  coverage/length');
for (const count of [40, 120, 395]) {
  for (const chance of [0.03, 0.15]) {
    for (const between of ['alike', 'unlike']) {
      for (const casesOfText of [1, 4]) {
        const chances = unlike.map((factor) => chance * (between === 'alike' ? 1 : factor));
        const truth = cells.reduce((sum, size, cell) => sum + (size / everyOne) * chances[cell]!, 0);
        let held = 0;
        let length = 0;
        for (let simulation = 0; simulation < simulations; simulation++) {
          const { low, high } = stratifiedProportion(sample(chances, count, casesOfText));
          if (low! <= truth && truth <= high!) held++;
          length += high! - low!;
        }
        const figures = `${(held / simulations).toFixed(3)}/${(length / simulations).toFixed(3)}`;
        console.log(
          `${count}`.padEnd(7) + `${chance}`.padEnd(8) + between.padEnd(8) + `${casesOfText}`.padEnd(17) + figures,
        );
      }
    }
  }
}
