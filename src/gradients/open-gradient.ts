import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { badInput } from '../base/errors.ts';
import { printable } from '../base/printable.ts';
import { installLine } from '../packages/installed-package.ts';
import { loadOnnxRuntime } from '../packages/onnx-runtime.ts';
import type { WaveformGradient } from './contract.ts';
import { ctcChain } from './ctc-gradient.ts';
import { readModelFolder } from './model-folder.ts';
import { waveformGradient } from './waveform-gradient.ts';
import { whisperChain } from './whisper-gradient.ts';

/** Which model, and how it is run. */
export interface GradientOptions {
  /** A model as transformers.js has it: config.json, preprocessor_config.json, tokenizer.json, onnx/. */
  readonly folder: string;
  /** Graphs by name, relative to the folder: `{ encoder_model: 'onnx/encoder_model_quantized.onnx' }`. Default: fp32, else the only kind. */
  readonly files?: Readonly<Record<string, string>>;
  /** Whisper's code of the language of texts. Default: en. */
  readonly language?: string;
  /** Threads that compute one pass. Default: 1. */
  readonly threads?: number;
  /** Bytes that may still be allocated: what cannot fit is refused. Default: what the operating system says is free. */
  readonly availableBytes?: () => number;
}

/** `model_type` of config.json, with the names of the graphs. */
const writers: ReadonlySet<string> = new Set(['whisper', 'lite-whisper']);
const spellers: ReadonlySet<string> = new Set([
  'wav2vec2',
  'hubert',
  'wavlm',
  'unispeech',
  'unispeech-sat',
  'parakeet_ctc',
]);

/**
 * Opens a model for gradients of its loss with respect to the waveform.
 *
 * @throws EarwitnessError `bad-input`: no such model, one of a kind that has no gradient here, or a graph that cannot be
 *   differentiated, with the operator's name; `missing-program`: a package is not installed
 * @example
 * const gradient = await openWaveformGradient({ folder: 'models/whisper-base' });
 * const { loss } = await gradient.lossAndGradient(samples, 'she had your dark suit in greasy wash water all year');
 */
export async function openWaveformGradient({
  folder,
  files,
  language = 'en',
  threads = 1,
  availableBytes = () => process.availableMemory(),
}: GradientOptions): Promise<WaveformGradient> {
  const { runtime } = await loadOnnxRuntime(
    'which computes gradients',
    installLine('onnxruntime-node', '@huggingface/tokenizers'),
  );
  const config = JSON.parse(await readFile(join(folder, 'config.json'), 'utf8').catch(() => '{}')) as {
    model_type?: unknown;
  };
  const kind = String(config.model_type ?? '');
  if (writers.has(kind)) {
    const model = await readModelFolder(folder, ['encoder_model', 'decoder_model_merged'], files);
    return waveformGradient(await whisperChain(model, { runtime, threads, availableBytes, language }));
  }
  if (spellers.has(kind)) {
    const model = await readModelFolder(folder, ['model'], files);
    return waveformGradient(await ctcChain(model, { runtime, threads, availableBytes }));
  }
  throw badInput(
    `expected a model whose loss has a gradient here (${[...writers, ...spellers].join(', ')}), but config.json says ${JSON.stringify(printable(kind, 60))}; take another model`,
  );
}
