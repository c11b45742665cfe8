import { EarwitnessError } from '../../base/errors.ts';
import type { Utterance } from '../../model/utterance.ts';
import type { Corpus, CorpusServices } from '../contract.ts';
import { type Boundary, checkLinks } from './contained-path.ts';

/**
 * A corpus whose sounds are files: what its members have in common beside the list of utterances.
 *
 * @param utterances opens the list from its beginning
 */
export function soundFileCorpus(
  utterances: () => AsyncIterable<Utterance>,
  boundary: Boundary,
  services: CorpusServices,
): Corpus {
  return {
    utterances,
    async soundIdentity({ sound }) {
      if (sound === undefined || !('file' in sound)) return null;
      await checkLinks(sound.file, boundary);
      return services.sounds.identity(sound.file, stretchOf(sound));
    },
    async clip({ id, sound }) {
      if (sound === undefined || !('file' in sound)) {
        throw new EarwitnessError(
          'bad-input',
          `${id}: expected an utterance with an audio file, but it has none; add its path`,
        );
      }
      await checkLinks(sound.file, boundary);
      return services.sounds.read(sound.file, stretchOf(sound));
    },
    async close() {},
  };
}

/** Undefined where the whole file is meant. */
function stretchOf(sound: { startSeconds?: number; endSeconds?: number }) {
  const { startSeconds, endSeconds } = sound;
  if (startSeconds === undefined && endSeconds === undefined) return undefined;
  return {
    ...(startSeconds !== undefined && { startSeconds }),
    ...(endSeconds !== undefined && { endSeconds }),
  };
}
