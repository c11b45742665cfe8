/**
 * How often gaps between reception thresholds beyond those of listeners are found where there are none.
 *
 *   node bench/calibration/threshold-listeners.ts [SIMULATIONS]
 *
 * 200 simulations by default, some minutes of one core. Invented worlds: two groups of 12 speakers with 3 clips each, of 8 words, at 8 levels 4 dB
 * apart; machine and people hear every clip at every level, a panel of 8 people by a Latin square, as `transcribe` plans. Thresholds of speakers (standard
 * deviation 2 dB) and clips (2 dB) are shared by machine and people, the second group needs 4 dB more of both; a speaker has 1 dB of his own with the machine, a
 * listener 2 dB of his own, and in some worlds 2 dB more with each group (`ears`).
 *
 * One line for each world: `false`, the share of fair worlds with a p of at most .05 (its standard error is .015 at 200); `covers`, how many intervals
 * hold 0; `speakers alone`, the share of false gaps where listeners are no clusters; `error`, root-mean-square of the gap in dB; `found`, how many of the same
 * worlds show a gap of 3 dB.
 */
import { createRandom } from '../../src/base/random.ts';
import { jackknifeDifference, jackknifeLess } from '../../src/statistics/psychometric/jackknife.ts';
import { receptionThreshold } from '../../src/statistics/psychometric/reception-threshold.ts';
import { searchSpace } from '../../src/statistics/psychometric/threshold-search.ts';

const levels = Array.from({ length: 8 }, (_, place) => -14 + 4 * place);
const space = searchSpace({ levels, target: 0.5, of: 'said' });
const words = 8;
const speakers = 12;
const clips = 3;

interface Answered {
  readonly level: number;
  readonly words: number;
  readonly correct: number;
  readonly speaker: string;
  readonly listener: string;
}

function worldOf(name: string, simulation: number, panels: number, ears: number, gap: number) {
  const random = createRandom({ bench: 'threshold-listeners', name, simulation });
  const people = Array.from({ length: 8 * panels }, () => 2 * random.normal());
  const trouble = people.map(() => [ears * random.normal(), ears * random.normal()]);
  const heard = (level: number, middle: number, speaker: string, listener: string): Answered => {
    const share = 1 / (1 + Math.exp(-0.6 * (level - middle)));
    let correct = 0;
    for (let word = 0; word < words; word++) if (random.next() < share) correct++;
    return { level, words, correct, speaker, listener };
  };
  let utterance = 0;
  return [0, 1].map((group) => {
    const machine: Answered[] = [];
    const ofPeople: Answered[] = [];
    for (let voice = 0; voice < speakers; voice++) {
      const speaker = `${group} ${voice}`;
      const shared = 2 * random.normal() + 4 * group;
      const own = random.normal() + gap * group;
      for (let clip = 0; clip < clips; clip++, utterance++) {
        const middle = shared + 2 * random.normal();
        for (const [place, level] of levels.entries()) {
          machine.push(heard(level, middle + own, speaker, 'machine'));
          for (let panel = 0; panel < panels; panel++) {
            const seat = 8 * panel + ((place - (utterance % 8) + 8) % 8);
            ofPeople.push(heard(level, middle + people[seat]! + trouble[seat]![group]!, speaker, `${seat}`));
          }
        }
      }
    }
    const jackknife = (answered: readonly Answered[], clusterOf: (one: Answered) => string) =>
      receptionThreshold(
        space,
        answered.map((one) => ({ ...one, cluster: clusterOf(one) })),
        { minimumClusters: Number.POSITIVE_INFINITY },
      ).jackknife!;
    return {
      less: jackknifeLess(
        jackknife(machine, ({ speaker }) => speaker),
        jackknife(ofPeople, ({ speaker }) => speaker),
      ),
      by: jackknife(ofPeople, ({ listener }) => listener),
      both: jackknife(ofPeople, ({ speaker, listener }) => `${speaker}/${listener}`),
    };
  });
}

const simulations = Number(process.argv[2] ?? 200);
const options = { level: 0.95, minimumClusters: 10 };
const gap = 3;
console.log('world'.padEnd(26), 'false  covers  speakers alone  error  found');
for (const [name, panels, ears] of [
  ['one panel', 1, 0],
  ['two panels', 2, 0],
  ['two panels, ears differ', 2, 2],
] as const) {
  const counts = { wrong: 0, covers: 0, alone: 0, found: 0 };
  let squares = 0;
  for (let simulation = 0; simulation < simulations; simulation++) {
    const tested = (added: number) => {
      const [first, second] = worldOf(name, simulation, panels, ears, added);
      const listeners = { by: jackknifeLess(second!.by, first!.by), both: jackknifeLess(second!.both, first!.both) };
      return {
        both: jackknifeDifference(first!.less, second!.less, { ...options, listeners }),
        alone: jackknifeDifference(first!.less, second!.less, options),
      };
    };
    const fair = tested(0);
    const { low, high, value } = fair.both.interval;
    squares += value! ** 2;
    if (fair.both.pValue! <= 0.05) counts.wrong++;
    if (low! <= 0 && high! >= 0) counts.covers++;
    if (fair.alone.pValue! <= 0.05) counts.alone++;
    const { interval, pValue } = tested(gap).both;
    if (pValue! <= 0.05 && interval.low! > 0) counts.found++;
  }
  const share = (count: number) => (count / simulations).toFixed(3);
  console.log(
    name.padEnd(26),
    share(counts.wrong).padEnd(6),
    share(counts.covers).padEnd(7),
    share(counts.alone).padEnd(15),
    Math.sqrt(squares / simulations)
      .toFixed(2)
      .padEnd(6),
    share(counts.found),
  );
}
