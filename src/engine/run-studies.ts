import type { Finding } from '../model/finding.ts';
import type { Answer, Batch, StudyContext } from '../studies/contract.ts';
import { answersOf } from './answers.ts';
import { createClipMaker } from './clips.ts';
import { createConditionBook } from './conditions.ts';
import { createGroupCommit } from './group-commit.ts';
import { createIdentities } from './identities.ts';
import { createBudget } from './limits/budget.ts';
import { createSemaphore } from './limits/semaphore.ts';
import { planBatch } from './plan.ts';
import { runBatch } from './run-batch.ts';
import type { RunSetup } from './setup.ts';
import { meterNamed } from './similarities.ts';
import { createUtteranceIndex, snapshotUtterances, storedUtterances } from './utterances.ts';

/**
 * Runs the studies of a run, one after another: asks what they ask, answers from the store what is stored, and gives
 * their findings. Stopped and started again, it goes on where it was.
 *
 * @throws the signal's reason when it is stopped; EarwitnessError `budget`, `run-differs`, `store`, …; whatever is
 * thrown, everything recognized until then is kept
 */
export async function runStudies(setup: RunSetup): Promise<readonly Finding[]> {
  const { store, runId, corpus, recognizers, seed, on, signal } = setup;
  const lostCalls = store.loseAttempts(runId);
  on({ type: 'run', id: runId, resumed: store.batches(runId).length > 0, lostCalls });
  await snapshotUtterances(store, runId, corpus, signal);

  const utterances = createUtteranceIndex(store, runId);
  const conditions = createConditionBook(store, runId, setup.perturbation, setup.assets);
  const shared = {
    setup,
    conditions,
    clips: createClipMaker({ store, corpus, seed, cacheBytes: setup.clipCacheBytes, save: true }),
    commit: createGroupCommit(store, runId),
    budget: createBudget(setup.budget, store.spent(runId)),
    processor: createSemaphore(setup.workers),
    utterance: utterances.at,
  };
  const planner = {
    store,
    runId,
    recognizers,
    conditions,
    identities: createIdentities({ corpus, recognizers, seed, runId, similarity: setup.similarity }),
    position: utterances.position,
    qualityKey: (name: string) => keyOfMeasure(setup, name),
    on,
    signal,
  };

  let batchNumber = 0;
  const answerBatch = async (study: string, batch: Batch): Promise<AsyncIterable<Answer>> => {
    const number = batchNumber++;
    on({ type: 'batch', study, about: batch.about, size: batch.size });
    const record = await planBatch(planner, number, study, batch);
    await runBatch(shared, record, batch);
    on({ type: 'analysing', study });
    return answersOf(
      store,
      runId,
      number,
      batch,
      signal,
      async (name) => (await meterNamed(setup.similarity, name)).model,
    );
  };
  const findings = await findAll(setup, studyContext(setup), answerBatch);
  store.finishRun(runId, setup.clock.wallMs(), findings);
  return findings;
}

/** What studies may know of a run. */
function studyContext(setup: RunSetup): StudyContext {
  const { store, runId, recognizers, ladders, seed, perturbation, normalizer, quality, similarity, readText } = setup;
  return {
    utterances: () => storedUtterances(store, runId),
    utteranceCount: store.run(runId)!.utteranceCount,
    recognizers: recognizers.map(({ name, input, facts, pricePerMinute, vocabulary }) => ({
      name,
      input,
      facts,
      pricePerMinute,
      vocabulary,
    })),
    ladders,
    isRandom: async (name) => (await perturbation(name)).random,
    ...(normalizer === undefined ? {} : { normalizer }),
    ...(quality === undefined ? {} : { quality: quality.measures }),
    ...(similarity === undefined ? {} : { embedders: similarity.names }),
    ...(readText === undefined ? {} : { readText }),
    seed,
  };
}

function keyOfMeasure({ quality }: Pick<RunSetup, 'quality'>, name: string): string {
  const found = quality?.measures.find((measure) => measure.name === name);
  if (found === undefined) throw new Error(`a study asked for the measure ${name}, which is not in the run`);
  return found.key;
}

/** Lets every study ask and conclude. */
export async function findAll(
  { studies }: Pick<RunSetup, 'studies'>,
  context: StudyContext,
  answerBatch: (study: string, batch: Batch) => Promise<AsyncIterable<Answer>>,
): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const { study, options } of studies) {
    const asking = study.run(options, context);
    let step = await asking.next();
    while (!step.done) step = await asking.next(await answerBatch(study.name, step.value));
    findings.push(step.value);
  }
  return findings;
}
