import type { Clip } from '../../audio/clip.ts';
import { RecognitionError, type RecognitionRequest } from '../contract.ts';

/**
 * The sound of a request, for recognizers that hear.
 *
 * @throws RecognitionError `sound` where the request has none, or a rate at which nothing can be played
 */
export function clipOf(request: RecognitionRequest): Clip {
  const { clip } = request;
  if (!clip) throw new RecognitionError('sound', 'this recognizer hears, but the utterance has no sound');
  if (!(clip.sampleRate > 0) || !Number.isFinite(clip.sampleRate)) {
    throw new RecognitionError('sound', `expected a sample rate above 0, got ${clip.sampleRate}`);
  }
  return clip;
}
