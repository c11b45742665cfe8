import { addCounts, type EditCounts, errorRate, errors, noEdits } from '../edit-counts.ts';
import { type AlignedPlace, isError } from './aligned-place.ts';

/** How phrases that matter came through. Counts first: add them up over utterances (`addPhraseCounts`). */
export interface PhraseCounts {
  /** Phrases in the reference. */
  readonly occurrences: number;
  /** Those of them recognized: every word right and none inserted between. */
  readonly hits: number;
  /** Phrases in the hypothesis; null where nobody has marked them. */
  readonly detections: number | null;
  /** Those of them that are no hit; null likewise. */
  readonly falseAlarms: number | null;
  /** Alignment of the words of the phrases alone, with what was inserted within them. */
  readonly words: EditCounts;
}

/** Nothing counted: where sums begin. */
export const noPhrases: PhraseCounts = { occurrences: 0, hits: 0, detections: 0, falseAlarms: 0, words: noEdits };

/**
 * Holds the phrases of an utterance against its alignment.
 *
 * @param reference stretches in the words of the reference, that do not overlap
 * @param hypothesis stretches in the words of the hypothesis, where known: without them there is no precision. One is a
 * hit where it stands against a recognized phrase of the same label
 * @throws RangeError for a stretch that is empty, overlaps another or reaches beyond the words
 */
export function countPhraseErrors(
  aligned: readonly AlignedPlace[],
  reference: readonly PhraseSpan[],
  hypothesis: readonly PhraseSpan[] | null = null,
): PhraseCounts {
  const referencePlaces = placesOf(aligned, 'reference');
  const hypothesisPlaces = placesOf(aligned, 'hypothesis');
  check(reference, referencePlaces.length, 'reference');
  if (hypothesis !== null) check(hypothesis, hypothesisPlaces.length, 'hypothesis');

  let words = noEdits;
  const recognized = new Map<string, string | undefined>();
  let hits = 0;
  for (const { start, end, label } of reference) {
    const first = referencePlaces[start]!;
    const last = referencePlaces[end - 1]!;
    const counts = countStretch(aligned, first, last);
    words = addCounts(words, counts);
    if (counts.correct === 0 || errors(counts) > 0) continue;
    hits++;
    recognized.set(`${first} ${last}`, label);
  }
  if (hypothesis === null) {
    return { occurrences: reference.length, hits, detections: null, falseAlarms: null, words };
  }
  const right = hypothesis.filter(({ start, end, label }) => {
    const place = `${hypothesisPlaces[start]} ${hypothesisPlaces[end - 1]}`;
    return recognized.has(place) && recognized.get(place) === label;
  });
  const falseAlarms = hypothesis.length - right.length;
  return { occurrences: reference.length, hits, detections: hypothesis.length, falseAlarms, words };
}

/**
 * The same for a list of keywords or phrases, looked for on both sides.
 *
 * @param phrases words of each phrase, normalized as the transcripts are
 * @example
 * const aligned = align(['call', 'new', 'york', 'now'], ['call', 'newark', 'now']);
 * phraseRates(countKeywordErrors(aligned, [['new', 'york'], ['call']])) // recall .5, precision 1, word error rate 2/3
 */
export function countKeywordErrors(
  aligned: readonly AlignedPlace[],
  phrases: Iterable<readonly string[]>,
): PhraseCounts {
  const list = [...phrases];
  const side = (name: 'reference' | 'hypothesis') =>
    findPhrases(
      aligned.flatMap((pair) => pair[name] ?? []),
      list,
    );
  return countPhraseErrors(aligned, side('reference'), side('hypothesis'));
}

/** The counts of two utterances together; detections are null where those of one are. */
export function addPhraseCounts(a: PhraseCounts, b: PhraseCounts): PhraseCounts {
  const add = (left: number | null, right: number | null) => (left === null || right === null ? null : left + right);
  return {
    occurrences: a.occurrences + b.occurrences,
    hits: a.hits + b.hits,
    detections: add(a.detections, b.detections),
    falseAlarms: add(a.falseAlarms, b.falseAlarms),
    words: addCounts(a.words, b.words),
  };
}

