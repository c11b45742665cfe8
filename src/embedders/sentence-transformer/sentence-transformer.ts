import { basename } from 'node:path';
import { messageOf } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json.ts';
import { printable } from '../../base/printable.ts';
import { installLine, notReady, packageVersion } from '../../packages/installed-package.ts';
import { loadOnnxRuntime, type OnnxRuntime } from '../../packages/onnx-runtime.ts';
import type { EmbeddedText, Embedder, EmbedderKind } from '../contract.ts';
import { type Graph, openGraph } from './graph.ts';
import { findModelFiles, type ModelFiles, unusable } from './model-files.ts';
import { type Pooling, type SentenceTransformerOptions, sentenceTransformerOptions } from './options.ts';

/** Raised when this member reads texts otherwise, so that vectors change. */
const method = 1;

/**
 * A sentence-embedding model in ONNX from a local folder (N. Reimers and I. Gurevych, "Sentence-BERT", EMNLP 2019), computed by
 * onnxruntime-node. Nothing is downloaded.
 *
 * On one machine vectors are the same bit for bit, whatever stands beside a text; all-MiniLM-L6-v2 in int8 gives what onnxruntime in Python gives to 1e-8.
 * Between kinds of processors they differ by rounding, and int8 models by more, because processors without VNNI saturate
 * 16-bit sums (onnxruntime's documentation, "Quantize ONNX models"): no similarity of an int8 model should be read to more
 * than two digits.
 */
export const sentenceTransformer: EmbedderKind<SentenceTransformerOptions> = {
  name: 'sentence-transformer',
  about: 'Sentence embeddings from a local ONNX model in the layout of transformers.js, such as all-MiniLM-L6-v2',
  options: sentenceTransformerOptions,

  async open(options, services) {
    const libraries = await loadLibraries();
    const files = await findModelFiles(options, services);
    const maxTokens = maxTokensOf(files, options.maxTokens);
    const tokenizer = openTokenizer(libraries, files);
    const graph = await openGraph(libraries.runtime, files.graph, {
      asked: poolingOf(files, options),
      shown: printable(basename(files.graph), 60),
    });
    const { prefix } = options;
    const read = createReader(tokenizer, { maxTokens, prefix, unknownId: unknownIdOf(tokenizer, files.tokenizer) });
    const identity = {
      engine: 'sentence-transformer',
      method,
      libraries: libraries.versions,
      processor: process.arch,
      model: files.hashes,
      pooling: graph.pooling,
      prefix,
      maxTokens,
    };
    try {
      const probe = await graph.vectorOf(tokenizer.encode('a').ids);
      return embedding(graph, read, {
        model: { name: options.name ?? files.folderName, ...identity },
        identity,
        languages: options.languages,
        maxTokens,
        dimensions: probe.length,
      });
    } catch (error) {
      await graph.close();
      throw error;
    }
  },

  async readiness() {
    try {
      const { versions } = await loadLibraries();
      return {
        ready: true,
        found: Object.entries(versions)
          .map(([name, version]) => `${name} ${version}`)
          .join(', '),
      };
    } catch (error) {
      return notReady(error);
    }
  },
};

function openTokenizer({ Tokenizer }: Libraries, { tokenizer, tokenizerConfig, shownFolder }: ModelFiles) {
  try {
    return new Tokenizer(tokenizer, tokenizerConfig);
  } catch (cause) {
    throw unusable(
      `expected a tokenizer in ${shownFolder}/tokenizer.json, but it does not load (${printable(messageOf(cause))}); take it from the model's own folder`,
      cause,
    );
  }
}

function embedding(
  graph: Graph,
  read: (text: string) => ReadTokens,
  facts: Pick<Embedder, 'model' | 'identity' | 'languages' | 'maxTokens' | 'dimensions'>,
): Embedder {
  const embedTexts = async (texts: readonly string[], signal?: AbortSignal): Promise<EmbeddedText[]> => {
    const embedded: EmbeddedText[] = [];
    for (const text of texts) {
      signal?.throwIfAborted();
      const { ids, reason, tokens, counted } = read(text);
      if (reason !== undefined) {
        embedded.push({ vector: null, reason, tokens, tokensRead: 0 });
        continue;
      }
      const all = `${counted ? '' : 'more than '}${tokens.toLocaleString('en-US')}`;
      embedded.push({
        vector: await graph.vectorOf(ids),
        tokens,
        tokensRead: ids.length,
        ...(ids.length < tokens || !counted
          ? { note: `the model read only the first ${ids.length.toLocaleString('en-US')} of ${all} tokens` }
          : {}),
      });
    }
    return embedded;
  };
  return {
    ...facts,
    embedTexts,
    async embed(texts) {
      return (await embedTexts(texts)).map(({ vector }) => vector ?? new Float32Array(facts.dimensions));
    },
    close: () => graph.close(),
  };
}

