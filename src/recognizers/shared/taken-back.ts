/** How much a reader saw change before the transcript was final. */
export interface Instability {
  /** How many partial transcripts differed from the one before. */
  readonly partials: number;
  /** Words that were shown, each time that they were new or came in place of others. */
  readonly wordsShown: number;
  /** Words that were shown and then taken back or changed. */
  readonly wordsTakenBack: number;
}

/**
 * Follows partial transcripts. From one to the next, everything after the words that both begin with is taken back, and
 * what stands there now is shown: the operations "revoke" and "add" of T. Baumann, M. Atterer and D. Schlangen,
 * Assessing and Improving the Performance of Speech Recognition for Incremental Systems (NAACL 2009). Words taken back
 * over words of the final transcript are the unstable partial word ratio of Y. Shangguan et al., Analyzing the Quality and
 * Stability of a Streaming End-to-End On-Device Speech Recognizer (Interspeech 2020).
 *
 * @example
 * const follow = followPartials();
 * follow.add('the');
 * follow.add('there was');
 * follow.instability(); // { partials: 2, wordsShown: 3, wordsTakenBack: 1 }
 */
export function followPartials(): { add(text: string): void; instability(): Instability } {
  let before: readonly string[] = [];
  let partials = 0;
  let wordsShown = 0;
  let wordsTakenBack = 0;
  return {
    add(text) {
      const words = text.split(/\s+/).filter(Boolean);
      let common = 0;
      while (common < before.length && common < words.length && words[common] === before[common]) common++;
      if (common < before.length || common < words.length) partials++;
      wordsTakenBack += before.length - common;
      wordsShown += words.length - common;
      before = words;
    },
    instability: () => ({ partials, wordsShown, wordsTakenBack }),
  };
}
