import type { NormalizerStep } from '../normalizer.ts';
import { cardinal, ordinal, twoDigits, year } from './numbers.ts';
import { type Groups, rewrite, wordTable } from './rewrite.ts';

/** Names of the months in order. */
export const months = 'january february march april may june july august september october november december'.split(
  ' ',
);

/** A month by its name or its shortened name, for a pattern without regard to case. */
export const monthPattern = String.raw`(?:jan(?:uary|\.)?|feb(?:ruary|\.)?|mar(?:ch|\.)?|apr(?:il|\.)?|may|june?\.?|july?\.?|aug(?:ust|\.)?|sept?(?:ember|\.)?|oct(?:ober|\.)?|nov(?:ember|\.)?|dec(?:ember|\.)?)(?!\p{L})`;

/** Full names of the days by their shortened ones. */
export const weekdays = wordTable(`
  mon monday|tue tuesday|tues tuesday|wed wednesday|weds wednesday|thu thursday|thur thursday|thurs thursday
  fri friday|sat saturday|sun sunday`);

const longestMonth = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

const day = String.raw`(?:3[01]|[12]\d|0?[1-9])(?!\d)`;
const ending = '(?:st|nd|rd|th)(?!\\p{L})';
const yearPart = String.raw`[12]\d{3}(?![\d%]|[.,:]\d)|'\d{2}(?!\d)`;
const start = String.raw`(?<![\p{L}\d$#]|\d[.,/:-])`;

const monthFirst = new RegExp(
  `${start}(?<month>${monthPattern})(?:,? ?(?<the>the )?|-(?=\\d{1,2}(?!\\d)))(?<day>${day})(?<ending>${ending})?(?: ?[-–] ?(?<lastMonth>${monthPattern} )?(?<last>${day})(?:${ending})?|(?<more>(?:, ?${day}(?:${ending})?)*),? and (?<also>${day})(?:${ending})?(?=[.,;!?)]|$))?(?:(?:,? ?(?:of )?|-)(?<year>${yearPart}))?(?![\\d:/%]|[.,]\\d|-\\d)`,
  'giu',
);
const dayFirst = new RegExp(
  `${start}(?<!${monthPattern},? )(?<the>the )?(?<day>${day})(?<ending>${ending})?(?: ?(?:[-–]|to) ?(?<last>${day})(?:${ending})?)?(?<of> of|-)? ?(?<month>${monthPattern})(?:[, -]*(?<year>${yearPart}|(?<=-)\\d{2}(?!\\d)))?(?![\\d:/%]|-\\d)`,
  'giu',
);
const monthYear = new RegExp(
  `${start}(?<month>${monthPattern}),? (?<year>[12]\\d{3}|'\\d{2})(?![\\d%]|[.,:]\\d|-\\d{3})`,
  'giu',
);
const yearFirst = new RegExp(
  `${start}(?<year>[12]\\d{3})(?<sign>[-/.])(?<month>\\d{1,2})\\k<sign>(?<day>\\d{1,2})(?:T(?=\\d{2}:)|(?![\\d/-]|[.]\\d))`,
  'gu',
);
const yearLast = new RegExp(
  `${start}(?<first>\\d{1,2})(?<sign>[-/.])(?<second>\\d{1,2})\\k<sign>(?<year>[12]\\d{3}|\\d{2})(?![\\d/-]|[.]\\d)`,
  'gu',
);

// "May" and "march" are verbs as well, and "mar" and "dec" parts of other things: in small letters they need more of a date.
function isMonth({ month, ending: suffix, year: written }: Groups, before: string): boolean {
  if (month === undefined) return false;
  if (/^\p{Lu}/u.test(month) || written !== undefined || suffix !== undefined) return true;
  return (
    !/^(?:may|march|mar|jun|sep)$/.test(month) ||
    /\b(?:on|since|until|till|by|from|before|after|of|last|next|this) $/.test(before)
  );
}

