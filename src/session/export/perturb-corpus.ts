import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { badInput } from '../../base/errors.ts';
import type { ClipMeasurement } from '../../model/trial.ts';
import type { AssetServices } from '../../perturbations/contract.ts';
import { openThreadPool } from '../../system/thread-pool.ts';
import type { CorpusSurvey, ExportForm, NamedUtterance } from './export-form.ts';
import { attributionText, createLicenceLedger, type LicenceLedger, refuseWithoutDerivatives } from './licences.ts';
import {
  type MadeRecord,
  openMadeRecord,
  type PerturbationJob,
  type PerturbationTask,
  type PerturbedSound,
  type WantedSound,
} from './perturbation-job.ts';
import { openSoundMaker, type SoundMaker } from './sound-maker.ts';
import { removeUnfinished, writeWhole } from './write-whole.ts';

/** Conditions of one task: a hundred would be a hundred sounds in memory at once. */
const conditionsAtOnce = 10;
/** Tasks for each thread, so that none waits. */
const tasksAhead = 2;

/** A corpus, what is done to it and how it is written. */
export interface PerturbCorpusRequest {
  readonly job: PerturbationJob;
  /** In a fixed order; opened twice and gives the same. */
  utterances(): AsyncIterable<NamedUtterance> | Iterable<NamedUtterance>;
  /** Made when the corpus has been looked through. */
  form(survey: CorpusSurvey): Promise<ExportForm>;
  /** Folder of the record of what was made, and of ATTRIBUTION; null where there is none. */
  readonly folder: string | null;
  readonly attribution: { readonly program: string } | null;
  readonly skipExisting: boolean;
  readonly workers: number;
  /** Null: licences do not matter, because nothing is kept. */
  readonly licences: { readonly acceptNoDerivatives: boolean } | null;
}

/** One sound that was made, found or could not be made. */
export interface SoundDone {
  readonly utterance: NamedUtterance;
  /** Which condition, by its place in the list. */
  readonly condition: number;
  readonly output: string | null;
  /** Null where it failed. */
  readonly measurement: ClipMeasurement | null;
  readonly failure: string | null;
  /** It was there already. */
  readonly skipped: boolean;
}

export interface PerturbCorpusHooks {
  /** Once, before the first sound. */
  begin(sounds: number): void;
  done(sound: SoundDone): Promise<void> | void;
  warn(message: string): void;
}

/**
 * Makes every sound of a corpus under every condition and writes it. The same request gives the same files, whatever the
 * number of workers.
 *
 * @throws EarwitnessError `bad-input`: nothing to do, an output is there already, a licence forbids it, nothing can be written;
 * a sound that cannot be made is told to `done` and does not stop the others
 */
export async function perturbCorpus(request: PerturbCorpusRequest, hooks: PerturbCorpusHooks): Promise<void> {
  const { job, workers } = request;
  const ledger = createLicenceLedger();
  const survey = await surveyOf(request, ledger);
  // Models and what is fitted are held once.
  const threads = job.against
    ? 1
    : Math.min(workers, survey.utterances * Math.ceil(job.conditions.length / conditionsAtOnce));
  // They load what they need while this one prepares.
  await using others = threads > 1 ? openSoundWorkers(job, threads) : null;
  // Prepared here even where threads work: what is wrong is said before anything is made, and assets tell their licences.
  const here = await openSoundMaker(job, (assets) => watchedAssets(assets, ledger));
  try {
    const form = await request.form(survey);
    await refuseExistingFiles(request, form);
    if (request.licences) checkLicences(request, request.licences.acceptNoDerivatives, ledger, hooks);
    hooks.begin(survey.utterances * job.conditions.length);
    try {
      await makeAll(request, form, others ?? here, threads, hooks);
      await form.finish();
    } catch (error) {
      await form.abandon();
      throw error;
    }
    if (request.attribution && request.folder !== null) {
      const text = attributionText(ledger.declared(), request.attribution.program);
      await writeWhole(join(request.folder, 'ATTRIBUTION'), text);
    }
  } finally {
    await here[Symbol.asyncDispose]();
  }
}

async function makeAll(
  request: PerturbCorpusRequest,
  form: ExportForm,
  maker: SoundMaker,
  threads: number,
  hooks: PerturbCorpusHooks,
): Promise<void> {
  const record = request.folder === null ? null : await openMadeRecord(request.folder, request.skipExisting);
  const warned = new Set<string>();
  const answers = inOrder(tasksOf(request, form, record), tasksAhead * Math.max(1, threads), async (task) => ({
    task,
    sounds: await maker.make(task.task),
  }));
  for await (const { task, sounds } of answers) {
    for (const [place, sound] of sounds.entries()) {
      const { output } = task.task.wanted[place]!;
      const told = sound.warnings ?? [];
      for (const message of new Set(told).difference(warned)) hooks.warn(message);
      for (const message of told) warned.add(message);
      const done = await keep(task.named, sound, output, record, form);
      await hooks.done(done);
    }
  }
}

async function keep(
  named: NamedUtterance,
  sound: PerturbedSound,
  output: string | null,
  record: MadeRecord | null,
  form: ExportForm,
): Promise<SoundDone> {
  const { condition } = sound;
  if (sound.failure !== undefined)
    return { utterance: named, condition, output: null, measurement: null, failure: sound.failure, skipped: false };
  const skipped = sound.measurement === null;
  const measurement = sound.measurement ?? record!.find(output!)!.measurement;
  await form.add({ ...named, condition, measurement, bytes: sound.bytes });
  if (!skipped && output !== null && sound.fileHash !== null)
    record?.add(output, { key: sound.key, fileHash: sound.fileHash, measurement });
  return { utterance: named, condition, output, measurement, failure: null, skipped };
}

