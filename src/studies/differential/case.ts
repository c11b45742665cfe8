import { rover } from '../../scoring/agreement/rover.ts';
import { countCharacterEdits } from '../../scoring/alignment/characters.ts';
import type { Normalizer } from '../../scoring/normalizers/normalizer.ts';
import { variantRewriter } from '../../scoring/spellings/spellings.ts';
import type { DifferentialOptions } from './options.ts';

/** As findings name it, those of verified and of compared cases too. A change of a finding raises the version. */
export const study = { name: 'differential', version: 17 };

/** What became of one recognizer's answer to one spoken text. */
export const caseStatuses = ['success', 'failed', 'indeterminable'] as const;

/**
 * - `success`: the transcript says the text
 * - `failed`: it does not, although another recognizer's does: the sound can be understood
 * - `indeterminable`: no transcript says the text; the synthesizer may be at fault as well as all recognizers
 */
export type CaseStatus = (typeof caseStatuses)[number];

/** By which rule a transcript says a text: see the options of the study. */
export type CaseRule = 'exact' | 'tolerant' | 'majority';

/** Where the sound of a case is found again: as `Trial` and `Example` name it. */
export interface CaseSound {
  readonly utteranceId: string;
  /** `clean`, or the name of what was done to the synthesized sound. */
  readonly conditionName: string;
  readonly draw: number;
}

/**
 * One row of a differential test: what one recognizer made of one text, spoken by one voice (CrossASR, ICSME 2020, section
 * II: text, sound, recognizer, transcript, status). Only recognitions that gave a transcript make rows.
 */
export interface DifferentialCase {
  /** As it was compared: normalized words with single blanks between them. */
  readonly text: string;
  /** Who speaks: `<synthesizer>:<voice>`; `recorded` for sound that nobody synthesized. */
  readonly voice: string;
  /** Its name in the run. */
  readonly recognizer: string;
  /** As it was compared: normalized like the text. May be empty. */
  readonly transcript: string;
  /** By the rule that the study searched with. */
  readonly status: CaseStatus;
  readonly sound: CaseSound;
  /** In which iteration of the search it was tried, from 1; null where it was asked to know the whole pool. */
  readonly iteration: number | null;
  /** By the other rules. */
  readonly otherwise: Readonly<Partial<Record<CaseRule, CaseStatus>>>;
}

/** Statuses of the recognizers by every rule, in their order; null for one that gave no transcript. */
export type Judgement = Readonly<Record<CaseRule, readonly (CaseStatus | null)[]>>;

/**
 * What became of each recognizer's answer to one spoken text. Success if the transcript says the text; failed if it does not and
 * another's does; all indeterminable if none does (CrossASR, section II: the printed formula of its second case is turned
 * round, the sentence before it is meant). By the rule `majority` the words that most wrote stand for the text; where there are no
 * such words all are indeterminable.
 *
 * @param text normalized words with single blanks between them
 * @param transcripts normalized alike; null where a recognizer gave none
 * @example judgeText('a cat', ['a cat', 'a hat', null], says).exact // ['success', 'failed', null]
 */
export function judgeText(text: string, transcripts: readonly (string | null)[], tolerant: SaysText): Judgement {
  const answered = transcripts.filter((transcript) => transcript !== null);
  const majority = majorityText(answered.map((transcript) => transcript.split(' ').filter((word) => word !== '')));
  // Where most wrote nothing there is no text to be right about.
  const most = majority === null || majority.length === 0 ? null : majority.join(' ');
  return {
    exact: statuses(transcripts, (transcript) => transcript === text, false),
    tolerant: statuses(transcripts, (transcript) => transcript === text || tolerant(text, transcript), false),
    majority: statuses(transcripts, (transcript) => transcript === most, most !== null),
  };
}

function statuses(
  transcripts: readonly (string | null)[],
  says: (transcript: string) => boolean,
  known: boolean,
): (CaseStatus | null)[] {
  const right = transcripts.map((transcript) => (transcript === null ? null : says(transcript)));
  const determinable = known || right.includes(true);
  return right.map((one) => {
    if (one === null) return null;
    if (!determinable) return 'indeterminable';
    return one ? 'success' : 'failed';
  });
}

/** Longer transcripts are garbage, and setting them against each other takes square time. */
const maxWords = 2000;

/**
 * What most recognizers wrote, word by word: a text in place of the one that was to be spoken, so that what a synthesizer gets
 * wrong is not held against the recognizers. Null where at some place no word (or none) has more than half of the transcripts,
 * with fewer than two transcripts, and where one is longer than 2,000 words. A majority is no truth: recognizers trained alike share
 * their errors.
 *
 * @param transcripts words of each recognizer that answered
 * @example majorityText([['a', 'cat'], ['a', 'hat'], ['the', 'hat']]) // ['a', 'hat']
 */
export function majorityText(transcripts: readonly (readonly string[])[]): readonly string[] | null {
  if (transcripts.length < 2 || transcripts.some(({ length }) => length > maxWords)) return null;
  const { sets, words } = rover(transcripts.map((one) => ({ words: one })));
  return sets.every(({ winner }) => 2 * winner.votes > transcripts.length) ? words : null;
}

/** Whether a transcript says a text, by a rule that overlooks spelling. */
export type SaysText = (text: string, transcript: string) => boolean;

/**
 * Takes for the same what differs only in accepted variants, in blanks, or in few letters: CrossASR's people found that
 * "taxpayers" and "tax payers" make failed tests that are none (section IV, false positives). A transcript twenty times as long as
 * the text is never the same, and is not looked at.
 *
 * @param normalizer of this rule
 * @example
 * const says = tolerantRule({ variants: [['colour', 'color']], ignoreBlanks: true, distance: 0 }, english);
 * says('the taxpayers', 'the tax payers') // true
 */
export function tolerantRule(
  { variants, ignoreBlanks, distance }: Omit<DifferentialOptions['tolerant'], 'normalizer'>,
  normalizer: Normalizer,
): SaysText {
  const rewrite = variantRewriter(variants.map((spellings) => spellings.map((one) => normalizer.words(one))));
  const wordsOf = (text: string) => {
    const words = rewrite(normalizer.words(text));
    return ignoreBlanks ? [words.join('')] : words;
  };
  return (text, transcript) => {
    if (transcript.length > 1000 + 20 * text.length) return false;
    const said = wordsOf(text);
    const written = wordsOf(transcript);
    const [reference, hypothesis] = [said.join(' '), written.join(' ')];
    if (reference === hypothesis) return true;
    const allowed = distance * [...reference].length;
    // Each edit changes the length (in code units) by two at most.
    if (distance === 0 || Math.abs(reference.length - hypothesis.length) > 2 * allowed) return false;
    const { substitutions, deletions, insertions } = countCharacterEdits(said, written);
    return substitutions + deletions + insertions <= allowed;
  };
}
