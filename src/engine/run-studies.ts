import { ShareLeft } from '../base/pace.ts';
import { type Finding, findingNames } from '../model/finding.ts';
import { atRate, type Condition, type Step, usualRateHz } from '../model/trial.ts';
import type { FitState, PlannedFit } from '../perturbations/contract.ts';
import type { Answer, Batch, Question, StudyContext } from '../studies/contract.ts';
import { answersOf } from './answers.ts';
import { createClipMaker } from './clips.ts';
import { createConditionBook, type ReadyCondition } from './conditions.ts';
import { freezePlan } from './freeze-plan.ts';
import { createIdentities } from './identities.ts';
import { createSoundKeeper, keepMaterials, keepModels, keepRecipes } from './keepers.ts';
import { soundHash } from './keys.ts';
import { createAsking, createGroupCommit } from './lane-context.ts';
import { createBudget, createSemaphore } from './limits.ts';
import { countCostlySounds, createMakingMeter } from './making-meter.ts';
import { planBatch } from './plan.ts';
import { createPreflight } from './preflight.ts';
import { runBatch } from './run-batch.ts';
import { type RunSetup, toldOf } from './setup.ts';
import { meterNamed, predictorNamed } from './text-models.ts';
import { createUtteranceIndex, snapshotUtterances, storedUtterances } from './utterances.ts';

/**
 * Runs the studies of a run, one after another: asks what they ask, answers from the store what is stored, and gives
 * their findings. Stopped and started again, it goes on where it was.
 *
 * @throws the signal's reason when it is stopped; EarwitnessError `budget`, `run-differs`, `store`, …; whatever is
 * thrown, everything recognized until then is kept
 */
export async function runStudies(setup: RunSetup): Promise<readonly Finding[]> {
  const { store, runId, on, signal, clock } = setup;
  const { context, shared, planner, models, computing, making } = await prepareStudies(setup);
  const preflight = createPreflight(shared);
  let batchNumber = 0;
  const answerBatch = async (study: string, asked: Batch): Promise<AsyncIterable<Answer>> => {
    const batch = atDeclaredRate(asked, setup);
    const number = batchNumber++;
    on({ type: 'batch', study, about: batch.about, size: batch.size });
    const record = await planBatch({ ...planner, preflight }, number, study, batch);
    making.expect(await countCostlySounds(planner, record.batch));
    await runBatch(shared, record, batch);
    on({ type: 'analysing', study });
    computing.begin(study);
    const told = (done: number) => computing.tell('reading the answers', done, record.size);
    return answersOf(store, runId, number, batch, signal, models, told);
  };
  const findings = await findAll(setup, context, answerBatch);
  store.finishRun(runId, clock.wallMs(), findings);
  return findings;
}

/** What a study asks first. */
export interface PlannedStudy {
  readonly study: string;
  readonly about: string;
  /** By recognizer. */
  readonly recognitions: readonly { readonly recognizer: string; readonly questions: number; readonly open: number }[];
  /** Each sound once that takes long to make. */
  readonly costly: readonly CostlySound[];
  /** What is fitted before the first clip is changed, each fit once. */
  readonly fits: readonly CostlyFit[];
}

/** What is fitted on clips of some speakers, for all others. */
export interface CostlyFit extends Omit<PlannedFit, 'state'>, FitState {
  readonly perturbation: string;
}

/** A sound that takes long to make. */
export interface CostlySound {
  readonly condition: Condition;
  /** Steps that make it so, with all their parameters. */
  readonly steps: readonly { readonly step: Step; readonly passes: number | null }[];
  readonly state: 'kept' | 'begun' | 'none';
}

/**
 * What a run is to ask, without asking it: the first batch of each study, since later ones follow from the answers. Journaled like one, so that it
 * is for a store that nobody needs.
 *
 * @throws EarwitnessError as `runStudies`, as far as nobody is asked
 */
