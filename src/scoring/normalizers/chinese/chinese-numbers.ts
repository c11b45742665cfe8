const figures = '零一二三四五六七八九';
const places = ['', '十', '百', '千'];
const groups = ['', '万', '亿', '万亿', '亿亿'];

/** Each digit by its own character: years, telephone numbers, decimals, codes. */
export function chineseDigits(digits: string): string {
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

/** A number as written, with groups, decimals, sign: -1,234.5 is 负一千二百三十四点五. */
export function chineseAmount(written: string): string {
  const sign = written.startsWith('-') ? '负' : '';
  const [whole = '', decimals] = written.replaceAll(/[-,]/g, '').split('.');
  const head =
    decimals === undefined && whole.length > 1 && whole.startsWith('0')
      ? chineseDigits(whole)
      : chineseNumber(whole || '0');
  return `${sign}${head}${decimals === undefined ? '' : `点${chineseDigits(decimals)}`}`;
}
