/** Names of the months in order. */
export const months = 'january february march april may june july august september october november december'.split(
  ' ',
);

/** A month by its name or its shortened name, for a pattern without regard to case. */
export const monthPattern = String.raw`(?:jan(?:uary|\.)?|feb(?:ruary|\.)?|mar(?:ch|\.)?|apr(?:il|\.)?|may|june?\.?|july?\.?|aug(?:ust|\.)?|sept?(?:ember|\.)?|oct(?:ober|\.)?|nov(?:ember|\.)?|dec(?:ember|\.)?)(?!\p{L})`;

/** The full name of a month written by `monthPattern`. */
export function monthName(written: string): string {
  const start = written.slice(0, 3).toLowerCase();
  return months.find((month) => month.startsWith(start))!;
}

/** Full names of the days by their shortened ones. */
export const weekdays: ReadonlyMap<string, string> = new Map([
  ['mon', 'monday'],
  ['tue', 'tuesday'],
  ['tues', 'tuesday'],
  ['wed', 'wednesday'],
  ['weds', 'wednesday'],
  ['thu', 'thursday'],
  ['thur', 'thursday'],
  ['thurs', 'thursday'],
  ['fri', 'friday'],
  ['sat', 'saturday'],
  ['sun', 'sunday'],
]);

const longestMonth = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** Whether a calendar has this day in some year. */
export function isDay(month: number, day: number): boolean {
  return day >= 1 && day <= (longestMonth[month - 1] ?? 0);
}
