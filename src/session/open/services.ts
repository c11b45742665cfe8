import type { Clip } from '../../audio/clip.ts';
import type { SoundCollection } from '../../audio/sound-collection.ts';
import { badConfig, badInput, type EarwitnessError, messageOf } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json.ts';
import { nearestName } from '../../base/nearest-name.ts';
import { printable } from '../../base/printable.ts';
import type { CorpusServices, SpeechSource } from '../../corpora/contract.ts';
import { createFileHasher, type SoundFiles } from '../../decoders/contract.ts';
import { createSoundFiles } from '../../decoders/sound-files.ts';
import type { EmbedderServices } from '../../embedders/contract.ts';
import type { LossGradient } from '../../model/attack.ts';
import type { Price, Transcript } from '../../model/observation.ts';
import type { AssetServices, AttackedRecognizer } from '../../perturbations/contract.ts';
import type { PredictorServices } from '../../predictors/contract.ts';
import type { Recognizer, RecognizerServices } from '../../recognizers/contract.ts';
import { likelyWords } from '../../scoring/alignment/open-words.ts';
import type { Synthesizer, SynthesizerServices } from '../../synthesizers/contract.ts';
import type { ConfiguredMember, ConfiguredSynthesizer } from '../config/config.ts';
import { loadMember, memberNames } from '../members/load-member.ts';
import { loadNormalizer } from '../members/load-normalizer.ts';
import { trustedVariable } from '../members/own-module.ts';
import { openCodec } from './open-codec.ts';

import { openSoundCollection } from './open-sound-collection.ts';
import { paidSpeech, refuseUnpricedSpeech, type SpeechPurse } from './paid-speech.ts';

export interface ServicesOptions {
  /** Relative paths in options are meant from here. */
  readonly baseFolder: string;
  /** Synthesizers by the names they have in the config. */
  readonly synthesizers?: Readonly<Record<string, ConfiguredSynthesizer>>;
  /** Recognizers by the names they have in the config, for sounds that are made against them. */
  readonly recognizers?: Readonly<Record<string, AttackableMember>>;
  /** Asks one of them about a sound that is being made; opens it in this process if absent. */
  readonly recognize?: Recognize;
  /** Collections of sounds by the names they have in the config. */
  readonly soundCollections?: Readonly<Record<string, ConfiguredMember>>;
  readonly environment?: (name: string) => string | undefined;
  /** SHA-256 of files; remembers in memory if absent. */
  readonly fileHash?: (path: string) => Promise<string>;
  /** What is made of a synthesizer before a corpus gets it: a run keeps what was spoken. */
  readonly speechThrough?: (source: SpeechSource) => SpeechSource;
  /** From what speech is paid, asked when some is bought; absent: nobody counts. */
  readonly purse?: () => SpeechPurse;
  /** What a run may spend: each synthesizer that charges must have a price then. */
  readonly money?: Price | undefined;
  /** Where warnings of corpora and synthesizers go; nowhere if absent. */
  readonly warn?: (message: string) => void;
  /** Where recognizers note what they began at a service; nothing is resumed if absent. */
  readonly jobsFolder?: string;
  /** Where recognizers tell what takes long before they are asked, such as a download; nowhere if absent. */
  readonly progress?: (message: string) => void;
}

type AttackableMember = ConfiguredMember & { readonly pricePerMinute?: Price | null };

/**
 * Asks a recognizer of the config about a sound.
 *
 * @throws whatever says that there is no transcript, or the signal's reason
 */
export type Recognize = (name: string, clip: Clip, language: string, signal: AbortSignal) => Promise<Transcript>;

/** What members are given from outside, put together once and closed at the end. */
export interface Services {
  readonly recognizer: RecognizerServices;
  readonly synthesizer: SynthesizerServices;
  readonly embedder: EmbedderServices;
  /** Without embedders: whoever opens predictors gives them those of the config. */
  readonly predictor: PredictorServices;
  readonly corpus: CorpusServices;
  readonly sounds: SoundFiles;
  readonly assets: AssetServices;
  /** Closes the synthesizers that were opened. */
  close(): Promise<void>;
}

