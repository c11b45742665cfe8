import { resolve } from 'node:path';
import type { JsonObject } from '../../base/json.ts';
import { existingFile, type OnnxFile, openOnnxFile } from '../../packages/model-files.ts';
import { checkEntries, readTokens } from '../../packages/sherpa-onnx.ts';
import type { RecognizerServices } from '../contract.ts';
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

/** Entries that the library needs in the metadata of a graph. */
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
    checkEntries(file, neededEntries[kind][option] ?? [], kind, path, option);
    graphs[option] = file;
    hashes[option] = file.hashes;
  }
  const tokens = await existingFile(inFolder, 'tokens', options.tokens);
  await readTokens(tokens, options.tokens);
  return { graphs, tokens, hashes: { ...hashes, tokens: await services.fileHash(tokens) } };
}