/** What the model will read of a text. */
interface ReadTokens {
  /** At most `maxTokens`, those that frame the text included; empty where the model can read nothing in it. */
  readonly ids: readonly number[];
  /** Why `ids` is empty. */
  readonly reason?: string;
  /** How many there are in all; at least so many where `counted` is false. */
  readonly tokens: number;
  readonly counted: boolean;
}

/** Longer texts are cut before their tokens are counted: a token seldom has more than 20 characters, and never so many. */
const charactersPerToken = 100;

/**
 * Makes what cuts texts into tokens: those that frame a text ([CLS] and [SEP], say) stay when it is too long for the model,
 * and tokens are dropped from its end, as the tokenizers library does with `truncation: longest_first`.
 */
function createReader(
  tokenizer: Tokenizer,
  { maxTokens, prefix, unknownId }: { maxTokens: number; prefix: string; unknownId: number | null },
): (text: string) => ReadTokens {
  const frame = frameOf(tokenizer);
  const bare = (text: string) => tokenizer.encode(text, { add_special_tokens: false }).ids;
  return (text) => {
    const most = charactersPerToken * maxTokens;
    const counted = text.length <= most;
    const looked = (counted ? text : text.slice(0, most)).toWellFormed();
    if (looked.trim() === '') return { ids: [], reason: 'the text is empty', tokens: 0, counted };
    const own = bare(looked);
    if (own.length === 0) return { ids: [], reason: 'the model finds no token in the text', tokens: 0, counted };
    if (unknownId !== null && own.every((id) => id === unknownId)) {
      return { ids: [], reason: 'the model knows nothing of the text', tokens: own.length, counted };
    }
    const read = prefix === '' ? own : bare(prefix + looked);
    const kept = read.slice(0, maxTokens - frame.before.length - frame.after.length);
    return {
      ids: [...frame.before, ...kept, ...frame.after],
      tokens: frame.before.length + read.length + frame.after.length,
      counted,
    };
  };
}

/** What the tokenizer puts before and behind every text. */
function frameOf(tokenizer: Tokenizer): { before: readonly number[]; after: readonly number[] } {
  const text = 'a';
  const own = tokenizer.encode(text, { add_special_tokens: false }).ids;
  const framed = tokenizer.encode(text).ids;
  const start = framed.findIndex((_, at) => own.every((id, index) => framed[at + index] === id));
  return { before: framed.slice(0, start), after: framed.slice(start + own.length) };
}

/** The token that stands for what the vocabulary lacks; null where everything can be spelled (bytes). */
function unknownIdOf(tokenizer: Tokenizer, { model }: JsonObject): number | null {
  const { unk_token: token, unk_id: id } = (model ?? {}) as { unk_token?: unknown; unk_id?: unknown };
  if (typeof id === 'number') return id;
  return typeof token === 'string' ? (tokenizer.token_to_id(token) ?? null) : null;
}

/** Where a model says nothing of its limit: what BERT and its kin have. */
const usualTokens = 512;

/** Tokenizers without a limit write 10 to the 30th. */
const noLimit = 1_000_000;

/** Position 0 of these is that of the padding token, and the first word stands behind it. */
const positionsBehindPadding = /^(xlm-)?roberta(-xl)?$|^(camembert|mpnet|data2vec-text|longformer)$/;

/**
 * How many tokens of a text the model reads: `maxTokens` of the options; else `max_seq_length` of
 * sentence_bert_config.json, else `model_max_length` of tokenizer_config.json, never more than it has positions. The
 * truncation that tokenizer.json may carry is a leftover of training and not applied, as in transformers.js.
 *
 * @throws EarwitnessError `bad-config` where more is asked than the model has positions for
 */
