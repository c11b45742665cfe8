import { setImmediate } from 'node:timers/promises';
import type { Clip } from '../../audio/clip.ts';
import type { Transcript, Word } from '../../model/observation.ts';
import { givenUp } from '../shared/abortable.ts';
import { laterBy } from '../shared/later-words.ts';
import { quietPieces } from '../shared/quiet-pieces.ts';
import type { OfflineRecognizer } from './library.ts';
import { sampleRate } from './library-config.ts';
import { wordsOfTokens } from './token-words.ts';

/** Shorter sound is filled up with silence: some graphs fail on fewer frames than their first layers take. */
const shortestSamples = sampleRate / 4;

/** Hears whole clips, piece by piece where they are long. */
export async function hearOffline(
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
  const filled = new Float32Array(Math.max(shortestSamples, samples.length));
  filled.set(samples);
  return filled;
}
