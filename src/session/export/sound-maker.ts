import { readFile } from 'node:fs/promises';
import { encodeWav } from '../../audio/encode-wav.ts';
import { releaseSamples } from '../../audio/kept-samples.ts';
import { systemClock } from '../../base/clock.ts';
import { badInput, messageOf } from '../../base/errors.ts';
import { hashJson, sha256 } from '../../base/hash.ts';
import type { Corpus } from '../../corpora/contract.ts';
import type { SoundFiles } from '../../decoders/contract.ts';
import { createClipMaker, type MadeClip } from '../../engine/clips.ts';
import { createConditionBook, type ReadyCondition } from '../../engine/conditions.ts';
import { clipHash, soundHash } from '../../engine/keys.ts';
import { cleanBeside } from '../../engine/quality.ts';
import type { ClipMeasurement } from '../../model/trial.ts';
import type { Utterance } from '../../model/utterance.ts';
import type { AssetServices } from '../../perturbations/contract.ts';
import { loadMember } from '../members/load-member.ts';
import { createFitting } from '../open/fitting.ts';
import { keptSounds } from '../open/kept-sounds.ts';
import { openCorpus } from '../open/open-corpus.ts';
import { createServices } from '../open/services.ts';
import { openMeasures } from '../quality/open-measures.ts';
import type { PerturbationJob, PerturbationTask, PerturbedSound, WantedSound } from './perturbation-job.ts';
import { whyUnmade, writePersonal } from './write-whole.ts';

/** Keeps the clean clip while it is made into one condition after another: two minutes at 16 kHz. */
const clipCacheBytes = 8 * 1024 * 1024;

/** Makes the sounds of tasks. A sound is as it would be in a run with the same seed, condition and draw. */
export interface SoundMaker extends AsyncDisposable {
  /**
   * A sound that cannot be read or made is a failure in the answer.
   *
   * @throws EarwitnessError `bad-input` where a file cannot be written
   */
  make(task: PerturbationTask): Promise<PerturbedSound[]>;
}

/**
 * Opens what the sounds of a job are made from.
 *
 * @param watch sees the assets as they are opened
 * @throws EarwitnessError `bad-config`, `bad-input`: a corpus, a perturbation or an asset cannot be opened
 */
