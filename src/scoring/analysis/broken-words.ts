import { limitText } from '../../base/printable.ts';
import { align } from '../alignment/align.ts';

/** What went wrong at one place of a text. */
export interface BrokenPlace {
  /**
   * `word`: a word of the text came out as another or not at all. `spelling`: the letters are right and the blanks are not
   * (taxpayers, tax payers). `inserted`: words were written where nothing was said. `nothing`: the transcript is empty. `lost`: most
   * of the text came out otherwise, so that none of its words is to blame.
   */
  readonly kind: 'word' | 'spelling' | 'inserted' | 'nothing' | 'lost';
  /** What the place is known by: words of the text, or of the transcript where they were inserted; empty for `nothing` and `lost`. */
  readonly words: string;
  /** The stretch of the text that broke with it, and what stands in its place; empty where nothing does. */
  readonly said: string;
  readonly written: string;
}

/** Stretches longer than this are not searched for words written apart or together. */
const longestSpelling = 24;
/** A word in so many pieces at most. */
const maxPieces = 4;
/** Of a broken stretch these many words are told, and no more characters: a transcript may be garbage. */
const maxTold = 6;
const maxCharacters = 200;

/**
 * The places where a transcript leaves its text, in the order of the text: neighbouring errors of the least alignment are one
 * stretch, as the alignment of words within it says little. In a stretch, what differs by its blanks alone is one place, and
 * each other word of the text is one.
 *
 * @param reference words of the text, normalized as those of the transcript
 * @example
 * brokenPlaces(['the', 'taxpayers', 'pay'], ['the', 'tax', 'payers', 'pay'])
 * // [{ kind: 'spelling', words: 'taxpayers', said: 'taxpayers', written: 'tax payers' }]
 */
export function brokenPlaces(reference: readonly string[], hypothesis: readonly string[]): BrokenPlace[] {
  if (hypothesis.length === 0) {
    return reference.length === 0 ? [] : [{ kind: 'nothing', words: '', said: told(reference), written: '' }];
  }
  const places: BrokenPlace[] = [];
  let said: string[] = [];
  let written: string[] = [];
  const endStretch = () => {
    if (said.length + written.length > 0) places.push(...placesOfStretch(said, written));
    said = [];
    written = [];
  };
  for (const pair of align(reference, hypothesis)) {
    if (pair.reference === pair.hypothesis) {
      endStretch();
      continue;
    }
    if (pair.reference !== null) said.push(pair.reference);
    if (pair.hypothesis !== null) written.push(pair.hypothesis);
  }
  endStretch();
  return places;
}

/** Fewer words that came out otherwise are told one by one, whatever share of the text they are. */
const minLost = 3;

/**
 * The places of a text, or the one place that it is where more than half of its words came out otherwise: an alignment of such texts pairs
 * words by chance, and the most frequent ones would be blamed for all.
 *
 * @example causesIn(['we', 'pay', 'the', 'tax'], ['wipe', 'it', 'and', 'tacks']) // [{ kind: 'lost', words: '', … }]
 */
export function causesIn(reference: readonly string[], hypothesis: readonly string[]): BrokenPlace[] {
  const places = brokenPlaces(reference, hypothesis);
  const broken = places.filter(({ kind }) => kind === 'word').length;
  if (broken < minLost || 2 * broken <= reference.length) return places;
  return [{ kind: 'lost', words: '', said: told(reference), written: told(hypothesis) }];
}

function placesOfStretch(said: readonly string[], written: readonly string[]): BrokenPlace[] {
  const spelling = findSpelling(said, written);
  if (spelling !== null) {
    const { saidStart, saidEnd, writtenStart, writtenEnd } = spelling;
    const words = said.slice(saidStart, saidEnd).join(' ');
    return [
      ...placesOfStretch(said.slice(0, saidStart), written.slice(0, writtenStart)),
      { kind: 'spelling', words, said: words, written: written.slice(writtenStart, writtenEnd).join(' ') },
      ...placesOfStretch(said.slice(saidEnd), written.slice(writtenEnd)),
    ];
  }
  if (said.length === 0) {
    if (written.length === 0) return [];
    return [{ kind: 'inserted', words: told(written), said: '', written: told(written) }];
  }
  const paired = said.length === written.length;
  return said.map((word, place) => ({
    kind: 'word',
    words: word,
    said: paired ? word : told(said),
    written: paired ? told([written[place]!]) : told(written),
  }));
}

/** The first words of the text, and those of the transcript, that are the same letters with other blanks; null if none. */
function findSpelling(said: readonly string[], written: readonly string[]) {
  if (said.length > longestSpelling || written.length > longestSpelling) return null;
  for (let saidStart = 0; saidStart < said.length; saidStart++) {
    for (let writtenStart = 0; writtenStart < written.length; writtenStart++) {
      let [saidEnd, writtenEnd] = [saidStart + 1, writtenStart + 1];
      let [left, right] = [said[saidStart]!, written[writtenStart]!];
      // The shorter side grows by a word until the letters are the same or part.
      while (left !== right) {
        if (left.length < right.length && right.startsWith(left) && saidEnd < said.length) left += said[saidEnd++]!;
        else if (right.length < left.length && left.startsWith(right) && writtenEnd < written.length)
          right += written[writtenEnd++]!;
        else break;
        if (saidEnd - saidStart > maxPieces || writtenEnd - writtenStart > maxPieces) break;
      }
      if (left === right && saidEnd - saidStart + writtenEnd - writtenStart > 2) {
        return { saidStart, saidEnd, writtenStart, writtenEnd };
      }
    }
  }
  return null;
}

function told(words: readonly string[]): string {
  return limitText(words.length <= maxTold ? words.join(' ') : `${words.slice(0, maxTold).join(' ')} …`, maxCharacters);
}
