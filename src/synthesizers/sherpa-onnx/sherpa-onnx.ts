import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { badConfig, badInput, messageOf } from '../../base/errors.ts';
import { hashJson } from '../../base/hash.ts';
import { longestTag } from '../../base/language-tag.ts';
import { printable } from '../../base/printable.ts';
import { readinessOf } from '../../packages/installed-package.ts';
import { unusable } from '../../packages/model-files.ts';
import { libraryVersion, loadLibrary } from '../../packages/sherpa-onnx.ts';
import { openAskedProcess } from '../../system/asked-processes.ts';
import type { Synthesizer, SynthesizerKind, Voice } from '../contract.ts';
import { findVoice, quoted, speakableText } from '../shared/speakable-text.ts';
import { speech, spokenClip } from '../shared/speaker-options.ts';
import { findVoiceFiles, plainly, unknownIn, type VoiceFiles } from './model-files.ts';
import { type SherpaOnnxVoiceOptions, sherpaOnnxVoiceOptions } from './options.ts';

const engine = 'sherpa-onnx';

/** Raised when this member asks the library otherwise, so that sounds change. */
const method = 1;

/** A minute of speech: what a process says of it is one line. */
const maxCharacters = 1000;
const startLimitSeconds = 600;

/** To the library 0 is a scale that was not given; so little is lost in every sum of 32 bits. */
const noNoise = 1e-30;

interface SpeakerVoice extends Voice {
  readonly speaker: number;
  /** How eSpeak NG calls what it speaks, where that differs from voice to voice. */
  readonly espeak?: string;
}

/**
 * VITS (with Piper's voices), Matcha and Kokoro as sherpa-onnx has them, in a process of its own: where the library cannot read a model
 * it ends its process.
 *
 * What VITS and Matcha draw has no seed (the operators of onnxruntime take the time of the process): other samples each time, unless
 * their noise scales are 0. Kokoro draws nothing that the graph does not.
 */
export const sherpaOnnx: SynthesizerKind<SherpaOnnxVoiceOptions> = {
  name: engine,
  about: 'Neural voices on this machine: VITS with Piper’s voices, Matcha and Kokoro, as sherpa-onnx has them',
  options: sherpaOnnxVoiceOptions,

  async open(options, services): Promise<Synthesizer> {
    const version = libraryVersion();
    const files = await findVoiceFiles(options, services);
    const all = files.reading.by === 'espeak' ? await espeakVoices(files.dataDir) : new Map<string, string>();
    const voices = voicesOf(options, files).map(
      (voice): SpeakerVoice => (options.kind === 'kokoro' ? { ...voice, espeak: espeakVoice(voice, all) } : voice),
    );
    const speaking = new Set(voices.map(({ espeak }) => espeak ?? files.graph.graph.metadata.get('voice') ?? ''));
    for (const name of speaking) await checkDictionary(files.dataDir, all.get(name.toLowerCase()));
    const { kind, workers, timeoutSeconds } = options;
    const start = async () => {
      const entry = new URL(import.meta.url.endsWith('.ts') ? './worker.ts' : './worker.js', import.meta.url);
      const processes = await openAskedProcess(
        speech,
        engine,
        { workers, devices: [], startLimitSeconds, timeoutSeconds },
        {},
        () => ({
          program: process.execPath,
          arguments: [fileURLToPath(entry), JSON.stringify(libraryConfig(options, files))],
        }),
      );
      try {
        await processes.ready();
        return processes;
      } catch (cause) {
        await processes.close();
        throw unusable(
          `expected a model of kind ${kind} that the library loads, but it refused (${printable(messageOf(cause), 400)}); check the files and the kind`,
          cause,
        );
      }
    };
    let starting: ReturnType<typeof start> | undefined;
    const started = () => {
      starting ??= start();
      return starting;
    };
    return {
      identity: {
        ...{ engine, method, library: version, processor: process.arch, model: files.hashes },
        settings: {
          ...{ kind, speed: 1, provider: 'cpu' },
          ...('noiseScale' in options && { noiseScale: options.noiseScale }),
          ...('noiseScaleW' in options && { noiseScaleW: options.noiseScaleW }),
        },
        voices: hashJson(voices.map(({ name, speaker, espeak = null }) => ({ name, speaker, espeak }))),
      },
      voices: async () => voices.map(({ name, language, attributes }) => ({ name, language, attributes })),
      async speak(text, wanted, signal) {
        signal?.throwIfAborted();
        const { speaker, espeak } = findVoice(engine, voices, wanted);
        const line = plainly(speakableText(text, { engine, maxCharacters, characters: 'any' }), files.reading);
        const unknown = unknownIn(line, files.reading);
        if (unknown !== null)
          throw badInput(
            `${engine} cannot speak ${quoted(text)}: expected ${files.reading.by === 'characters' ? 'characters of its tokens' : 'words of its lexicon'}, but it has ${quoted(unknown)}, which would be left out; write it otherwise, or take another model`,
          );
        const generation = {
          ...{ sid: speaker, speed: 1, silenceScale: 1 },
          ...(espeak !== undefined && { extra: { lang: espeak } }),
        };
        const processes = await started();
        const said = await processes.ask({ say: 'speak', text: line, generation }, 'speech', signal);
        return spokenClip(said, engine, processes.hello.sampleRate);
      },
      async close() {
        await (await starting?.catch(() => undefined))?.close();
      },
    };
  },

  readiness: () =>
    readinessOf(async () => {
      await loadLibrary();
      return `sherpa-onnx-node ${libraryVersion()}; models are named in the options`;
    }),
};

