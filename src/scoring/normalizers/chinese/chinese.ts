import { makeNormalizer, type NormalizerStep, whiteSpace } from '../normalizer.ts';
import { withoutRemarks } from '../written/remarks.ts';
import { writtenAlike } from '../written/written.ts';

const figures = '零一二三四五六七八九';
const places = ['', '十', '百', '千'];
const groups = ['', '万', '亿', '万亿', '亿亿'];

const number = String.raw`(?:[1-9]\d{0,2}(?:,\d{3})+(?!\d)(?:\.\d+)?|\d+(?:\.\d+)?)`;
const start = String.raw`(?<![\d]|\d[.,])`;
const scale = '[十百千万亿]{0,2}';
const until = ' ?(?:-|–|—|~|至|到) ?';
const month = '(?:0?[1-9]|1[0-2])';
const day = '(?:0?[1-9]|[12]\\d|3[01])';

const characters = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Bopomofo}`;
const bearing = `${characters}○`;
const blanksOfFigures = new RegExp(
  [
    `(?<=[${bearing}]) (?=[${bearing}\\d])`,
    `(?<=\\d) (?=[${bearing}%‰])`,
    `(?<=[${bearing}\\d]) (?=[:/] ?\\d)`,
    `(?<=[${bearing}\\d] ?[:/]) (?=\\d)`,
  ].join('|'),
  'gu',
);

const fullDate = new RegExp(`(?<!\\d)(\\d{4})([-/.])(${month})\\2(${day})(?!\\d)`, 'g');
const years = new RegExp(
  `${start}(\\d{4})${until}(?=\\d{4}年)|${start}(\\d{4}|\\d{2}(?=年${month}月))(?=年(?!度?[的]?(?:时间|历史)))`,
  'g',
);
const clock = /(?<!\d[:.]?)([01]?\d|2[0-4]):([0-5]\d)(?::([0-5]\d))?(?!:?\d)/g;
const mobile =
  /(?<!\d)(?:\+?86[- ]?)?1[3-9]\d[- ]?\d{4}[- ]?\d{4}(?!\d)|(?<!\d)0?\d{2,3}-\d{7,8}(?!\d)|(?<!\d)\d{3,4}(?:-\d{3,4}){2}(?!\d)/g;
const coded = /(?<=(?:电话|號碼|号码|手机|热线|密码|邮编|编号|拨打|qq|账号)[是为:：]? ?)\d{3,}(?!\d|[.,]\d)/g;
const share = new RegExp(`${start}(-)?(${number})(?:(%|‰)?${until}(${number}))?(%|‰)`, 'g');
const fraction = /(?<![\d./])(\d{1,6})\/(\d{1,6})(?![\d/])/g;
const currencies: Readonly<Record<string, string>> = {
  '¥': '元',
  $: '美元',
  '€': '欧元',
  '£': '英镑',
  hk$: '港元',
  us$: '美元',
  '₩': '韩元',
  '₽': '卢布',
};
const ofMoney = 'hk\\$|us\\$|[¥$€£₩₽]';
const money = new RegExp(
  `(${ofMoney}) ?(${number})(${scale})(?:元)?|(${number})(${scale}) ?(${ofMoney})(?! ?\\d)`,
  'g',
);
const units: Readonly<Record<string, string>> = {
  km: '公里',
  cm: '厘米',
  mm: '毫米',
  nm: '纳米',
  kg: '公斤',
  mg: '毫克',
  l: '升',
  ml: '毫升',
  'km/h': '公里每小时',
  'm/s': '米每秒',
  km2: '平方公里',
  m2: '平方米',
  cm2: '平方厘米',
  m3: '立方米',
  '°c': '摄氏度',
  '°f': '华氏度',
  '°': '度',
  hz: '赫兹',
  khz: '千赫',
  mhz: '兆赫',
  ghz: '吉赫',
  w: '瓦',
  kw: '千瓦',
  kwh: '千瓦时',
  v: '伏',
  h: '小时',
  min: '分钟',
  ms: '毫秒',
};
/**
 * Behind a number these are said as letters: 5G networks, 16G of memory, a disk of 2T, an engine of 1.5T, a 4S shop, an iPhone 5s. Some would
 * be gram, metre, tonne or second too, but what is said so is mostly written down with 克, 米, 吨, 秒. The letters h, l, v and w are hardly
 * ever said behind a number, so they are units above. Letter case cannot tell: many recognizers write small letters alone.
 */
const letters = ['g', 'm', 't', 's', 'k', 'gb', 'mb', 'tb'];
const unit = [...Object.keys(units), ...letters].sort((left, right) => right.length - left.length).join('|');
// A hyphen behind Latin letters is that of a name (iphone-5s) or of a range (3km-5km), no minus.
const quantity = `${start}(?:(?<!\\p{Script=Latin})(-))?(${number})(${scale}) ?`;
const named = `(${unit})(?![\\p{Script=Latin}\\d])`;
const measured = new RegExp(`${quantity}${named}`, 'gu');
const measuredRange = new RegExp(`${quantity}(?:${named})?${until}(?=-?${number}${scale} ?${named})`, 'gu');
const range = new RegExp(`${start}(${number})(${scale})${until}(?=\\d)`, 'g');
const score = /(?<!\d)(\d{1,3}):(\d{1,3})(?!\d)/g;
const counted =
  /(?<![\d第/]|\d[.,])2(?=(?:个(?!月[初底])|個|只|隻|本|次|天|年(?!\d)|岁|歲|位|名|条|條|件|张|張|种|種|家|辆|輛|台|块|塊|米|公里|公斤|小时|小時|分钟|分鐘|点(?!\d)|點|倍|千|万|萬|亿|億|周|人|国|國|座|间|間|所|支|场|場|项|項|部|份|颗|顆|杯|瓶|双|雙|对|對|把|头|頭|匹))/g;
const inLatin = /(?<=\p{Script=Latin}-?)\d+|\d+(?=\p{Script=Latin})/gu;
const signed = new RegExp(`(?<![\\d\\p{L}]) ?-(?=${number})`, 'gu');
const plain = new RegExp(number, 'g');

const minus = (sign: string | undefined, name: string) => (sign ? (units[name]?.endsWith('度') ? '零下' : '负') : '');
const shareOf = (sign: string) => (sign === '%' ? '百分之' : '千分之');
const date = (year: string, monthNumber: string, dayNumber: string) =>
  `${chineseDigits(year)}年${chineseNumber(monthNumber)}月${chineseNumber(dayNumber)}日`;

/**
 * Editors and many recognizers part figures from characters by a blank, segmenters characters from each other: 2024 年, 20 %, 第 2 名, 3 : 2.
 * Two numbers, and a number and a word in Latin letters, stay apart.
 */
function dropBlanksOfFigures(text: string): string {
  return text.replace(whiteSpace, ' ').replace(blanksOfFigures, '');
}

/** Dates and clock times: 2024年 and 2024-12-25 have the year digit by digit, 10:30 is 十点三十分. */
const chineseDates: NormalizerStep = {
  step: 'dates and times',
  apply: (text) =>
    text
      .replace(fullDate, (_, year, __, monthNumber, dayNumber) => date(year, monthNumber, dayNumber))
      .replace(years, (_, from, year) => (from === undefined ? chineseDigits(year) : `${chineseDigits(from)}到`))
      .replace(clock, (_, hour, minute, second) => {
        const short = (digits: string) =>
          `${digits.startsWith('0') && digits !== '00' ? '零' : ''}${chineseNumber(digits)}`;
        const head = hour === '2' || hour === '02' ? '两' : chineseNumber(hour);
        const minutes = minute === '00' && second === undefined ? '' : `${short(minute)}分`;
        return `${head}点${minutes}${second === undefined ? '' : `${short(second)}秒`}`;
      }),
};

/** Telephone numbers and codes, digit by digit. */
const spellChineseCodes: NormalizerStep = {
  step: 'telephone numbers and codes',
  apply: (text) =>
    text.replace(mobile, (written) => chineseDigits(written.replaceAll(/\D/g, ''))).replace(coded, chineseDigits),
};

/** Percent, fractions, money, units: 50% is 百分之五十, 1/2 二分之一, ¥3.5万 三点五万元, 5km 五公里, -5℃ 零下五摄氏度. */
const chineseMeasures: NormalizerStep = {
  step: 'percent, fractions, money, units',
  apply: (text) =>
    text
      .replace(share, (_, sign, low, ___, high, kind) => {
        const first = `${sign ? '负' : ''}${shareOf(kind)}${chineseAmount(low)}`;
        return high === undefined ? first : `${first}到${shareOf(kind)}${chineseAmount(high)}`;
      })
      .replace(fraction, (_, above, below) => `${chineseNumber(below)}分之${chineseNumber(above)}`)
      .replace(money, (_, currency, amount, size, first, its, behind) =>
        currency === undefined
          ? `${chineseAmount(first)}${its}${currencies[behind]}`
          : `${chineseAmount(amount)}${size}${currencies[currency]}`,
      )
      .replace(measuredRange, (_, sign, amount, size, name, upper) =>
        name === undefined
          ? `${minus(sign, upper)}${chineseAmount(amount)}${size}到`
          : `${chineseMeasure(sign, amount, size, name)}到`,
      )
      .replace(measured, (_, sign, amount, size, name) => chineseMeasure(sign, amount, size, name)),
};

/** Every other number; beside Latin letters (mp3, 1080p) digit by digit, 2 before a measure word 两, 3:2 三比二, 3-5 三到五. */
const chineseOtherNumbers: NormalizerStep = {
  step: 'numbers',
  apply: (text) =>
    text
      .replace(inLatin, chineseDigits)
      .replace(score, (_, left, right) => `${chineseNumber(left)}比${chineseNumber(right)}`)
      .replace(range, (_, amount, size) => `${chineseAmount(amount)}${size}到`)
      .replace(counted, '两')
      .replace(signed, '负')
      .replace(plain, chineseAmount),
};

/** Each digit by its own character: years, telephone numbers, decimals, codes. */
function chineseDigits(digits: string): string {
  return Array.from(digits, (digit) => figures[Number(digit)]).join('');
}

function belowTenThousand(digits: string): string {
  let said = '';
  let gap = false;
  for (let index = 0; index < digits.length; index++) {
    const digit = Number(digits[index]);
    if (digit === 0) {
      gap = said !== '';
      continue;
    }
    const place = digits.length - 1 - index;
    said += `${gap ? '零' : ''}${digit === 2 && place === 3 ? '两' : figures[digit]}${places[place]}`;
    gap = false;
  }
  return said;
}

/**
 * A whole number in characters: 十, 百, 千 within groups of 万 and 亿; from 10^20 on digit by digit.
 *
 * 10 to 19 begin with 十; 2 is 两 before 千, 万 and 亿, else 二.
 *
 * @param digits ASCII digits alone; leading zeros do not count
 * @example chineseNumber('20010500') // '两千零一万零五百'
 */
export function chineseNumber(digits: string): string {
  const significant = digits.replace(/^0+(?=\d)/, '');
  if (significant === '0') return '零';
  if (significant.length > 4 * groups.length) return chineseDigits(significant);
  let said = '';
  let gap = false;
  const first = significant.length % 4 || 4;
  for (let start = 0, end = first; end <= significant.length; start = end, end += 4) {
    const group = significant.slice(start, end);
    const power = (significant.length - end) / 4;
    if (Number(group) === 0) {
      gap = true;
      continue;
    }
    const joined = said !== '' && (gap || group.startsWith('0')) ? '零' : '';
    const value = group === '2' && power > 0 ? '两' : belowTenThousand(group.replace(/^0+/, ''));
    said += `${joined}${value}${groups[power]}`;
    gap = false;
  }
  return said.replace(/^一十/, '十');
}

function chineseMeasure(sign: string | undefined, amount: string, size: string, name: string): string {
  const kind = units[name];
  const said = amount === '2' && size === '' && kind !== undefined ? '两' : chineseAmount(amount);
  return `${minus(sign, name)}${said}${size}${kind ?? name}`;
}

/** A number as written, with groups, decimals, sign: -1,234.5 is 负一千二百三十四点五. */
function chineseAmount(written: string): string {
  const sign = written.startsWith('-') ? '负' : '';
  const [whole = '', decimals] = written.replaceAll(/[-,]/g, '').split('.');
  const head =
    decimals === undefined && whole.length > 1 && whole.startsWith('0')
      ? chineseDigits(whole)
      : chineseNumber(whole || '0');
  return `${sign}${head}${decimals === undefined ? '' : `点${chineseDigits(decimals)}`}`;
}

const charactersAndWords = new RegExp(`[${characters}]|(?:(?![${characters}])[\\p{L}\\p{M}\\p{N}])+`, 'gu');
const notSpoken = /[^\p{L}\p{M}\p{N}]+/gu;

/** Each Chinese character (also those beyond the first plane) and kana by itself; stretches of other letters whole. */
function splitCharacters(text: string): string[] {
  return text.match(charactersAndWords) ?? [];
}

/**
 * Chinese by characters, the unit in which its error rate is usual: figures become the characters that are read for them
 * (numbers with 十百千万亿, years and telephone numbers digit by digit, 百分之 for percent), full width becomes half width,
 * 〇 becomes 零, remarks in brackets and punctuation go, Latin letters are small and stay together as words.
 *
 * The text preprocessing of SR-MT (Z. Wang et al., MET'22) dropped figures and everything else that is no character; this
 * reads them instead. Traditional characters are left alone: 萬 and 万 differ. 两 and 二 are told apart by the measure word
 * that follows, not by the speaker; a four-figure number is a year only before 年 or within a date.
 *
 * @example chinese.words('2024年有25％用iPhone。')
 * // ['二', '零', '二', '四', '年', '有', '百', '分', '之', '二', '十', '五', '用', 'iphone']
 */
export const chinese = makeNormalizer({
  name: 'chinese',
  version: 7,
  about:
    'Chinese: characters as units, figures read as characters, bracketed remarks and punctuation out, Latin words whole.',
  steps: [
    // Before NFKC, which makes (1) of ⑴.
    {
      step: 'drop <...>, [...] and remarks in (...) and *...*, full width too',
      apply: (text) => withoutRemarks(text, 'zh'),
    },
    {
      step: 'small letters, one writing of width, digits, grouped numbers, invisible characters',
      apply: (text) => writtenAlike(text.toLowerCase(), 'zh').replaceAll('−', '-').normalize('NFC'),
    },
    { step: 'blanks beside characters out', apply: dropBlanksOfFigures },
    {
      step: '〇 and ○ to 零',
      apply: (text) =>
        text
          .replace(/(?<=[零〇一二三四五六七八九])○+(?=[零〇一二三四五六七八九年])/g, (circles) =>
            '零'.repeat(circles.length),
          )
          .replaceAll('〇', '零'),
    },
    chineseDates,
    spellChineseCodes,
    chineseMeasures,
    chineseOtherNumbers,
    {
      step: 'punctuation out',
      apply: (text) =>
        text
          .replaceAll(/(?<=\p{L})['’ʼ‘`](?=\p{L})/gu, '')
          .replace(notSpoken, ' ')
          .trim(),
    },
  ],
  split: splitCharacters,
  hasCharacterWords: true,
});
