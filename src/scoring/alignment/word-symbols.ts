// Open addressing over at most 32 words in 128 slots; a slot counts only where it bears the number of this call.
const slots = 128;
const stamps = new Int32Array(slots);
const hashes = new Int32Array(slots);
const positionMasks = new Int32Array(slots);
const words: string[] = new Array(slots).fill('');
let stamp = 0;

function hashOf(word: string): number {
  let hash = word.length;
  for (let index = 0; index < word.length; index++) hash = Math.imul(hash ^ word.charCodeAt(index), 0x9e3779b1);
  return hash ^ (hash >>> 15);
}

/**
 * For each word of a stretch of the hypothesis: at which of the (at most 32) words of a stretch of the reference it
 * stands. A table of our own, because a Map costs three times as much as the alignment of a short utterance.
 *
 * @param matches receives the masks
 */
export function matchShortWords(
  reference: readonly string[],
  hypothesis: readonly string[],
  start: number,
  referenceLength: number,
  hypothesisLength: number,
  matches: Int32Array,
): void {
  stamp = (stamp + 1) | 0;
  for (let index = 0; index < referenceLength; index++) {
    const word = reference[start + index]!;
    const hash = hashOf(word);
    let slot = hash & (slots - 1);
    for (;;) {
      if (stamps[slot] !== stamp) {
        stamps[slot] = stamp;
        hashes[slot] = hash;
        words[slot] = word;
        positionMasks[slot] = 1 << index;
        break;
      }
      if (hashes[slot] === hash && words[slot] === word) {
        positionMasks[slot]! |= 1 << index;
        break;
      }
      slot = (slot + 1) & (slots - 1);
    }
  }
  for (let index = 0; index < hypothesisLength; index++) {
    const word = hypothesis[start + index]!;
    const hash = hashOf(word);
    let slot = hash & (slots - 1);
    let mask = 0;
    while (stamps[slot] === stamp) {
      if (hashes[slot] === hash && words[slot] === word) {
        mask = positionMasks[slot]!;
        break;
      }
      slot = (slot + 1) & (slots - 1);
    }
    matches[index] = mask;
  }
}

/** Two word sequences as numbers: equal words have equal numbers. */
export interface SymbolPair {
  /** From 1 to `symbols`. */
  readonly reference: Int32Array;
  /** From 0 to `symbols`; 0 is a word that the reference lacks. */
  readonly hypothesis: Int32Array;
  readonly symbols: number;
}

/** Numbers for the words of two stretches that begin at `start`. */
export function numberWords(
  reference: readonly string[],
  hypothesis: readonly string[],
  start: number,
  referenceLength: number,
  hypothesisLength: number,
): SymbolPair {
  const numbers = new Map<string, number>();
  const referenceNumbers = new Int32Array(referenceLength);
  for (let index = 0; index < referenceLength; index++) {
    const word = reference[start + index]!;
    let number = numbers.get(word);
    if (number === undefined) {
      number = numbers.size + 1;
      numbers.set(word, number);
    }
    referenceNumbers[index] = number;
  }
  const hypothesisNumbers = new Int32Array(hypothesisLength);
  for (let index = 0; index < hypothesisLength; index++) {
    hypothesisNumbers[index] = numbers.get(hypothesis[start + index]!) ?? 0;
  }
  return { reference: referenceNumbers, hypothesis: hypothesisNumbers, symbols: numbers.size };
}
