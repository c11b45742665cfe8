import type { Word } from '../../model/observation.ts';

/** A stretch of the best path: a word, a filler (silence, noise) or a place between words. */
export interface Segment {
  readonly word: string;
  /** Frames, counted from the start of the clip; the last one belongs to it. */
  readonly firstFrame: number;
  readonly lastFrame: number;
  /** Posterior probability on the library's logarithmic scale; 0 stands for 1, and for "unknown". */
  readonly logPosterior: number;
  readonly posterior: number;
}

const alwaysFillers: readonly string[] = ['<s>', '</s>', '<sil>', '(NULL)'];

/** Words that stand for silence and noise: the usual ones, and those of an acoustic model's `noisedict`. */
export function fillerWords(noiseDictionary: string): ReadonlySet<string> {
  const words = noiseDictionary.split('\n').flatMap((line) => line.trim().split(/\s+/, 1));
  return new Set([...alwaysFillers, ...words.filter((word) => word !== '')]);
}

/** A dictionary's word without the number of its pronunciation: `read(2)` is `read`. */
function withoutVariant(word: string): string {
  return word.replace(/\(\d+\)$/, '');
}

/**
 * The words of a path with times in seconds. Confidences only where the decoder computed posteriors (a search through
 * the word lattice at the end, which short or hopeless stretches do not have): else it says 1 everywhere.
 *
 * @param frameRate frames per second
 */
export function wordsOf(segments: readonly Segment[], fillers: ReadonlySet<string>, frameRate: number): Word[] {
  const computed = segments.some(({ logPosterior }) => logPosterior !== 0);
  return segments
    .filter(({ word }) => !fillers.has(word))
    .map(({ word, firstFrame, lastFrame, posterior }) => ({
      text: withoutVariant(word),
      startSeconds: firstFrame / frameRate,
      endSeconds: (lastFrame + 1) / frameRate,
      ...(computed ? { confidence: Math.min(1, Math.max(0, posterior)) } : {}),
    }));
}

/** The words of a pronouncing dictionary, lower-case, pronunciations folded. */
export function dictionaryWords(text: string): Set<string> {
  const words = new Set<string>();
  // A dictionary has a hundred thousand lines and is read at the start of each run: no pattern, no copy of its lines.
  for (let start = 0, end = 0; start < text.length; start = end + 1) {
    end = text.indexOf('\n', start);
    if (end === -1) end = text.length;
    if (text.startsWith('##', start) || text.startsWith(';;', start)) continue;
    let first = start;
    while (first < end && isBlank(text.charCodeAt(first))) first++;
    let last = first;
    while (last < end && !isBlank(text.charCodeAt(last))) last++;
    let phone = last;
    while (phone < end && isBlank(text.charCodeAt(phone))) phone++;
    if (last === first || phone === end) continue;
    const variant = text.charCodeAt(last - 1) === closingParenthesis;
    const word = variant ? withoutVariant(text.slice(first, last)) : text.slice(first, last);
    words.add(word.toLowerCase());
  }
  return words;
}

const closingParenthesis = 0x29;

function isBlank(code: number): boolean {
  return code === 0x20 || (code >= 0x09 && code <= 0x0d);
}

/**
 * The words that a JSGF grammar can give (JSpeech Grammar Format, W3C note of 2000), lower-case: what is neither a
 * comment, the header, a rule's name, a weight nor a tag.
 */
export function grammarWords(grammar: string): Set<string> {
  const rules = grammar
    .replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, ' ')
    .replace(/^\s*#JSGF[^;]*;/, ' ')
    .replace(/\bgrammar\s+[^;]*;/, ' ')
    .replace(/\{(?:\\.|[^}\\])*\}/g, ' ')
    .replace(/\/[\d.eE+-]+\//g, ' ')
    .replace(/(?:\bpublic\s+)?<[^>]*>\s*=/g, ' ')
    .replace(/<[^>]*>/g, ' ');
  const tokens = rules.match(/"(?:\\.|[^"\\])*"|[^\s;=|*+()[\]"]+/g) ?? [];
  return new Set(
    tokens.flatMap((token) => token.replaceAll('"', '').trim().toLowerCase().split(/\s+/)).filter(Boolean),
  );
}
