import { readdir, readFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { hashJson } from '../../base/hash.ts';
import type { JsonObject } from '../../base/json.ts';
import { printable } from '../../base/printable.ts';
import {
  existingFile,
  existingFolder,
  isFile,
  type OnnxFile,
  openOnnxFile,
  unusable,
} from '../../packages/model-files.ts';
import { checkEntries, readTokens } from '../../packages/sherpa-onnx.ts';
import type { SynthesizerServices } from '../contract.ts';
import type { SherpaOnnxVoiceOptions } from './options.ts';

type Kind = SherpaOnnxVoiceOptions['kind'];

/** Entries that the library needs in the metadata of a model. */
const neededEntries: Readonly<Record<Kind, readonly string[]>> = {
  vits: ['sample_rate', 'n_speakers', 'language', 'comment'],
  matcha: ['sample_rate', 'n_speakers', 'use_eos_bos', 'pad_id'],
  kokoro: ['sample_rate', 'n_speakers', 'has_espeak', 'style_dim'],
};
/** What models say of themselves, where they do. */
const modelTypes: Readonly<Record<Kind, RegExp>> = { vits: /vits/, matcha: /matcha/, kokoro: /kokoro/ };
/** Files without which eSpeak NG does not begin. */
const espeakFiles = ['phontab', 'phonindex', 'phondata', 'intonations'];

/** Those of sounds that a synthesizer gives. */
const sampleRates = [1000, 384_000] as const;
/** A hundred times as many as published models have. */
const maxSpeakers = 100_000;

/**
 * How a text becomes tokens. `elsewhere`: in a way of the model's own, of which nothing is known before. `han`: the Chinese characters
 * that are spoken, where eSpeak NG is not asked for them.
 */
type Reading =
  | { readonly by: 'elsewhere' }
  | { readonly by: 'espeak'; readonly han: ReadonlySet<string> | null }
  | { readonly by: 'characters' | 'lexicon'; readonly known: ReadonlySet<string> };

/** A model's files, read. */
export interface VoiceFiles {
  readonly graph: OnnxFile;
  readonly vocoder: OnnxFile | null;
  /** Absolute paths; empty where there is none. */
  readonly tokens: string;
  readonly styles: string;
  readonly lexicon: string;
  readonly dataDir: string;
  /** SHA-256 of everything that decides a sound. */
  readonly hashes: JsonObject;
  /** From 1 on. */
  readonly speakers: number;
  /** Of the speakers, as the model or the description beside it has them; none where neither does. */
  readonly names: readonly string[];
  /** As eSpeak NG, Piper or the model calls it; null where none does. */
  readonly language: string | null;
  readonly reading: Reading;
}

/** @throws EarwitnessError `bad-config`: a file is missing, is of another kind of model, or does not fit the others */
export async function findVoiceFiles(
  options: SherpaOnnxVoiceOptions,
  services: SynthesizerServices,
): Promise<VoiceFiles> {
  const { kind, folder } = options;
  const base = folder === undefined ? services.baseFolder : resolve(services.baseFolder, folder);
  const inFolder = { baseFolder: base };
  if (folder !== undefined) await existingFolder(services, 'folder', folder);
  const graphFile = options.model ?? (await onlyGraph(base));
  const graph = await openOnnxFile(await existingFile(inFolder, 'model', graphFile), services);
  const { metadata } = graph.graph;
  const type = metadata.get('model_type');
  if (type !== undefined && !modelTypes[kind].test(type))
    throw unusable(
      `expected a model of kind ${kind}, but ${printable(graphFile, 80)} says that it is ${printable(type, 40)}; correct kind, or take another model`,
    );
  checkEntries(graph, neededEntries[kind], kind, graphFile, 'model');
  const whole = (entry: string, min: number, max: number): number => {
    const value = Number(metadata.get(entry));
    if (Number.isInteger(value) && value >= min && value <= max) return value;
    throw unusable(
      `expected a whole number from ${min} to ${max} as ${entry} in the metadata of ${printable(graphFile, 80)}, but it is ${printable(metadata.get(entry)!, 40)}; take a model exported for sherpa-onnx`,
      undefined,
      'model',
    );
  };
  whole('sample_rate', ...sampleRates);
  const speakers = Math.max(1, whole('n_speakers', 0, maxSpeakers));
  const vocoder =
    options.kind === 'matcha'
      ? await openOnnxFile(await existingFile(inFolder, 'vocoder', options.vocoder), services)
      : null;
  if (vocoder !== null)
    checkEntries(vocoder, ['model_type'], 'a vocoder', (options as { vocoder: string }).vocoder, 'vocoder');
  const tokens = await existingFile(inFolder, 'tokens', options.tokens);
  const known = await readTokens(tokens, options.tokens);

  const dataDir = await espeakData(options.dataDir, inFolder);
  const own = options.kind === 'kokoro' ? options.lexicon : options.lexicon === undefined ? [] : [options.lexicon];
  const needs = needOf(kind, metadata, dataDir !== '');
  const usualName = needs.lexicon ? 'lexicon.txt' : needs.hanLexicon ? 'lexicon-zh.txt' : null;
  const usual = own.length === 0 && usualName !== null && (await isFile(join(base, usualName))) ? [usualName] : own;
  const lexicons = await Promise.all(usual.map((path) => existingFile(inFolder, 'lexicon', path)));
  if (needs.espeak && dataDir === '')
    throw unusable(
      'expected the folder espeak-ng-data, since this model speaks phonemes of eSpeak NG, but there is none; name the one that came with the model',
      undefined,
      'dataDir',
    );
  if (needs.lexicon && lexicons.length === 0)
    throw unusable(
      'expected a lexicon, since this model speaks words by one, but none is named; name the file that came with the model',
      undefined,
      'lexicon',
    );
  const missing = needs.tokens.find((token) => !known.has(token));
  if (missing !== undefined)
    throw unusable(
      `expected the token ${JSON.stringify(missing)} in ${printable(options.tokens, 80)}, since models of this kind need it, but there is none; take the tokens of the same model`,
      undefined,
      'tokens',
    );
  const styles = options.kind === 'kokoro' ? await checkedStyles(options.styles, inFolder, metadata, speakers) : '';

  const described = await descriptionBeside(graph.path);
  const listed = metadata.get('speaker_names')?.split(',') ?? described.speakers;
  return {
    graph,
    vocoder,
    tokens,
    styles,
    lexicon: lexicons.join(','),
    dataDir,
    hashes: {
      model: graph.hashes,
      ...(vocoder !== null && { vocoder: vocoder.hashes }),
      tokens: await services.fileHash(tokens),
      ...(styles !== '' && { styles: await services.fileHash(styles) }),
      ...(lexicons.length > 0 && { lexicon: await Promise.all(lexicons.map((path) => services.fileHash(path))) }),
      ...(dataDir !== '' && { dataDir: await folderHash(dataDir, services) }),
    },
    speakers,
    names: listed.length === speakers && new Set(listed).size === speakers ? listed : [],
    language: described.language ?? metadata.get('voice') ?? namedLanguage(metadata.get('language')),
    reading: needs.espeak
      ? { by: 'espeak', han: needs.hanLexicon ? hanOf(await wordsOf(lexicons, known)) : null }
      : needs.characters
        ? { by: 'characters', known }
        : needs.plainLexicon
          ? { by: 'lexicon', known: await wordsOf(lexicons, known) }
          : { by: 'elsewhere' },
  };
}

/** What the library will look for, by what the model says of itself (its `InitFrontend`). */
function needOf(kind: Kind, metadata: ReadonlyMap<string, string>, hasEspeak: boolean) {
  const is = (entry: string) => Number(metadata.get(entry) ?? 0) !== 0;
  const none = {
    ...{ espeak: false, lexicon: false, plainLexicon: false, hanLexicon: false, characters: false },
    tokens: [] as string[],
  };
  // From its second version on (v1.0) Kokoro looks Chinese up in a lexicon alone.
  if (kind === 'kokoro') return { ...none, espeak: true, hanLexicon: Number(metadata.get('version') ?? 1) >= 2 };
  if (kind === 'matcha') {
    if (metadata.get('voice') === 'zh en-us') return { ...none, espeak: true, lexicon: true };
    return is('jieba') ? { ...none, lexicon: true } : { ...none, espeak: true, tokens: ['^', '$'] };
  }
  const comment = metadata.get('comment') ?? '';
  if (metadata.get('frontend') === 'characters') return { ...none, characters: true };
  if (is('jieba') || is('has_g2pw') || comment.includes('melo')) return { ...none, lexicon: true };
  const isPiper = comment.includes('piper') || (comment.includes('icefall') && hasEspeak);
  if (isPiper) return { ...none, espeak: true, tokens: ['_', '^', '$'] };
  if (comment.includes('coqui')) return { ...none, espeak: true, tokens: [','] };
  const isChinese = metadata.get('language')?.toLowerCase() === 'chinese';
  return { ...none, lexicon: true, plainLexicon: true, tokens: isChinese ? [] : [' '] };
}

async function onlyGraph(folder: string): Promise<string> {
  const graphs = (await readdir(folder)).filter((name) => name.endsWith('.onnx')).sort();
  if (graphs.length === 1) return graphs[0]!;
  const came = graphs.length === 0 ? 'there is none' : `there are ${printable(graphs.slice(0, 5).join(', '), 200)}`;
  throw unusable(`expected one ONNX file in the folder, but ${came}; name the file`);
}

async function espeakData(named: string | undefined, inFolder: { readonly baseFolder: string }): Promise<string> {
  const usual = join(inFolder.baseFolder, 'espeak-ng-data');
  if (named === undefined && !(await stat(usual).catch(() => null))?.isDirectory()) return '';
  const folder = named === undefined ? usual : await existingFolder(inFolder, 'dataDir', named);
  for (const name of espeakFiles) {
    if (await isFile(join(folder, name))) continue;
    throw unusable(
      `expected the data of eSpeak NG, but the folder has no ${name}; copy all of it`,
      undefined,
      'dataDir',
    );
  }
  return folder;
}

async function checkedStyles(
  named: string,
  inFolder: { readonly baseFolder: string },
  metadata: ReadonlyMap<string, string>,
  speakers: number,
): Promise<string> {
  const path = await existingFile(inFolder, 'styles', named);
  const each = metadata
    .get('style_dim')!
    .split(',')
    .reduce((product, size) => product * Number(size), 4);
  const { size } = await stat(path);
  if (size === each * speakers) return path;
  throw unusable(
    `expected ${each * speakers} bytes for ${speakers} voices in ${printable(named, 80)}, but there are ${size}; take the styles of the same model`,
    undefined,
    'styles',
  );
}

/** Of every file of a folder, by its path in it. */
async function folderHash(folder: string, { fileHash }: SynthesizerServices): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const hashes: Record<string, string> = {};
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    hashes[path.slice(folder.length + 1).replaceAll('\\', '/')] = await fileHash(path);
  }
  return hashJson(hashes);
}

