import type { ModelFiles } from './model-files.ts';
import { activePaths, type OnlineOptions, type SherpaOnnxOptions } from './options.ts';

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
  const search = 'decoding' in options ? { decodingMethod: options.decoding, maxActivePaths: activePaths } : {};
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
    modelConfig: { ...model(), tokens, numThreads: options.threads, provider: 'cpu', debug: 0 },
    ...search,
    ...(isOnline(options) ? { enableEndpoint: 0 } : {}),
  };
}