export async function openSoundMaker(
  job: PerturbationJob,
  watch: (assets: AssetServices) => AssetServices = (assets) => assets,
): Promise<SoundMaker> {
  const { baseFolder, config, conditions, against, seed, draw, format, force } = job;
  const quality = await openMeasures(job.quality, baseFolder);
  const names = quality.measures.map(({ name }) => name);
  // What was made before without these measures is made and measured again.
  const kind = names.length === 0 ? format : `${format} ${hashJson(quality.measures.map(({ key }) => key))}`;
  const warnings: string[] = [];
  const services = createServices({
    baseFolder,
    warn: (message) => warnings.push(message),
    ...(config && { synthesizers: config.synthesizers }),
    ...(config?.sounds && { soundCollections: config.sounds }),
    ...(config && { recognizers: config.recognizers }),
  });
  const corpus = config === null ? fileCorpus(services.sounds) : await openCorpus(config, null, services.corpus);
  // Conditions are known beforehand and nothing is measured for later: there is nothing to store.
  const nothing = { conditions: () => [], addCondition() {}, saveClip() {} };
  // The corpus was read before, by whoever lists the tasks, and has said what there is to say.
  warnings.length = 0;
  const book = createConditionBook(
    nothing,
    '',
    async (name) => {
      const { member, moduleHash } = await loadMember('perturbations', name, baseFolder);
      return moduleHash === null ? member : { ...member, name: `${member.name} ${moduleHash}` };
    },
    watch({
      ...services.assets,
      ...(against && { fitting: createFitting({ corpus, seed, folder: against.made, clock: systemClock }) }),
    }),
  );
  const ready: ReadyCondition[] = [];
  for (const condition of conditions) ready.push(await book.ready(condition));
  const clips = createClipMaker({
    store: nothing,
    corpus,
    seed,
    cacheBytes: clipCacheBytes,
    keepChanged: false,
    save: false,
    ...(against?.made && { kept: keptSounds(against.made) }),
  });

  const one = async (utterance: Utterance, wanted: WantedSound): Promise<PerturbedSound> => {
    const { condition, output, bytes: bytesWanted, before } = wanted;
    const there = output === null ? null : await hashOfFile(output);
    if (before !== null && there === before.fileHash) {
      const key = await keyOf(utterance, ready[condition]!);
      if (key === before.key) return { condition, key, measurement: null, fileHash: there, bytes: null };
    }
    const sound = await clips.make(utterance, ready[condition]!, draw);
    const { clip, hash } = sound;
    const made = { condition, key: `${hash} ${kind}`, measurement: await measured(utterance, sound) };
    const bytes = output === null && !bytesWanted ? null : encoded(clip, ready[condition]!);
    // Nobody else has it: only clean sounds are kept for the next condition.
    if (conditions[condition]!.steps.length > 0) releaseSamples(clip.samples);
    if (bytes === null) return { ...made, fileHash: null, bytes };
    if (output === null) return { ...made, fileHash: null, bytes };
    const fileHash = sha256(bytes);
    if (there !== null && there !== fileHash && !force) {
      throw badInput(`${output} already exists and differs; choose another path, or overwrite it with --force`);
    }
    if (there !== fileHash) await writePersonal(output, bytes).catch(asFatal);
    return { ...made, fileHash, bytes: null };
  };
  const keyOf = async (utterance: Utterance, condition: ReadyCondition): Promise<string> => {
    const identity = await corpus.soundIdentity(utterance);
    return identity === null ? '' : `${clipHash(soundHash(identity), condition, draw, seed, utterance)} ${kind}`;
  };
  const measured = async (utterance: Utterance, sound: MadeClip): Promise<ClipMeasurement> => {
    if (names.length === 0) return sound.measurement;
    const clean = await cleanBeside(clips, utterance, sound);
    const results = await quality.measure(names, sound.clip, clean);
    return { ...sound.measurement, quality: Object.fromEntries(names.map((name, index) => [name, results[index]!])) };
  };
  const encoded = (clip: Parameters<typeof encodeWav>[0], { steps }: ReadyCondition): Uint8Array<ArrayBuffer> => {
    const attacks = steps.flatMap(({ perturbation: { name, adversarial } }) => (adversarial ? [name] : []));
    const comment = attacks.length === 0 ? '' : `adversarial: ${attacks.join(', ').replace(/[^\x20-\x7e]/g, '?')}`;
    try {
      return encodeWav(clip, { format, comment }) as Uint8Array<ArrayBuffer>;
    } catch (error) {
      throw badInput(`the audio cannot be written as WAV (${messageOf(error)})`);
    }
  };
  const underWay = new Set<Promise<unknown>>();
  let closed = false;
  const close = async () => {
    // Nothing is left half written.
    closed = true;
    await Promise.allSettled(underWay);
    await quality[Symbol.asyncDispose]();
    await corpus.close();
    await services.close();
  };
  const all = async ({ utterance, wanted }: PerturbationTask): Promise<PerturbedSound[]> => {
    const sounds: PerturbedSound[] = [];
    for (const sound of wanted) {
      if (closed) break;
      try {
        const made = await one(utterance, sound);
        const told = warnings.splice(0);
        sounds.push(told.length === 0 ? made : { ...made, warnings: told });
      } catch (error) {
        if (error instanceof CannotWrite) throw error.reason;
        sounds.push({ condition: sound.condition, failure: whyUnmade(error) });
      }
    }
    return sounds;
  };
  return {
    async make(task) {
      const making = all(task);
      underWay.add(making);
      return making.finally(() => underWay.delete(making));
    },
    [Symbol.asyncDispose]: close,
  };
}

/** A failure of the disk, which is none of the sound's: it ends the work. */
class CannotWrite extends Error {
  readonly reason: unknown;
  constructor(reason: unknown) {
    super(messageOf(reason));
    this.reason = reason;
  }
}

function asFatal(error: unknown): never {
  throw new CannotWrite(error);
}

/** SHA-256 of a file; null where there is none. */
async function hashOfFile(path: string): Promise<string | null> {
  const bytes = await readFile(path).catch(() => null);
  return bytes === null ? null : sha256(bytes);
}

/** Utterances that name files, as they were found. */
function fileCorpus(sounds: SoundFiles): Corpus {
  const soundOf = ({ sound, id }: Utterance) => {
    if (sound !== undefined && 'file' in sound) return sound;
    throw badInput(`${id}: expected an utterance with an audio file, but it has none`);
  };
  return {
    async *utterances() {},
    soundIdentity: async (utterance) => sounds.identity(soundOf(utterance).file, soundOf(utterance)),
    clip: async (utterance) => sounds.read(soundOf(utterance).file, soundOf(utterance)),
    async close() {},
  };
}
