import { badInput } from '../base/errors.ts';
import { differentiate } from './differentiate.ts';
import { type Held, whisperFeatures } from './features.ts';
import { crossEntropy } from './losses.ts';
import { type ModelFolder, numberOf } from './model-folder.ts';
import { booleanTensor, type Tensor } from './onnx-model.ts';
import {
  type Original,
  openOriginal,
  openPasses,
  type Passes,
  refuseUnfit,
  weightBytes,
  workingBytes,
} from './passes.ts';
import { readModel } from './read-model.ts';
import { needsSurrogate } from './surrogate.ts';
import { type Chain, type ChainOptions, greatest, scoreAgreement } from './waveform-gradient.ts';

const input = 'input_features';
const memory = 'last_hidden_state';
const memoryIn = 'encoder_hidden_states';
const written = 'input_ids';
const output = 'logits';

/** Tokens are followed by fillers up to a multiple of it, so that a decoder serves many texts: they change nothing before them. */
const lengthStep = 16;

/**
 * Whisper: the text's tokens are given after language, task and "no times" (teacher forcing), and the loss is that of the text
 * and its end. That of an empty text is the loss of ending at once; where the export suppresses an end at the beginning
 * (`begin_suppress_tokens`), it is that of ending behind the one token that is written first.
 *
 * @param language Whisper's code of the text's language; nothing for models that know English alone
 * @throws EarwitnessError `bad-input`: a language that the model does not know
 */