/** What the library is opened with. Its pauses stay as long as the model makes them. */
function libraryConfig(options: SherpaOnnxVoiceOptions, files: VoiceFiles): object {
  const { tokens, lexicon, dataDir, styles } = files;
  const model = files.graph.path;
  const scale = (value: number) => (value === 0 ? noNoise : value);
  const of = (): object => {
    switch (options.kind) {
      case 'vits': {
        const noise = { noiseScale: scale(options.noiseScale), noiseScaleW: scale(options.noiseScaleW) };
        return { vits: { model, tokens, lexicon, dataDir: files.reading.by === 'espeak' ? dataDir : '', ...noise } };
      }
      case 'matcha': {
        const noise = { noiseScale: scale(options.noiseScale) };
        return { matcha: { acousticModel: model, vocoder: files.vocoder!.path, tokens, lexicon, dataDir, ...noise } };
      }
      case 'kokoro':
        return { kokoro: { model, voices: styles, tokens, lexicon, dataDir, lang: 'en-us' } };
    }
  };
  return {
    model: { ...of(), numThreads: options.threads, provider: 'cpu', debug: 0 },
    maxNumSentences: 1,
    silenceScale: 1,
  };
}

/** Kokoro's voices say by their first letters what they speak and who (VOICES.md of hexgrad/Kokoro-82M). */
const kokoroLanguages: Readonly<Record<string, { language: string; accent?: string }>> = {
  a: { language: 'en-US', accent: 'American' },
  b: { language: 'en-GB', accent: 'British' },
  e: { language: 'es' },
  f: { language: 'fr' },
  h: { language: 'hi' },
  i: { language: 'it' },
  j: { language: 'ja' },
  p: { language: 'pt-BR' },
  z: { language: 'zh' },
};

function voicesOf(options: SherpaOnnxVoiceOptions, files: VoiceFiles): readonly SpeakerVoice[] {
  const { speakers, names } = files;
  const usual = options.language ?? (files.language === null ? null : longestTag(files.language));
  const spoken = (name: string, own: string | undefined): string => {
    const language = own ?? usual;
    if (language !== null && language !== 'und') return language;
    throw badConfig(
      `language: expected a BCP 47 tag, since the model does not say what ${quoted(name)} speaks, but there is none; write language: en, or what it is`,
    );
  };
  if (options.voices !== undefined) {
    for (const [place, { name, speaker }] of options.voices.entries()) {
      if (speaker >= speakers)
        throw badConfig(
          `voices: expected speakers from 0 to ${speakers - 1}, which the model has, but ${quoted(name)} is ${speaker}; correct its speaker`,
        );
      if (options.voices.findIndex((other) => other.name === name) !== place)
        throw badConfig(`voices: expected different names, but ${quoted(name)} stands twice; rename one`);
    }
    return options.voices.map(({ name, speaker, language, attributes }) => ({
      ...{ name, speaker, attributes, language: spoken(name, language) },
    }));
  }
  return Array.from({ length: speakers }, (_, speaker) => {
    const name = names[speaker] ?? String(speaker);
    const [, letter, sex] = /^([abefhijpz])([fm])(?:_|$)/.exec(options.kind === 'kokoro' ? name : '') ?? [];
    const { language, accent } = kokoroLanguages[letter ?? ''] ?? {};
    const attributes = {
      ...(sex !== undefined && { sex: sex === 'f' ? 'female' : 'male' }),
      ...(accent !== undefined && { accent }),
    };
    return { name, speaker, language: options.language ?? spoken(name, language), attributes };
  });
}

/** Voices of eSpeak NG by the names of their files, which is how the library calls them, and these files. */
async function espeakVoices(dataDir: string): Promise<ReadonlyMap<string, string>> {
  const folder = join(dataDir, 'lang');
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  return new Map(names.map((name) => [basename(name).toLowerCase(), join(folder, name)]));
}

/**
 * Without the dictionary of a voice eSpeak NG says nothing, and tells nobody. It is named after the first language, unless the file of the
 * voice names another.
 *
 * @throws EarwitnessError `bad-config` where it is absent
 */
async function checkDictionary(dataDir: string, voiceFile: string | undefined): Promise<void> {
  const text = voiceFile === undefined ? '' : await readFile(voiceFile, 'utf8').catch(() => '');
  const [, named] = /^dictionary\s+(\S+)/m.exec(text) ?? /^language\s+([^\s-]+)/m.exec(text) ?? [];
  if (named === undefined || existsSync(join(dataDir, `${named}_dict`))) return;
  throw unusable(
    `expected ${printable(named, 40)}_dict in the data of eSpeak NG, without which it speaks nothing of ${printable(basename(voiceFile!), 40)}, but there is none; copy all of the folder`,
    undefined,
    'dataDir',
  );
}

/**
 * The voice of eSpeak NG for a language: the British one is called `en`. What is not Chinese in a Chinese text is spoken as English.
 *
 * @throws EarwitnessError `bad-config` where there is none
 */
function espeakVoice({ name, language }: Voice, all: ReadonlyMap<string, string>): string {
  const tag = language.toLowerCase();
  const parts = tag.split('-');
  if (tag === 'en' || parts[0] === 'zh') return 'en-us';
  for (let length = parts.length; length > 0; length--) {
    const shorter = parts.slice(0, length).join('-');
    if (all.has(shorter)) return shorter;
  }
  throw badConfig(
    `voices: expected a language that eSpeak NG has in dataDir, but it has none for ${quoted(name)}, which speaks ${language}; correct language, or leave the voice out`,
  );
}
