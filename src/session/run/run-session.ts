import { availableParallelism, tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { callerNames } from '../../base/caller.ts';
import { minuteText, systemClock } from '../../base/clock.ts';
import { createClosing } from '../../base/closing.ts';
import { EarwitnessError } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json.ts';
import { moneyText } from '../../base/number-format.ts';
import { removeAbandoned, removeUnfinished } from '../../base/on-disk.ts';
import type { Corpus } from '../../corpora/contract.ts';
import { createClipMaker } from '../../engine/clips.ts';
import { createConditionBook } from '../../engine/conditions.ts';
import type { OnEvent } from '../../engine/events.ts';
import { createBudget, sumOfSpending } from '../../engine/limits.ts';
import { askedAnew, openRun, previewsOf, type RunMode, sameRecognizers } from '../../engine/open-run.ts';
import { runStudies } from '../../engine/run-studies.ts';
import type { RunSetup } from '../../engine/setup.ts';
import { createUtteranceIndex } from '../../engine/utterances.ts';
import type { Finding } from '../../model/finding.ts';
import type { RunReport } from '../../model/run.ts';
import type { RunOutput, RunRecord } from '../../store/contract.ts';
import { openStore } from '../../store/open-store.ts';
import { folderBeside, requireServer, storeAt } from '../../store/store-place.ts';
import type { ConfiguredStudy, ExecutorChoice, LoadedConfig } from '../config/config.ts';
import { defaultMaxShare } from '../config/frame.ts';
import { loadLadders } from '../members/listings.ts';
import { loadMember } from '../members/load-member.ts';
import { loadNormalizer } from '../members/load-normalizer.ts';
import {
  createExecutor,
  describeRecognizers,
  queuedAtOnce,
  setUpRecognizer,
  wishOf,
} from '../open/describe-recognizers.ts';
import { createFitting } from '../open/fitting.ts';
import { keptSounds, keptSoundsFolder, keptSpeech, speechFolder } from '../open/kept-sounds.ts';
import { type CorpusPart, openCorpus, partOf } from '../open/open-corpus.ts';
import { openPredictors, openSimilarity } from '../open/open-predictors.ts';
import { listSounds } from '../open/open-sound-collection.ts';
import { createSpeechPurse, type SpeechPurse } from '../open/paid-speech.ts';
import { type PreviewPrice, previewedUtterances, priceRest } from '../open/price-rest.ts';
import { readText } from '../open/read-text.ts';
import { createServices, type Services } from '../open/services.ts';
import { storedFileHash } from '../open/stored-file-hash.ts';
import { addedQualityStudy } from '../quality/open-measures.ts';
import { openQualityWorkers } from '../quality/open-quality-workers.ts';
import { laddersAsListed, laddersAsLoaded } from '../rooms/ladders-as-loaded.ts';
import { historyForReport } from '../stored/history-of.ts';
import { purposeOf } from '../stored/purpose.ts';
import {
  inapplicableWarnings,
  leftOutWarnings,
  oddAnswerWarnings,
  otherLanguageWarnings,
  reportOf,
  spellingWarnings,
  withLanguages,
  wordWarnings,
} from '../stored/report-of.ts';
import { askedUntilCertain } from '../stored/sequential-asking.ts';
import { normalizerBeside, normalizerOfStudies } from '../stored/study-counting.ts';
import { findRun, nameOf } from '../stored/which-run.ts';
import { packageVersion } from '../version.ts';
import { withClaimExamples } from './claim-examples.ts';
import { type Excerpt, makeExcerpts } from './excerpts.ts';
import { type TrialTable, trialTable } from './trial-table.ts';
import { withTrialsTold } from './trials-told.ts';

const clipCacheBytes = 32 * 1024 * 1024;
/** For one answer about a sound that is being made, and for opening what answers, where the config says no other. */
const soundTimeLimitSeconds = 300;

/** How a config is to be run. */
export interface SessionRequest {
  readonly mode: RunMode;
  /** Only this run is gone on with: an id, the beginning of one, or `last`. */
  readonly resume: string | null;
  /** Only the first so many utterances. */
  readonly limit: number | null;
  /** Only so many utterances, of as many speakers as can be, and what the rest will take; null: all. */
  readonly preview: number | null;
  /** Null: as the config says, else `auto`. */
  readonly executor: ExecutorChoice | null;
  /** Null: as the config says, else one for each core. */
  readonly workers: number | null;
  /** Whether sounds for the report are made. */
  readonly sound: boolean;
}

/** What a run gave. */
export interface SessionResult {
  readonly report: RunReport;
  /** Sounds of the findings' examples, by `excerptKey`. */
  readonly excerpts: ReadonlyMap<string, Excerpt>;
  /** What the rest will take; absent where it was no preview. */
  readonly rest?: PreviewPrice;
}

export interface SessionHooks {
  readonly on: OnEvent;
  /** Stops the run: nothing new is asked. */
  readonly signal: AbortSignal;
  /** Ends what is in flight. */
  readonly abort: AbortSignal;
  /** Where the run is reported, in a folder of its own; absent where whoever asked does that. */
  readonly report?: {
    readonly folder: string;
    write(result: SessionResult, folder: string, trials: TrialTable): Promise<void>;
  };
}

/**
 * Runs a config: opens its store, corpus and recognizers, asks what its studies ask, and reports.
 *
 * @throws EarwitnessError, or the signal's reason when it was stopped; everything recognized until then is kept
 */
export async function runSession(
  loaded: LoadedConfig,
  request: SessionRequest,
  hooks: SessionHooks,
): Promise<SessionResult> {
  const storeFile = storeAt(loaded.baseFolder, loaded.config.store);
  const started = systemClock.monotonicMs();
  return withSession(loaded, request, hooks, { storeFile, beside: storeFile }, (opened) =>
    runOpened(opened, loaded, request, hooks, started),
  );
}

/** A config that is ready to be run. */
export interface OpenedSession {
  readonly setup: RunSetup & Required<Pick<RunSetup, 'spending'>>;
  readonly services: Services;
  /** All of the corpus, where `setup.corpus` may be a part of it. */
  readonly whole: Pick<Corpus, 'utterances'>;
  readonly run: RunRecord;
  readonly warnings: Set<string>;
  /** Tries the embedders and predictors of the studies, which are asked when hours of recognition may be over. */
  tryTextModels(): Promise<void>;
  keepWarnings(): void;
}

/**
 * Opens store, corpus and recognizers of a config, and closes them when `use` is done.
 *
 * @param places the store, and the one beside which lies what was made and spoken before
 */
export async function withSession<Result>(
  loaded: LoadedConfig,
  request: SessionRequest,
  hooks: SessionHooks,
  { storeFile, beside }: { readonly storeFile: string; readonly beside: string },
  use: (opened: OpenedSession) => Promise<Result>,
): Promise<Result> {
  const { config, baseFolder } = loaded;
  const clock = systemClock;
  const choice = request.executor ?? config.executor ?? 'auto';
  if (choice === 'queue') requireServer(beside);
  const tell = toldOnce((message) => hooks.on({ type: 'preparing', message }));
  if (choice !== 'queue' && config.clips !== undefined)
    tell('clips: nothing is put there: audio goes to workers, which only `executor: queue` has');
  using store = openStore(storeFile, { tell });
  const warnings = new Set<string>();
  let keepWarnings = () => {};
  const warn = (message: string) => {
    warnings.add(message);
    keepWarnings();
    hooks.on({ type: 'warning', message });
  };
  const spoken = speechFolder(beside);
  // Nothing is spoken before the run is known.
  let purse: SpeechPurse | undefined;
  await using closing = createClosing();
  const services = createServices({
    baseFolder,
    synthesizers: config.synthesizers,
    ...(config.sounds && { soundCollections: config.sounds }),
    recognizers: config.recognizers,
    recognize: async (name, clip, language, signal) => {
      const { limits } = described.find((one) => one.name === name)!.configured;
      const request = { utteranceId: '', conditionName: '', repeat: 0, language };
      const { timeLimitSeconds = soundTimeLimitSeconds, openTimeLimitSeconds = soundTimeLimitSeconds } = limits;
      const job = { recognizer: name, request, timeLimitSeconds, openTimeLimitSeconds };
      const { transcript, failure } = await executor.run(job, clip, signal);
      if (transcript !== undefined) return transcript;
      throw new Error(`${failure!.kind}: ${failure!.message}`);
    },
    speechThrough: (source) => keptSpeech(source, spoken),
    purse: () => purse!,
    money: config.budget.money,
    fileHash: storedFileHash(store, (...known) => store.rememberFileHash(...known)),
    warn,
    progress: (message) => hooks.on({ type: 'preparing', message }),
    jobsFolder: join(folderBeside(storeFile), 'jobs'),
  });
  closing.defer(() => services.close());
  const described = await describeRecognizers(config, services.recognizer);
  const part: CorpusPart = request.preview === null ? request.limit : { preview: request.preview };
  const whole = await openCorpus(config, null, services.corpus);
  const corpus = partOf(whole, part);
  closing.defer(() => corpus.close());

  const wish = {
    name: nameOf(config),
    purpose: purposeOf(config, baseFolder, part),
    preview: purposeOf(config, baseFolder, { preview: request.preview ?? previewedUtterances }),
    config: JSON.parse(JSON.stringify({ config, baseFolder, file: loaded.file, limit: part })) as JsonObject,
    seed: config.seed,
    recognizers: described.map(wishOf),
  };
  const run = request.resume === null ? openRun(store, wish, request.mode, clock) : findRun(store, request.resume);
  if (run.purpose !== wish.purpose) {
    throw new EarwitnessError(
      'run-differs',
      `run ${run.id} was begun with another config; start a new run with ${callerNames().newRun}`,
    );
  }

  store.takeRun(run.id);
  if (!sameRecognizers(run, wish)) {
    throw new EarwitnessError(
      'run-differs',
      `run ${run.id} was begun with other versions or models of its recognizers; start a new run with ${callerNames().newRun}`,
    );
  }

  for (const [path, hash] of Object.entries(config.normalizers ?? {})) {
    if ((await loadNormalizer(path, baseFolder)).module === hash) continue;
    throw new EarwitnessError(
      'run-differs',
      `run ${run.id} was begun with another version of the normalizer ${path}; start a new run with ${callerNames().newRun}: it reuses all answers`,
    );
  }

  for (const { recognizer, beforeMs, epoch } of askedAnew(store, run, wish)) {
    hooks.on({
      type: 'preparing',
      message: `${recognizer} recognizes everything again, also what it recognized in the run begun ${minuteText(beforeMs)}: a program or a service can change unnoticed. ${callerNames().keepAnswers(recognizer, epoch)}`,
    });
  }

  // What was warned of before it was stopped is not met again.
  for (const message of store.warnings(run.id) ?? []) warnings.add(message);
  keepWarnings = () => store.keepWarnings(run.id, [...warnings]);
  keepWarnings();

  const workers = request.workers ?? config.workers ?? availableParallelism();
  const recognizers = await Promise.all(
    described.map((recognizer) => {
      const epoch = run.recognizers.find(({ name }) => name === recognizer.name)?.epoch ?? null;
      return setUpRecognizer(recognizer, epoch, workers, choice, services.recognizer);
    }),
  );
  if (choice === 'queue')
    hooks.on({ type: 'preparing', message: 'workers make the calls: `earwitness worker` starts one, on any machine' });
  const executor = createExecutor(described, choice, services.recognizer, clock, {
    store: beside,
    clips: config.clips ?? null,
    tell,
    seen: (makers) => hooks.on({ type: 'workers', ...makers }),
  });
  closing.defer(() => executor.close());
  const perturbation: RunSetup['perturbation'] = async (name) => {
    const { member, moduleHash } = await loadMember('perturbations', name, baseFolder);
    // The name is part of every key: one of the user's own is what its file holds.
    return moduleHash === null ? member : { ...member, name: `${member.name} ${moduleHash}` };
  };
  const known = [...config.ladders, ...(await loadLadders())];
  const fitting = createFitting({
    ...{ corpus, seed: run.seed, folder: keptSoundsFolder(beside), clock },
    ...{ signal: hooks.signal, on: hooks.on },
  });
  const assets = { ...services.assets, fitting };
  const asked = config.studies.map(({ options }) => options);
  // Recognizers that know names alone hear no sounds: none need be there.
  const ladders = recognizers.every(({ input }) => input === 'names')
    ? await laddersAsListed(known, asked, (name) => listSounds(name, { baseFolder, configured: config.sounds ?? {} }))
    : await laddersAsLoaded(known, asked, perturbation, assets);
  const quality = config.quality && (await openQualityWorkers({ measures: config.quality, baseFolder }, workers));
  if (quality) closing.defer(async () => void (await quality.close()));
  const similarity = config.embedders && openSimilarity(config.embedders, baseFolder);
  if (similarity) closing.defer(() => similarity.close());
  const predictors = openPredictors(config, services.predictor);
  closing.defer(() => predictors.close());
  const previews = sumOfSpending(previewsOf(store, run, wish).map(({ id }) => store.spent(id)));
  const open = storeFile === beside ? store.openAttempts(run.id) : [];
  if (open.length > 0) store.recallAttempts(run.id, (await executor.recallLeft?.(open)) ?? []);
  const spending = createBudget(config.budget, store.spent(run.id), previews);
  if (Object.keys(config.budget).length > 0 && previews.calls > 0) {
    const used = [`${previews.calls} calls`, ...(config.budget.money ? [moneyText(previews.money)] : [])].join(', ');
    hooks.on({ type: 'preparing', message: `the preview counts into the budget of this run (${used})` });
  }
  purse = createSpeechPurse(store, run.id, spending, clock);
  const setup: OpenedSession['setup'] = {
    store,
    runId: run.id,
    seed: run.seed,
    corpus,
    recognizers,
    studies: await loadStudies(loaded, ladders, request.preview === null),
    program: { earwitness: packageVersion(), node: process.version, platform: `${process.platform} ${process.arch}` },
    ladders,
    ...(config.perturbationRateHz !== undefined && { perturbationRateHz: config.perturbationRateHz }),
    perturbation,
    assets,
    normalizer: (name) => loadNormalizer(name, baseFolder),
    ...(quality && { quality }),
    ...(similarity && { similarity }),
    predictors,
    readText: (path) => readText(path, baseFolder),
    executor,
    preflight: (config.failures?.maxShare ?? defaultMaxShare) < 1,
    budget: config.budget,
    spending,
    // Nobody waits for this machine's processor where others make the calls.
    workers: choice === 'queue' ? queuedAtOnce : workers,
    clipCacheBytes,
    keptSounds: keptSounds(keptSoundsFolder(beside)),
    clock,
    ...hooks,
  };
  const tryTextModels = async () => {
    const told = (name: string) => hooks.on({ type: 'preparing', message: `trying ${name}, which is asked later` });
    await similarity?.tryOut(asked, told);
    await predictors.tryOut(asked, told);
  };
  return await use({ setup, services, whole, run, warnings, tryTextModels, keepWarnings: () => keepWarnings() });
}

/** What store and queue both say of their server is told once. */
function toldOnce(tell: (message: string) => void): (message: string) => void {
  let last = '';
  return (message) => {
    const said = message.replace(/\d+/g, '');
    if (said !== last) tell(message);
    last = said;
  };
}

async function runOpened(
  { setup, services, whole, run, warnings, tryTextModels, keepWarnings }: OpenedSession,
  { config, baseFolder }: LoadedConfig,
  request: SessionRequest,
  hooks: SessionHooks,
  started: number,
): Promise<SessionResult> {
  const { store, clock } = setup;
  // Until it is written the store knows that it is missing: after a kill the next run writes it.
  const output: RunOutput | null = hooks.report
    ? { run: run.id, kind: 'report', path: join(resolve(baseFolder, hooks.report.folder), run.id) }
    : null;
  removeAbandoned(tmpdir(), 'earwitness-');
  for (const { kind, path } of [...store.outputs(false), ...(output === null ? [] : [output])]) {
    for (const folder of kind === 'report' ? [path, join(path, 'tables')] : [dirname(path)]) removeUnfinished(folder);
  }
  if (output) store.noteOutput(output, false);
  await tryTextModels();
  const findings = await runStudies(setup);
  const seconds = (clock.monotonicMs() - started) / 1000;
  return store.unbroken(async () => {
    const doing = (what: string) => {
      hooks.on({ type: 'reporting', what });
      return withTrialsTold(store, what, clock, hooks.on);
    };
    const looked = doing('looking for examples in the answers');
    for (const message of oddAnswerWarnings(store, run.id)) warnings.add(message);
    for (const message of leftOutWarnings(store, run.id)) warnings.add(message);
    for (const message of otherLanguageWarnings(store, run.id)) warnings.add(message);
    for (const message of inapplicableWarnings(store, run.id)) warnings.add(message);
    for (const message of wordWarnings(store, run.id, findings)) warnings.add(message);
    const counting = await normalizerOfStudies(
      config.studies.map(({ type: name, options }) => ({ name, options })),
      setup,
    );
    for (const message of spellingWarnings(looked, run.id, counting)) warnings.add(message);
    keepWarnings();
    const normalizerOf = async (name: string, module: string | null) => {
      if (module === null) return loadNormalizer(name, baseFolder);
      const [path] = Object.entries(config.normalizers ?? {}).find(([, hash]) => hash === module) ?? [];
      return path === undefined ? null : loadNormalizer(path, baseFolder);
    };
    const done = store.run(run.id)!;
    const told = [...findings, ...(await historyForReport(store, done, baseFolder))];
    const found = reportOf(store, done, told, [...warnings], seconds);
    const report = withLanguages(store, run.id, await withClaimExamples(looked, run, found, normalizerOf));
    const result = {
      report,
      excerpts: request.sound ? await excerptsOf(setup, report.findings) : new Map(),
      ...(request.preview !== null && { rest: await priceRest(setup, () => whole.utterances(), services.sounds) }),
    };
    if (output) {
      const written = doing('writing the report');
      await hooks.report!.write(result, output.path, await trialTable(written, run, findings, normalizerOf));
      store.noteOutput(output, true);
    }
    return result;
  });
}

/**
 * The studies of a config; then the quality of what they ask about, and the corpus at the end. Where they draw few of the texts that a
 * synthesizer is to speak, the corpus is left out: it would have all of them spoken.
 */
async function loadStudies(
  { config, baseFolder }: LoadedConfig,
  ladders: RunSetup['ladders'],
  isWhole: boolean,
): Promise<RunSetup['studies']> {
  const load = async ({ name, type, options }: Pick<ConfiguredStudy, 'name' | 'type' | 'options'>) => {
    const { member, moduleHash } = await loadMember('studies', type, baseFolder);
    const words = type === 'corpus' && { normalizer: options.normalizer ?? normalizerBeside(config.studies) };
    return {
      study: member,
      options: member.options.parse({ ...options, ...words }) as never,
      ...(name !== undefined && { name }),
      ...(moduleHash !== null && { module: { path: type, hash: moduleHash } }),
    };
  };
  const asked = await Promise.all(config.studies.map(load));
  const added = addedQualityStudy(config, ladders);
  const spoken = config.corpora.some(({ options }) => options.synthesizer !== undefined);
  const described =
    config.studies.some(({ type }) => type === 'corpus') ||
    (spoken && asked.every(({ study, options }) => study.asksOfFew?.(options) === true));
  const all = [
    ...asked,
    ...(added === null ? [] : [await load(added)]),
    ...(described ? [] : [await load({ type: 'corpus', options: {} })]),
  ];
  const { gate } = config;
  return gate?.askUntil === undefined || !isWhole ? all : askedUntilCertain(gate, all);
}

async function excerptsOf(setup: RunSetup, findings: readonly Finding[]): Promise<ReadonlyMap<string, Excerpt>> {
  const { store, runId, corpus, seed } = setup;
  const index = createUtteranceIndex(store, runId);
  return makeExcerpts(findings, {
    store,
    clips: createClipMaker({
      ...{ store, corpus, seed, cacheBytes: clipCacheBytes, keepChanged: true, save: false },
      kept: setup.keptSounds,
    }),
    conditions: createConditionBook(store, runId, setup.perturbation, setup.assets),
    named: new Map(store.conditions(runId).map((condition) => [condition.name, condition])),
    utterance: (id) => index.at(index.position(id)) ?? null,
  });
}
