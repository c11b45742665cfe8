/// <reference lib="esnext.disposable" preserve="true" />
// The package's face. Whatever is heavy (the engine, the store, the config's schemas) is loaded when it is used, so that a
// config that imports `defineConfig` starts at once.
import type { Embedder } from './embedders/contract.ts';
import type { WaveformGradient } from './gradients/contract.ts';
import type { GradientOptions } from './gradients/open-gradient.ts';
import type { LoadedConfig } from './session/config/config.ts';
import type { EmbedderConfig } from './session/config/written-config.ts';
import type { Verification, VerifyOptions, WrittenBundle } from './session/evidence/verification.ts';
import type { RunReader } from './store/contract.ts';

export type { Clip } from './audio/clip.ts';
export type * from './audio/sound-collection.ts';
export { EarwitnessError, type ErrorCode, exitCodes } from './base/errors.ts';
export type { Json, JsonObject } from './base/json.ts';
export { createRandom, type Random } from './base/random.ts';
export type { Schema, SchemaIssue } from './base/schema.ts';
export type * from './corpora/contract.ts';
export type { Decoder, SoundFiles, TimeSpan } from './decoders/contract.ts';
export type * from './embedders/contract.ts';
export type { EngineEvent, OnEvent, Progress } from './engine/events.ts';
export type { RunMode } from './engine/open-run.ts';
export type {
  GradientCheck,
  LossAndGradient,
  SurrogateAgreement,
  WaveformGradient,
} from './gradients/contract.ts';
export type { GradientOptions } from './gradients/open-gradient.ts';
export type * from './model/finding.ts';
export type * from './model/observation.ts';
export type * from './model/reason.ts';
export type { FailureReason, RecognizerFailures, RunRecognizer, RunReport, RunTally } from './model/run.ts';
export type * from './model/text-services.ts';
export type * from './model/trial.ts';
export { clean } from './model/trial.ts';
export type { SoundSource, Utterance } from './model/utterance.ts';
export type * from './perturbations/contract.ts';
export type * from './predictors/contract.ts';
export type * from './quality/contract.ts';
export type * from './recognizers/contract.ts';
export { RecognitionError } from './recognizers/contract.ts';
export type { FromProgram, ToProgram } from './recognizers/shared/program/protocol.ts';
export { type CsvOptions, renderCsv } from './report/csv/render-csv.ts';
export type { HtmlOptions } from './report/html/render-html.ts';
export { type JsonOptions, renderJson } from './report/json/render-json.ts';
export { type MarkdownOptions, renderMarkdown } from './report/markdown/render-markdown.ts';
export { renderFirstScreen } from './report/text/first-screen.ts';
export { renderText, type TextOptions } from './report/text/render-text.ts';
export type {
  Config,
  ConfiguredCorpus,
  ConfiguredMember,
  ConfiguredRecognizer,
  ExecutorChoice,
  LoadedConfig,
} from './session/config/config.ts';
export { defineConfig } from './session/config/define-config.ts';
export type * from './session/config/written-config.ts';
export type * from './session/evidence/verification.ts';
export { renderHtml } from './session/render-html.ts';
export type { Excerpt } from './session/run/excerpts.ts';
export { type RunOptions, run } from './session/run/run.ts';
export type { SessionResult } from './session/run/run-session.ts';
export { type ReportChoice, type ReportFiles, writeReport } from './session/run/write-report.ts';
export { type ComparisonChoice, compareRuns } from './session/stored/compare-runs.ts';
export type * from './sound-collections/contract.ts';
export type { NewRun, PairedAnswers, RunReader, RunRecord, Side, StoredTrial } from './store/contract.ts';
export type * from './studies/contract.ts';
export type * from './synthesizers/contract.ts';

/**
 * Reads and checks a config: .ts, .mts, .js, .mjs (its default export), .yaml, .yml or .json.
 *
 * @param environment what `${NAME}` in the file stands for. Default: the process' environment.
 * @throws EarwitnessError `bad-config` with all that is wrong at once, each with line and column, or with the property
 * path where the config is a module
 * @example const loaded = await loadConfig('earwitness.config.yaml')
 */
export async function loadConfig(
  file: string,
  environment?: (name: string) => string | undefined,
): Promise<LoadedConfig> {
  const module = await import('./session/config/load-config.ts');
  return module.loadConfig(file, environment);
}

/**
 * Checks a config that is there as data.
 *
 * @param baseFolder relative paths in it are meant from here
 * @throws EarwitnessError `bad-config` with all that is wrong at once, each with its property path
 * @example const loaded = await checkedConfig(JSON.parse(text), process.cwd())
 */