/**
 * @example
 * const services = createServices({ baseFolder, synthesizers: config.synthesizers });
 * const corpus = await kind.open(config.corpora[0].options, services.corpus);
 */
export function createServices(options: ServicesOptions): Services {
  const { baseFolder, synthesizers = {}, environment = trustedVariable, warn = () => {} } = options;
  const fileHash = options.fileHash ?? createFileHasher();
  const sounds = lazySounds(fileHash, warn);
  const synthesizer: SynthesizerServices = { baseFolder, environment, fileHash, warn };
  const opened = new Map<string, Promise<{ synthesizer: Synthesizer; source: SpeechSource }>>();

  const open = async (name: string): Promise<{ synthesizer: Synthesizer; source: SpeechSource }> => {
    const configured = Object.hasOwn(synthesizers, name) ? synthesizers[name] : undefined;
    if (configured === undefined) throw unknownName('synthesizer', name, Object.keys(synthesizers));
    const { member } = await loadMember('synthesizers', configured.type, baseFolder);
    const engine = await member.open(configured.options, synthesizer);
    const identity: JsonObject = configured.moduleHash
      ? { ...engine.identity, module: configured.moduleHash }
      : engine.identity;
    const { purse, money } = options;
    const speak = purse
      ? paidSpeech(engine, configured, purse)
      : (text: string, voice: string) => engine.speak(text, voice);
    try {
      await refuseUnpricedSpeech(name, engine, configured, money);
      return { synthesizer: engine, source: { voices: await engine.voices(), identity: () => identity, speak } };
    } catch (error) {
      await engine.close();
      throw error;
    }
  };

  const collections = new Map<string, Promise<SoundCollection>>();
  const collection = (nameOrFolder: string): Promise<SoundCollection> => {
    const configured = options.soundCollections ?? {};
    const known =
      collections.get(nameOrFolder) ?? openSoundCollection(nameOrFolder, { baseFolder, sounds, configured, warn });
    collections.set(nameOrFolder, known);
    return known;
  };

  const recognizer: RecognizerServices = {
    baseFolder,
    environment,
    fileHash,
    ...(options.progress && { progress: options.progress }),
    ...(options.jobsFolder !== undefined && { jobsFolder: options.jobsFolder }),
  };
  const attackable = attackedRecognizers(options.recognizers ?? {}, recognizer, options.recognize);

  return {
    sounds,
    assets: { sounds: collection, codec: openCodec, attacked: attackable.open },
    synthesizer,
    embedder: { baseFolder, fileHash, environment },
    predictor: { baseFolder, fileHash, environment },
    recognizer,
    corpus: {
      baseFolder,
      sounds,
      async speech(name) {
        let known = opened.get(name);
        if (!known) {
          known = open(name);
          opened.set(name, known);
        }
        const { source } = await known;
        return options.speechThrough?.(source) ?? source;
      },
      normalizer: async (name) => {
        const own = await loadNormalizer(name, baseFolder);
        // What is spoken is one of what may be written.
        return { ...own, words: (text, language) => [...likelyWords(own.words(text, language))] };
      },
      warn,
    },
    async close() {
      await attackable.close();
      const all = await Promise.allSettled(opened.values());
      opened.clear();
      for (const found of all) if (found.status === 'fulfilled') await found.value.synthesizer.close();
    },
  };
}

