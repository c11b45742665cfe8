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