/** What Piper writes beside a voice: MODEL.onnx.json. */
async function descriptionBeside(
  model: string,
): Promise<{ readonly speakers: readonly string[]; readonly language: string | null }> {
  try {
    const { speaker_id_map: speakers = {}, language } = JSON.parse(await readFile(`${model}.json`, 'utf8'));
    const numbered = Object.entries(speakers as Record<string, number>).sort(([, a], [, b]) => a - b);
    return {
      speakers: numbered.map(([name]) => name),
      language: typeof language?.code === 'string' ? language.code : null,
    };
  } catch {
    return { speakers: [], language: null };
  }
}

function namedLanguage(name: string | undefined): string | null {
  const known: Readonly<Record<string, string>> = { english: 'en', chinese: 'zh' };
  return known[name?.toLowerCase() ?? ''] ?? null;
}

/** The words of lexicons all of whose tokens the model has: the library leaves out the others. */
async function wordsOf(lexicons: readonly string[], tokens: ReadonlySet<string>): Promise<ReadonlySet<string>> {
  const words = new Set<string>();
  for (const path of lexicons) {
    for (const line of (await readFile(path, 'utf8')).split('\n')) {
      const [word, ...spelled] = line.trim().split(/\s+/);
      if (spelled.length > 0 && spelled.every((token) => tokens.has(token))) words.add(word!.toLowerCase());
    }
  }
  return words;
}

