import type { Comparison, PlainClaim } from '../../model/finding.ts';
import type { StudyContext } from '../contract.ts';
import type { TrialRow } from './failures.ts';
import { counted, listed } from './wording.ts';

/** A count with commas between thousands and its noun: `1,712 recordings`. */
export function many(count: number, noun: string, plural = `${noun}s`): string {
  return `${grouped(count)} ${count === 1 ? noun : plural}`;
}

function grouped(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** How ranges are to be read. */
export function rangeSentence(level: number): string {
  const held = (100 * level).toFixed(level < 0.99 ? 0 : 1).replace(/\.0$/, '');
  return `Each range is a ${held} % confidence interval: about ${held} of 100 such ranges contain the true number. It covers chance among people like those recorded, and nothing else.`;
}

/**
 * How often chance may make a difference that is named.
 *
 * @param families comparisons that were corrected together, by what they are of
 */
export function chanceSentence(
  families: readonly { readonly comparisons: number; readonly of: string }[],
  level: number,
): string {
  const rate = (100 * (1 - level)).toFixed(1).replace(/\.0$/, '');
  const looks = families.map(({ comparisons, of }) => `${many(comparisons, 'comparison')} ${of}`).join(' and ');
  const each = families.length > 1 ? ', for each kind by itself' : '';
  const all = families.reduce((sum, { comparisons }) => sum + comparisons, 0);
  const selected =
    all > 1 ? ' What is named is the largest of many, and the largest of many tends to look larger than it is.' : '';
  const verb = families[0]?.comparisons === 1 ? 'was' : 'were';
  return `There ${verb} ${looks}; the more one looks, the more chance offers, and this was taken into account${each}. A difference is named only where its whole range lies on one side, and where, if groups made no difference, chance would name any at all in at most ${rate} of 100 such studies.${selected}`;
}

/** How many people were recorded; those without a name count each as a person. */
export function peopleSentence(people: number, recordings: number, withoutName: number): string {
  const heard = many(recordings, 'recording');
  if (withoutName === recordings) return `${heard}. Who speaks in them is not known.`;
  const unnamed = withoutName > 0 ? ` (each of the ${withoutName} without a name counts as a person)` : '';
  return `${many(people, 'person', 'people')} in ${heard}${unnamed}.`;
}

/** What names that are missing hide. */
export function unnamedSentence(withoutName: number): string[] {
  return withoutName === 0
    ? []
    : [
        'How many people there are where names are missing: if one person was recorded often, all results seem more certain than they are.',
      ];
}

/** How the people were chosen: nobody asked them for this study. */
export const chosenByOthers =
  'The makers of the recordings decided who was recorded, and who belongs to which group. Nothing here shows that these people represent all others of their group.';

/** What a group that is not named tells. */
export const notNamedIsNotEqual = 'That a group is not named here does not show that it has no more mistakes.';

/** Where a difference may come from. */
export const otherCauses =
  'Why there is a difference: it can come from microphones, noise, what was said or how fast, as well as from the recognizer itself. This compares people as they were recorded.';

export const onlyTheseRecordings = 'Other words, rooms, devices or languages: only these recordings were used.';

/** Machines speak, but nobody is any of them. */
export function machineSentences({ utterances, machine }: SoundOrigins): string[] {
  if (machine === 0) return [];
  const which =
    machine === utterances
      ? 'All recordings were'
      : `${grouped(machine)} of ${many(utterances, 'recording')} ${machine === 1 ? 'was' : 'were'}`;
  return [
    `${which} spoken by machines: the sex or accent of a machine's voice is what its maker says, and shows nothing about people.`,
  ];
}

/** Questions that recognizers gave no answer to. */
export function failureSentences(rows: readonly TrialRow[], unequal: boolean): string[] {
  const asked = rows.reduce((sum, row) => sum + row.asked, 0);
  const failed = rows.reduce((sum, row) => sum + row.failed, 0);
  if (failed === 0) return [];
  const more = unequal
    ? ' They affect some groups more than others, so for these groups the numbers of mistakes are too low.'
    : '';
  return [
    `${grouped(failed)} of ${many(asked, 'time')} a recognizer gave no answer at all. These are in no number above.${more}`,
  ];
}

/** Groups that are too small, in words. */
export function smallGroupSentence(names: readonly string[], of: number, minimumSpeakers: number): string[] {
  if (names.length === 0) return [];
  const which =
    names.length === of
      ? `${of === 2 ? 'Both' : `All ${of}`} groups are`
      : `${names.length} of ${counted(of, 'group')} ${names.length === 1 ? 'is' : 'are'}`;
  return [
    `${which} too small (fewer than ${minimumSpeakers} people) or mixed: ${listed(names, 3)}. They have no result here, and may well have more mistakes.`,
  ];
}

/** The words of a claim. */
interface ClaimWords {
  /** Begins the sentence where a difference was shown: `Women are misheard more often than everybody`. */
  readonly more: string;
  readonly fewer: string;
  /** Completes `We cannot tell whether …`: `women are misheard more or less often than everybody`. */
  readonly whether: string;
  /** What the range counts: `mistakes in 100 words`. */
  readonly unit: string;
  /** Stands before the range where there is more to say: `18.1 mistakes in 100 words against 9.0`. */
  readonly numbers?: string;
}

/**
 * A comparison in words for everybody. A difference is named only where the verdict says so and the whole interval lies on its
 * side; an interval that reaches over nothing is told with both its ends; where there is none, the reason stands in its place.
 */
export function plainClaim({ difference, verdict, reason }: Comparison, words: ClaimWords): PlainClaim {
  const { low, high } = difference;
  if (low === null || high === null) {
    const why = reason ?? difference.reason;
    return {
      text: `We cannot tell whether ${words.whether}${why === undefined ? '' : ` (${why})`}.`,
      verdict: 'cannot tell',
    };
  }
  const numbers = words.numbers === undefined ? '' : `${words.numbers}; `;
  const range = rangeOfHundred(low, high);
  const counted = `${range.replace(/ (more|fewer)$/, '')} ${range.endsWith('more') ? 'more' : 'fewer'} ${words.unit}`;
  if (verdict === 'worse' && low > 0) return { text: `${words.more}: ${numbers}very likely ${counted}.`, verdict };
  if (verdict === 'better' && high < 0) return { text: `${words.fewer}: ${numbers}very likely ${counted}.`, verdict };
  return {
    text: `We cannot tell whether ${words.whether}: these recordings fit ${range} ${words.unit}.`,
    verdict: 'cannot tell',
  };
}

/**
 * A share as a count of a hundred, for readers to whom percent and points are strange.
 *
 * @example ofHundred(0.0714) // '7.1'
 */
export function ofHundred(share: number): string {
  const count = Math.abs(100 * share);
  return count > 0 && count < 0.95 ? count.toFixed(2) : count.toFixed(1);
}

/**
 * What a difference may be, from one end of its interval to the other: a range on one side of nothing, or one that holds both.
 *
 * @example rangeOfHundred(0.01, 0.05) // 'between 1.0 and 5.0 more'
 * @example rangeOfHundred(-0.01, 0.05) // 'anything from 1.0 fewer to 5.0 more'
 */
export function rangeOfHundred(low: number, high: number): string {
  if (low > 0) return `between ${ofHundred(low)} and ${ofHundred(high)} more`;
  if (high < 0) return `between ${ofHundred(high)} and ${ofHundred(low)} fewer`;
  return `anything from ${ofHundred(low)} fewer to ${ofHundred(high)} more`;
}

/** Who spoke the utterances: people, as far as recordings tell, or machines. */
export interface SoundOrigins {
  readonly utterances: number;
  /** Spoken by a synthesizer. */
  readonly machine: number;
}

export async function soundOrigins({ utterances }: Pick<StudyContext, 'utterances'>): Promise<SoundOrigins> {
  const counts = { utterances: 0, machine: 0 };
  for await (const { sound } of utterances()) {
    counts.utterances++;
    if (sound !== undefined && 'synthesizer' in sound) counts.machine++;
  }
  return counts;
}
