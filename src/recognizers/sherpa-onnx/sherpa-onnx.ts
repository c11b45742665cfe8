import { setImmediate } from 'node:timers/promises';
import type { Clip } from '../../audio/clip.ts';
import { resample } from '../../audio/resample.ts';
import { messageOf } from '../../base/errors.ts';
import { printable } from '../../base/printable.ts';
import type { Transcript, Word } from '../../model/observation.ts';
import { readinessOf } from '../../packages/installed-package.ts';
import { unusable } from '../../packages/model-files.ts';
import {
  libraryVersion,
  loadLibrary,
  type OfflineRecognizer,
  type OnlineRecognizer,
  type OnlineStream,
  type SherpaResult,
} from '../../packages/sherpa-onnx.ts';
import {
  type PartialTranscript,
  type Recognition,
  RecognitionError,
  type Recognizer,
  type RecognizerKind,
} from '../contract.ts';
import { type Feeding, streamingIdentity } from '../shared/model-options.ts';
import { quietPieces } from '../shared/quiet-pieces.ts';
import { laterBy, recognizeStream } from '../shared/recognize-stream.ts';
import { abortable, clipOf, createTurns, givenUp } from '../shared/requests.ts';
import { isOnline, libraryConfig, sampleRate } from './library.ts';
import { findModelFiles } from './model-files.ts';
import {
  activePaths,
  type OfflineOptions,
  type SherpaOnnxKind,
  type SherpaOnnxOptions,
  sherpaOnnxOptions,
} from './options.ts';

/** A frame after subsampling, as nearly all these models have: how long the last token lasts where nothing tells. */
const frameSeconds = 0.04;

/** Silence after the sound, without which the last words stay in the model: the longest look ahead of the published ones. */
const tailSeconds = 0.8;

/** Shorter sound is filled up with silence: some graphs fail on fewer frames than their first layers take. */
const minSamples = sampleRate / 4;

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
    const { kind } = options;
    return {
      identity: {
        engine: 'sherpa-onnx',
        method,
        library: version,
        processor: process.arch,
        model: hashes,
        settings: {
          kind,
          provider: 'cpu',
          ...(isOnline(options) ? streamingIdentity(options) : { chunkSeconds: options.chunkSeconds }),
          ...('decoding' in options ? { decoding: options.decoding } : {}),
          ...('decoding' in options && options.decoding === 'modified_beam_search' ? { activePaths } : {}),
          ...('task' in options ? { language: options.language, task: options.task } : {}),
        },
      },
      input: 'sound',
      pinned: true,
      concurrency: 1,
      usesProcessor: true,
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

  readiness: () =>
    readinessOf(async () => {
      await loadLibrary();
      return `sherpa-onnx-node ${libraryVersion()}; models are named in the options`;
    }),
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

/** Hears whole clips, piece by piece where they are long. */
async function hearOffline(
  recognizer: OfflineRecognizer,
  { samples }: Clip,
  chunkSeconds: number,
  signal: AbortSignal,
): Promise<Transcript> {
  const texts: string[] = [];
  const words: Word[] = [];
  for (const piece of quietPieces(samples, sampleRate, chunkSeconds)) {
    await setImmediate();
    if (signal.aborted) throw givenUp(signal);
    if (piece.samples.length === 0) continue;
    const stream = recognizer.createStream();
    stream.acceptWaveform({ samples: longEnough(piece.samples), sampleRate });
    const result = await recognizer.decodeAsync(stream);
    const text = result.text.trim();
    if (text !== '') texts.push(text);
    words.push(...laterBy(piece.startSeconds, wordsOfTokens(result)));
  }
  return { text: texts.join(' '), ...(words.length > 0 ? { words } : {}) };
}

function longEnough(samples: Float32Array): Float32Array {
  const filled = new Float32Array(Math.max(minSamples, samples.length));
  filled.set(samples);
  return filled;
}

/**
 * Hears sound as it comes; gives a partial transcript whenever the text has changed, and the final one at the end. No more sound
 * goes into the library than it has decoded before the next chunk is taken.
 *
 * @throws RecognitionError `sound` for a chunk at another rate
 */
async function* hearOnline(
  recognizer: OnlineRecognizer,
  chunks: AsyncIterable<Clip> | Iterable<Clip>,
  signal: AbortSignal,
): AsyncGenerator<PartialTranscript> {
  const stream = recognizer.createStream();
  let told = '';
  let heard = false;
  for await (const chunk of chunks) {
    if (signal.aborted) throw givenUp(signal);
    if (chunk.sampleRate !== sampleRate) {
      throw new RecognitionError('sound', `expected chunks at ${sampleRate} Hz, got ${chunk.sampleRate}`);
    }
    if (chunk.samples.length === 0) continue;
    heard = true;
    stream.acceptWaveform({ samples: chunk.samples, sampleRate });
    await decodeReady(recognizer, stream, signal);
    const partial = transcriptOf(recognizer, stream);
    if (partial.text === told) continue;
    told = partial.text;
    yield { ...partial, final: false };
  }
  if (!heard) {
    yield { text: '', final: true };
    return;
  }
  stream.acceptWaveform({ samples: new Float32Array(tailSeconds * sampleRate), sampleRate });
  stream.inputFinished();
  await decodeReady(recognizer, stream, signal);
  yield { ...transcriptOf(recognizer, stream), final: true };
}

/** The library decodes in the calling thread, a few tenths of a second of sound at a time. */
async function decodeReady(recognizer: OnlineRecognizer, stream: OnlineStream, signal: AbortSignal): Promise<void> {
  while (recognizer.isReady(stream)) {
    recognizer.decode(stream);
    await setImmediate();
    if (signal.aborted) throw givenUp(signal);
  }
}

function transcriptOf(recognizer: OnlineRecognizer, stream: OnlineStream): Omit<PartialTranscript, 'final'> {
  const result = recognizer.getResult(stream);
  const words = wordsOfTokens(result);
  return { text: result.text.trim(), ...(words.length > 0 ? { words } : {}) };
}

/**
 * Words with times from tokens, where a token that begins with a blank (or its mark `▁`) begins a word. The start is when the
 * first token was emitted, the end when the last one was, and that token's length where the model tells it. Times that go
 * back are set to the last one.
 *
 * @returns nothing where there are no times, or where the tokens do not spell the text (bytes, Chinese characters)
 */
export function wordsOfTokens({ text, tokens = [], timestamps = [], durations = [] }: SherpaResult): Word[] {
  if (tokens.length === 0 || timestamps.length !== tokens.length) return [];
  const words: { text: string; startSeconds: number; endSeconds: number }[] = [];
  let earliest = 0;
  for (const [index, token] of tokens.entries()) {
    const letters = token.replace(/^[▁\s]+/, '').trimEnd();
    const begins = /^[▁\s]/.test(token);
    const startSeconds = Math.max(earliest, timestamps[index]!);
    const endSeconds = startSeconds + Math.max(durations[index] ?? 0, frameSeconds);
    earliest = startSeconds;
    const last = words.at(-1);
    if (last === undefined || begins) words.push({ text: letters, startSeconds, endSeconds });
    else {
      // A mark alone begins a word whose first letters come with the next token.
      if (last.text === '') last.startSeconds = startSeconds;
      last.text += letters;
      last.endSeconds = endSeconds;
    }
  }
  const spelled = words.filter((word) => word.text !== '');
  const same = spelled.map((word) => word.text).join(' ') === text.trim().replace(/\s+/g, ' ');
  return same ? spelled : [];
}
