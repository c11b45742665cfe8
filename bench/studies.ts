/**
 * What studies with many comparisons cost when all answers are in: processor seconds from the last answer to the finding, and of the
 * report (HTML and JSON) made of it.
 *
 *   node bench/studies.ts [ONLY]
 *
 * `robustness`: 50 recognizers, clean audio and 5 conditions. `degradation`: 40 groups, 3 recognizers, 10 conditions. `disparity`: 1,056 groups
 * of eight attributes, 10 recognizers. Goal: each at most 15 s. Answers are invented: every word is wrong by chance, more often for some
 * recognizers, conditions and speakers than for others. ONLY runs the one of that name.
 */
import { createRandom } from '../src/base/random.ts';
import { clean } from '../src/model/condition.ts';
import type { Finding } from '../src/model/finding.ts';
import type { RunReport } from '../src/model/run.ts';
import type { Utterance } from '../src/model/utterance.ts';
import { renderHtml } from '../src/report/html/render-html.ts';
import { renderJson } from '../src/report/json/render-json.ts';
import type { Batch, Study } from '../src/studies/contract.ts';
import { degradation } from '../src/studies/degradation/degradation.ts';
import { disparity } from '../src/studies/disparity/disparity.ts';
import { robustness } from '../src/studies/robustness/robustness.ts';
import { inventedContext, recognizerNamed, said, spoken } from '../src/studies/shared/invented-run.ts';

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

async function measure(study: Study<never>, options: object, recognizers: number, people: readonly Utterance[]) {
  if (only !== undefined && study.name !== only) return;
  const names = Array.from({ length: recognizers }, (_, index) => `engine ${index + 1}`);
  const context = inventedContext(
    people,
    names.map((name) => recognizerNamed(name)),
  );
  const rates = new Map<string, number>();
  const rateOf = (name: string, spread: number) => {
    const known = rates.get(name) ?? Math.exp(spread * createRandom(['rate', name]).normal());
    rates.set(name, known);
    return known;
  };
  const random = createRandom(['words', study.name]);
  let [trials, answeredAt] = [0, 0];
  async function* answers(batch: Batch) {
    for await (const question of batch.questions()) {
      if (question.ask !== 'recognition') throw new Error('only recognitions are invented');
      const { utterance, condition, recognizer } = question.trial;
      const hard = condition.name === clean.name ? 1 : 2 * rateOf(condition.name, 0.3);
      const rate = 0.1 * hard * rateOf(recognizer, 0.2) * rateOf(`${utterance.speaker}`, 0.5);
      const heard = words.map((word) => (random.next() < rate ? 'other' : word));
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
  console.log(
    JSON.stringify({ study: study.name, trials, units: 'processor seconds', ...seconds, reportBytes: bytes }),
  );
  if (seconds.statistics + seconds.report > goalSeconds) process.exitCode = 1;
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

await measure(
  robustness as never,
  { conditions: conditionsNamed(5) },
  50,
  peopleOf(30, 2, (speaker) => ({ sex: speaker % 2 === 0 ? 'female' : 'male' })),
);
await measure(
  degradation as never,
  { conditions: conditionsNamed(10), groupBy: ['accent'] },
  3,
  peopleOf(480, 1, (speaker) => ({ accent: `accent ${speaker % 40}` })),
);
await measure(
  disparity as never,
  { attributes: Array.from({ length: 8 }, (_, place) => `attribute ${place}`) },
  10,
  peopleOf(1000, 2, (speaker) => {
    const random = createRandom(['values', speaker]);
    return Object.fromEntries(
      Array.from({ length: 8 }, (_, place) => [`attribute ${place}`, `${place} ${'abcdef'[random.integer(6)]}`]),
    );
  }),
);
