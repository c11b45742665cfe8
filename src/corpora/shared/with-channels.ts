import type { ChannelChoice } from '../../audio/channels.ts';
import type { Corpus, CorpusServices } from '../contract.ts';

/** Which channels of its files a corpus is about: one, counted from 1, their mean, or each by itself. */
export type CorpusChannels = number | 'mean' | 'each';

/** What is heard of one file. */
export interface HeardPart {
  /** Absent: nobody has chosen, or its channels are alike. */
  readonly channel?: ChannelChoice;
  /** Behind the name of the file, where it is one of its channels by itself: `#2`. */
  readonly suffix: string;
}

/** What is heard of a file: one part, or each of its channels in which there is something, where each is wanted and they are unlike. */
export async function heardParts(
  file: string,
  channels: CorpusChannels | undefined,
  sounds: Pick<CorpusServices['sounds'], 'channels'>,
): Promise<readonly HeardPart[]> {
  if (channels !== 'each') return [{ suffix: '', ...(channels !== undefined && { channel: channels }) }];
  // What cannot be read is told when it is to be heard.
  const facts = await sounds.channels(file).catch(() => null);
  if (facts?.relation !== 'unlike') return [{ suffix: '' }];
  return facts.live.map((channel) => ({ channel, suffix: `#${channel}` }));
}

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
        if (sound === undefined || !('file' in sound) || typeof sound.channel === 'number') {
          yield utterance;
          continue;
        }
        const { channel: _, ...file } = sound;
        for (const { channel, suffix } of await heardParts(sound.file, channels, sounds)) {
          yield {
            ...utterance,
            id: `${utterance.id}${suffix}`,
            sound: { ...file, ...(channel !== undefined && { channel }) },
            attributes: { ...(suffix !== '' && { channel: String(channel) }), ...utterance.attributes },
          };
        }
      }
    },
    soundIdentity: (utterance) => corpus.soundIdentity(utterance),
    clip: (utterance) => corpus.clip(utterance),
    close: () => corpus.close(),
  };
}
