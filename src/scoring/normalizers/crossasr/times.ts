import type { NormalizerStep } from '../normalizer.ts';
import { cardinal, twoDigits } from './numbers.ts';
import { type Groups, rewrite } from './rewrite.ts';

const half = String.raw` ?(?:[ap]\.m\.|[ap]\.?m)(?![\p{L}\d])`;
const clock = (name: string) =>
  String.raw`(?<${name}Hour>[01]?\d|2[0-4])(?!\d)(?:(?<${name}Sign>[:.])(?<${name}Minute>[0-5]\d)(?::(?<${name}Second>[0-5]\d))?(?!\d))?(?<${name}Half>${half})?`;
const start = String.raw`(?<![\p{L}\d$€£#]|\d[.,/:-])`;
const stop = String.raw`(?![\p{L}\d:%/]|[.,]\d|-\d)`;
const range = new RegExp(`${start}${clock('from')} ?[-–] ?${clock('to')}${stop}`, 'giu');
const single = new RegExp(`${start}${clock('at')}(?<zone>Z(?![\\p{L}\\d]))?${stop}`, 'giu');
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
