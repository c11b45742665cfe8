const decimalDigit = /^\p{Nd}$/u;
const foreign = /[\p{Nd}--[0-9]]/gv;
/** Before the first of them there are Latin, Greek, Cyrillic and Hebrew. */
const mayBeForeign = /[\u0660-\uffff]/;
const values = new Map<string, number>();

/**
 * The value, 0 to 9, of a decimal digit of any script. Unicode gives each script's digits ten places in a row, beginning
 * with zero (The Unicode Standard, chapter 4.6).
 */
export function digitValue(digit: string): number {
  const known = values.get(digit);
  if (known !== undefined) return known;
  const code = digit.codePointAt(0)!;
  let first = code;
  while (decimalDigit.test(String.fromCodePoint(first - 1))) first--;
  const value = (code - first) % 10;
  values.set(digit, value);
  return value;
}

/** Each decimal digit as that of ASCII: `२५` is `25`. */
export function asciiDigits(text: string): string {
  return mayBeForeign.test(text) ? text.replace(foreign, (digit) => String(digitValue(digit))) : text;
}