export async function planStudies(setup: RunSetup): Promise<readonly PlannedStudy[]> {
  const { store, runId, recognizers, corpus } = setup;
  const { context, planner } = await prepareStudies(setup);
  const planned: PlannedStudy[] = [];
  for (const { study, options } of setup.studies) {
    const asking = study.run(options, { ...context, findings: [] });
    const { value: asked, done } = await asking.next();
    if (done) continue;
    const batch = atDeclaredRate(asked, setup);
    setup.on({ type: 'batch', study: study.name, about: batch.about, size: batch.size });
    const record = await planBatch({ ...planner, preflight: async () => {} }, planned.length, study.name, batch);
    const questions = recognizers.map(() => 0);
    const costly = new Map<string, CostlySound>();
    const fits = new Map<string, CostlyFit>();
    const looked = new Set<ReadyCondition>();
    for await (const question of batch.questions()) {
      if (question.ask !== 'recognition' && question.ask !== 'measurement') continue;
      const { utterance, condition, draw } = question.ask === 'recognition' ? question.trial : question;
      if (question.ask === 'recognition')
        questions[recognizers.findIndex(({ name }) => name === question.trial.recognizer)]!++;
      if (!planner.identities.hears(question)) continue;
      const ready = await planner.conditions.ready(condition);
      if (!looked.has(ready)) for (const fit of await fitsOf(ready)) fits.set(fit.key, fit);
      looked.add(ready);
      const identity = ready.costly ? await corpus.soundIdentity(utterance) : null;
      if (identity === null) continue;
      const clip = await planner.identities.key({ ask: 'measurement', utterance, condition, draw }, ready);
      if (!costly.has(clip)) costly.set(clip, await costlySound(ready, soundHash(identity), clip, setup));
    }
    await asking.return(undefined as never);
    planned.push({
      ...{ study: study.name, about: batch.about, costly: [...costly.values()], fits: [...fits.values()] },
      recognitions: recognizers.map(({ name }, place) => ({
        ...{ recognizer: name, questions: questions[place]! },
        open: store.countOpen(runId, record.batch, place),
      })),
    });
  }
  return planned;
}

/** The same questions, about conditions that say the rate that they are made at. */
function atDeclaredRate(batch: Batch, { perturbationRateHz = usualRateHz }: RunSetup): Batch {
  const known = new Map<Condition, Condition>();
  const made = (condition: Condition): Condition => {
    let found = known.get(condition);
    if (found === undefined) {
      const steps = atRate(condition.steps, perturbationRateHz);
      found = steps === condition.steps ? condition : { ...condition, steps };
      known.set(condition, found);
    }
    return found;
  };
  const declared = (question: Question): Question => {
    if (question.ask !== 'recognition' && question.ask !== 'measurement') return question;
    const asked = question.ask === 'recognition' ? question.trial.condition : question.condition;
    const condition = made(asked);
    if (condition === asked) return question;
    return question.ask === 'recognition'
      ? { ...question, trial: { ...question.trial, condition } }
      : { ...question, condition };
  };
  return {
    ...batch,
    async *questions() {
      for await (const question of batch.questions()) yield declared(question);
    },
  };
}

async function fitsOf({ steps }: ReadyCondition): Promise<CostlyFit[]> {
  const planned = steps.flatMap(({ perturbation, prepared }) =>
    prepared?.fit === undefined ? [] : [{ perturbation: perturbation.name, fit: prepared.fit }],
  );
  return Promise.all(
    planned.map(async ({ perturbation, fit: { source, clips, maxPasses, state } }) => ({
      ...{ perturbation, source, clips, maxPasses },
      ...(await state()),
    })),
  );
}

async function costlySound(
  { condition, steps }: ReadyCondition,
  sound: string,
  clip: string,
  { keptSounds }: Pick<RunSetup, 'keptSounds'>,
): Promise<CostlySound> {
  const places = steps.flatMap(({ perturbation }, place) => (perturbation.costly ? [place] : []));
  const begun = async () =>
    (await Promise.all(places.map((place) => keptSounds?.checkpoint(sound, clip, place).load()))).some(Boolean);
  return {
    condition,
    steps: places.map((place) => ({
      step: condition.steps[place]!,
      passes: steps[place]!.perturbation.passes?.(condition.steps[place]!.parameters) ?? null,
    })),
    state: (await keptSounds?.read(sound, clip)) ? 'kept' : (await begun()) ? 'begun' : 'none',
  };
}

