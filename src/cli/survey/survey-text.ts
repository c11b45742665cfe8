import { printable } from '../../base/printable.ts';
import { counted } from '../../base/wording.ts';

import { listed } from '../../studies/shared/wording.ts';
import type { Survey } from './survey.ts';

const namesOfLanguages = new Intl.DisplayNames(['en'], { type: 'language' });

const shownGroups = 5;
const shownValues = 5;

/** What was found, in a few lines for people. */
export function surveyText(found: Survey, path: string): string[] {
  const { clips, texts } = found.whole ?? found;
  const { speakers, minutes, minutesEstimated, groups, what, whoSpeaks, notes } = found;
  const words =
    texts === clips ? 'all with references' : texts === 0 ? 'none with references' : `${texts} with references`;
  const people = speakers === 0 ? 'speakers unknown' : counted(speakers, 'speaker');
  const length = `${minutesEstimated ? 'about ' : ''}${minutesText(minutes)}`;
  const shown = groups.slice(0, shownGroups).map(({ name, values }) => {
    const listed = values.slice(0, shownValues).map(([value, count]) => `${printable(value, 30)} ${count}`);
    return `${printable(name, 40)} (${listed.join(', ')}${values.length > shownValues ? ', …' : ''})`;
  });
  const more = groups.length > shownGroups ? `, and ${groups.length - shownGroups} more` : '';
  return [
    `Found ${path === '.' ? 'here' : `in ${printable(path)}`}: ${counted(clips, 'recording')}, ${length}, ${words}, ${people}.${whoSpeaks === null ? '' : ` ${whoSpeaks}`}`,
    `Read as ${what}.`,
    ...(shown.length > 0 ? [`Groups: ${shown.join(', ')}${more}.`] : []),
    `${languagesText(found.languages)} (${languageReason(found)}).`,
    ...notes,
  ];
}

const shownLanguages = 12;

/** @example languagesText(['de', 'en']) // 'Languages: de, en' */
export function languagesText(languages: readonly string[]): string {
  const more = languages.length > shownLanguages ? `, and ${languages.length - shownLanguages} more` : '';
  return `${languages.length === 1 ? 'Language' : 'Languages'}: ${languages.slice(0, shownLanguages).join(', ')}${more}`;
}

function languageReason({ languageFrom, languageOthers, languageColumn, languages }: Survey): string {
  switch (languageFrom) {
    case 'its script': {
      const others = languageOthers.map((tag) => namesOfLanguages.of(tag) ?? tag);
      return `guessed from the script${others.length === 0 ? '' : `, which is that of ${listed(others)} too`}; change it with --language`;
    }
    case 'the option':
      return 'as given';
    case 'the data':
      return languages.length > 1 && languageColumn !== null
        ? `column ${JSON.stringify(printable(languageColumn, 60))}`
        : 'as the data says';
    case 'its words':
      return 'guessed from the text; change it with --language';
    case 'a guess':
      return 'assumed; change it with --language TAG';
  }
}

/** @example minutesText(0.545) // '33 s' */
export function minutesText(minutes: number): string {
  if (minutes < 2) return `${Math.round(minutes * 60)} s`;
  return minutes < 120 ? `${minutes.toFixed(minutes < 10 ? 1 : 0)} minutes` : `${(minutes / 60).toFixed(1)} hours`;
}
