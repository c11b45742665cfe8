import { EarwitnessError, messageOf } from '../../base/errors.ts';
import { printable } from '../../base/printable.ts';
import { installLine, packageVersion } from '../../packages/installed-package.ts';
import type { ModelFiles } from './model-files.ts';
import type { OnlineOptions, SherpaOnnxOptions } from './options.ts';

const name = 'sherpa-onnx-node';
const purpose = 'which the recognizer sherpa-onnx needs';

/** Sound as the library takes it. */
interface Waveform {
  readonly samples: Float32Array;
  readonly sampleRate: number;
}

/** What the library answers; absent or empty where a kind of model does not have it. */
export interface SherpaResult {
  readonly text: string;
  readonly tokens?: readonly string[];
  /** Seconds at which tokens were emitted. */
  readonly timestamps?: readonly number[];
  /** Seconds; of some transducers. */
  readonly durations?: readonly number[];
}

interface OfflineStream {
  acceptWaveform(sound: Waveform): void;
}

export interface OfflineRecognizer {
  createStream(): OfflineStream;
  decodeAsync(stream: OfflineStream): Promise<SherpaResult>;
}

export interface OnlineStream {
  acceptWaveform(sound: Waveform): void;
  inputFinished(): void;
}

export interface OnlineRecognizer {
  createStream(): OnlineStream;
  isReady(stream: OnlineStream): boolean;
  decode(stream: OnlineStream): void;
  getResult(stream: OnlineStream): SherpaResult;
}

/** What is used of the package, which has no declarations. */
interface SherpaLibrary {
  readonly OfflineRecognizer: { createAsync(config: object): Promise<OfflineRecognizer> };
  readonly OnlineRecognizer: new (config: object) => OnlineRecognizer;
}

/**
 * Version of the package; nothing is loaded.
 *
 * @throws EarwitnessError `missing-program` where it is not installed
 */
export function libraryVersion(): string {
  return packageVersion(name, purpose);
}

/** @throws EarwitnessError `missing-program`: it is not installed, or has no binary for this machine */
export async function loadLibrary(): Promise<SherpaLibrary> {
  libraryVersion();
  try {
    const specifier: string = name;
    const { default: library } = (await import(specifier)) as { default: SherpaLibrary };
    return library;
  } catch (cause) {
    throw new EarwitnessError(
      'missing-program',
      `the package ${name} does not load on ${process.platform} ${process.arch} (${printable(messageOf(cause).split('\n')[0]!)}); its binary is a package of its own, which npm leaves out with --omit=optional; type: ${installLine(name)}`,
      { cause },
    );
  }
}

/** Samples per second that every model of the library hears. */
export const sampleRate = 16_000;

/** Mel bands that models of these kinds hear. */
const features = { sampleRate, featureDim: 80 };

/** Whether a model hears sound while it comes. */
export function isOnline(options: SherpaOnnxOptions): options is OnlineOptions {
  return options.kind.startsWith('online-');
}

/** What the library is opened with. */
export function libraryConfig(options: SherpaOnnxOptions, { graphs, tokens }: ModelFiles): object {
  const path = (option: keyof ModelFiles['graphs']) => graphs[option]?.path ?? '';
  const transducer = () => ({ encoder: path('encoder'), decoder: path('decoder'), joiner: path('joiner') });
  const search = 'decoding' in options ? { decodingMethod: options.decoding, maxActivePaths: options.activePaths } : {};
  const model = (): object => {
    switch (options.kind) {
      case 'transducer':
        return { transducer: transducer(), modelType: 'transducer' };
      case 'nemo-transducer':
        return { transducer: transducer(), modelType: 'nemo_transducer' };
      case 'whisper':
        return {
          whisper: {
            encoder: path('encoder'),
            decoder: path('decoder'),
            language: options.language.toLowerCase().split('-', 1)[0],
            task: options.task,
          },
        };
      case 'moonshine':
        return {
          moonshine: {
            preprocessor: path('preprocessor'),
            encoder: path('encoder'),
            uncachedDecoder: path('uncachedDecoder'),
            cachedDecoder: path('cachedDecoder'),
          },
        };
      case 'paraformer':
        return { paraformer: { model: path('model') } };
      case 'nemo-ctc':
        return { nemoCtc: { model: path('model') } };
      case 'zipformer-ctc':
        return { zipformerCtc: { model: path('model') } };
      case 'online-transducer':
        return { transducer: transducer() };
      case 'online-zipformer-ctc':
        return { zipformer2Ctc: { model: path('model') } };
    }
  };
  return {
    featConfig: features,
    modelConfig: { ...model(), tokens, numThreads: options.threads, provider: options.provider, debug: 0 },
    ...search,
    ...(isOnline(options) ? { enableEndpoint: 0 } : {}),
  };
}
