/**
 * What studies with many comparisons cost when all answers are in, and whether four designs of many comparisons and few speakers get the
 * verdicts that they deserve: processor seconds from the last answer to the finding, and of the report (HTML and JSON) made of it.
 *
 *   node bench/studies.ts [ONLY]
 *
 * `cost: robustness`: 50 recognizers, clean audio and 5 conditions. `cost: degradation`: 40 groups, 3 recognizers, 10 conditions. `cost:
 * disparity`: 1,056 groups of eight attributes, 10 recognizers. Goal: each at most 15 s. Every word is wrong by chance, more often for some
 * recognizers, conditions and speakers than for others.
 *
 * `verdicts: recognizers`: six at 5 % WER and five at 90, 101 conditions, 30 speakers. `verdicts: systems`: 50 in `disparity`, half at 10 and half
 * at 25 %. `verdicts: ten`: ten speakers, 29 conditions, 4.8 beside 90 %. `verdicts: group`: of 20 groups of ten in `degradation` one loses 70 % of words in
 * noise where the others lose 12. Printed is how many true differences were told, and how many of what does not differ: some in one
 * variant of twenty. ONLY runs the lines whose name contains it.
 */
import { createRandom } from '../src/base/random.ts';
import type { Finding } from '../src/model/finding.ts';
import { comparisonAt, type Row, rowsOf, textAt } from '../src/model/finding-rows.ts';
import type { RunReport } from '../src/model/run.ts';
import { clean, type Trial } from '../src/model/trial.ts';
import type { Utterance } from '../src/model/utterance.ts';
import { renderJson } from '../src/report/json/render-json.ts';
import { renderHtml } from '../src/session/render-html.ts';
import type { Batch, Study } from '../src/studies/contract.ts';
import { degradation } from '../src/studies/degradation/degradation.ts';
import { disparity } from '../src/studies/disparity/disparity.ts';
import { robustness } from '../src/studies/robustness/robustness.ts';
import { inventedContext, recognizerNamed, said, spoken } from '../src/studies/shared/testing/testing.ts';

const goalSeconds = 15;
const words = Array.from({ length: 12 }, (_, place) => `word${place}`);
const only = process.argv[2];

const used = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
};

/** Conditions of one's own; what is done to the sound nobody hears. */
const conditionsNamed = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    name: `noise ${index + 1}`,
    steps: [{ perturbation: 'gain', parameters: { factor: 1 / (index + 2) } }],
  }));

function peopleOf(
  speakers: number,
  each: number,
  attributes: (speaker: number) => Record<string, string>,
): Utterance[] {
  return Array.from({ length: speakers * each }, (_, place) => {
    const speaker = Math.floor(place / each);
    return spoken(`u${place}`, words.join(' '), { speaker: `s${speaker}`, attributes: attributes(speaker) });
  });
}

interface Design {
  readonly name: string;
  readonly study: unknown;
  readonly options: object;
  readonly recognizers: number;
  readonly people: readonly Utterance[];
  /** How likely a word is wrong. */
  rate(trial: Trial): number;
  /** Every comparison of the finding that counts, and whether it truly differs. */
  comparisons?(finding: Finding): readonly { readonly differs: boolean; readonly verdict: string }[];
}

const rates = new Map<string, number>();

/** A lognormal factor that belongs to a name. */
function factorOf(name: string, spread: number): number {
  const known = rates.get(name) ?? Math.exp(spread * createRandom(['rate', name]).normal());
  rates.set(name, known);
  return known;
}

const various = ({ utterance, condition, recognizer }: Trial) =>
  (condition.name === clean.name ? 0.1 : 0.2 * factorOf(condition.name, 0.3)) *
  factorOf(recognizer, 0.2) *
  factorOf(`${utterance.speaker}`, 0.5);

async function measure({ name, study: given, options, recognizers, people, rate, comparisons }: Design): Promise<void> {
  if (only !== undefined && !name.includes(only)) return;
  const study = given as Study<never>;
  const names = Array.from({ length: recognizers }, (_, index) => `engine ${index + 1}`);
  const context = inventedContext(
    people,
    names.map((one) => recognizerNamed(one)),
  );
  const random = createRandom(['words', name]);
  let [trials, answeredAt] = [0, 0];
  async function* answers(batch: Batch) {
    for await (const question of batch.questions()) {
      if (question.ask !== 'recognition') throw new Error('only recognitions are invented');
      const chance = rate(question.trial);
      const heard = words.map((word) => (random.next() < chance ? 'other' : word));
      trials++;
      yield { ...question, observation: said(heard.join(' ')) };
    }
    answeredAt = used();
  }
  const asking = study.run(study.options.parse(options) as never, context);
  let step = await asking.next();
  while (!step.done) step = await asking.next(answers(step.value));
  const foundAt = used();
  const bytes = reportBytes(step.value);
  const seconds = { statistics: foundAt - answeredAt, report: used() - foundAt };
  const found = comparisons?.(step.value);
  const told = (differs: boolean) =>
    found?.filter((one) => one.differs === differs && one.verdict !== 'cannot tell').length;
  const all = (differs: boolean) => found?.filter((one) => one.differs === differs).length;
  const verdicts = found && { told: told(true), ofTrue: all(true), toldFalsely: told(false), ofEqual: all(false) };
  const cost = { trials, units: 'processor seconds', ...seconds, reportBytes: bytes };
  console.log(JSON.stringify({ name, ...cost, ...verdicts }));
  if (seconds.statistics + seconds.report > goalSeconds) process.exitCode = 1;
  if (verdicts && (verdicts.told! < 0.95 * verdicts.ofTrue! || verdicts.toldFalsely! > 0.01 * verdicts.ofEqual!))
    process.exitCode = 1;
}

