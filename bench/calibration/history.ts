/**
 * How often `history` says anything over runs of a recognizer that did not change (at most .05 is declared), and how often it sees a drift and
 * where it begins.
 *
 *   node bench/calibration/history.ts [WORLDS]     300 by default
 *
 * Speakers with rates of their own (gamma, coefficient of variation .5) say 4 clips of 10 words; a share of the words is answered anew in
 * each run. Drift: from the middle run on each run adds a tenth of the WER. `begins`: told of the true run, or of one beside it.
 */
import type { Json } from '../../src/base/json.ts';
import { createRandom } from '../../src/base/random.ts';
import type { HistoryRun, HistoryTrial } from '../../src/compare/count-runs.ts';
import { historyFinding } from '../../src/compare/history.ts';
import { normalizerNamed } from '../../src/scoring/normalizers/normalizers.ts';
import { gamma } from './gamma.ts';

const worlds = Number(process.argv[2] ?? 300);
const clips = 4;
const words = 10;

function answersOf(seed: Json, speakers: number, rate: number, anew: number, added: (run: number) => number) {
  const random = createRandom(seed);
  const rates = Array.from({ length: speakers }, () => Math.min(0.9, (rate * gamma(4, random)) / 4));
  const always = rates.map((own) => Array.from({ length: clips * words }, () => random.next() < own));
  return function* ({ id }: HistoryRun): Generator<HistoryTrial> {
    const run = Number(id);
    const now = createRandom({ seed, run });
    for (const [speaker, own] of rates.entries()) {
      for (let clip = 0; clip < clips; clip++) {
        let errors = 0;
        for (let word = clip * words; word < (clip + 1) * words; word++) {
          const wrong = now.next() < anew ? now.next() < own : always[speaker]![word]!;
          if (wrong || now.next() < added(run)) errors++;
        }
        const question = `${speaker} ${clip}`;
        const attributes = { sex: speaker % 2 === 0 ? 'f' : 'm' };
        const utterance = { id: question, speaker: `s${speaker}`, reference: '', language: 'en', attributes, tags: [] };
        yield { question, utterance, words, errors };
      }
    }
  };
}

console.log('speakers  runs  WER   anew  said without change  drift told  begins');
for (const speakers of [12, 40]) {
  for (const count of [4, 12]) {
    for (const [rate, anew] of [
      [0.04, 0.3],
      [0.4, 0.3],
      [0.4, 1],
    ] as const) {
      const tally = { alarm: 0, drift: 0, begins: 0 };
      const runs = Array.from({ length: count }, (_, run) => ({ id: String(run), begunAtMs: run, changed: [] }));
      const middle = count / 2;
      for (let world = 0; world < worlds; world++) {
        const seed = { world, speakers, count, rate, anew };
        const options = {
          recognizer: 'asr',
          condition: null,
          normalizer: () => normalizerNamed('basic'),
          seed: world,
          resamples: 200,
        };
        const still = historyFinding(
          runs,
          answersOf(seed, speakers, rate, anew, () => 0),
          options,
        );
        if (still.answer.some(({ verdict }) => verdict === 'better' || verdict === 'worse')) tally.alarm++;
        const added = (run: number) => Math.max(0, run - middle + 1) * 0.1 * rate;
        const drift = historyFinding(runs, answersOf(seed, speakers, rate, anew, added), options);
        if (drift.answer[0]!.verdict === 'worse') tally.drift++;
        const begin = /(?:grows from|came with) run (\d+) /.exec(drift.answer[1]?.text ?? '')?.[1];
        if (begin !== undefined && Math.abs(Number(begin) - middle) <= 1) tally.begins++;
      }
      const share = (of: number) => (of / worlds).toFixed(3);
      console.log(
        `${String(speakers).padEnd(10)}${String(count).padEnd(6)}${String(rate).padEnd(6)}${String(anew).padEnd(6)}${share(tally.alarm).padEnd(21)}${share(tally.drift).padEnd(12)}${share(tally.begins)}`,
      );
    }
  }
}
