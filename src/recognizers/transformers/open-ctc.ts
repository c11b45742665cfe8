import { printable } from '../../base/printable.ts';
import type { Word } from '../../model/observation.ts';
import { unusable } from '../../packages/model-files.ts';
import { type Hearing, type LoadedModel, longEnough } from './load-model.ts';
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

/** What a CTC model says of each frame, and what its tokens mean. */
interface CtcFrames {
  /** One row for each frame, one column for each token; any scores whose softmax is the probability. */
  readonly scores: ArrayLike<number>;
  readonly frames: number;
  /** By number; a number without one is written as nothing. */
  readonly tokens: readonly (string | undefined)[];
  /** Number of the token that stands for nothing. */
  readonly blank: number;
  /** Token between words. Where it begins tokens instead (SentencePiece), it begins a word. */
  readonly delimiter: string;
  /** Tokens that are not written, such as `<s>`. */
  readonly silent: ReadonlySet<number>;
  readonly frameSeconds: number;
}

/** The likeliest token of each frame. */
export function likeliestTokens({ scores, frames, tokens }: Pick<CtcFrames, 'scores' | 'frames' | 'tokens'>): number[] {
  const width = tokens.length;
  const best: number[] = [];
  for (let frame = 0; frame < frames; frame++) {
    let place = 0;
    for (let token = 1; token < width; token++) {
      if (scores[frame * width + token]! > scores[frame * width + place]!) place = token;
    }
    best.push(place);
  }
  return best;
}

/**
 * Words of the best path: the likeliest token of each frame, repetitions joined, blanks left out (A. Graves et al.,
 * "Connectionist Temporal Classification", ICML 2006, section 3.2). A word lasts from the first frame of its first token
 * to the last frame of its last; CTC emits tokens late and in spikes, so that times are good to some hundredths of a second.
 * Its confidence is the geometric mean of its tokens' greatest probabilities.
 *
 * @param best as of `likeliestTokens`
 */
export function ctcWords(frames: CtcFrames, best: readonly number[]): Word[] {
  const { blank, delimiter, silent, tokens, frameSeconds } = frames;
  const words: Word[] = [];
  let text = '';
  let firstFrame = 0;
  let lastFrame = 0;
  let logProbabilities: number[] = [];
  const finish = () => {
    if (text !== '') {
      const mean = logProbabilities.reduce((sum, value) => sum + value, 0) / logProbabilities.length;
      words.push({
        text,
        startSeconds: firstFrame * frameSeconds,
        endSeconds: (lastFrame + 1) * frameSeconds,
        confidence: Math.min(1, Math.exp(mean)),
      });
    }
    text = '';
    logProbabilities = [];
  };
  for (let frame = 0; frame < best.length; frame++) {
    const token = best[frame]!;
    if (token === blank || silent.has(token)) continue;
    const again = frame > 0 && best[frame - 1] === token;
    if (again) {
      if (text === '') continue;
      lastFrame = frame;
      logProbabilities[logProbabilities.length - 1] = Math.max(
        logProbabilities.at(-1)!,
        logProbability(frames, frame, token),
      );
      continue;
    }
    const written = tokens[token] ?? '';
    if (written.startsWith(delimiter)) finish();
    const letters = written.startsWith(delimiter) ? written.slice(delimiter.length) : written;
    if (letters === '') continue;
    if (text === '') firstFrame = frame;
    text += letters;
    lastFrame = frame;
    logProbabilities.push(logProbability(frames, frame, token));
  }
  finish();
  return words;
}

function logProbability({ scores, tokens }: CtcFrames, frame: number, token: number): number {
  const width = tokens.length;
  const start = frame * width;
  const own = scores[start + token]!;
  let sum = 0;
  for (let other = 0; other < width; other++) sum += Math.exp(scores[start + other]! - own);
  return -Math.log(sum);
}
