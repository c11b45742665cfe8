import type { Corpus } from '../contract.ts';

/**
 * A corpus whose utterances have attributes in common, over their own: which corpus they are of, where they were recorded.
 *
 * @example withAttributes(meetings, { corpus: 'ami', microphone: 'far' })
 */
export function withAttributes(corpus: Corpus, attributes: Readonly<Record<string, string>>): Corpus {
  return {
    async *utterances() {
      for await (const utterance of corpus.utterances()) {
        yield { ...utterance, attributes: { ...utterance.attributes, ...attributes } };
      }
    },
    soundIdentity: (utterance) => corpus.soundIdentity(utterance),
    clip: (utterance) => corpus.clip(utterance),
    close: () => corpus.close(),
  };
}
