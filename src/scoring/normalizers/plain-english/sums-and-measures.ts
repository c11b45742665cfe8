// Sums of money and measures, as they are said.

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
const sign = `[${Object.keys(currencies).join('')}]`;
/** In sums alone (€3,50): elsewhere a comma parts two numbers. */
const decimalComma = new RegExp(`(?<=${sign} ?\\d+),(?=\\d\\d(?![\\d,]))|(?<=\\d),(?=\\d\\d ?${sign}(?! ?\\d))`, 'g');
/** Before a unit `to` is said within a range. */
const measuredRange =
  /(?<![\p{L}\d.,-])(\d+(?:\.\d+)?)[-–](?=\d+(?:\.\d+)? ?(?:%|(?:per ?cent|dollars|pounds|euros|cents|pence)(?!\p{L})))/gu;
const mayBeMoney = new RegExp(sign);
const mayBeRange = /\d[-–]\d/;
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
const months = table(
  'jan:january|feb:february|mar:march|apr:april|jun:june|jul:july|aug:august|sep:september|sept:september|oct:october|nov:november|dec:december',
);

/** `$5m` as `5 million dollars`, `$1-2` as `1 to 2 dollars`, `10-20%` as `10 to 20%`. */
export function moneyInWords(text: string): string {
  const ranged = mayBeRange.test(text) ? text.replace(measuredRange, '$1 to ') : text;
  return mayBeMoney.test(ranged) ? ranged.replace(decimalComma, '.').replace(money, sumInWords) : ranged;
}

function sumInWords(...[, before, low, size, high, larger, alone, its, behind]: readonly string[]): string {
  const inFull = (more: string | undefined) => (more ? ` ${sizes.get(more.trim()) ?? more.trim()}` : '');
  const sum = before === undefined ? `${alone}${inFull(its)}` : `${low}${inFull(size)}`;
  const range = high === undefined ? '' : ` to ${high}${inFull(larger)}`;
  return `${sum}${range} ${currencies[before ?? behind!]} `;
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
      kept.push(unit);
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
