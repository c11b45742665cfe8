import { badInput } from '../base/errors.ts';
import { printable } from '../base/printable.ts';
import { differentiate } from './differentiate.ts';
import { type FeatureExtractor, parakeetFeatures, rawSamples, unitVariance } from './features.ts';
import { ctcLoss } from './losses.ts';
import { type ModelFolder, numberOf } from './model-folder.ts';
import { integerTensor, type Tensor } from './onnx-model.ts';
import { openOriginal, openPasses, type Passes, refuseUnfit, weightBytes, workingBytes } from './passes.ts';
import { readModel } from './read-model.ts';
import { needsSurrogate } from './surrogate.ts';
import { type Chain, type ChainOptions, greatest, scoreAgreement } from './waveform-gradient.ts';

/**
 * Models with connectionist temporal classification: wav2vec 2.0, HuBERT, WavLM, UniSpeech from samples, Parakeet from its
 * features. Graphs are made for each length of sound; those of the last one are kept.
 *
 * @throws EarwitnessError `bad-input`: features that have no way back here, or no token for nothing
 */
export async function ctcChain(
  { about, config, preprocessor, tokenizer, graphs }: ModelFolder,
  { runtime, threads, availableBytes }: ChainOptions,
): Promise<Chain> {
  const model = await readModel(graphs.get('model')!);
  const held = weightBytes(model);
  const names = model.graph.inputs.map(({ name }) => name);
  const input = names.find((name) => name === 'input_values' || name === 'input_features') ?? names[0]!;
  const output = model.graph.outputs.find(({ name }) => name === 'logits')?.name ?? model.graph.outputs[0]!.name;
  const sampleRateHz = numberOf(preprocessor, 'sampling_rate', 16_000);
  const extract = extractorOf(about, String(config.model_type ?? ''), preprocessor);
  const blank = config.pad_token_id;
  if (typeof blank !== 'number') {
    throw badInput(
      `expected a token that stands for nothing (pad_token_id) in config.json of ${about}, but there is none; take another model`,
    );
  }
  const spell = speller(tokenizer, about);

  const given = (samples: number, shape: readonly number[]) => {
    const constants = new Map<string, Tensor>();
    if (names.includes('attention_mask')) {
      const [, length = 0] = shape;
      const unpadded =
        input === 'input_values' ? length : Math.floor(samples / numberOf(preprocessor, 'hop_length', 160));
      constants.set(
        'attention_mask',
        integerTensor(
          Array.from({ length }, (_, at) => (at < unpadded ? 1 : 0)),
          [1, length],
        ),
      );
    }
    return { shapes: { [input]: shape }, constants };
  };
  const derive = (samples: number, shape: readonly number[]) =>
    differentiate(model, { wrt: [input], outputs: [output], ...given(samples, shape), runtime, about });
  let kept: { readonly samples: number; readonly width: number; readonly passes: Passes } | null = null;
  const passesFor = async (samples: number, shape: readonly number[]) => {
    if (kept?.samples === samples) return kept;
    await kept?.passes.dispose();
    kept = null;
    const derivative = await derive(samples, shape);
    const what = `the gradient of ${about} on a clip of ${(samples / sampleRateHz).toFixed(1)} s`;
    refuseUnfit(derivative, { held, availableBytes: availableBytes(), what });
    const width = derivative.shapes.get(output)!.at(-1)!;
    kept = { samples, width, passes: await openPasses(derivative, runtime, { threads }) };
    return kept;
  };
  const score = async (samples: Float32Array, held?: unknown) => {
    const features = extract(samples, held as Parameters<FeatureExtractor>[1]);
    const { width, passes } = await passesFor(samples.length, features.shape);
    const scores = (await passes.forward({ [input]: features.values })).get(output)!;
    return { features, passes, scores, width };
  };
  const written = (scores: Float32Array, width: number) => {
    const best = Array.from({ length: scores.length / width }, (_, frame) =>
      greatest(scores.subarray(frame * width, (frame + 1) * width)),
    );
    return spell.text(best.filter((token, frame) => token !== blank && token !== best[frame - 1]));
  };

  return {
    sampleRateHz,
    longestSeconds: null,
    surrogate: needsSurrogate(model.graph),
    about,
    async forward(samples, text, held) {
      const labels = spell.labels(text);
      const { features, passes, scores, width } = await score(samples, held);
      const { loss, gradient } = ctcLoss({ scores, width, labels, blank });
      return {
        loss,
        held: features.held,
        async gradient() {
          const [ofFeatures] = await passes.backward([gradient]);
          return features.backward(ofFeatures!);
        },
      };
    },
    async transcribe(samples) {
      const { scores, width } = await score(samples);
      return written(scores, width);
    },
    async agreement(samples) {
      const { features, scores, width } = await score(samples);
      const { shapes, constants } = given(samples.length, features.shape);
      const question = { outputs: [output], shapes, constants, about };
      const whole = await openOriginal(model, question, runtime);
      const original = (await whole.run({ [input]: features.values })).get(output)!;
      await whole.dispose();
      return {
        ...scoreAgreement(original, scores, width),
        transcripts: { original: written(original, width), surrogate: written(scores, width) },
      };
    },
    async memoryBytes(durationSeconds) {
      const samples = Math.ceil(durationSeconds * sampleRateHz);
      const derivative = await derive(samples, extract(new Float32Array(samples).fill(0.1)).shape);
      return workingBytes(derivative);
    },
    async dispose() {
      await kept?.passes.dispose();
      kept = null;
    },
  };
}

