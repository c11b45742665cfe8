/** How times are counted; samples by the sampling rate of their file. */
export const timeUnits = ['seconds', 'milliseconds', 'samples'] as const;

export type TimeUnit = (typeof timeUnits)[number];

/**
 * The time that a text says, in the unit of its column: a number, in seconds also with a decimal comma; or a time of a clock
 * (`h:mm:ss`, `m:ss`, with `.` or `,` before parts of a second), which is in seconds whatever the unit.
 *
 * @returns null where it says none
 * @example timeIn('0:01:02,5', 'seconds') // { value: 62.5, unit: 'seconds' }
 */
export function timeIn(text: string, unit: TimeUnit): { readonly value: number; readonly unit: TimeUnit } | null {
  const clock = /^(?:(\d{1,3}):(?=\d\d:))?(\d{1,3}):(\d\d(?:[.,]\d+)?)$/.exec(text.trim());
  if (clock !== null) {
    const [, hours = '0', minutes, seconds] = clock;
    const past = Number(seconds!.replace(',', '.'));
    if (past >= 60 || (clock[1] !== undefined && Number(minutes) >= 60)) return null;
    return { value: toMicroseconds(Number(hours) * 3600 + Number(minutes) * 60 + past), unit: 'seconds' };
  }
  const isComma = unit === 'seconds' && /^\d+,\d+$/.test(text.trim());
  const value = text.trim() === '' ? Number.NaN : Number(isComma ? text.replace(',', '.') : text);
  return Number.isFinite(value) && value >= 0 ? { value, unit } : null;
}

/** A sum or a share of decimal times has digits that nobody wrote. */
export function toMicroseconds(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}
