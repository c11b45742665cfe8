import { digitValue } from '../written/digits.ts';

/**
 * A number as far as it has been read: a whole number, which further words add to (`twenty` and `one` make 21), or
 * digits in a row, to which further ones are appended (`nineteen oh` and `one` make 1901). Kept as decimal digits: each
 * step takes the time of what is new, however long hostile text makes the number.
 */
export class RunningNumber {
  /** Digits and points, one each; plain digits without leading zeros in a whole number. */
  #signs: string[];
  #isWhole: boolean;
  #hasForeignDigits = false;
  #points = 0;
  #lastPoint = -1;

  constructor(signs: Iterable<string>, isWhole: boolean) {
    this.#signs = [];
    this.#isWhole = isWhole;
    this.#push(signs);
    if (isWhole) this.#makeWhole();
  }

  /** What is written in digits, with or without decimals: `007` and `7.0` are the whole number 7, `7.50` stays a row. */
  static written(numeral: string): RunningNumber {
    const [whole = '', decimals = ''] = numeral.split('.');
    const isWhole = [...decimals].every((digit) => digitValue(digit) === 0);
    return new RunningNumber(isWhole ? whole : numeral, isWhole);
  }

  get isWhole(): boolean {
    return this.#isWhole;
  }

  get endsWithPoint(): boolean {
    return this.#signs.at(-1) === '.';
  }

  /** Whether it can be divided by 10 (one zero) or 100 (two). */
  endsWithZeros(count: 1 | 2): boolean {
    return (
      this.#isWholeZero() || (this.#signs.length >= count && this.#signs.slice(-count).every((sign) => sign === '0'))
    );
  }

  /** Puts digits or a point behind, and is a row from then on. A whole zero goes. */
  append(signs: string): void {
    if (this.#isWholeZero()) this.#signs.length = 0;
    this.#isWhole = false;
    this.#push(signs);
  }

  /** Puts digits in the place of as many zeros at the end, which adds them. */
  fillZeros(digits: string): void {
    if (this.#isWholeZero()) this.#signs = [...digits];
    else this.#signs.splice(-digits.length, digits.length, ...digits);
  }

  /**
   * Times a power of ten, and whole from then on. Of a whole number only what is below one thousand is multiplied: `two
   * million five` times one hundred is 2,000,500.
   *
   * @returns whether it could be: a row must come out whole
   */
  multiply(zeros: number): boolean {
    if (this.#isWhole) this.#multiplyWhole(zeros);
    else if (!this.#shiftPoint(zeros)) return false;
    this.#makeWhole();
    return true;
  }

  toString(): string {
    return this.#signs.join('');
  }

  #isWholeZero(): boolean {
    return this.#isWhole && this.#signs.length === 1 && this.#signs[0] === '0';
  }

  #push(signs: Iterable<string>): void {
    for (const sign of signs) {
      if (sign === '.') {
        this.#points++;
        this.#lastPoint = this.#signs.length;
      } else if (sign < '0' || sign > '9') this.#hasForeignDigits = true;
      this.#signs.push(sign);
    }
  }

  /** A row with its point moved; false where it has several, or where decimals would be left. */
  #shiftPoint(zeros: number): boolean {
    let decimals = 0;
    if (this.#points > 1) return false;
    if (this.#points === 1) {
      decimals = this.#signs.length - this.#lastPoint - 1;
      const kept = this.#signs.length - Math.max(0, decimals - zeros);
      for (let place = kept; place < this.#signs.length; place++) {
        if (digitValue(this.#signs[place]!) !== 0) return false;
      }
      this.#signs.length = kept;
      this.#signs.splice(this.#lastPoint, 1);
      this.#points = 0;
    }
    for (let place = decimals; place < zeros; place++) this.#signs.push('0');
    return true;
  }

  #multiplyWhole(zeros: number): void {
    const factor = this.#signs.slice(-3);
    this.#signs.fill('0', -3);
    while (this.#signs.length < factor.length + zeros) this.#signs.unshift('0');
    let carry = 0;
    let place = this.#signs.length - 1 - zeros;
    for (let index = factor.length - 1; index >= 0 || carry > 0; index--, place--) {
      if (place < 0) {
        this.#signs.unshift('0');
        place = 0;
      }
      const sum = Number(this.#signs[place]) + Number(factor[index] ?? 0) + carry;
      this.#signs[place] = String(sum % 10);
      carry = sum > 9 ? 1 : 0;
    }
  }

  /** Plain digits, no zeros before the first other one. */
  #makeWhole(): void {
    this.#isWhole = true;
    const first = this.#signs.findIndex((digit) => digitValue(digit) !== 0);
    if (first === -1) this.#signs = ['0'];
    else if (first > 0) this.#signs.splice(0, first);
    if (this.#hasForeignDigits) this.#signs = this.#signs.map((digit) => String(digitValue(digit)));
    this.#hasForeignDigits = false;
  }
}