const sayYear = (written: string | undefined) => {
  if (written === undefined) return '';
  if (written.length === 4) return ` ${year(written)}`;
  const short = written.replace("'", '');
  // "Ten" or "nineteen" alone would be heard as part of the day.
  return /^(?:00|[12]\d)$/.test(short) ? ` ${year(`20${short}`)}` : ` ${twoDigits(short)}`;
};

const upTo = (last: string | undefined, month: string | undefined) =>
  last === undefined ? '' : ` to ${month === undefined ? '' : `${monthName(month.trim())} `}${ordinal(last)}`;

/** Further days of the same month: "May 1, 2, and 3". */
function sayFurther({ more, also }: Groups): string {
  if (also === undefined) return '';
  const between = (more ?? '').match(/\d+/g) ?? [];
  return `${between.map((one) => ` ${ordinal(one)}`).join('')} and ${ordinal(also)}`;
}

function sayNumeric(month: string, dayOfMonth: string, written: string): string | undefined {
  if (!isDay(Number(month), Number(dayOfMonth))) return undefined;
  return `${months[Number(month) - 1]} ${ordinal(dayOfMonth)}${sayYear(written)}`;
}

/** Day and month as the order of the figures allows: with dots day first, else the American order where it is possible. */
function sayYearLast({ first, second, sign, year: written }: Groups): string | undefined {
  if (sign === '.' && written!.length === 2 && (first!.length < 2 || second!.length < 2)) return undefined;
  const dayLeads = sign === '.' || Number(first) > 12;
  return dayLeads ? sayNumeric(second!, first!, written!) : sayNumeric(first!, second!, written!);
}

/**
 * Dates with a month: "may third twenty twenty one" where the month stands first or all is figures, "the third of may"
 * where the day does. Of two figures 10 to 29 are years of this
 * century, others are said as written ("oh five", "ninety nine").
 */
export const dates: NormalizerStep = {
  step: 'dates',
  apply(text) {
    let said = rewrite(text, yearFirst, ({ month, day: dayOfMonth, year: written }) =>
      sayNumeric(month!, dayOfMonth!, written!),
    );
    said = rewrite(said, yearLast, sayYearLast);
    said = rewrite(said, dayFirst, (groups, { before }) => {
      if (!isMonth(groups, before)) return undefined;
      return `the ${ordinal(groups.day!)}${upTo(groups.last, undefined)} of ${monthName(groups.month!)}${sayYear(groups.year)}`;
    });
    said = rewrite(said, monthFirst, (groups, { before }) => {
      if (!isMonth(groups, before)) return undefined;
      return `${monthName(groups.month!)} ${groups.the ?? ''}${ordinal(groups.day!)}${upTo(groups.last, groups.lastMonth)}${sayFurther(groups)}${sayYear(groups.year)}`;
    });
    return rewrite(said, monthYear, (groups) => `${monthName(groups.month!)}${sayYear(groups.year)}`);
  },
};

/** The full name of a month written by `monthPattern`. */
export function monthName(written: string): string {
  const start = written.slice(0, 3).toLowerCase();
  return months.find((month) => month.startsWith(start))!;
}

/** Whether a calendar has this day in some year. */
export function isDay(month: number, day: number): boolean {
  return day >= 1 && day <= (longestMonth[month - 1] ?? 0);
}

const half = String.raw` ?(?:[ap]\.m\.|[ap]\.?m)(?![\p{L}\d])`;
const clock = (name: string) =>
  String.raw`(?<${name}Hour>[01]?\d|2[0-4])(?!\d)(?:(?<${name}Sign>[:.])(?<${name}Minute>[0-5]\d)(?::(?<${name}Second>[0-5]\d))?(?!\d))?(?<${name}Half>${half})?`;