export async function checkedConfig(data: unknown, baseFolder: string): Promise<LoadedConfig> {
  const module = await import('./session/config/load-config.ts');
  return module.checkedConfig(data, baseFolder);
}

/**
 * Opens the store of runs, to read or compare them. Nothing is written, and a run that is under way is not disturbed.
 *
 * @throws EarwitnessError `store`: none there, damaged, or of a newer version
 * @example
 * using store = await openStore('.earwitness/store.sqlite');
 * const last = store.run('last');
 * for (const { utterance, observation } of store.trials(last.id)) console.log(utterance.id, observation.transcript?.text);
 * const findings = await compareRuns(store, 'last:usual', 'last:narrow', { normalizer: 'basic' });
 */
export async function openStore(path: string): Promise<RunReader & Disposable> {
  const module = await import('./store/open-store.ts');
  return module.openStore(path, { readonly: true });
}

/**
 * Opens a model that turns sentences into vectors, for `semanticSimilarity` of `earwitness/scoring`. It is computed in this
 * process; close it when done.
 *
 * @param written as data, or as on a command line (`sentence-transformer:{"model": "minilm", "languages": ["en"]}`)
 * @param baseFolder relative paths in it are meant from here. Default: the current folder.
 * @throws EarwitnessError `bad-usage`: wrong options; `bad-config`: no such member, or a model that cannot be used;
 * `missing-program`: the engine is not installed, with the line that installs it
 * @example
 * const embedder = await openEmbedder({ type: 'sentence-transformer', model: 'models/minilm', languages: ['en'] });
 * const pairs = [{ reference: 'turn it up', hypothesis: 'make it louder' }];
 * const similarity = await semanticSimilarity(pairs, embedder, { language: 'en' });
 * await embedder.close();
 */
export async function openEmbedder(written: EmbedderConfig | string, baseFolder?: string): Promise<Embedder> {
  const module = await import('./session/open/parse-spec.ts');
  return module.openEmbedder(written, baseFolder);
}

/**
 * Opens a recognizer's ONNX export for gradients of its loss on a text with respect to the samples of a waveform: Whisper, wav2vec 2.0, HuBERT,
 * WavLM, UniSpeech and Parakeet CTC, in the folder layout of transformers.js. Close it with `dispose`.
 *
 * @throws EarwitnessError `bad-input`: no such model, one of another kind, or a graph that cannot be differentiated, with the operator's name;
 * `missing-program`: a package is not installed, with the line that installs it
 * @example
 * const gradient = await openWaveformGradient({ folder: 'models/whisper-base' });
 * const { loss, gradient: slope } = await gradient.lossAndGradient(samples, 'she had your dark suit in greasy wash water all year');
 * await gradient.dispose();
 */
export async function openWaveformGradient(options: GradientOptions): Promise<WaveformGradient> {
  const module = await import('./gradients/open-gradient.ts');
  return module.openWaveformGradient(options);
}

/**
 * Writes a finished run into one file of evidence, which `verifyBundle` checks anywhere (docs/evidence.md).
 *
 * @param storeFile of the store that has the run
 * @param wanted a run: its id, the beginning of it, or `last`
 * @param file must not exist yet
 * @param transcripts whether what was said is in it; without it no number can be computed again
 * @throws EarwitnessError `store`: no store there; `bad-usage`: no such run, not finished, or the file exists; `bad-input`: it
 * cannot be written
 * @example const { seal, plan } = await writeBundle('.earwitness/store.sqlite', 'last', 'evidence.jsonl.gz')
 */
export async function writeBundle(
  storeFile: string,
  wanted: string,
  file: string,
  transcripts = true,
): Promise<WrittenBundle> {
  const [{ findRun }, { openStore }, module] = await Promise.all([
    import('./session/stored/which-run.ts'),
    import('./store/open-store.ts'),
    import('./session/evidence/write-bundle.ts'),
  ]);
  using store = openStore(storeFile, { readonly: true });
  return await module.writeBundle(store, findRun(store, wanted), file, { transcripts, bundled: new Date() });
}

/**
 * Checks a file of evidence without sounds, recognizers, models or network: every hash, that the plan was fixed before the first
 * call, and every number, computed again from the answers. Only `verified` says that all of it was checked and right.
 *
 * @throws EarwitnessError `bad-input` where the file is no whole bundle
 * @example
 * const { verdict, findings } = await verifyBundle('evidence.jsonl.gz');
 */
export async function verifyBundle(file: string, options: Partial<VerifyOptions> = {}): Promise<Verification> {
  const module = await import('./session/evidence/verify-bundle.ts');
  return module.verifyBundle(file, { plan: null, seal: null, modules: null, on() {}, ...options });
}
