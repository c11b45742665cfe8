import { openWord } from '../../alignment/open-words.ts';

// Sums of money, ranges and measures, as they are said.

/** Words and what stands for each, `kg:kilograms|km:kilometers`. */
export const table = (pairs: string): ReadonlyMap<string, string> =>
  new Map(
    pairs
      .split('|')
      .map((pair) => pair.trim())
      .map((pair) => [pair.slice(0, pair.indexOf(':')), pair.slice(pair.indexOf(':') + 1)]),
  );

const currencies: Readonly<Record<string, string>> = {
  $: 'dollars',
  '£': 'pounds',
  '€': 'euros',
  '¥': 'yen',
  '₹': 'rupees',
  '₩': 'won',
  '₽': 'rubles',
  '₪': 'shekels',
  '₺': 'liras',
  '฿': 'baht',
  '₫': 'dong',
  '₦': 'naira',
  '₱': 'pesos',
  '₴': 'hryvnias',
};
/** Of which one is `a dollar` too. */
const countsSingle = /^(?:dollar|pound|euro|rupee)s$/;
const sign = `[${Object.keys(currencies).join('')}]`;
/** In sums alone (€3,50): elsewhere a comma parts two numbers. */
const decimalComma = new RegExp(`(?<=${sign} ?\\d+),(?=\\d\\d(?![\\d,]))|(?<=\\d),(?=\\d\\d ?${sign}(?! ?\\d))`, 'g');
const centsAlone = new RegExp(`(?<=${sign}) ?\\.(?=\\d\\d(?!\\d))`, 'g');
/** Two figures and a dash; one with a blank before it alone is a minus, and in a row of three or a sum it is none. */
const rangeOf = (figures: string) =>
  new RegExp(
    `(?<![\\p{L}\\p{Sc}\\d.,/:#]|[-‐‒–] ?)(${figures})(?:[-‐‒–] ?| [-‐‒–] )(${figures})(?![\\d/]|[.,:]\\d| ?[-‐‒–=] ?\\d| ?\\p{Sc})`,
    'gu',
  );
const range = rangeOf('\\d+(?:\\.\\d+)?');
const rangeOfTimes = rangeOf('\\d\\d?:[0-5]\\d');
/** Of scores, votes, records and bars of music one figure is said behind the other; `a 3-4 lead`, `lost by 2-3`. */
const noRange =
  /^(?:st|nd|rd|th|d|s)(?!\p{L})|^ (?:win|loss|victory|defeat|draw|tie|lead|vote|decision|record|split|punch|finish|time)(?!\p{L})/u;
const scored =
  /(?<!\p{L})(?:wins?|won|los(?:es?|ing|t)|winning|beat(?:en|s)?|dr[ae]w|defeat(?:ed|s)?|leads?|leading|led|trail(?:ed|ing|s)?|tied|scor(?:es?|ed)(?: (?:of|is|was)|:)?)(?: by)? $/u;
const year = /^(?:1[5-9]|20)\d\d$/;
const mayBeMoney = new RegExp(sign);
const mayBeRange = /\d ?[-‐‒–] ?\d/;
const amount =
  '(\\d+(?:\\.\\d+)?)((?: ?(?:hundred|thousand|million|billion|trillion)| ?(?:bn|tn|mn|[kmb])(?!\\p{L}))*)';
/** `$5`, `5 €` and `$1-2`, with what makes a sum of it larger. */
const money = new RegExp(`(${sign}) ?${amount}(?: ?[-–] ?\\1? ?${amount})?|${amount} ?(${sign})(?! ?[\\d.])`, 'gu');
const sizes = table('k:thousand|m:million|mn:million|b:billion|bn:billion|tn:trillion');

/** Measures that are written short behind a figure. */
const short = table(
  `kg:kilograms|km:kilometers|cm:centimeters|mm:millimeters|mg:milligrams|ml:milliliters|lb:pounds|lbs:pounds|oz:ounces|ft:feet|mi:miles
  |mph:miles per hour|kph:kilometers per hour|kb:kilobytes|mb:megabytes|gb:gigabytes|tb:terabytes|hz:hertz|khz:kilohertz|mhz:megahertz
  |ghz:gigahertz|hr:hours|hrs:hours|min:minutes|mins:minutes|sec:seconds|secs:seconds`,
);
/** Months that are written short, beside a figure. */
export const months = table(
  'jan:january|feb:february|mar:march|apr:april|jun:june|jul:july|aug:august|sep:september|sept:september|oct:october|nov:november|dec:december',
);

/** `$5m` as `5 million dollars`, `$1-2` as `1 to 2 dollars`, `10-12` as `10 to 12`. */
export function moneyInWords(text: string): string {
  const ranged = mayBeRange.test(text) ? text.replace(rangeOfTimes, '$1 to $2').replace(range, rangeInWords) : text;
  if (!mayBeMoney.test(ranged)) return ranged;
  return ranged.replace(decimalComma, '.').replace(centsAlone, '0.').replace(money, sumInWords);
}

