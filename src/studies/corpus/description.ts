import { unspaced } from '../../base/scripts.ts';
import { counted } from '../../base/wording.ts';
import type { Failure } from '../../model/observation.ts';
import type { ClipMeasurement } from '../../model/trial.ts';
import type { Utterance } from '../../model/utterance.ts';
import type { Normalizer } from '../../scoring/normalizers/normalizers.ts';
import { percent } from '../shared/wording.ts';
import { type CoverageCount, createCoverageCount } from './coverage.ts';
import { type Card, type CorpusStudyOptions, createCard } from './options.ts';
import { createGroups, createSoundCount, type Groups, type SoundTotals } from './sound-totals.ts';

/** How many of each kind of suspicion are kept to be listed, and how many are listed in all. */
export const suspicionsListed = 50;

/** Beyond these an utterance is suspicious. Fast readers of English reach about 5 words per second; one word more is allowed, for short clips. */
export const suspicious = {
  maxWordsPerSecond: 6,
  minWordsPerSecond: 0.25,
  quietDbfs: -50,
  maxClippedShare: 0.01,
} as const;

/** Everything counted about a corpus. Memory grows with distinct words, speakers and the groups asked for alone. */
export interface Description {
  /** What the utterance says by itself. First for all utterances, then the sounds. */
  addUtterance(utterance: Utterance): void;
  addSound(utterance: Utterance, measurement: ClipMeasurement): void;
  addUnreadable(utterance: Utterance, failure: Failure | undefined): void;
  readonly counts: Readonly<Record<keyof typeof none, number>>;
  readonly speakers: ReadonlyMap<string, number>;
  /** How often each distinct word stands in the references. */
  readonly words: ReadonlyMap<string, number>;
  readonly languages: Groups;
  readonly attributes: Groups;
  readonly suspicions: Suspicions;
  /** By corpus, or one for all; null where it is not asked for. */
  readonly coverage: ReadonlyMap<string | null, CoverageCount> | null;
  /** Null where it is not asked for. */
  readonly card: Card | null;
  sounds(): SoundTotals;
}

const none = {
  clips: 0,
  withSound: 0,
  withReference: 0,
  withoutSpeaker: 0,
  /** References with characters of scripts without blanks between words, and those that the normalizer does not divide. */
  withoutBlanks: 0,
  undivided: 0,
  tokens: 0,
};

const scriptsWithoutBlanks = new RegExp(`[${unspaced}]`, 'u');

