// What the predictor of failing texts is worth, over answers that are stored already: the study `differential` with each way of
// choosing texts and several seeds, so that nothing is recognized. Texts that not every recognizer has answered are left out.
//
//   node bench/differential.ts STORE [--run ID] [--seeds 10] [--batch N] [--keep K] [--ranking two-stage]
//                              [--asking best-first] [--asked-openly 20] [--learn-after N] [--apart] [--rule tolerant]
//                              [--dictionary FILE] [--texts FILE] [--json]
//
// STORE is the store of a run in which every recognizer heard every text clean, as examples/differential makes it. One line for
// each voice and for all of them: failed tests by each way at the end, speed-up over chance, share of the oracle's gain, with 95 %
// intervals over seeds; processor seconds of one prediction.
import { existsSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { sha256 } from '../src/base/hash.ts';
import type { Estimate } from '../src/model/finding.ts';
import { rowsOf } from '../src/model/finding-rows.ts';
import type { Observation } from '../src/model/observation.ts';
import type { Utterance } from '../src/model/utterance.ts';
import { textFeatures } from '../src/predictors/text-features/text-features.ts';
import { openStore } from '../src/store/open-store.ts';
import type { Answer, Batch, StudyContext } from '../src/studies/contract.ts';
import { differential } from '../src/studies/differential/differential.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    run: { type: 'string', default: 'last' },
    seeds: { type: 'string', default: '10' },
    batch: { type: 'string' },
    keep: { type: 'string' },
    ranking: { type: 'string', default: 'yield' },
    asking: { type: 'string', default: 'all' },
    'asked-openly': { type: 'string', default: '20' },
    'learn-after': { type: 'string' },
    apart: { type: 'boolean', default: false },
    rule: { type: 'string', default: 'exact' },
    dictionary: { type: 'string' },
    texts: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
});
const [path] = positionals;
if (path === undefined || !existsSync(path)) {
  console.log(`skipped: expected a store with answers, but there is none (${path ?? 'none was named'})`);
  process.exit(0);
}

const { utterances, recognizers, answerOf } = recorded(path, values.run);
const predictor = await textFeatures.open(
  textFeatures.options.parse({ dictionary: values.dictionary, texts: values.texts }),
  {
    baseFolder: '.',
    environment: () => undefined,
    fileHash: async (path) => sha256(readFileSync(path)),
  },
);
let predictions = 0;
let processorSeconds = 0;

const context: StudyContext = {
  async *utterances() {
    yield* utterances;
  },
  utteranceCount: utterances.length,
  recognizers: recognizers.map((name) => ({ name, input: 'sound', facts: {}, pricePerMinute: null, vocabulary: null })),
  ladders: [],
  predictors: ['text-features'],
  seed: 1,
};
const options = differential.options.parse({
  replicates: Number(values.seeds),
  wholePool: true,
  ranking: values.ranking,
  asking: values.asking,
  askedOpenly: Number(values['asked-openly']),
  acrossVoices: !values.apart,
  ...(values['learn-after'] === undefined ? {} : { learnAfter: Number(values['learn-after']) }),
  rule: values.rule,
  maxCases: 0,
  ...(values.batch === undefined ? {} : { batch: Number(values.batch) }),
  ...(values.keep === undefined ? {} : { keep: Number(values.keep) }),
});
const asking = differential.run(options, context);
let step = await asking.next();
while (!step.done) step = await asking.next(answer(step.value));

const { sections } = step.value;
for (const row of rowsOf({ sections }, 'differential-worth')) {
  const { normalizer: _, ...line } = row;
  if (values.json) console.log(JSON.stringify(line));
  else
    console.log(
      Object.entries(line)
        .map(([key, value]) => `${key} ${typeof value === 'string' ? value : shown(value as Estimate | null)}`)
        .join('; '),
    );
}
const cost = { predictions, processorSecondsEach: Number((processorSeconds / predictions).toFixed(3)) };
console.log(
  values.json
    ? JSON.stringify(cost)
    : `${predictions} predictions, ${cost.processorSecondsEach} s of the processor each`,
);

/** The texts that every recognizer has answered in clean sound, and what they answered. */
function recorded(storePath: string, wanted: string) {
  using store = openStore(storePath, { readonly: true });
  const run = store.run(wanted);
  if (run === null) throw new Error(`there is no run ${wanted}`);
  const clean = new Set(
    [...store.conditions(run.id).entries()].flatMap(([index, { steps }]) => (steps.length === 0 ? [index] : [])),
  );
  const all = store.utterances(run.id, { from: 0, limit: run.utteranceCount });
  const answers = new Map<string, Observation[]>();
  for (const { batch, size } of store.batches(run.id)) {
    for (const one of store.answers(run.id, batch, { from: 0, limit: size })) {
      if (one.recognizer === null || one.observation?.transcript === undefined || !clean.has(one.condition)) continue;
      const { id } = all[one.utterance]!;
      const known = answers.get(id) ?? [];
      known[one.recognizer] = one.observation;
      answers.set(id, known);
    }
  }
  const names = run.recognizers.map(({ name }) => name);
  const whole = (utterance: Utterance) => {
    const known = answers.get(utterance.id) ?? [];
    return names.every((_, recognizer) => known[recognizer] !== undefined);
  };
  return {
    utterances: all.filter(whole),
    recognizers: names,
    answerOf: (id: string, recognizer: string) => answers.get(id)![names.indexOf(recognizer)]!,
  };
}

async function* answer(batch: Batch): AsyncGenerator<Answer> {
  for await (const question of batch.questions()) {
    if (question.ask === 'elapsed') yield { ask: 'elapsed', seconds: 0 };
    else if (question.ask === 'recognition') {
      const { utterance, recognizer } = question.trial;
      yield { ...question, observation: answerOf(utterance.id, recognizer) };
    } else if (question.ask === 'prediction') {
      const before = process.cpuUsage();
      const chances = await predictor.predict(question.tried, question.pool, question.seed);
      const { user, system } = process.cpuUsage(before);
      predictions++;
      processorSeconds += (user + system) / 1e6;
      yield { ...question, ...chances, seconds: (user + system) / 1e6, model: predictor.identity };
    } else throw new Error(`nothing is recorded for the question ${question.ask}`);
  }
}

function shown(estimate: Estimate | null): string {
  if (estimate === null || estimate.value === null) return '-';
  const { value, low, high } = estimate;
  return low === null || high === null
    ? value.toFixed(2)
    : `${value.toFixed(2)} [${low.toFixed(2)}, ${high.toFixed(2)}]`;
}
