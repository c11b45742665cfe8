import { rm } from 'node:fs/promises';

import { join } from 'node:path';
import { resample } from '../../audio/resample.ts';
import { badInput, EarwitnessError } from '../../base/errors.ts';
import { temporaryFolder } from '../../base/on-disk.ts';
import type { CostlyFit, CostlySound, PlannedStudy } from '../../engine/run-studies.ts';
import { planStudies } from '../../engine/run-studies.ts';
import type { Utterance } from '../../model/utterance.ts';
import { backUpStore, exportStore } from '../../store/maintenance.ts';
import { hasStore } from '../../store/open-database.ts';
import { isServer, storeAt } from '../../store/store-place.ts';
import type { LoadedConfig } from '../config/config.ts';
import { priceOpen, type StillToAsk } from '../open/price-rest.ts';
import { type OpenedSession, type SessionHooks, type SessionRequest, withSession } from './run-session.ts';

/** What a run would ask and make. */
export interface DryRun {
  readonly studies: readonly Omit<PlannedStudy, 'costly' | 'fits'>[];
  /** What is fitted on clips of some speakers before the first clip is changed. */
  readonly fits: readonly (Omit<CostlyFit, 'key'> & Timed)[];
  /** Sounds that take long to make, by what makes them and against whom. */
  readonly sounds: readonly CostlySounds[];
  /** Recognitions of the first batches that are not stored yet, each once. */
  readonly open: StillToAsk;
}

export interface CostlySounds extends Timed {
  readonly perturbation: string;
  /** The recognizer that they are made against; null: none. */
  readonly source: string | null;
  readonly sounds: number;
  /** Of these made before, and begun before. */
  readonly kept: number;
  readonly begun: number;
  /** Times that the recognizer is asked for those that are left, at most; null where nobody says. */
  readonly passes: number | null;
}

interface Timed {
  /** One pass here, forward and backward, on a clip of the run; null with the reason where none was made. */
  readonly measured: MeasuredPass | null;
  readonly reason?: string;
}

export interface MeasuredPass {
  readonly elapsedSeconds: number;
  readonly processorSeconds: number;
  readonly clipSeconds: number;
  /** What the process grew by while the network was opened and asked. */
  readonly bytes: number;
}

/**
 * What a config would ask and make, and what of it is there already, without asking or making anything: the first batch of each study, in a copy
 * of the store that is thrown away. For sounds that follow a gradient one pass is made and timed.
 *
 * @throws EarwitnessError as a run, as far as nobody is asked
 */