function extractorOf(about: string, modelType: string, preprocessor: ModelFolder['preprocessor']): FeatureExtractor {
  const kind = String(preprocessor.feature_extractor_type ?? '');
  if (kind === 'ParakeetFeatureExtractor' || modelType === 'parakeet_ctc') {
    return parakeetFeatures({
      bands: numberOf(preprocessor, 'feature_size', 80),
      hop: numberOf(preprocessor, 'hop_length', 160),
      fftSize: numberOf(preprocessor, 'n_fft', 512),
      windowLength: numberOf(preprocessor, 'win_length', 400),
      preemphasis: numberOf(preprocessor, 'preemphasis', 0.97),
      sampleRateHz: numberOf(preprocessor, 'sampling_rate', 16_000),
    });
  }
  if (modelType !== 'wav2vec2-bert') return preprocessor.do_normalize === true ? unitVariance : rawSamples;
  throw badInput(
    `expected a model whose features have a gradient here (samples, or those of Whisper and Parakeet), but ${about} is ${modelType}; take another model`,
  );
}

const sentencePieceBoundary = '▁';
const delimiter = '|';

interface Speller {
  /** @throws EarwitnessError `bad-input`: letters that the vocabulary lacks */
  labels(text: string): number[];
  text(tokens: readonly number[]): string;
}

/** Text in a model's tokens: letters with a sign between words, or pieces of words. */
function speller(tokenizer: ModelFolder['tokenizer'], about: string): Speller {
  const { tokens } = tokenizer;
  const pieces = [...tokens.values()].some((token) => token.startsWith(sentencePieceBoundary));
  const ids = new Map([...tokens].map(([id, token]) => [token, id]));
  const written = (found: readonly number[], boundary: string) =>
    found
      .map((id) => tokens.get(id) ?? '')
      .filter((token) => !/^<.*>$/.test(token))
      .join('')
      .replaceAll(boundary, ' ')
      .trim();
  const cannot = (letters: readonly string[]) =>
    badInput(
      `expected a text in letters that ${about} writes, but it has ${[...new Set(letters)].map((letter) => printable(JSON.stringify(letter), 20)).join(', ')}; spell it otherwise`,
    );
  if (pieces) {
    const unknown = tokenizer.token_to_id('<unk>');
    return {
      labels(text) {
        const labels = [...tokenizer.encode(text.trim(), { add_special_tokens: false }).ids];
        if (unknown !== undefined && labels.includes(unknown)) {
          const known = new Set([...tokens.values()].flatMap((token) => [...token]));
          throw cannot([...text].filter((letter) => !/\s/.test(letter) && !known.has(letter)));
        }
        return labels;
      },
      text: (found) => written(found, sentencePieceBoundary),
    };
  }
  return {
    labels(text) {
      const labels: number[] = [];
      const missing: string[] = [];
      for (const word of text.trim().split(/\s+/)) {
        const spelled: number[] = [];
        for (const letter of word) {
          const id = ids.get(letter) ?? ids.get(letter.toUpperCase()) ?? ids.get(letter.toLowerCase());
          if (id !== undefined) spelled.push(id);
          // Punctuation is not spoken, and most models have none.
          else if (!/[\p{P}\p{S}]/u.test(letter)) missing.push(letter);
        }
        if (labels.length > 0 && spelled.length > 0) labels.push(ids.get(delimiter)!);
        labels.push(...spelled);
      }
      if (missing.length > 0) throw cannot(missing);
      return labels;
    },
    text: (found) => written(found, delimiter),
  };
}