function reportBytes(finding: Finding): number {
  const report: RunReport = {
    earwitness: '0',
    run: { name: 'invented', seed: 1 },
    recognizers: [],
    tally: { trials: 0, answered: 0, failed: 0, reused: 0, failures: {}, possiblyPaid: 0 },
    failures: [],
    findings: [finding],
    warnings: [],
    timing: { run: 'invented' },
  };
  return renderHtml(report, { transcripts: true, sound: false }).length + renderJson(report).length;
}

const place = (name: string) => Number(name.split(' ')[1]);
const group = (people: number, groups: number, each: number) =>
  peopleOf(people, each, (speaker) => ({ accent: `accent ${1 + (speaker % groups)}` }));

await measure({
  ...{ name: 'cost: robustness', study: robustness, options: { conditions: conditionsNamed(5) }, recognizers: 50 },
  people: peopleOf(30, 2, (speaker) => ({ sex: speaker % 2 === 0 ? 'female' : 'male' })),
  rate: various,
});
await measure({
  ...{ name: 'cost: degradation', study: degradation, recognizers: 3, people: group(480, 40, 1), rate: various },
  options: { conditions: conditionsNamed(10), groupBy: ['accent'] },
});
const eight = Array.from({ length: 8 }, (_, index) => `attribute ${index}`);
await measure({
  ...{ name: 'cost: disparity', study: disparity, options: { attributes: eight }, recognizers: 10, rate: various },
  people: peopleOf(1000, 2, (speaker) => {
    const random = createRandom(['values', speaker]);
    return Object.fromEntries(eight.map((name, index) => [name, `${index} ${'abcdef'[random.integer(6)]}`]));
  }),
});

/** The comparisons of a table whose first side, in the column that is named, truly differs from the one it is compared with. */
const comparedIn =
  (table: string, side: string, column: string, isSpecial: (name: string) => boolean, where: Row) =>
  (finding: Finding) =>
    rowsOf(finding, table)
      .filter((row) => Object.entries(where).every(([key, value]) => row[key] === value))
      .map((row) => ({
        differs: isSpecial(textAt(row, side)) !== isSpecial(textAt(row, 'comparedWith')),
        verdict: comparisonAt(row, column).verdict,
      }));
const pairsOf = (isGood: (name: string) => boolean) =>
  comparedIn('robustness-comparisons', 'recognizer', 'difference', isGood, { group: 'everybody' });
const firstSix = (name: string) => place(name) <= 6;
await measure({
  ...{
    name: 'verdicts: recognizers',
    study: robustness,
    options: { conditions: conditionsNamed(100) },
    recognizers: 11,
  },
  people: peopleOf(30, 1, () => ({})),
  rate: ({ recognizer, utterance }) => (firstSix(recognizer) ? 0.05 : 0.9) * factorOf(`${utterance.speaker}`, 0.1),
  comparisons: pairsOf(firstSix),
});
const firstHalf = (name: string) => place(name) <= 25;
await measure({
  ...{ name: 'verdicts: systems', study: disparity, options: { attributes: ['accent'] }, recognizers: 50 },
  people: group(30, 2, 8),
  rate: ({ recognizer, utterance }) => (firstHalf(recognizer) ? 0.1 : 0.25) * factorOf(`${utterance.speaker}`, 0.5),
  comparisons: comparedIn('disparity-pairs-errors', 'recognizer', 'difference', firstHalf, {}),
});
const first = (name: string) => place(name) === 1;
await measure({
  ...{ name: 'verdicts: ten', study: robustness, options: { conditions: conditionsNamed(28) }, recognizers: 2 },
  people: peopleOf(10, 4, () => ({})),
  rate: ({ recognizer, utterance }) => (first(recognizer) ? 0.048 : 0.9) * factorOf(`${utterance.speaker}`, 0.1),
  comparisons: pairsOf(first),
});
await measure({
  ...{ name: 'verdicts: group', study: degradation, recognizers: 2, people: group(200, 20, 4) },
  options: { conditions: conditionsNamed(4), groupBy: ['accent'], reference: {} },
  rate: ({ condition, utterance }) =>
    (condition.name === clean.name ? 0.05 : first(utterance.attributes.accent!) ? 0.75 : 0.17) *
    factorOf(`${utterance.speaker}`, 0.2),
  comparisons: comparedIn('degradation-comparisons', 'group', 'comparison', first, { kind: 'word error rate' }),
});