/** An empty description. */
export function createDescription(options: CorpusStudyOptions, normalizer: Normalizer): Description {
  const speakers = new Map<string, number>();
  const words = new Map<string, number>();
  const languages = createGroups();
  const attributes = createGroups();
  const suspicions = createSuspicions(suspicionsListed);
  const coverage = new Map<string | null, CoverageCount>();
  const coverageOf = ({ attributes: own }: Utterance): CoverageCount | null => {
    if (options.coverage === undefined) return null;
    const { corpusBy } = options.coverage;
    const corpus = corpusBy === null ? null : Object.hasOwn(own, corpusBy) ? own[corpusBy]! : 'not known';
    const count = coverage.get(corpus) ?? createCoverageCount(options.coverage);
    coverage.set(corpus, count);
    return count;
  };
  const card = options.card === undefined ? null : createCard(options.card);
  const sounds = createSoundCount();
  const counts = { ...none };

  const speakerNumber = (speaker: string | undefined) => {
    if (speaker === undefined) return null;
    const number = speakers.get(speaker) ?? speakers.size;
    speakers.set(speaker, number);
    return number;
  };

  const addReference = ({ id, language }: Utterance, reference: string) => {
    counts.withReference++;
    if (scriptsWithoutBlanks.test(reference)) {
      counts.withoutBlanks++;
      if (normalizer.hasCharacterWords?.(language) !== true) counts.undivided++;
    }
    const found = normalizer.words(reference, language);
    counts.tokens += found.length;
    for (const word of found) words.set(word, (words.get(word) ?? 0) + 1);
    if (found.length === 0) {
      const nothing =
        reference.trim() === '' ? 'the reference is empty' : 'the normalizer leaves no word of the reference';
      suspicions.add('empty reference', id, nothing);
    }
    const odd = oddCharacters(reference);
    if (odd.length > 0) suspicions.add('odd characters', id, `the reference holds ${odd.join(', ')}`);
  };

  const judgePace = ({ id, language }: Utterance, reference: string, seconds: number) => {
    const count = normalizer.words(reference, language).length;
    if (count === 0 || seconds <= 0 || scriptsWithoutBlanks.test(reference)) return;
    const said = `${counted(count, 'word')} in ${seconds.toFixed(2)} s`;
    if (count > seconds * suspicious.maxWordsPerSecond + 1) suspicions.add('too many words', id, said);
    else if (count < seconds * suspicious.minWordsPerSecond) suspicions.add('too few words', id, said);
  };

  const judgeSound = (id: string, { levelDbfs, clippedShare }: ClipMeasurement) => {
    if (levelDbfs === null) suspicions.add('silent audio', id, 'every sample is 0');
    else if (levelDbfs < suspicious.quietDbfs)
      suspicions.add('very quiet audio', id, `its level is ${levelDbfs.toFixed(1)} dB of full scale`);
    if (clippedShare > suspicious.maxClippedShare) {
      suspicions.add('clipped audio', id, `${percent(clippedShare, 1)} of its samples are at full scale`);
    }
  };

  return {
    addUtterance(utterance) {
      counts.clips++;
      if (utterance.sound !== undefined) counts.withSound++;
      if (utterance.speaker === undefined) counts.withoutSpeaker++;
      const speaker = speakerNumber(utterance.speaker);
      languages.addClip([['language', utterance.language]], speaker);
      attributes.addClip(Object.entries(utterance.attributes), speaker);
      coverageOf(utterance)?.addUtterance(utterance);
      card?.addUtterance(utterance);
      if (utterance.reference !== undefined) addReference(utterance, utterance.reference);
    },
    addSound(utterance, measurement) {
      const { durationSeconds: seconds } = measurement;
      sounds.add(utterance.id, measurement);
      languages.addSeconds([['language', utterance.language]], seconds);
      attributes.addSeconds(Object.entries(utterance.attributes), seconds);
      coverageOf(utterance)?.addSound(utterance, measurement);
      card?.addSound(utterance, measurement);
      judgeSound(utterance.id, measurement);
      if (utterance.reference !== undefined) judgePace(utterance, utterance.reference, seconds);
    },
    addUnreadable({ id, language, attributes: own }, failure) {
      languages.addUnreadable([['language', language]]);
      attributes.addUnreadable(Object.entries(own));
      suspicions.add('unreadable audio', id, failure?.message ?? 'the audio could not be read');
    },
    counts,
    speakers,
    words,
    languages,
    attributes,
    suspicions,
    coverage: options.coverage === undefined ? null : coverage,
    card,
    sounds: sounds.totals,
  };
}

/** What is found wrong with the characters of a reference, in words; characters that must not be shown by their number. */
type OddCharacters = readonly string[];

const controls = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;
const invisible = /[\u00ad\u180e\u200b\u2060-\u2064\ufeff]/u;
/** Joiners belong to the spelling of Persian and many Indian languages, and to nothing written in Latin letters. */
const strayJoiner = /(?:^|[\p{Script=Latin}\d\s])[\u200c\u200d]/u;
const markup = /<\/?[A-Za-z!][^<>]{0,200}>|&(?:#\d{1,7}|#x[0-9a-f]{1,6}|[a-z]{2,8});/iu;
/** UTF-8 that was read as Latin-1 or Windows-1252, and characters that were lost on the way. */
const misread = /[ÃÂ][\u0080-\u00bf]|â€|\ufffd/u;
const word = /[\p{L}\p{M}]+/gu;
/** Scripts whose letters look alike: a word with letters of two of them was misread or made to deceive. */
const alike = [/\p{Script=Latin}/u, /\p{Script=Cyrillic}/u, /\p{Script=Greek}/u];

/**
 * Characters that do not belong into a transcript: control characters, invisible ones, markup, signs of a wrong
 * encoding, words with letters of several look-alike scripts.
 *
 * @example oddCharacters('a\u200Bb') // ['the invisible character U+200B']
 */
export function oddCharacters(text: string): OddCharacters {
  const found: string[] = [];
  const control = controls.exec(text);
  if (control !== null) found.push(`the control character ${codePoint(control[0])}`);
  const hidden = invisible.exec(text)?.[0] ?? strayJoiner.exec(text)?.[0].at(-1);
  if (hidden !== undefined) found.push(`the invisible character ${codePoint(hidden)}`);
  if (markup.test(text)) found.push('markup (<…> or &…;)');
  if (misread.test(text)) found.push('signs of a wrong encoding');
  for (const [letters] of text.matchAll(word)) {
    if (alike.filter((script) => script.test(letters)).length < 2) continue;
    found.push('a word with letters of several scripts');
    break;
  }
  return found;
}

function codePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}

