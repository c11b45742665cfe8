import type { NormalizerStep } from '../normalizer.ts';
import { monthName, monthPattern, weekdays } from './calendar.ts';
import { anyOf, rewrite } from './rewrite.ts';

const name = anyOf(weekdays.keys());
const weekday = new RegExp(`(?<!\\p{L})(?<name>${name})(?!\\p{L})(?<dot>\\.)?`, 'giu');
const loneMonth = new RegExp(`(?<!\\p{L})(?<month>${monthPattern})`, 'giu');
const monthRange = new RegExp(`(?<=(?<!\\p{L})(?:${monthPattern})\\.?) ?[-–] ?(?=(?:${monthPattern}))`, 'giu');
const dateAfter = new RegExp(`^,? (?:${monthPattern}|(?:the )?\\d|the (?:\\p{L}+ ){1,2}of ${monthPattern})`, 'iu');
const otherMonth = new RegExp(`^ to ${monthPattern}`, 'iu');
const otherDay = new RegExp(`^ ?[-–/&,] ?(?:and )?(?:${name})(?!\\p{L})`, 'iu');
const otherDayBefore = new RegExp(`(?:${name})\\.? ?[-–/&,] ?(?:and )?$`, 'iu');
const words = new Set(['sat', 'sun']);

/** Shortened names of days and months; "sat", "sun", "wed", "mar" and "dec" only where a date or another day is near. */
export const dayNames: NormalizerStep = {
  step: 'names of days and months',
  apply(text) {
    const days = rewrite(text, weekday, ({ name: short, dot }, { before, after }) => {
      const full = weekdays.get(short!.toLowerCase());
      if (!/^\p{Lu}/u.test(short!)) return undefined;
      const near = dateAfter.test(after) || otherDay.test(after) || otherDayBefore.test(before);
      const sure = dot !== undefined && !words.has(short!.toLowerCase());
      return near || sure || /\b(?:on|last|next|this|every) $/i.test(before) ? full : undefined;
    });
    const ranged = days.replace(/(?<=day) ?[-–] ?(?=\p{L}+day(?!\p{L}))/gu, ' to ');
    return rewrite(ranged.replace(monthRange, ' to '), loneMonth, ({ month }, { before, after }) => {
      if (!/^\p{Lu}/u.test(month!) || /^(?:may|june|july)$/i.test(month!)) return undefined;
      if (month!.endsWith('.') || /^Sept$/i.test(month!)) return monthName(month!);
      const near =
        /\b(?:in|since|until|till|by|last|next|this|early|late|mid)[ -]$/i.test(before) ||
        /^ \d/.test(after) ||
        otherMonth.test(after);
      return near && month!.length < 5 ? monthName(month!) : undefined;
    });
  },
};
