import { setImmediate } from 'node:timers/promises';
import type { Clip } from '../../audio/clip.ts';
import { type PartialTranscript, RecognitionError } from '../contract.ts';
import { givenUp } from '../shared/abortable.ts';
import type { OnlineRecognizer, OnlineStream } from './library.ts';
import { sampleRate } from './library-config.ts';
import { wordsOfTokens } from './token-words.ts';

/** Silence after the sound, without which the last words stay in the model: the longest look ahead of the published ones. */
const tailSeconds = 0.8;

/**
 * Hears sound as it comes; gives a partial transcript whenever the text has changed, and the final one at the end. No more sound
 * goes into the library than it has decoded before the next chunk is taken.
 *
 * @throws RecognitionError `sound` for a chunk at another rate
 */
export async function* hearOnline(
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
