import type { StmSegment } from '../../base/read-stm.ts';
import type { CtmToken } from './read-ctm.ts';

/** What was recognized in each segment of a reference. */
export interface CutTranscript {
  readonly segments: readonly CutSegment[];
  /** Words in segments that are not scored. */
  readonly ignoredWords: number;
  /** Words in files and channels of which the reference has no segment, by file and channel. */
  readonly unmatched: ReadonlyMap<string, number>;
}

export interface CutSegment {
  readonly segment: StmSegment;
  readonly tokens: readonly CtmToken[];
  /** The recognizer wrote nothing at all for the segment's file and channel. */
  readonly missing: boolean;
}

/**
 * Divides recognized words among the segments of the reference as NIST's sclite does: within a file and channel, in order
 * of time, a segment takes what is left of the words whose middle lies before its end, and the last segment the rest; so
 * a word between two segments belongs to the later one, and none is lost. Words in ignored segments are not scored.
 * Files and channels are matched without regard to letter case. Unlike sclite it needs no sorted files.
 *
 * @returns the segments in the order of the file, without those that are ignored
 */
export function cutToSegments(segments: readonly StmSegment[], tokens: Iterable<CtmToken>): CutTranscript {
  const tokensOf = Map.groupBy(tokens, channelKey);
  const segmentsOf = Map.groupBy(segments, channelKey);
  const cut = new Map<StmSegment, CutSegment>();
  let ignoredWords = 0;
  for (const [key, ofChannel] of segmentsOf) {
    const words = (tokensOf.get(key) ?? []).toSorted((a, b) => a.beginSeconds - b.beginSeconds);
    const missing = words.length === 0;
    const inOrder = ofChannel.toSorted((a, b) => a.beginSeconds - b.beginSeconds);
    let next = 0;
    inOrder.forEach((segment, index) => {
      const first = next;
      if (index === inOrder.length - 1) next = words.length;
      else while (next < words.length && words[next]!.middleSeconds < segment.endSeconds) next++;
      if (segment.ignored) ignoredWords += countWords(words.slice(first, next));
      else cut.set(segment, { segment, tokens: words.slice(first, next), missing });
    });
  }
  const unmatched = new Map<string, number>();
  for (const [key, ofChannel] of tokensOf) {
    if (segmentsOf.has(key)) continue;
    unmatched.set(`${ofChannel[0]!.file} ${ofChannel[0]!.channel}`, countWords(ofChannel));
  }
  return {
    segments: segments.filter((segment) => cut.has(segment)).map((segment) => cut.get(segment)!),
    ignoredWords,
    unmatched,
  };
}

/** File and channel as NIST's sclite compares them: without regard to letter case. */
export function channelKey({ file, channel }: { readonly file: string; readonly channel: string }): string {
  return `${file}\t${channel}`.toLowerCase();
}

function countWords(tokens: readonly CtmToken[]): number {
  let words = 0;
  for (const { alternatives } of tokens) words += alternatives[0]!.length;
  return words;
}

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
