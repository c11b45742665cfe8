import { printable } from '../../base/printable.ts';
import { unusable } from '../shared/model-unusable.ts';
import { type CtcFrames, ctcWords, likeliestTokens } from './ctc.ts';
import { type Hearing, longEnough } from './hearing.ts';
import type { LoadedModel } from './load-model.ts';
import type { ModelFiles } from './model-files.ts';

const sentencePieceBoundary = '▁';

/** Numbers of tokens that are never written; a tokenizer need not have them. */
interface Specials {
  readonly all_special_ids: readonly number[];
  readonly unk_token_id?: number;
  readonly bos_token_id?: number;
  readonly eos_token_id?: number;
}

/** The library's logits for one clip. */
interface CtcOutput {
  readonly logits: { readonly data: Float32Array; readonly dims: readonly number[] };
}

/**
 * Models with connectionist temporal classification: the words of the likeliest path, with times and confidences, which the
 * library's own pipeline does not give. Its text is not taken: where a tokenizer calls the blank a special token, the library
 * leaves blanks out before it joins repetitions, and "hello" becomes "helo".
 *
 * @param wordTimes whether words are wanted beside the text
 * @throws EarwitnessError `bad-config`: the vocabulary has no blank
 */
export function openCtc({ model, tokenizer, processor }: LoadedModel, files: ModelFiles, wordTimes: boolean): Hearing {
  const { config, preprocessor } = files;
  const sampleRate = Number(preprocessor.sampling_rate ?? 16_000);
  const tokens: string[] = [];
  for (const [token, id] of entriesOf(tokenizer.get_vocab())) tokens[id] = token;
  const blank = typeof config.pad_token_id === 'number' ? config.pad_token_id : tokenizer.pad_token_id;
  if (!(Number.isInteger(blank) && blank! >= 0)) {
    throw unusable(
      'expected a token that stands for nothing (pad_token_id in config.json), but there is none; take another model',
    );
  }
  const delimiter = tokens.some((token) => token?.startsWith(sentencePieceBoundary))
    ? sentencePieceBoundary
    : delimiterOf(tokenizer);
  const { unk_token_id, bos_token_id, eos_token_id, all_special_ids } = tokenizer as Specials;
  const silent = new Set<number>([...all_special_ids, unk_token_id, bos_token_id, eos_token_id].filter(isToken));
  const strides = Array.isArray(config.conv_stride) ? (config.conv_stride as readonly number[]) : null;
  const hop = strides?.reduce((product, stride) => product * stride, 1);

  return {
    sampleRate,
    async hear({ samples }) {
      const heard = longEnough(samples, sampleRate);
      const { logits } = (await model(await processor(heard))) as CtcOutput;
      const [, frames = 0, width = 0] = logits.dims;
      if (width < tokens.length || blank! >= width || logits.data.length !== frames * width) {
        throw unusable(
          `expected scores for ${tokens.length} tokens, but the graph gives ${printable(logits.dims.join(' x '), 60)}; take the tokenizer of the same model`,
        );
      }
      const whole: CtcFrames = {
        scores: logits.data,
        frames,
        tokens: Array.from({ length: width }, (_, id) => tokens[id]),
        blank: blank!,
        delimiter,
        silent,
        frameSeconds: (hop ?? heard.length / Math.max(1, frames)) / sampleRate,
      };
      const words = ctcWords(whole, likeliestTokens(whole));
      return { text: words.map((word) => word.text).join(' '), ...(wordTimes ? { words } : {}) };
    },
    async close() {
      await model.dispose();
    },
  };
}

function entriesOf(vocabulary: unknown): Iterable<readonly [string, number]> {
  return vocabulary instanceof Map ? vocabulary : Object.entries(vocabulary as Record<string, number>);
}

function delimiterOf(tokenizer: LoadedModel['tokenizer']): string {
  const { word_delimiter_token: named } =
    (tokenizer as { _tokenizerConfig?: { word_delimiter_token?: unknown } })._tokenizerConfig ?? {};
  return typeof named === 'string' && named !== '' ? named : '|';
}

function isToken(id: number | undefined): id is number {
  return id !== undefined;
}
