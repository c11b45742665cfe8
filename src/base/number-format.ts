/**
 * A number with a fixed count of decimals, commas between thousands and a true minus sign, the same on every machine
 * (no locale is asked). What rounds to zero has no sign.
 *
 * @throws RangeError on NaN and infinities: an undefined number is null with a reason, long before it is printed
 * @example formatFixed(-1234.56, 1) // '−1,234.6'
 */
export function formatFixed(value: number, decimals: number, signed = false): string {
  if (!Number.isFinite(value)) throw new RangeError(`expected a finite number to print, got ${value}`);
  const digits = plainFixed(Math.abs(value), decimals);
  const [whole = '', fraction] = digits.split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  const text = fraction === undefined ? grouped : `${grouped}.${fraction}`;
  if (!/[1-9]/.test(digits)) return text;
  if (value < 0) return `−${text}`;
  return signed ? `+${text}` : text;
}

/**
 * A change, with its sign where it rounds to nothing too, so that it is not taken for a rate.
 *
 * @example signedFixed(0, 1) // '+0.0'
 */
export function signedFixed(value: number, decimals: number): string {
  return formatFixed(value, decimals, true).replace(/^(?=\d)/, '+');
}

/** A count as it stands in sentences and tables: `1,712`. */
export function grouped(count: number): string {
  return formatFixed(count, 0);
}

/** `toFixed` without the exponent that it falls back to from 1e21 on. */
function plainFixed(value: number, decimals: number): string {
  return value < 1e21 ? value.toFixed(decimals) : BigInt(value).toString();
}

/**
 * As many decimals as show three significant digits, at most `most`.
 *
 * @example significantDecimals(0.0123, 6) // 4
 */
export function significantDecimals(value: number, most: number): number {
  const magnitude = Math.abs(value);
  if (magnitude === 0) return Math.min(2, most);
  return Math.max(0, Math.min(most, 2 - Math.floor(Math.log10(magnitude))));
}

/** Decimals of a share in percent: one, two below 1 %. */
export function percentDecimals(share: number): number {
  const size = Math.abs(share);
  return size > 0 && size < 0.00995 ? 2 : 1;
}

/**
 * A p-value without its leading zero, three decimals, never `.000`.
 *
 * @param least what it cannot be less than, however great the difference: a p-value that is this is only known to be at most so great
 * @throws RangeError outside [0, 1]
 * @example formatPValue(0.0341) // '.034'
 * @example formatPValue(0.015625, 0.015625) // '≤ .016'
 * @example formatPValue(1e-9) // '< .001'
 */
export function formatPValue(value: number, least?: number | null): string {
  if (!(value >= 0 && value <= 1)) throw new RangeError(`expected a p-value from 0 to 1, got ${value}`);
  if (value < 0.001) return '< .001';
  if (value > 0.9995) return '> .999';
  const digits = value.toFixed(3).slice(1);
  return least != null && value <= least * (1 + 1e-9) ? `≤ ${digits}` : digits;
}

/** The same as part of a sentence: `p = .034`, `p ≤ .016`, `p < .001`. */
export function pValuePhrase(value: number, name = 'p', least?: number | null): string {
  const text = formatPValue(value, least);
  return text.startsWith('.') ? `${name} = ${text}` : `${name} ${text}`;
}

/**
 * A time as people say it, no finer than it can be known.
 *
 * @example timeLeft(3.2) // '4 s'
 * @example timeLeft(754) // '13 min'
 */
export function timeLeft(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 90) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.round(hours / 24)} days`;
}

/**
 * Prices, each in its currency; where there is none, why.
 *
 * @example moneyText({ USD: 1.25, EUR: 0 }) // 'USD 1.25'
 * @example moneyText({}) // 'no price given'
 */
export function moneyText(money: Readonly<Record<string, number>>): string {
  const parts = Object.entries(money).filter(([, amount]) => amount > 0);
  if (Object.keys(money).length === 0) return 'no price given';
  return parts.length === 0
    ? 'nothing paid'
    : parts.map(([currency, amount]) => `${currency} ${formatFixed(amount, 2)}`).join(', ');
}

const units: Readonly<Record<string, string>> = {
  ...{ db: 'dB', dbfs: 'dBFS', hz: 'Hz', khz: 'kHz', seconds: 's', ms: 'ms', semitones: 'semitones', percent: '%' },
  ...{ lufs: 'LUFS', kbps: 'kbit/s', meters: 'm' },
};
const acronyms = new Set(['snr', 'wer', 'cer', 'rms', 'rir', 'lpc', 'mfcc', 'dct', 'ctc', 'vad', 'id']);

/**
 * A key of ours as people read it: its words, and its unit behind them.
 *
 * @example keyInWords('achievedSnrDb') // 'achieved SNR, dB'
 */
export function keyInWords(key: string): string {
  const words = key
    .replace(/\[(\d+)\]/g, (_, index) => ` ${Number(index) + 1}`)
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .split(/[\s_]+/)
    .filter((word) => word !== '')
    .map((word) => (/^[A-Z][a-z]|^[a-z]/.test(word) ? word.toLowerCase() : word));
  const unit = words.length > 1 ? units[words.at(-1)!] : undefined;
  const named = (unit === undefined ? words : words.slice(0, -1)).map((word) =>
    acronyms.has(word) ? word.toUpperCase() : word,
  );
  return unit === undefined ? named.join(' ') : `${named.join(' ')}, ${unit}`;
}