const timeStart = String.raw`(?<![\p{L}\d$€£#]|\d[.,/:-])`;
const stop = String.raw`(?![\p{L}\d:%/]|[.,]\d|-\d)`;
const range = new RegExp(`${timeStart}${clock('from')} ?[-–] ?${clock('to')}${stop}`, 'giu');
const single = new RegExp(`${timeStart}${clock('at')}(?<zone>Z(?![\\p{L}\\d]))?${stop}`, 'giu');
const military =
  /(?<![\p{L}\d$€£#]|\d[.,/:-])(?<hour>[01]\d|2[0-3])(?<minute>[0-5]\d) ?(?<unit>hours|hrs?\.?|h)(?!\p{L})/giu;
const spent =
  /(?<![\p{L}\d]|\d[.,:/-])(?=\d{1,3} ?[hm])(?:(?<hours>\d{1,3}) ?h(?:rs?)?\.? ?)?(?:(?<minutes>\d{1,3}) ?m(?:in)?\.?)?(?: ?(?<seconds>\d{1,2}) ?s(?:ec)?\.?)?(?![\p{L}\d])/gu;
const spentHours = /(?<![\p{L}\d]|\d[.,:/-])(?<hours>\d{1,2}) ?h(?<minutes>[0-5]\d)(?![\p{L}\d])/gu;
const repeated = /(?<=o'clock) o'?clock(?!\p{L})/giu;

function sayClock(groups: Groups, name: string): string | undefined {
  const hour = groups[`${name}Hour`]!;
  const minute = groups[`${name}Minute`];
  const second = groups[`${name}Second`];
  const morning = groups[`${name}Half`]?.replaceAll(/[ .]/g, '').toLowerCase().split('').join(' ');
  if (minute === undefined && morning === undefined) return undefined;
  if (groups[`${name}Sign`] === '.' && morning === undefined) return undefined;
  const words = cardinal(hour);
  const even = minute === undefined || Number(minute) === 0;
  let said = even ? words : `${words} ${twoDigits(minute)}`;
  if (even && morning === undefined) said += Number(hour) >= 1 && Number(hour) <= 12 ? " o'clock" : ' hundred';
  if (second !== undefined && Number(second) > 0) {
    said += ` and ${cardinal(second)} ${Number(second) === 1 ? 'second' : 'seconds'}`;
  }
  return morning === undefined ? said : `${said} ${morning}`;
}

const counted = (digits: string, unit: string) => `${cardinal(digits)} ${unit}${Number(digits) === 1 ? '' : 's'}`;

/**
 * Times of day: 7:05 "seven oh five", 10:00 "ten o'clock", 14:00 "fourteen hundred", 5 p.m. "five p m". A dot between
 * hours and minutes counts only before "am" or "pm".
 */
export const times: NormalizerStep = {
  step: 'times',
  apply(text) {
    const ranges = rewrite(text, range, (groups) => {
      const until = sayClock(groups, 'to');
      const bare = groups.fromMinute === undefined && groups.fromHalf === undefined;
      const from = bare && until !== undefined ? cardinal(groups.fromHour!) : sayClock(groups, 'from');
      if (from === undefined) return undefined;
      if (until !== undefined) return `${from.replace(" o'clock", groups.toHalf ? '' : " o'clock")} to ${until}`;
      return undefined;
    });
    const hours = rewrite(ranges, military, ({ hour, minute }) => {
      const head = `${hour!.startsWith('0') ? 'zero ' : ''}${hour === '00' ? 'zero' : cardinal(hour!)}`;
      return `${head} ${minute === '00' ? 'hundred' : twoDigits(minute!)} hours`;
    });
    const withHours = rewrite(hours, spentHours, ({ hours: whole, minutes }) => {
      const rest = Number(minutes) === 0 ? '' : ` ${counted(minutes!, 'minute')}`;
      return `${counted(whole!, 'hour')}${rest}`;
    });
    const spans = rewrite(withHours, spent, (groups) => {
      const parts = ['hours', 'minutes', 'seconds'].filter((part) => groups[part] !== undefined);
      if (parts.length < 2) return undefined;
      return parts.map((part) => counted(groups[part]!, part.slice(0, -1))).join(' ');
    });
    return rewrite(spans, single, (groups) => {
      const said = sayClock(groups, 'at');
      return said && groups.zone ? `${said} z` : said;
    })
      .replace(repeated, '')
      .replace(/(?<=noon|midnight) ?[-–] ?(?=\p{L})/gu, ' to ');
  },
};
