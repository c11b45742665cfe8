/**
 * Seconds that a service asks to be left alone (`Retry-After`, RFC 9110 section 10.2.3: seconds, or a date). A date is
 * meant by the service's own clock, where its answer has one.
 *
 * @param header null where there is none
 * @param date the answer's `Date` header, null where there is none
 * @param nowMs milliseconds since 1970-01-01 UTC
 * @returns undefined where there is none that can be read
 * @example retryAfterSeconds('120', null, Date.now()) // 120
 */
export function retryAfterSeconds(header: string | null, date: string | null, nowMs: number): number | undefined {
  if (header === null) return undefined;
  const text = header.trim();
  if (/^\d{1,15}(\.\d{1,9})?$/.test(text)) return Number(text);
  // Date.parse takes nearly anything for a date; those of HTTP begin with a day of the week.
  const isDate = /^(mon|tue|wed|thu|fri|sat|sun)[a-z]*,? /i.test(text);
  const until = isDate ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(until)) return undefined;
  const theirNow = date === null ? Number.NaN : Date.parse(date);
  return Math.max(0, (until - (Number.isNaN(theirNow) ? nowMs : theirNow)) / 1000);
}