/** A word and how often it stands in the references. */
interface WordCount {
  readonly word: string;
  readonly count: number;
}

/** Words of the references that a recognizer cannot write. */
export interface OutsideVocabulary {
  readonly recognizer: string;
  /** Words it knows, before normalization. */
  readonly vocabularySize: number;
  readonly tokensOutside: number;
  readonly typesOutside: number;
  /** Null where the references hold no words. */
  readonly tokenShare: number | null;
  readonly typeShare: number | null;
  readonly mostFrequent: readonly WordCount[];
}

/**
 * Compares the words of the references with what a recognizer can write. Its words are normalized like the references, so
 * that `don't` is known where the normalizer makes `don t` of it.
 *
 * @param counts how often each distinct word stands in the references
 * @param listed how many of the most frequent words outside are named
 */
export function outsideVocabulary(
  recognizer: string,
  vocabulary: ReadonlySet<string>,
  counts: ReadonlyMap<string, number>,
  words: (text: string) => readonly string[],
  listed: number,
): OutsideVocabulary {
  const known = new Set<string>();
  for (const entry of vocabulary) for (const word of words(entry)) if (counts.has(word)) known.add(word);
  let tokens = 0;
  const outside = new Map<string, number>();
  for (const [word, count] of counts) {
    tokens += count;
    if (!known.has(word)) outside.set(word, count);
  }
  const tokensOutside = [...outside.values()].reduce((sum, count) => sum + count, 0);
  return {
    recognizer,
    vocabularySize: vocabulary.size,
    tokensOutside,
    typesOutside: outside.size,
    tokenShare: tokens === 0 ? null : tokensOutside / tokens,
    typeShare: counts.size === 0 ? null : outside.size / counts.size,
    mostFrequent: mostFrequent(outside, listed),
  };
}

/** The most frequent words, and of equally frequent ones the first by code unit. */
function mostFrequent(counts: ReadonlyMap<string, number>, listed: number): readonly WordCount[] {
  return [...counts]
    .map(([word, count]) => ({ word, count }))
    .sort((a, b) => b.count - a.count || (a.word < b.word ? -1 : 1))
    .slice(0, listed);
}

/** Kinds of suspicion, the gravest first. */
export const suspicionKinds = [
  'unreadable audio',
  'silent audio',
  'very quiet audio',
  'clipped audio',
  'empty reference',
  'too many words',
  'too few words',
  'odd characters',
] as const;

export type SuspicionKind = (typeof suspicionKinds)[number];

export interface Suspicion {
  readonly kind: SuspicionKind;
  readonly utteranceId: string;
  readonly reason: string;
}

/** Counts suspicions and keeps a few of each kind. */
export interface Suspicions {
  add(kind: SuspicionKind, utteranceId: string, reason: string): void;
  count(kind: SuspicionKind): number;
  readonly total: number;
  /** At most so many, shared out among the kinds so that a frequent one does not hide the others; grouped by kind. */
  listed(most: number): readonly Suspicion[];
}

/** Longest id and reason that are shown, in UTF-16 units: both can come from hostile files. */
const longestShown = 300;

/** @param kept how many of each kind are kept to be listed */
function createSuspicions(kept: number): Suspicions {
  const counts = new Map<SuspicionKind, number>();
  const first = new Map<SuspicionKind, Suspicion[]>(suspicionKinds.map((kind) => [kind, []]));
  let total = 0;
  return {
    add(kind, utteranceId, reason) {
      total++;
      counts.set(kind, (counts.get(kind) ?? 0) + 1);
      const list = first.get(kind)!;
      if (list.length < kept) list.push({ kind, utteranceId, reason: reason.slice(0, longestShown) });
    },
    count: (kind) => counts.get(kind) ?? 0,
    get total() {
      return total;
    },
    listed(most) {
      const places = new Map<SuspicionKind, number>();
      let left = most;
      for (let round = 0; left > 0 && round < kept; round++) {
        for (const kind of suspicionKinds) {
          if (left === 0 || first.get(kind)!.length <= round) continue;
          places.set(kind, round + 1);
          left--;
        }
      }
      return suspicionKinds.flatMap((kind) => first.get(kind)!.slice(0, places.get(kind) ?? 0));
    },
  };
}