/** Everything that studies are planned and run with. */
async function prepareStudies(setup: RunSetup) {
  const { store, runId, corpus, recognizers, seed, on, signal } = setup;
  const lostCalls = store.loseAttempts(
    runId,
    recognizers.map(({ mayCost }) => mayCost),
  );
  const elapsedSeconds = stopwatch(setup);
  const { answered, trials } = store.tally(runId);
  const before = { resumed: store.batches(runId).length > 0, finished: store.run(runId)?.finishedAtMs != null };
  on({ type: 'run', id: runId, ...before, lostCalls, answered, trials });
  await snapshotUtterances(store, runId, corpus, signal);

  const utterances = createUtteranceIndex(store, runId);
  const book = createConditionBook(store, runId, setup.perturbation, setup.assets);
  const conditions = keepRecipes(book, store, runId);
  const sounds = createSoundKeeper(store, runId, utterances.position);
  const computing = tellComputing(setup);
  const context: StudyContext = { ...keepMaterials(studyContext(setup), store, runId), computing: computing.tell };
  for (const { study, options } of setup.studies) await study.check?.(options, context);
  const { hash, frozenAtMs } = await freezePlan(setup, context);
  on({ type: 'plan', hash, frozenAtMs });
  const making = createMakingMeter(setup.clock, on);
  const processor = createSemaphore(setup.workers);
  const shared = {
    setup,
    conditions,
    making,
    askings: recognizers.map((recognizer) => createAsking(recognizer, processor, setup.clock)),
    clips: createClipMaker({
      store,
      corpus,
      seed,
      cacheBytes: setup.clipCacheBytes,
      keepChanged: true,
      save: true,
      kept: setup.keptSounds,
      making,
      signal: setup.signal,
    }),
    commit: createGroupCommit(store, runId),
    budget: setup.spending ?? createBudget(setup.budget, store.spent(runId)),
    utterance: utterances.at,
    elapsedSeconds,
  };
  const planner = {
    store,
    runId,
    recognizers,
    conditions,
    identities: createIdentities({
      corpus,
      recognizers,
      seed,
      runId,
      similarity: setup.similarity,
      onSound: sounds.add,
    }),
    keepSounds: sounds.keep,
    predictors: setup.predictors,
    place: utterances.place,
    keepMade: utterances.keepMade,
    qualityKey: (name: string) => keyOfMeasure(setup, name),
    on,
    signal,
  };

  const models = keepModels(
    {
      embedder: (name) => meterNamed(setup.similarity, name),
      predictor: async (name) => {
        const { identity } = await predictorNamed(setup.predictors, name);
        return { identity, model: identity };
      },
    },
    store,
    runId,
  );
  return { context, shared, planner, models, computing, making };
}

/** What is soon done need not be told, and nobody sees it more often. */
const untoldMs = 1000;
const betweenMs = 250;

function tellComputing({ clock, on }: Pick<RunSetup, 'clock' | 'on'>) {
  let [now, nextMs] = ['', 0];
  const paces = new Map<string, ShareLeft>();
  return {
    begin(study: string) {
      now = study;
      paces.clear();
      nextMs = clock.monotonicMs() + untoldMs;
    },
    tell(what: string, done: number, of: number) {
      const ms = clock.monotonicMs();
      const share = of > 0 ? done / of : 1;
      const pace = paces.get(what) ?? new ShareLeft();
      paces.set(what, pace);
      const secondsLeft = pace.secondsLeft(share, ms);
      if (ms < nextMs) return;
      nextMs = ms + betweenMs;
      on({ type: 'computing', study: now, what, share, secondsLeft });
    },
  };
}

/** What studies may know of a run. */
function studyContext(setup: RunSetup): StudyContext {
  const { store, runId, recognizers, ladders, seed, perturbation, normalizer, quality, similarity, predictors } = setup;
  const { readText } = setup;
  return {
    utterances: () => storedUtterances(store, runId),
    utteranceCount: store.run(runId)!.utteranceCount,
    recognizers: recognizers.map(toldOf),
    ladders,
    isRandom: async (name) => (await perturbation(name)).random,
    ...(normalizer === undefined ? {} : { normalizer }),
    ...(quality === undefined ? {} : { quality: quality.measures }),
    ...(similarity === undefined ? {} : { embedders: similarity.names }),
    ...(predictors === undefined ? {} : { predictors: predictors.names }),
    ...(readText === undefined ? {} : { readText }),
    soundNames: async (name) => (await setup.assets.sounds(name)).sounds.map((sound) => sound.name),
    seed,
  };
}

/** What the journal says of earlier sessions, and this one's time since now. */
function stopwatch({ store, runId, clock }: Pick<RunSetup, 'store' | 'runId' | 'clock'>): () => number {
  const before = store.elapsed(runId);
  const started = clock.monotonicMs();
  return () => before + (clock.monotonicMs() - started) / 1000;
}

function keyOfMeasure({ quality }: Pick<RunSetup, 'quality'>, name: string): string {
  const found = quality?.measures.find((measure) => measure.name === name);
  if (found === undefined) throw new Error(`a study asked for the measure ${name}, which is not in the run`);
  return found.key;
}

/** Lets every study ask and conclude. Each sees what those before it concluded, under the names that the report gives them. */
async function findAll(
  { studies }: Pick<RunSetup, 'studies'>,
  context: StudyContext,
  answerBatch: (study: string, batch: Batch) => Promise<AsyncIterable<Answer>>,
): Promise<readonly Finding[]> {
  const given = studies.map(({ name }) => name);
  const findings: Finding[] = [];
  for (const { study, options } of studies) {
    const names = findingNames(
      findings.map((finding) => finding.study.name),
      given,
    );
    const named = findings.map((finding, place) => ({ ...finding, name: names[place]! }));
    const asking = study.run(options, { ...context, findings: named });
    let step = await asking.next();
    while (!step.done) step = await asking.next(await answerBatch(study.name, step.value));
    findings.push(step.value);
  }
  return findings;
}