/** Recognizers that sounds are made against, each opened once. */
function attackedRecognizers(
  configured: Readonly<Record<string, AttackableMember>>,
  services: RecognizerServices,
  recognize: Recognize | undefined,
): { readonly open: NonNullable<AssetServices['attacked']>; close(): Promise<void> } {
  const gradients = new Map<string, Promise<LossGradient>>();
  const engines = new Map<string, Promise<Recognizer>>();
  const turns = new Map<string, Promise<unknown>>();
  const open: NonNullable<AssetServices['attacked']> = async (name) => {
    const entry = Object.hasOwn(configured, name) ? configured[name] : undefined;
    if (entry === undefined) throw unknownName('recognizer', name, Object.keys(configured));
    const { member, moduleHash } = await loadMember('recognizers', entry.type, services.baseFolder);
    const { identity, pinned } = await member.describe(entry.options, services);
    if (member.gradient === undefined || !pinned) {
      throw badConfig(
        `expected a recognizer whose network can be differentiated, but nobody can look into ${JSON.stringify(name)} (type ${entry.type}); name one of type transformers, or take kenansville, which asks no recognizer`,
      );
    }
    const heardHere: Recognize = async (_, clip, language, signal) => {
      const opening = engines.get(name) ?? member.open(entry.options, services);
      engines.set(name, opening);
      const request = { clip, utteranceId: '', conditionName: '', repeat: 0, language };
      return (await opening).recognize(request, signal);
    };
    return {
      identity: moduleHash === null ? identity : { ...identity, module: moduleHash },
      gradient() {
        const opening = gradients.get(name) ?? member.gradient!(entry.options, services);
        gradients.set(name, opening);
        return opening;
      },
      recognize(clip, language, signal = new AbortController().signal) {
        const turn = (turns.get(name) ?? Promise.resolve()).then(async () => {
          signal.throwIfAborted();
          try {
            return await (recognize ?? heardHere)(name, clip, language, signal);
          } catch (cause) {
            signal.throwIfAborted();
            throw badInput(
              `expected ${JSON.stringify(name)} to answer about a sound that is made against it, but it failed (${printable(messageOf(cause), 300)}); run again, or leave this clip out`,
              { cause },
            );
          }
        });
        turns.set(
          name,
          turn.catch(() => {}),
        );
        return turn;
      },
    };
  };
  const known = new Map<string, Promise<AttackedRecognizer>>();
  return {
    open(name) {
      const opening = known.get(name) ?? open(name);
      known.set(name, opening);
      return opening;
    },
    async close() {
      const all = await Promise.allSettled([...gradients.values(), ...engines.values()]);
      gradients.clear();
      engines.clear();
      for (const found of all) if (found.status === 'fulfilled') await found.value.close();
    },
  };
}

function unknownName(what: 'synthesizer' | 'recognizer', name: string, names: readonly string[]): EarwitnessError {
  const nearest = nearestName(name, names);
  const hint =
    names.length === 0
      ? `the config has no ${what}s; add it under "${what}s"`
      : nearest === null
        ? `the config has ${names.join(', ')}`
        : `did you mean "${nearest}"?`;
  return badConfig(`expected the name of a ${what}, but got ${JSON.stringify(name)}; ${hint}`);
}

/** Sound files with every decoder of the catalog, loaded with the first file. */
function lazySounds(fileHash: (path: string) => Promise<string>, warn: (message: string) => void): SoundFiles {
  let opening: Promise<SoundFiles> | null = null;
  const open = async (): Promise<SoundFiles> => {
    const members = await Promise.all(memberNames('decoders').map((name) => loadMember('decoders', name, '.')));
    // ffmpeg takes whatever it is given: it is asked last.
    const decoders = members
      .map(({ member }) => member)
      .sort((a, b) => Number(a.name === 'ffmpeg') - Number(b.name === 'ffmpeg'));
    return createSoundFiles({ decoders, fileHash, warn });
  };
  const sounds = () => {
    opening ??= open();
    return opening;
  };
  return {
    read: async (path, part) => (await sounds()).read(path, part),
    channels: async (path) => (await sounds()).channels(path),
    durationSeconds: async (path) => (await sounds()).durationSeconds(path),
    identity: async (path, part) => (await sounds()).identity(path, part),
  };
}
