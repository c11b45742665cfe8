import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { JsonObject } from '../../base/json.ts';
import { printable } from '../../base/printable.ts';
import type { RecognizerServices } from '../contract.ts';
import { existingFile, type OnnxFile, openOnnxFile } from '../shared/local-files.ts';
import { unusable } from '../shared/model-options.ts';
import type { SherpaOnnxKind, SherpaOnnxOptions } from './options.ts';

/** Options that name a graph, in the order in which they are looked at. */
const graphOptions = [
  'model',
  'preprocessor',
  'encoder',
  'decoder',
  'joiner',
  'uncachedDecoder',
  'cachedDecoder',
] as const;
type GraphOption = (typeof graphOptions)[number];

/**
 * Entries that the library needs in the metadata of a graph. Where one is missing it ends the whole process without an
 * error that could be caught, so that they are looked for before.
 */
const neededEntries: Readonly<Record<SherpaOnnxKind, Partial<Record<GraphOption, readonly string[]>>>> = {
  transducer: { decoder: ['vocab_size', 'context_size'] },
  'nemo-transducer': { encoder: ['vocab_size', 'subsampling_factor'] },
  whisper: { encoder: ['n_text_layer', 'n_vocab', 'sot', 'eot'] },
  moonshine: {},
  paraformer: { model: ['vocab_size', 'lfr_window_size', 'lfr_window_shift'] },
  'nemo-ctc': { model: ['vocab_size', 'subsampling_factor'] },
  'zipformer-ctc': {},
  'online-transducer': { encoder: ['encoder_dims', 'decode_chunk_len', 'T'], decoder: ['vocab_size', 'context_size'] },
  'online-zipformer-ctc': { model: ['encoder_dims', 'num_encoder_layers', 'decode_chunk_len', 'T'] },
};

/** A model's files, read. */
export interface ModelFiles {
  /** Absolute paths of graphs, by option. */
  readonly graphs: Readonly<Partial<Record<GraphOption, OnnxFile>>>;
  readonly tokens: string;
  /** SHA-256 of everything that decides an answer. */
  readonly hashes: JsonObject;
}

/** @throws EarwitnessError `bad-config`: a file is missing, is no ONNX file, or is of another kind of model */
export async function findModelFiles(options: SherpaOnnxOptions, services: RecognizerServices): Promise<ModelFiles> {
  const { kind, folder } = options;
  const inFolder = { baseFolder: folder === undefined ? services.baseFolder : resolve(services.baseFolder, folder) };
  const named = options as Readonly<Partial<Record<GraphOption, string>>>;
  const graphs: Partial<Record<GraphOption, OnnxFile>> = {};
  const hashes: Record<string, string | readonly string[]> = {};
  for (const option of graphOptions) {
    const path = named[option];
    if (path === undefined) continue;
    const file = await openOnnxFile(await existingFile(inFolder, option, path), services);
    for (const entry of neededEntries[kind][option] ?? []) {
      if (file.graph.metadata.has(entry)) continue;
      throw unusable(
        `expected a graph for ${kind}, but ${printable(path, 80)} has no entry ${entry} in its metadata; take a model exported for sherpa-onnx, of the kind that it is`,
        undefined,
        option,
      );
    }
    graphs[option] = file;
    hashes[option] = file.hashes;
  }
  const tokens = await existingFile(inFolder, 'tokens', options.tokens);
  await checkTokens(tokens, options.tokens);
  return { graphs, tokens, hashes: { ...hashes, tokens: await services.fileHash(tokens) } };
}

const longestChecked = 20_000_000;

/** @throws EarwitnessError `bad-config`: from a list that it cannot read the library ends the process */
async function checkTokens(path: string, shown: string): Promise<void> {
  const text = await readFile(path, 'utf8');
  const lines = text.length > longestChecked ? [] : text.split('\n').filter((line) => line.trim() !== '');
  const wrong = lines.findIndex((line) => !/\s?\d+\s*$/.test(line.slice(-40)));
  if (lines.length > 0 && wrong === -1) return;
  const where = lines.length === 0 ? 'it holds none' : `line ${wrong + 1} is something else`;
  throw unusable(
    `expected a token and its number in each line of ${printable(shown, 80)}, but ${where}; take the tokens of the same model`,
    undefined,
    'tokens',
  );
}