export async function whisperChain(
  { about, config, generation, preprocessor, tokenizer, graphs }: ModelFolder,
  { runtime, threads, availableBytes, language }: ChainOptions & { readonly language: string },
): Promise<Chain> {
  const sampleRateHz = numberOf(preprocessor, 'sampling_rate', 16_000);
  const length = numberOf(preprocessor, 'n_samples', 30 * sampleRateHz);
  const extract = whisperFeatures({
    bands: numberOf(preprocessor, 'feature_size', 80),
    length,
    hop: numberOf(preprocessor, 'hop_length', 160),
    fftSize: numberOf(preprocessor, 'n_fft', 400),
    sampleRateHz,
  });
  const end = numberOf(generation, 'eos_token_id', numberOf(config, 'eos_token_id', 50257));
  const longest = numberOf(config, 'max_target_positions', 448);
  const prompt = promptOf(generation, config, language, about);
  const listOf = (key: string): readonly number[] =>
    [generation[key], config[key]].find((value) => Array.isArray(value)) ?? [];
  const [never, neverFirst] = [new Set(listOf('suppress_tokens')), new Set(listOf('begin_suppress_tokens'))];

  const encoder = await readModel(graphs.get('encoder_model')!);
  const decoder = await readModel(graphs.get('decoder_model_merged')!);
  const encoding = {
    outputs: [memory],
    shapes: {
      [input]: [
        1,
        numberOf(preprocessor, 'feature_size', 80),
        Math.floor(length / numberOf(preprocessor, 'hop_length', 160)),
      ],
    },
    about: `the encoder of ${about}`,
  };
  const derivedEncoder = await differentiate(encoder, { wrt: [input], ...encoding, runtime });
  const encoderBytes = workingBytes(derivedEncoder);
  refuseUnfit(derivedEncoder, {
    held: weightBytes(encoder),
    availableBytes: availableBytes(),
    what: `the gradient of the encoder of ${about}, which always takes ${length / sampleRateHz} s`,
  });
  const memoryShape = derivedEncoder.shapes.get(memory)!;
  const encoderPasses = await openPasses(derivedEncoder, runtime, { threads });
  const branches = decoder.graph.inputs.some(({ name }) => name === 'use_cache_branch');
  const constants = new Map<string, Tensor>(branches ? [['use_cache_branch', booleanTensor(false)]] : []);
  const decoding = (tokens: number) => ({
    outputs: [output],
    shapes: { [written]: [1, tokens], [memoryIn]: memoryShape },
    constants,
    about: `the decoder of ${about}`,
  });

  /** The two that were asked last, the last one behind: texts go back and forth over a multiple of `lengthStep`. */
  let kept: readonly {
    readonly tokens: number;
    readonly width: number;
    readonly bytes: number;
    readonly passes: Passes;
  }[] = [];
  const keepLast = async (count: number) => {
    const gone = kept.slice(0, Math.max(0, kept.length - count));
    kept = kept.slice(gone.length);
    for (const { passes } of gone) await passes.dispose();
  };
  const encode = async (features: Float32Array) => (await encoderPasses.forward({ [input]: features })).get(memory)!;
  const decoderFor = async (tokens: number) => {
    const wanted = Math.min(longest, Math.ceil(tokens / lengthStep) * lengthStep);
    const known = kept.find((one) => one.tokens === wanted);
    if (known !== undefined) {
      kept = [...kept.filter((one) => one !== known), known];
      return known;
    }
    await keepLast(1);
    const derivative = await differentiate(decoder, { wrt: [memoryIn], ...decoding(wanted), runtime });
    const held = weightBytes(decoder);
    if (workingBytes(derivative) - held > availableBytes()) await keepLast(0);
    refuseUnfit(derivative, {
      held,
      availableBytes: availableBytes(),
      what: `the gradient of the decoder of ${about} on a text of ${tokens} tokens`,
    });
    const width = derivative.shapes.get(output)!.at(-1)!;
    const passes = await openPasses(derivative, runtime, { threads });
    const opened = { tokens: wanted, width, bytes: workingBytes(derivative), passes };
    kept = [...kept, opened];
    return opened;
  };
  const filled = (tokens: readonly number[], count: number) =>
    BigInt64Array.from({ length: count }, (_, at) => BigInt(tokens[at] ?? end));
  const score = async (encoded: Float32Array, tokens: readonly number[]) => {
    const { tokens: count, width, passes } = await decoderFor(tokens.length);
    const scores = (await passes.forward({ [memoryIn]: encoded, [written]: filled(tokens, count) })).get(output)!;
    return { scores, width, passes };
  };
  /** The text's tokens after the prompt; of an empty text none. */
  const tokensOf = (text: string): number[] => {
    const said = text.trim();
    const tokens = said === '' ? [] : [...tokenizer.encode(` ${said}`, { add_special_tokens: false }).ids];
    if (prompt.length + tokens.length < longest) return [...prompt, ...tokens];
    throw badInput(
      `expected a text of fewer than ${longest - prompt.length} tokens for ${about}, but it has ${tokens.length}; take a shorter one`,
    );
  };
  /** The token that is written behind others; an end cannot come first where the export suppresses it there. */
  const nextOf = (scores: Float32Array, tokens: readonly number[]) => {
    const width = scores.length / Math.ceil(tokens.length / lengthStep) / lengthStep;
    const row = Float32Array.from(scores.subarray((tokens.length - 1) * width, tokens.length * width));
    for (const token of never) row[token] = Number.NEGATIVE_INFINITY;
    if (tokens.length === prompt.length) for (const token of neverFirst) row[token] = Number.NEGATIVE_INFINITY;
    return greatest(row);
  };
  /** Writes token by token what scores say, from an encoded sound. */
  const greedy = async (scoresOf: (tokens: readonly number[]) => Promise<Float32Array>, most: number) => {
    const tokens = [...prompt];
    while (tokens.length < most) {
      const next = nextOf(await scoresOf(tokens), tokens);
      if (next === end) break;
      tokens.push(next);
    }
    const said = tokens.slice(prompt.length);
    return said.length === 0 ? '' : tokenizer.decode(said, { skip_special_tokens: true }).trim();
  };
  /** Tokens for a second of sound that a text does not exceed but in loops. */
  const maxTokens = (samples: number) =>
    Math.min(longest - 1, prompt.length + 16 + Math.ceil((8 * samples) / sampleRateHz));
  const transcribeBy = (encoded: Float32Array, samples: number) =>
    greedy(async (tokens) => (await score(encoded, tokens)).scores, maxTokens(samples));

  return {
    sampleRateHz,
    longestSeconds: length / sampleRateHz,
    surrogate: needsSurrogate(encoder.graph) || needsSurrogate(decoder.graph),
    about,
    async forward(samples, text, held) {
      const decided = held as { readonly features: Held | null; readonly first: number | null } | undefined;
      const said = tokensOf(text);
      const features = extract(samples, decided?.features);
      const encoded = await encode(features.values);
      // Where an end is suppressed at the beginning, the shortest text is one token, whichever is written, and the end.
      const first =
        said.length > prompt.length || !neverFirst.has(end)
          ? null
          : (decided?.first ?? nextOf((await score(encoded, said)).scores, said));
      const tokens = first === null ? said : [...said, first];
      const from = first === null ? prompt.length : tokens.length;
      const { scores, width, passes } = await score(encoded, tokens);
      const targets = tokens.map((_, at) => (at < from - 1 ? null : (tokens[at + 1] ?? end)));
      const { loss, gradient } = crossEntropy(scores, width, targets);
      return {
        loss,
        held: { features: features.held, first },
        async gradient() {
          const [ofMemory] = await passes.backward([gradient]);
          const [ofFeatures] = await encoderPasses.backward([ofMemory!]);
          return features.backward(ofFeatures!);
        },
      };
    },
    async transcribe(samples) {
      return transcribeBy(await encode(extract(samples).values), samples.length);
    },
    async agreement(samples, text) {
      const features = extract(samples).values;
      const encoded = await encode(features);
      const whole = await openOriginal(encoder, encoding, runtime);
      const original = (await whole.run({ [input]: features })).get(memory)!;
      await whole.dispose();
      let opened: { readonly count: number; readonly decoder: Original } | null = null;
      const originally = async (given: readonly number[]) => {
        const count = Math.min(longest, Math.ceil(given.length / lengthStep) * lengthStep);
        if (opened?.count !== count) {
          await opened?.decoder.dispose();
          opened = { count, decoder: await openOriginal(decoder, decoding(count), runtime) };
        }
        return (await opened.decoder.run({ [memoryIn]: original, [written]: filled(given, count) })).get(output)!;
      };
      const tokens = tokensOf(text);
      const { scores, width } = await score(encoded, tokens);
      const asked = (values: Float32Array) => values.slice((prompt.length - 1) * width, tokens.length * width);
      try {
        const alike = scoreAgreement(asked(await originally(tokens)), asked(scores), width);
        const byOriginal = await greedy(originally, maxTokens(samples.length));
        return {
          ...alike,
          transcripts: { original: byOriginal, surrogate: await transcribeBy(encoded, samples.length) },
        };
      } finally {
        await (opened as { readonly decoder: Original } | null)?.decoder.dispose();
      }
    },
    async memoryBytes() {
      return encoderBytes + 2 * (kept.at(-1) ?? (await decoderFor(2 * lengthStep))).bytes;
    },
    async dispose() {
      await encoderPasses.dispose();
      await keepLast(0);
    },
  };
}

/** What is said before the text: start, language, task, no times. */
function promptOf(
  generation: ModelFolder['generation'],
  config: ModelFolder['config'],
  language: string,
  about: string,
): number[] {
  const start = numberOf(generation, 'decoder_start_token_id', numberOf(config, 'decoder_start_token_id', 50258));
  const timeless = numberOf(generation, 'no_timestamps_token_id', 50363);
  if (generation.is_multilingual !== true) return [start, timeless];
  const languages = (generation.lang_to_id ?? {}) as Readonly<Record<string, number>>;
  const tasks = (generation.task_to_id ?? {}) as Readonly<Record<string, number>>;
  const token = languages[`<|${language}|>`];
  if (token !== undefined && tasks.transcribe !== undefined) return [start, token, tasks.transcribe, timeless];
  throw badInput(
    `expected a language that ${about} knows, but got ${language}; it knows ${Object.keys(languages).length}, among them ${Object.keys(languages).slice(0, 5).join(' ')}`,
  );
}
