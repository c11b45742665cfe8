import type { CtmToken } from './read-ctm.ts';

/** What was said and heard of a channel between two silences. */
export interface SpeechStretch {
  readonly beginSeconds: number;
  readonly endSeconds: number;
  readonly reference: readonly CtmToken[];
  readonly hypothesis: readonly CtmToken[];
}

/** Times out of files are decimal, so that a difference may miss a limit by its last digit. */
const tolerance = 1e-6;

/**
 * Cuts a recording that has no segments into stretches: wherever neither file has a word for `silenceSeconds`. Each word
 * belongs to one stretch; a stretch may have words of one file alone.
 *
 * Words are then compared within stretches, which keeps those apart that have nothing to do with each other and gives
 * long recordings utterances to count. Where a recognizer's times are off by more than the silence, a word may fall into
 * another stretch than what was said, and counts as two errors. (NIST's sclite cuts pairs of ctm files too, into some 50
 * words, at gaps however short.)
 *
 * @param reference words of one file and channel, in any order
 * @example cutAtSilences(said, heard, 0.5)[0] // { beginSeconds: .1, endSeconds: 4.2, reference: […], hypothesis: […] }
 */
export function cutAtSilences(
  reference: Iterable<CtmToken>,
  hypothesis: Iterable<CtmToken>,
  silenceSeconds: number,
): readonly SpeechStretch[] {
  const sided = (tokens: Iterable<CtmToken>, side: 'reference' | 'hypothesis') =>
    Array.from(tokens, (token) => ({ token, side }));
  const words = [...sided(reference, 'reference'), ...sided(hypothesis, 'hypothesis')].sort(
    (a, b) => a.token.beginSeconds - b.token.beginSeconds,
  );
  const stretches: { beginSeconds: number; endSeconds: number; reference: CtmToken[]; hypothesis: CtmToken[] }[] = [];
  for (const { token, side } of words) {
    let open = stretches.at(-1);
    if (open === undefined || token.beginSeconds - open.endSeconds >= silenceSeconds - tolerance) {
      open = { beginSeconds: token.beginSeconds, endSeconds: token.endSeconds, reference: [], hypothesis: [] };
      stretches.push(open);
    }
    open.endSeconds = Math.max(open.endSeconds, token.endSeconds);
    open[side].push(token);
  }
  return stretches;
}