function sumInWords(...[, before, low, size, high, larger, alone, its, behind]: readonly string[]): string {
  const inFull = (more: string | undefined) => (more ? ` ${sizes.get(more.trim()) ?? more.trim()}` : '');
  const sum = before === undefined ? `${alone}${inFull(its)}` : `${low}${inFull(size)}`;
  const range = high === undefined ? '' : ` to ${high}${inFull(larger)}`;
  const name = currencies[before ?? behind!]!;
  if (sum === '1' && range === '' && countsSingle.test(name)) return `${openWord('one', 'a')} ${name.slice(0, -1)} `;
  return `${sum}${range} ${name} `;
}

function rangeInWords(found: string, low: string, high: string, place: number, text: string): string {
  const behind = text.slice(place + found.length);
  const isSaid =
    isRange(low, high) && !noRange.test(behind) && !scored.test(text.slice(Math.max(0, place - 30), place));
  return isSaid ? `${low} to ${high}` : found;
}

/**
 * Whether a reader takes two figures for the ends of a range, between which `to` is said: the second is larger (of scores the first mostly is),
 * and they are no name (9-11), telephone number (555-1212, 1-800) or code (482-913): of long ones both are years, round, or alike in all but
 * the last two digits. `10-12` is not `ten twelve`: who says so names two numbers.
 */
function isRange(low: string, high: string): boolean {
  const [from, to] = [Math.trunc(Number(low)).toString(), Math.trunc(Number(high)).toString()];
  if (Number(low) >= Number(high) || /^0\d/.test(low) || /^(?:7|9)-11$/.test(`${low}-${high}`)) return false;
  if (from.length < 3) return to.length <= Math.max(from.length + 1, 2) || to === '100';
  const areRound = /^\d\d0-\d\d0$|^\d+00-\d+00$/.test(`${from}-${to}`);
  const areNear = from.length === to.length && from.slice(0, -2) === to.slice(0, -2);
  return areRound || areNear || (year.test(from) && year.test(to));
}

function isNumber(word: string | undefined): word is string {
  return word !== undefined && word.charCodeAt(0) >= 48 && word.charCodeAt(0) <= 57;
}

/** Words with their sums of money and measures as they are said: most texts have no number, and stay as they are. */
export function sumsAndMeasures(said: readonly string[]): readonly string[] {
  return said.some(isNumber) ? sumsOfMoney(measures(said)) : said;
}

/** `5 kg` as `5 kilograms`, and `jan 5` as `january 5`. */
function measures(said: readonly string[]): readonly string[] {
  return said.flatMap((word, place) => {
    const before = said[place - 1];
    if (word === 'h' && before === 'km' && isNumber(said[place - 2])) return ['per', 'hour'];
    if (isNumber(before)) return (short.get(word) ?? months.get(word) ?? word).split(' ');
    return isNumber(said[place + 1]) ? (months.get(word) ?? word) : word;
  });
}

/** `20 dollars and 50 cents` and `20 dollars 50` as `20.50 dollars`, `0.50 dollars` as `50 cents`, `20.00` as `20`. */
function sumsOfMoney(said: readonly string[]): string[] {
  const kept: string[] = [];
  for (let place = 0; place < said.length; place++) {
    const word = said[place]!;
    const before = kept.at(-1);
    if (before !== undefined && /^\d/.test(before) && /^(?:dollar|pound|euro|cent|rupee)s?$/.test(word)) {
      const unit = word.endsWith('s') ? word : `${word}s`;
      const rest = said.slice(place + 1, place + 4);
      if (rest[0] === 'and') rest.shift();
      const [cents, name] = rest;
      if (
        unit !== 'cents' &&
        cents !== undefined &&
        /^\d{1,2}$/.test(cents) &&
        /^(?:cents?|pence|paise)$/.test(name ?? '')
      ) {
        kept[kept.length - 1] = `${before}.${cents.padStart(2, '0')}`;
        place += said[place + 1] === 'and' ? 3 : 2;
      } else if (unit !== 'cents' && /^\d+$/.test(before) && isChange(said[place + 1], said[place + 2])) {
        kept[kept.length - 1] = `${before}.${said[++place]}`;
      } else if (unit !== 'cents' && /^\d+\.00$/.test(before)) {
        kept[kept.length - 1] = before.slice(0, -3);
      } else if (unit !== 'cents' && /^0\.\d\d$/.test(before)) {
        kept[kept.length - 1] = String(Number(before.slice(2)));
        kept.push(unit === 'pounds' ? 'pence' : unit === 'rupees' ? 'paise' : 'cents');
        continue;
      }
      kept.push(kept.at(-1) === '1' ? unit.slice(0, -1) : unit);
    } else kept.push(word);
  }
  return kept;
}

/** Whether `fifty` behind `three pounds` is of it, and counts nothing else. */
function isChange(word: string | undefined, next: string | undefined): boolean {
  return (
    /^[1-9]\d$/.test(word ?? '') && !/^(?:\d|dollar|pound|euro|rupee|percent|point|million|thousand)/.test(next ?? '')
  );
}