/** Rates of phrases, each null where it does not exist, with `reason`. */
export interface PhraseRates {
  /** Hits per phrase said. */
  readonly recall: number | null;
  /** 1 less recall: the entity or keyword error rate. */
  readonly errorRate: number | null;
  /** Hits per phrase written. */
  readonly precision: number | null;
  /** Harmonic mean of recall and precision. */
  readonly f1: number | null;
  /** Word error rate within the phrases; words inserted before and after them do not count. */
  readonly wordErrorRate: number | null;
  readonly reason?: string;
}

/** The rates that follow from counts of phrases. */
export function phraseRates({ occurrences, hits, detections, falseAlarms, words }: PhraseCounts): PhraseRates {
  const recall = occurrences === 0 ? null : hits / occurrences;
  const precision = detections === null || detections === 0 ? null : (detections - falseAlarms!) / detections;
  const reasons = [
    ...(occurrences === 0 ? ['no phrase was said'] : []),
    ...(detections === null ? ['phrases of the hypothesis are not marked'] : []),
    ...(detections === 0 ? ['no phrase was written'] : []),
  ];
  const both = recall === null || precision === null ? null : recall + precision;
  return {
    recall,
    errorRate: recall === null ? null : 1 - recall,
    precision,
    f1: both === null ? null : both === 0 ? 0 : (2 * recall! * precision!) / both,
    wordErrorRate: errorRate(words),
    ...(reasons.length === 0 ? {} : { reason: reasons.join('; ') }),
  };
}

function placesOf(aligned: readonly AlignedPlace[], side: 'reference' | 'hypothesis'): number[] {
  return aligned.flatMap((pair, place) => (pair[side] === null ? [] : [place]));
}

function countStretch(aligned: readonly AlignedPlace[], first: number, last: number): EditCounts {
  const counts = { correct: 0, substitutions: 0, deletions: 0, insertions: 0 };
  for (let place = first; place <= last; place++) {
    const { reference, hypothesis, leftOut } = aligned[place]!;
    if (leftOut) continue;
    if (reference === null) counts.insertions++;
    else if (hypothesis === null) counts.deletions++;
    else if (isError(aligned[place]!)) counts.substitutions++;
    else counts.correct++;
  }
  return counts;
}

function check(spans: readonly PhraseSpan[], words: number, side: string): void {
  let before = 0;
  for (const { start, end } of [...spans].sort((a, b) => a.start - b.start)) {
    if (!(Number.isInteger(start) && Number.isInteger(end) && start >= before && end > start && end <= words)) {
      throw new RangeError(
        `expected stretches of the ${words} words of the ${side} that do not overlap, but got one from ${start} to ${end}`,
      );
    }
    before = end;
  }
}

/** A stretch of words that matters: a name, a number, a keyword. */
export interface PhraseSpan {
  /** Place of its first word. */
  readonly start: number;
  /** Place after its last word. */
  readonly end: number;
  /** The phrase, or a kind of entity: counted apart where given. */
  readonly label?: string;
}

interface PhraseNode {
  readonly next: Map<string, PhraseNode>;
  phrase: string | null;
}

/**
 * Finds phrases in words, from left to right; where several begin at a word the longest counts, and stretches do not
 * overlap. Words are compared as strings: normalize text and phrases alike.
 *
 * @param phrases one or more words each; empty ones are passed over
 * @example findPhrases(['in', 'new', 'york'], [['york'], ['new', 'york']]) // [{ start: 1, end: 3, label: 'new york' }]
 */
export function findPhrases(words: readonly string[], phrases: Iterable<readonly string[]>): PhraseSpan[] {
  const root: PhraseNode = { next: new Map(), phrase: null };
  for (const phrase of phrases) {
    let node = root;
    for (const word of phrase) {
      let following = node.next.get(word);
      if (following === undefined) {
        following = { next: new Map(), phrase: null };
        node.next.set(word, following);
      }
      node = following;
    }
    if (node !== root) node.phrase = phrase.join(' ');
  }
  const spans: PhraseSpan[] = [];
  let start = 0;
  while (start < words.length) {
    let longest: PhraseSpan | null = null;
    let node = root.next.get(words[start]!);
    for (let end = start + 1; node !== undefined; end++) {
      if (node.phrase !== null) longest = { start, end, label: node.phrase };
      node = end < words.length ? node.next.get(words[end]!) : undefined;
    }
    if (longest !== null) spans.push(longest);
    start = longest?.end ?? start + 1;
  }
  return spans;
}
