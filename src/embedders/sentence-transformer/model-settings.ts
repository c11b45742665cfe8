import type { JsonObject } from '../../base/json.ts';
import { type ModelFiles, unusable } from './model-files.ts';
import type { Pooling, SentenceTransformerOptions } from './options.ts';

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
export function maxTokensOf(files: ModelFiles, asked: number | undefined): number {
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
export function poolingOf(files: ModelFiles, { pooling }: Pick<SentenceTransformerOptions, 'pooling'>): Pooling | null {
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
