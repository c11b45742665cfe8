import type { TrialRow } from '../trial-rows.ts';
import { counted, listed } from '../wording.ts';
import type { SoundOrigins } from './sound-origins.ts';

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
  return `Every range is made so that about ${held} of 100 such ranges hold the true number. It is about chance among people like those recorded, and about nothing else.`;
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
        'How many people there are where names are missing: somebody recorded often makes everything look surer than it is.',
      ];
}

/** How the people were chosen: nobody asked them for this study. */
export const chosenByOthers =
  'Who was recorded, and which group somebody belongs to, is as the makers of the recordings decided. Nothing here says that these people stand for all others of their group.';

/** What a group that is not named tells. */
export const notNamedIsNotEqual = 'A group that is not named here is not thereby shown to be served equally well.';

/** Where a difference may come from. */
export const otherCauses =
  'Why there is a difference: it can come from microphones, noise, what was said or how fast, as well as from how a recognizer was made. This compares people as they were recorded.';

export const onlyTheseRecordings = 'Other words, rooms, devices or languages: only these recordings were heard.';

/** Machines speak, but nobody is any of them. */
export function machineSentences({ utterances, machine }: SoundOrigins): string[] {
  if (machine === 0) return [];
  const which =
    machine === utterances
      ? 'All recordings were'
      : `${grouped(machine)} of ${many(utterances, 'recording')} ${machine === 1 ? 'was' : 'were'}`;
  return [
    `${which} spoken by machines: a machine's voice has the sex or accent that its maker names, and shows nothing about people.`,
  ];
}

/** Questions that recognizers gave no answer to. */
export function failureSentences(rows: readonly TrialRow[], unequal: boolean): string[] {
  const asked = rows.reduce((sum, row) => sum + row.asked, 0);
  const failed = rows.reduce((sum, row) => sum + row.failed, 0);
  if (failed === 0) return [];
  const more = unequal
    ? ' They hit some groups more than others, so what is said of mistakes is too good for these.'
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
      ? `All ${of} groups are`
      : `${names.length} of ${counted(of, 'group')} ${names.length === 1 ? 'is' : 'are'}`;
  return [
    `${which} too small (fewer than ${minimumSpeakers} people) or mixed: ${listed(names, 3)}. Nothing is said of them, and they may well be served worse.`,
  ];
}
