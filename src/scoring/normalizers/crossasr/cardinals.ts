const belowTwenty =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  );
const tens = ' ten twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');

/** Names of the powers of a thousand, short scale, up to 10^33. */
export const scales =
  ' thousand million billion trillion quadrillion quintillion sextillion septillion octillion nonillion decillion'.split(
    ' ',
  );

function belowHundred(value: number): string {
  if (value < 20) return belowTwenty[value]!;
  const unit = value % 10;
  return unit === 0 ? tens[value / 10]! : `${tens[(value - unit) / 10]} ${belowTwenty[unit]}`;
}

function belowThousand(value: number): string {
  const hundreds = Math.floor(value / 100);
  const rest = value % 100;
  if (hundreds === 0) return belowHundred(rest);
  return `${belowTwenty[hundreds]} hundred${rest === 0 ? '' : ` ${belowHundred(rest)}`}`;
}

/** Each digit by its name: telephone numbers, decimals, codes. */
export function digitByDigit(digits: string): string {
  return Array.from(digits, (digit) => belowTwenty[Number(digit)]).join(' ');
}

/**
 * A whole number in American words, without "and" and hyphens; from 10^36 on digit by digit.
 *
 * @param digits ASCII digits alone, of any number; leading zeros do not count
 * @example cardinal('1234567') // 'one million two hundred thirty four thousand five hundred sixty seven'
 */
export function cardinal(digits: string): string {
  const significant = digits.replace(/^0+(?=\d)/, '');
  if (significant.length > 3 * scales.length) return digitByDigit(significant);
  const words: string[] = [];
  for (let end = significant.length, power = 0; end > 0; end -= 3, power++) {
    const value = Number(significant.slice(Math.max(0, end - 3), end));
    if (value > 0) words.unshift(power === 0 ? belowThousand(value) : `${belowThousand(value)} ${scales[power]}`);
  }
  return words.length === 0 ? 'zero' : words.join(' ');
}

/** The last two digits of a year, a minute: `05` is "oh five". */
export function twoDigits(digits: string): string {
  const value = Number(digits);
  if (value === 0) return 'oh oh';
  return value < 10 ? `oh ${belowTwenty[value]}` : belowHundred(value);
}

/**
 * A number that names instead of counting (house, flight, road, model): in pairs from the end, hundreds as such, five and
 * more digits one by one.
 *
 * @example namingNumber('221') // 'two twenty one'
 */
export function namingNumber(digits: string): string {
  if (digits.startsWith('0') && digits.length > 1) return digitByDigit(digits);
  if (digits.length < 3 || /^\d000$/.test(digits)) return cardinal(digits);
  if (digits.length > 4) return digitByDigit(digits);
  const head = cardinal(digits.slice(0, -2));
  return digits.endsWith('00') ? `${head} hundred` : `${head} ${twoDigits(digits.slice(-2))}`;
}
