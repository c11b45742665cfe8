import type { Utterance } from '../../model/utterance.ts';
import type { Corpus, CorpusServices } from '../contract.ts';

/** Which channels of its files a corpus is about: one, counted from 1, their mean, or each by itself. */
export type CorpusChannels = number | 'mean' | 'each';

/**
 * A corpus whose files with several channels are heard as somebody chose. What says its channel itself (a row of a list) stays as it is.
 *
 * Each by itself: an utterance for each channel in which there is something, `call#1` and `call#2` with the attribute `channel`, with all
 * else that is known of the file. Of channels that are alike there is one, under the file's own id.
 *
 * @example withChannels(calls, 'each', services.sounds)
 */
export function withChannels(corpus: Corpus, channels: CorpusChannels, sounds: CorpusServices['sounds']): Corpus {
  return {
    async *utterances() {
      for await (const utterance of corpus.utterances()) {
        const { sound } = utterance;
        if (sound === undefined || !('file' in sound) || typeof sound.channel === 'number') yield utterance;
        else if (channels === 'each') yield* eachChannel(utterance, sound, sounds);
        else yield { ...utterance, sound: { ...sound, channel: channels } };
      }
    },
    soundIdentity: (utterance) => corpus.soundIdentity(utterance),
    clip: (utterance) => corpus.clip(utterance),
    close: () => corpus.close(),
  };
}

async function* eachChannel(
  utterance: Utterance,
  { channel: _, ...sound }: Extract<NonNullable<Utterance['sound']>, { readonly file: string }>,
  sounds: CorpusServices['sounds'],
): AsyncGenerator<Utterance> {
  // What cannot be read is told when it is to be heard.
  const facts = await sounds.channels(sound.file).catch(() => null);
  if (facts?.relation !== 'unlike') {
    yield { ...utterance, sound };
    return;
  }
  for (const channel of facts.live) {
    yield {
      ...utterance,
      id: `${utterance.id}#${channel}`,
      sound: { ...sound, channel },
      attributes: { channel: String(channel), ...utterance.attributes },
    };
  }
}
