import { resample } from '../../audio/resample.ts';
import { messageOf } from '../../base/errors.ts';
import { printable } from '../../base/printable.ts';
import type { Transcript } from '../../model/observation.ts';
import { notReady } from '../../packages/installed-package.ts';
import { type Recognition, RecognitionError, type Recognizer, type RecognizerKind } from '../contract.ts';
import { abortable, givenUp } from '../shared/abortable.ts';
import { unusable } from '../shared/model-unusable.ts';
import { recognizeStream } from '../shared/recognize-stream.ts';
import { clipOf } from '../shared/request-clip.ts';
import { type Feeding, streamingIdentity } from '../shared/streaming-options.ts';
import { createTurns } from '../shared/turns.ts';
import { libraryVersion, loadLibrary, type OfflineRecognizer, type OnlineRecognizer } from './library.ts';
import { isOnline, libraryConfig, sampleRate } from './library-config.ts';
import { findModelFiles } from './model-files.ts';
import { hearOffline } from './offline.ts';
import { hearOnline } from './online.ts';
import { type OfflineOptions, type SherpaOnnxKind, type SherpaOnnxOptions, sherpaOnnxOptions } from './options.ts';

/** Raised when this member feeds the library otherwise, so that answers change. */
const method = 1;

const architectures: Readonly<Record<SherpaOnnxKind, string>> = {
  transducer: 'transducer',
  'nemo-transducer': 'transducer',
  whisper: 'encoder-decoder Transformer',
  moonshine: 'encoder-decoder Transformer',
  paraformer: 'non-autoregressive Transformer',
  'nemo-ctc': 'encoder with connectionist temporal classification',
  'zipformer-ctc': 'encoder with connectionist temporal classification',
  'online-transducer': 'streaming transducer',
  'online-zipformer-ctc': 'streaming encoder with connectionist temporal classification',
};
/** Kinds that give no times of tokens. */
const timeless: ReadonlySet<SherpaOnnxKind> = new Set(['whisper', 'moonshine']);

/**
 * Models of next-generation Kaldi and others, as sherpa-onnx exports them. A damaged model may end the process, since the library
 * does so: runs record that as a crash of the trial.
 */
export const sherpaOnnx: RecognizerKind<SherpaOnnxOptions> = {
  name: 'sherpa-onnx',
  about: 'Zipformer, Paraformer, NeMo, Moonshine and Whisper models as sherpa-onnx has them; streaming ones too',
  options: sherpaOnnxOptions,
  isolation: 'process',

  async describe(options, services) {
    const version = libraryVersion();
    const { graphs, hashes } = await findModelFiles(options, services);
    const files = Object.values(graphs);
    const { kind, provider } = options;
    return {
      identity: {
        engine: 'sherpa-onnx',
        method,
        library: version,
        processor: process.arch,
        model: hashes,
        settings: {
          kind,
          provider,
          ...(isOnline(options) ? streamingIdentity(options) : { chunkSeconds: options.chunkSeconds }),
          ...('decoding' in options ? { decoding: options.decoding } : {}),
          ...('decoding' in options && options.decoding === 'modified_beam_search'
            ? { activePaths: options.activePaths }
            : {}),
          ...('task' in options ? { language: options.language, task: options.task } : {}),
        },
      },
      input: 'sound',
      pinned: true,
      concurrency: 1,
      usesProcessor: provider === 'cpu',
      facts: {
        architecture: architectures[kind],
        modelType: kind,
        parameters: files.reduce((sum, { graph }) => sum + graph.parameters, 0),
        modelBytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
        wordTimes: !timeless.has(kind),
        streaming: isOnline(options),
      },
    };
  },

  async open(options, services) {
    const { OfflineRecognizer, OnlineRecognizer } = await loadLibrary();
    const config = libraryConfig(options, await findModelFiles(options, services));
    try {
      return isOnline(options)
        ? online(new OnlineRecognizer(config), options)
        : offline(await OfflineRecognizer.createAsync(config), options);
    } catch (cause) {
      throw unusable(
        `expected a model of kind ${options.kind} that the library loads, but it refused (${printable(messageOf(cause).split('\n')[0]!, 200)}); check the files and the kind`,
        cause,
      );
    }
  },

  async readiness() {
    try {
      await loadLibrary();
      return { ready: true, found: `sherpa-onnx-node ${libraryVersion()}; models are named in the options` };
    } catch (error) {
      return notReady(error);
    }
  },
};

function offline(recognizer: OfflineRecognizer, options: OfflineOptions): Recognizer {
  const turns = createTurns();
  return {
    async recognize(request, signal) {
      const clip = resample(clipOf(request), sampleRate);
      if (options.kind === 'whisper') checkLanguage(options.language, request.language);
      const heard = turns.take(() => hearOffline(recognizer, clip, options.chunkSeconds, signal));
      return abortable(heard, signal);
    },
    async close() {
      await turns.idle();
    },
  };
}

function online(recognizer: OnlineRecognizer, feeding: Feeding): Recognizer {
  const turns = createTurns();
  const stream: NonNullable<Recognizer['stream']> = (chunks, signal) => hearOnline(recognizer, chunks, signal);
  return {
    streamSampleRate: sampleRate,
    async recognize(request, signal) {
      const clip = resample(clipOf(request), sampleRate);
      const hear = async (): Promise<Recognition> => {
        if (signal.aborted) throw givenUp(signal);
        if (feeding.mode === 'streaming') return recognizeStream(stream, clip, feeding, signal);
        let last: Transcript = { text: '' };
        for await (const { final: _, ...transcript } of hearOnline(recognizer, [clip], signal)) last = transcript;
        return last;
      };
      return abortable(turns.take(hear), signal);
    },
    stream,
    async close() {
      await turns.idle();
    },
  };
}

/** @throws RecognitionError `refused`: the library is told the language once, when it is opened */
function checkLanguage(told: string, spoken: string): void {
  const primary = (tag: string) => tag.toLowerCase().split('-', 1)[0];
  if (primary(told) === primary(spoken)) return;
  throw new RecognitionError(
    'refused',
    `the utterance is in ${JSON.stringify(spoken.slice(0, 40))}, but this recognizer is told ${JSON.stringify(told)}; use one for each language`,
  );
}