function maxTokensOf(files: ModelFiles, asked: number | undefined): number {
  const positions = positionsOf(files.config);
  if (asked !== undefined) {
    if (asked <= positions) return asked;
    throw unusable(`expected maxTokens of at most ${positions}, which the model has positions for, but got ${asked}`);
  }
  const stated =
    limitOf(files.sentenceConfig?.max_seq_length) ?? limitOf(files.tokenizerConfig.model_max_length) ?? usualTokens;
  return Math.min(stated, positions);
}

function positionsOf({ max_position_embeddings, model_type, pad_token_id }: JsonObject): number {
  const positions = limitOf(max_position_embeddings);
  if (positions === null) return Number.POSITIVE_INFINITY;
  const behind = typeof model_type === 'string' && positionsBehindPadding.test(model_type);
  return behind ? positions - 1 - (typeof pad_token_id === 'number' ? pad_token_id : 1) : positions;
}

function limitOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isInteger(value) && value >= 8 && value <= noLimit ? value : null;
}

/** Names of sentence-transformers' ways of pooling, and ours. The mean over the root of the length is the mean, once both have length 1. */
const poolingKeys: { readonly [key: string]: Pooling } = {
  pooling_mode_mean_tokens: 'mean',
  pooling_mode_mean_sqrt_len_tokens: 'mean',
  pooling_mode_cls_token: 'cls',
  pooling_mode_max_tokens: 'max',
};

/** What sentence-transformers puts around a model; anything else would be missing in the graph. */
const knownModules = /\.(Transformer|Pooling|Normalize)$/;

/**
 * How token vectors become one: as the options say, else 1_Pooling/config.json; null where neither says anything.
 *
 * @throws EarwitnessError `bad-config`: a way of pooling that is not known here, or a layer after it
 */
function poolingOf(files: ModelFiles, { pooling }: Pick<SentenceTransformerOptions, 'pooling'>): Pooling | null {
  if (pooling !== undefined) return pooling;
  const layer = files.modules.map(({ type }) => String(type)).find((type) => !knownModules.test(type));
  if (layer !== undefined) {
    throw unusable(
      `expected nothing after pooling, but modules.json in ${files.shownFolder} has ${JSON.stringify(layer.slice(0, 80))}; export the whole model with a sentence_embedding and set pooling to "model"`,
    );
  }
  if (files.pooling === null) return null;
  const modes = Object.entries(files.pooling)
    .filter(([key, value]) => key.startsWith('pooling_mode_') && value === true)
    .map(([key]) => key);
  const [mode] = modes;
  const known = mode !== undefined && Object.hasOwn(poolingKeys, mode) ? poolingKeys[mode] : undefined;
  if (modes.length === 1 && known !== undefined) return known;
  throw unusable(
    `expected one of ${Object.keys(poolingKeys).join(', ')} in 1_Pooling/config.json of ${files.shownFolder}, but got ${modes.join(' and ').slice(0, 200) || 'none'}; set pooling yourself if you know better`,
  );
}

const tokenizerPackage = '@huggingface/tokenizers';
const purpose = 'which sentence embeddings need';

/** What is used of a tokenizer; the package's own types do not resolve from an ES module. */
interface Tokenizer {
  encode(text: string, options?: { add_special_tokens?: boolean }): { readonly ids: readonly number[] };
  token_to_id(token: string): number | undefined;
}

/** The packages that compute, with their versions. */
interface Libraries {
  readonly runtime: OnnxRuntime;
  readonly Tokenizer: new (tokenizer: object, config: object) => Tokenizer;
  readonly versions: { readonly [packageName: string]: string };
}

/** @throws EarwitnessError `missing-program`: a package is not installed, or has no binary for this machine */
async function loadLibraries(): Promise<Libraries> {
  const install = installLine('onnxruntime-node', tokenizerPackage);
  const tokenizerVersion = packageVersion(tokenizerPackage, purpose, install);
  const { runtime, version } = await loadOnnxRuntime(purpose, install);
  const { Tokenizer } = await import('@huggingface/tokenizers');
  return { runtime, Tokenizer, versions: { 'onnxruntime-node': version, [tokenizerPackage]: tokenizerVersion } };
}