export async function dryRun(loaded: LoadedConfig, request: SessionRequest, hooks: SessionHooks): Promise<DryRun> {
  const storeFile = storeAt(loaded.baseFolder, loaded.config.store);
  const folder = temporaryFolder('dry-run');
  try {
    const copy = join(folder, 'store.sqlite');
    if (hasStore(storeFile)) {
      if (isServer(storeFile)) exportStore(storeFile, copy, null);
      else await backUpStore(storeFile, copy);
    }
    return await withSession(loaded, request, hooks, { storeFile: copy, beside: storeFile }, async (opened) => {
      const studies = await planStudies(opened.setup);
      const all = studies.flatMap(({ costly }) => costly);
      const groups = Map.groupBy(
        all.flatMap((sound) => sound.steps.map((made) => ({ ...made, state: sound.state }))),
        ({ step }) => JSON.stringify([step.perturbation, step.parameters.source ?? null]),
      );
      const times = new Map<string, Promise<Timed>>();
      const timeOf = (source: string) => {
        const known = times.get(source) ?? timedPass(source, opened, hooks);
        times.set(source, known);
        return known;
      };
      const sounds: CostlySounds[] = [];
      for (const made of groups.values()) sounds.push(await reckon(made, timeOf));
      const fits: DryRun['fits'][number][] = [];
      const planned = new Map(studies.flatMap((study) => study.fits.map((fit) => [fit.key, fit] as const)));
      for (const { key: _, ...fit } of planned.values()) {
        const none = { measured: null, reason: 'nothing is left to fit' };
        fits.push({ ...fit, ...(fit.state === 'kept' ? none : await timeOf(fit.source)) });
      }
      const open = await priceOpen(opened.setup, opened.services.sounds);
      return { studies: studies.map(({ costly: _, fits: __, ...study }) => study), sounds, fits, open };
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

type Made = CostlySound['steps'][number] & Pick<CostlySound, 'state'>;

async function reckon(made: readonly Made[], timeOf: (source: string) => Promise<Timed>): Promise<CostlySounds> {
  const { perturbation, parameters } = made[0]!.step;
  const source = typeof parameters.source === 'string' ? parameters.source : null;
  const left = made.filter(({ state }) => state !== 'kept');
  const passes = left.every((one) => one.passes !== null) ? left.reduce((sum, one) => sum + one.passes!, 0) : null;
  const counts = {
    ...{ perturbation, source, sounds: made.length, kept: made.length - left.length, passes },
    begun: left.filter(({ state }) => state === 'begun').length,
  };
  if (left.length === 0) return { ...counts, measured: null, reason: 'nothing is left to make' };
  if (source === null) return { ...counts, measured: null, reason: 'it asks no recognizer' };
  return { ...counts, ...(await timeOf(source)) };
}

async function timedPass(source: string, opened: OpenedSession, hooks: SessionHooks): Promise<Timed> {
  hooks.on({ type: 'preparing', message: `timing one pass through ${source}` });
  try {
    return { measured: await measurePass(source, opened) };
  } catch (error) {
    if (!(error instanceof EarwitnessError)) throw error;
    return { measured: null, reason: error.message };
  }
}

/** So many clips are looked at for one of middling length. */
const lookedAt = 20;

/** The second pass is timed: the first gets memory ready. */
async function measurePass(source: string, { setup, services }: OpenedSession): Promise<MeasuredPass> {
  const bytesBefore = process.memoryUsage().rss;
  const utterance = await middling(setup.corpus.utterances(), services);
  const clip = await setup.corpus.clip(utterance);
  const attacked = await services.assets.attacked!(source);
  const gradient = await attacked.gradient();
  const { samples, sampleRate } = resample(clip, gradient.sampleRate);
  await gradient.loss(samples, utterance.reference!, utterance.language);
  const [started, before] = [setup.clock.monotonicMs(), process.cpuUsage()];
  await gradient.loss(samples, utterance.reference!, utterance.language);
  const { user, system } = process.cpuUsage(before);
  return {
    elapsedSeconds: (setup.clock.monotonicMs() - started) / 1000,
    processorSeconds: (user + system) / 1e6,
    clipSeconds: samples.length / sampleRate,
    bytes: Math.max(0, process.memoryUsage().rss - bytesBefore),
  };
}

/** Of the first utterances that have a reference and a sound, that of middling length. */
async function middling(
  utterances: AsyncIterable<Utterance>,
  { sounds }: OpenedSession['services'],
): Promise<Utterance> {
  const some: { readonly utterance: Utterance; readonly seconds: number }[] = [];
  for await (const utterance of utterances) {
    const { reference, sound } = utterance;
    if (!reference || sound === undefined) continue;
    const whole = 'file' in sound ? await sounds.durationSeconds(sound.file).catch(() => null) : null;
    const end = 'file' in sound ? (sound.endSeconds ?? whole) : null;
    some.push({ utterance, seconds: (end ?? 0) - ('file' in sound ? (sound.startSeconds ?? 0) : 0) });
    if (some.length === lookedAt) break;
  }
  some.sort((a, b) => a.seconds - b.seconds);
  const found = some[some.length >> 1];
  if (found !== undefined) return found.utterance;
  throw badInput('expected an utterance with audio and a reference, but there is none');
}
