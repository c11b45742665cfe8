import { messageOf, missingProgram } from '../../base/errors.ts';
import { printable } from '../../base/printable.ts';
import type { Word } from '../../model/observation.ts';
import { installLine, packageVersion } from '../../packages/installed-package.ts';
import { unusable } from '../../packages/model-files.ts';
import type { ModelFiles } from './model-files.ts';
import type { TransformersOptions } from './options.ts';

/** A model's parts as the library has them, from local files alone. */
export interface LoadedModel {
  readonly library: Library;
  readonly model: Awaited<ReturnType<Library['AutoModelForCTC']['from_pretrained']>>;
  readonly tokenizer: Awaited<ReturnType<Library['AutoTokenizer']['from_pretrained']>>;
  readonly processor: Awaited<ReturnType<Library['AutoProcessor']['from_pretrained']>>;
}

/** @throws EarwitnessError `bad-config`: a file is damaged, or the device does not work here */
export async function loadModel(
  library: Library,
  files: ModelFiles,
  { device, threads }: Pick<TransformersOptions, 'device' | 'threads'>,
): Promise<LoadedModel> {
  const { folder, family, weights } = files;
  const settings = {
    // The files were looked at before; nothing is ever fetched from here.
    local_files_only: true,
    dtype: Object.fromEntries(Object.entries(weights).map(([graph, { kind }]) => [graph, kind])),
    device,
    session_options: {
      intraOpNumThreads: threads,
      interOpNumThreads: 1,
      // Pieces differ in length: remembered layouts of memory would pile up, one for each length.
      enableMemPattern: false,
      logSeverityLevel: 4 as const,
    },
  };
  const { AutoModelForCTC, AutoModelForSpeechSeq2Seq, AutoProcessor, AutoTokenizer } = library;
  try {
    const [tokenizer, processor] = await Promise.all([
      AutoTokenizer.from_pretrained(folder, settings),
      AutoProcessor.from_pretrained(folder, settings),
    ]);
    const model = await (family === 'ctc' ? AutoModelForCTC : AutoModelForSpeechSeq2Seq).from_pretrained(
      folder,
      settings,
    );
    return { library, model, tokenizer, processor };
  } catch (cause) {
    const on = device === 'cpu' ? '' : ` on ${device}`;
    throw unusable(
      `expected a model that the library loads${on}, but it refused (${printable(messageOf(cause).replaceAll(folder, '…'), 200)}); copy the model again${on === '' ? '' : ', or take device cpu'}`,
      cause,
    );
  }
}

const name = '@huggingface/transformers';
const purpose = 'which the recognizer transformers needs';

type Library = typeof import('@huggingface/transformers');

/**
 * Versions of the packages that compute; nothing is loaded.
 *
 * @throws EarwitnessError `missing-program` where one is not installed
 */
export function libraryVersions(): { readonly [packageName: string]: string } {
  const install = installLine(name);
  return {
    [name]: packageVersion(name, purpose, install),
    'onnxruntime-node': packageVersion('onnxruntime-node', purpose, install, name),
  };
}

/**
 * Loads the library. It writes nothing to the terminal: what goes wrong comes back as an error.
 *
 * @throws EarwitnessError `missing-program`: it is not installed, or has no binary for this machine
 */
export async function loadLibrary(): Promise<Library> {
  libraryVersions();
  try {
    const library = await import('@huggingface/transformers');
    library.env.logLevel = library.LogLevel.NONE;
    return library;
  } catch (cause) {
    throw missingProgram(
      `the package ${name} does not load on ${process.platform} ${process.arch} (${printable(messageOf(cause).split('\n')[0]!)}); it needs onnxruntime-node and sharp with their binaries, which npm leaves out with --omit=optional; type: ${installLine(name)}`,
      { cause },
    );
  }
}

/** What one piece of sound gave. */
export interface Heard {
  readonly text: string;
  /** With times from the start of the piece; absent where they were not asked for. */
  readonly words?: readonly Word[];
}

/** What a piece is heard with. */
export interface HearingRequest {
  /** At the model's rate, no longer than one piece may be, and not empty. */
  readonly samples: Float32Array;
  /** BCP 47. */
  readonly language: string;
  /** Decides the draws where tokens are drawn. */
  readonly seed: number;
  readonly signal: AbortSignal;
}

/** A model, loaded. Hears one piece at a time. */
export interface Hearing {
  /** Hz. */
  readonly sampleRate: number;
  hear(request: HearingRequest): Promise<Heard>;
  close(): Promise<void>;
}

/** Shortest sound that every model takes; shorter is filled up with silence. Convolutions of wav2vec 2.0 need 25 ms. */
const minSeconds = 0.1;

/** The samples with silence after them where they are too few for a model's first layers. */
export function longEnough(samples: Float32Array, sampleRate: number): Float32Array {
  const least = Math.ceil(minSeconds * sampleRate);
  if (samples.length >= least) return samples;
  const filled = new Float32Array(least);
  filled.set(samples);
  return filled;
}