const han = /\p{Script=Han}/gu;

function hanOf(words: ReadonlySet<string>): ReadonlySet<string> {
  return new Set([...words].flatMap((word) => word.match(han) ?? []));
}

/**
 * A text as the library is given it, where it looks up words or characters: it lowers ASCII alone and knows one apostrophe.
 *
 * @example plainly('Don’t', { by: 'lexicon', known }) // "don't"
 */
export function plainly(line: string, { by }: Reading): string {
  return by === 'lexicon' || by === 'characters' ? line.toLowerCase().replace(/[\u2018\u2019]/g, "'") : line;
}

/**
 * The first word or character that the library would leave out without telling, because the model does not know it; null where it
 * speaks all.
 *
 * @param line as of `plainly`
 * @example unknownIn('please xyz', { by: 'lexicon', known: new Set(['please']) }) // 'xyz'
 */
export function unknownIn(line: string, reading: Reading): string | null {
  if (reading.by === 'espeak') return line.match(han)?.find((one) => reading.han?.has(one) === false) ?? null;
  if (reading.by === 'elsewhere') return null;
  const { by, known } = reading;
  // Chinese is looked up character by character.
  const words = line.match(/\p{Script=Han}|(?:(?!\p{Script=Han})[\p{L}\p{M}\p{N}'])+/gu) ?? [];
  const parts = by === 'lexicon' ? words : [...line];
  return parts.find((part) => /[\p{L}\p{N}]/u.test(part) && !known.has(part)) ?? null;
}
