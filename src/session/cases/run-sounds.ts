import { relative, resolve } from 'node:path';
import type { Clip } from '../../audio/clip.ts';
import { systemClock } from '../../base/clock.ts';
import { createClosing } from '../../base/closing.ts';
import { badInput, badUsage, type EarwitnessError } from '../../base/errors.ts';
import { hashJson } from '../../base/hash.ts';
import { printable } from '../../base/printable.ts';
import { createClipMaker, type KeptSounds, type MadeClip } from '../../engine/clips.ts';
import { createConditionBook } from '../../engine/conditions.ts';
import { createUtteranceIndex, type UtteranceIndex } from '../../engine/utterances.ts';
import { clean } from '../../model/trial.ts';
import type { Utterance } from '../../model/utterance.ts';
import type { RunRecord, Store } from '../../store/contract.ts';
import type { CaseSound } from '../../studies/differential/case.ts';
import type { LoadedConfig } from '../config/config.ts';
import { loadMember } from '../members/load-member.ts';
import { checkOwnModule, isModulePath } from '../members/own-module.ts';
import { createFitting } from '../open/fitting.ts';
import { keptSounds, keptSoundsFolder, keptSpeech, speechFolder } from '../open/kept-sounds.ts';
import { type CorpusPart, openCorpus } from '../open/open-corpus.ts';
import { createServices } from '../open/services.ts';

/** The sounds of a run, made again. */
export interface RunSounds extends AsyncDisposable {
  utterance(id: string): Utterance;
  /**
   * What is made of an utterance now, and whether it is what the recognizers heard; null: nobody kept what that was.
   *
   * @throws EarwitnessError `bad-input` where it cannot be made
   */
  make(
    utterance: Utterance,
    conditionName: string,
    draw: number,
  ): Promise<{ readonly made: MadeClip; readonly same: boolean | null }>;
  /** @throws EarwitnessError `bad-input` where it cannot be made, or is not what the recognizers heard */
  clip(sound: CaseSound): Promise<Clip>;
}

/** What of a run's config may be run here. A store may be somebody else's, and what stands in it is code then. */
export interface TrustedCode {
  /** Folder in which modules of the user's own must lie, byte for byte as they were; null: none is loaded. */
  readonly modules: string | null;
  /** Whether programs that the config names are started. */
  readonly programs: boolean;
  /** Speech, and sounds that take long to make, are those that were kept: nothing is spoken, searched or asked anew. */
  readonly keptOnly?: true;
}

const cacheBytes = 16 * 1024 * 1024;

/**
 * Opens the corpora of a run as its config names them, so that its sounds can be made again: what was spoken is kept beside the store
 * and heard again, whether or not the synthesizer is there.
 *
 * @param storeFile where the store is
 * @throws EarwitnessError where a corpus or synthesizer cannot be opened, or needs code that is not trusted
 */
export async function openRunSounds(
  store: Store,
  run: RunRecord,
  storeFile: string,
  trusted: TrustedCode,
): Promise<RunSounds> {
  const { config, baseFolder, limit } = run.config as unknown as Pick<LoadedConfig, 'config' | 'baseFolder'> & {
    readonly limit: CorpusPart;
  };
  await refuseUntrusted(store, run, { config, baseFolder }, trusted);
  const closing = createClosing();
  const services = createServices({
    baseFolder,
    synthesizers: config.synthesizers,
    ...(config.sounds && { soundCollections: config.sounds }),
    recognizers: config.recognizers,
    speechThrough: (source) => {
      const speak = trusted.keptOnly ? () => Promise.reject(notKept('speech')) : source.speak;
      return keptSpeech({ ...source, speak }, speechFolder(storeFile));
    },
  });
  closing.defer(() => services.close());
  try {
    const corpus = await openCorpus(config, limit, services.corpus);
    closing.defer(() => corpus.close());
    const perturbation = async (name: string) => {
      const { member, moduleHash } = await loadMember('perturbations', name, baseFolder);
      return moduleHash === null ? member : { ...member, name: `${member.name} ${moduleHash}` };
    };
    const folder = keptSoundsFolder(storeFile);
    const fitting = createFitting({ corpus, seed: run.seed, folder, clock: systemClock });
    const book = createConditionBook(store, run.id, perturbation, { ...services.assets, fitting });
    const conditions = new Map(store.conditions(run.id).map((condition) => [condition.name, condition]));
    const beside = keptSounds(folder);
    const kept = trusted.keptOnly ? keptOnly(beside) : beside;
    const clips = createClipMaker({ store, corpus, seed: run.seed, cacheBytes, keepChanged: true, save: false, kept });
    let index: UtteranceIndex | null = null;
    const utterance = (id: string) => {
      index ??= createUtteranceIndex(store, run.id);
      return index.at(index.position(id));
    };
    const make: RunSounds['make'] = async (of, conditionName, draw) => {
      const condition = conditions.get(conditionName);
      if (condition === undefined && conditionName !== clean.name) {
        throw missing(`condition ${printable(conditionName, 100)}`, run.id);
      }
      const made = await (condition === undefined
        ? clips.clean(of)
        : clips.make(of, await book.ready(condition), draw));
      const heard = store.clip(made.hash);
      if (heard !== null) return { made, same: heard.sampleHash === made.measurement.sampleHash };
      // Where recognizers know only names, nobody has heard it; of a recording that was replaced the clip has another hash.
      const position = store.positionOf(run.id, of.id) ?? -1;
      const was = store.sounds(run.id, { from: position, limit: 1 }).get(position);
      return {
        made,
        same: was !== undefined && hashJson(was) !== hashJson(await corpus.soundIdentity(of)) ? false : null,
      };
    };
    return {
      utterance,
      make,
      async clip({ utteranceId, conditionName, draw }) {
        const { made, same } = await make(utterance(utteranceId), conditionName, draw);
        if (same === false) {
          throw badInput(
            `${printable(utteranceId, 200)}: expected the audio that was recognized in ${run.id}, but what can be made now differs; restore its file or synthesizer as it was then`,
          );
        }
        return made.clip;
      },
      [Symbol.asyncDispose]: () => closing[Symbol.asyncDispose](),
    };
  } catch (error) {
    await closing[Symbol.asyncDispose]();
    throw error;
  }
}

