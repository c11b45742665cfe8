const digits = '〇一二三四五六七八九';
const places: Readonly<Record<string, number>> = { 十: 10, 百: 100, 千: 1000 };
const groups: Readonly<Record<string, number>> = { 万: 1e4, 萬: 1e4, 億: 1e8, 亿: 1e8, 兆: 1e12 };
const written = /[〇零一二三四五六七八九十百千万萬億亿兆]+/g;

/**
 * Numbers in Han characters as figures: 二十五 is 25, 二〇二四 2024, 三千二百万 32000000. Also where they are part of a word (一緒 is 1緒), in
 * both texts alike.
 */
export function hanNumbers(text: string): string {
  return text.replace(written, (found) => {
    const value = figuresOf(found.replaceAll('零', '〇'));
    return value === null ? found : value;
  });
}

/** Null where it is no number: 千 and 万 alone are parts of names. */
function figuresOf(number: string): string | null {
  if (/^[〇一二三四五六七八九]+$/.test(number)) return Array.from(number, (one) => digits.indexOf(one)).join('');
  let [whole, group, digit] = [0, 0, 0];
  for (const one of number) {
    const place = places[one];
    const size = groups[one];
    if (place !== undefined) {
      group += (digit || 1) * place;
      digit = 0;
    } else if (size !== undefined) {
      if (group + digit === 0) return null;
      whole += (group + digit) * size;
      [group, digit] = [0, 0];
    } else digit = digits.indexOf(one);
  }
  const value = whole + group + digit;
  return Number.isSafeInteger(value) ? String(value) : null;
}