async function* tasksOf(
  { job, utterances }: PerturbCorpusRequest,
  form: ExportForm,
  record: MadeRecord | null,
): AsyncGenerator<{ readonly named: NamedUtterance; readonly task: PerturbationTask }> {
  for await (const named of utterances()) {
    for (let first = 0; first < job.conditions.length; first += conditionsAtOnce) {
      const count = Math.min(conditionsAtOnce, job.conditions.length - first);
      const wanted = Array.from({ length: count }, (_, place): WantedSound => {
        const condition = first + place;
        const output = form.output(named.name, condition);
        const before = output === null ? null : (record?.find(output) ?? null);
        return {
          condition,
          output,
          bytes: form.wantsBytes,
          before: before && { key: before.key, fileHash: before.fileHash },
        };
      });
      yield { named, task: { utterance: named.utterance, wanted } };
    }
  }
}

async function surveyOf(request: PerturbCorpusRequest, ledger: LicenceLedger): Promise<CorpusSurvey> {
  const attributes = new Set<string>();
  let utterances = 0;
  let hasReferences = false;
  for await (const { utterance } of request.utterances()) {
    utterances++;
    hasReferences ||= utterance.reference !== undefined;
    for (const key of Object.keys(utterance.attributes)) attributes.add(key);
    ledger.addUtterance(utterance);
  }
  if (utterances === 0) throw badInput('expected utterances to perturb, but the corpus has none; check its selection');
  return { utterances, attributes: [...attributes].sort(), hasReferences };
}

async function refuseExistingFiles(request: PerturbCorpusRequest, form: ExportForm): Promise<void> {
  const { force } = request.job;
  for (const file of form.files) if (!request.skipExisting) await refuseExistingFile(file, force);
  for await (const { name } of request.utterances()) {
    for (const condition of request.job.conditions.keys()) {
      const output = form.output(name, condition);
      if (output === null) return;
      await refuseExistingFile(output, force || request.skipExisting);
    }
  }
}

/**
 * Refuses to go on where a file of this name is there, before any work is done for it.
 *
 * @throws EarwitnessError `bad-input`
 */
async function refuseExistingFile(path: string, mayBeThere: boolean): Promise<void> {
  const found = await lstat(path).catch(() => null);
  if (found === null) return;
  if (found.isDirectory()) throw badInput(`${path}: expected a file to write, but this is a folder; name a file`);
  if (!mayBeThere) {
    throw badInput(
      `${path} already exists; name another file, continue with --skip-existing, or overwrite it with --force`,
    );
  }
}

function watchedAssets(assets: AssetServices, ledger: LicenceLedger): AssetServices {
  const seen = new Set<string>();
  return {
    ...assets,
    async sounds(nameOrFolder) {
      const collection = await assets.sounds(nameOrFolder);
      if (!seen.has(nameOrFolder)) for (const { facts } of collection.sounds) ledger.addSound(collection.name, facts);
      seen.add(nameOrFolder);
      return collection;
    },
  };
}

function checkLicences(
  request: PerturbCorpusRequest,
  accepted: boolean,
  ledger: LicenceLedger,
  hooks: PerturbCorpusHooks,
): void {
  const declared = ledger.declared();
  if (!accepted) refuseWithoutDerivatives(declared);
  const unknown = declared.filter(({ licence }) => licence === null);
  if (request.attribution === null || unknown.length === 0) return;
  const parts = unknown.map(({ material, count }) => `${material} (${count})`).join(', ');
  hooks.warn(
    `no licence is declared for ${parts}; ask before you share the copies, and declare it in a column "licence"`,
  );
}

/**
 * Does the same to many things, several at once, and gives the answers in the order of the things. No more than `atOnce` are
 * under way or waiting for their turn, so memory stays bounded however many there are.
 *
 * @example for await (const clip of inOrder(files, 4, read)) play(clip);
 */
export async function* inOrder<Thing, Answer>(
  things: AsyncIterable<Thing> | Iterable<Thing>,
  atOnce: number,
  work: (thing: Thing) => Promise<Answer>,
): AsyncGenerator<Answer> {
  const underWay: Promise<Answer>[] = [];
  for await (const thing of things) {
    const answer = work(thing);
    // An error is met in its turn; until then it is not unhandled.
    answer.catch(() => {});
    underWay.push(answer);
    if (underWay.length >= atOnce) yield await underWay.shift()!;
  }
  while (underWay.length > 0) yield await underWay.shift()!;
}

/**
 * Threads that make sounds as one maker would. Random numbers belong to sound and step, so the sounds are the same for any
 * number of threads.
 *
 * @param count of threads, at least 1
 */
function openSoundWorkers(job: PerturbationJob, count: number): SoundMaker {
  const entry = new URL(import.meta.url.endsWith('.ts') ? './worker.ts' : './worker.js', import.meta.url);
  const what = 'threads of perturbations';
  const pool = openThreadPool<PerturbationTask, PerturbedSound[]>(entry, job, { most: count, atOnce: count, what });
  return {
    make: pool.ask,
    async [Symbol.asyncDispose]() {
      const cut = (await pool.close()).flatMap(({ wanted }) => wanted);
      for (const { output } of cut) if (output !== null) await removeUnfinished(output);
    },
  };
}