function keptOnly(kept: KeptSounds): KeptSounds {
  return {
    ...kept,
    async read(sound, clip) {
      const known = await kept.read(sound, clip);
      if (known === null) throw notKept('audio that takes long to make');
      return known;
    },
  };
}

function notKept(what: string): EarwitnessError {
  return badInput(`${what} was not kept, and is not made anew`);
}

function missing(what: string, run: string): EarwitnessError {
  return badInput(`expected the ${what} in run ${run}, but it is not there; name another run`);
}

/** Before anything of the config is opened: its members by their paths, their hashes as the run kept them. */
async function refuseUntrusted(
  store: Store,
  run: RunRecord,
  { config, baseFolder }: Pick<LoadedConfig, 'config' | 'baseFolder'>,
  { modules, programs }: TrustedCode,
): Promise<void> {
  const synthesizers = Object.values(config.synthesizers);
  if (!programs && synthesizers.some(({ type }) => type === 'command')) {
    throw badUsage(
      `run ${run.id} has its texts spoken by a program that its config names; inspect it, and allow it with --programs`,
    );
  }
  const members = [...config.corpora, ...synthesizers, ...Object.values(config.sounds ?? {})];
  const paths = new Map<string, string | undefined>([
    ...members.map(({ type, moduleHash }) => [type, moduleHash ?? undefined] as const),
    ...Object.entries(config.normalizers ?? {}),
  ]);
  // The hash of an own perturbation stands behind its name in the recipe of each condition that uses it.
  const recipes = new Map(
    [...store.materials(run.id)].filter(({ kind }) => kind === 'recipe').map(({ name, value }) => [name, value]),
  );
  for (const { name, steps } of store.conditions(run.id)) {
    const recipe = recipes.get(name) as { readonly steps: readonly { readonly name: string }[] } | undefined;
    for (const [index, { perturbation }] of steps.entries()) {
      const hash = /[0-9a-f]{64}$/.exec(recipe?.steps[index]?.name ?? '')?.[0];
      if (isModulePath(perturbation)) paths.set(perturbation, hash);
    }
  }
  for (const [path, hash] of paths) {
    if (!isModulePath(path)) continue;
    const inside = modules === null ? path : relative(resolve(modules), resolve(baseFolder, path));
    await checkOwnModule(inside, modules, hash);
  }
}

/**
 * The id that a sound of a run has in an exported corpus: that of its utterance, and what was done to it where anything was. A run over the
 * exported corpus asks about the same id in the condition `clean`, so that its answers find their counterparts.
 *
 * @example caseSoundId({ utteranceId: 'a', conditionName: 'clean', draw: 0 }) // 'a'
 */
export function caseSoundId({ utteranceId, conditionName, draw }: CaseSound): string {
  return conditionName === 'clean' ? utteranceId : `${utteranceId}@${conditionName}#${draw}`;
}
