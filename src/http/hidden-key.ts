/** Keys of local servers are often words, which transcripts hold by chance. */
const minCharacters = 16;
const replacement = '[key]';

/** Takes a key out of what a service sends back, which may be what it was sent. */
export interface HiddenKey {
  /** A message: any key is taken out. */
  inMessage(text: string): string;
  /** A transcript, or any value that JSON holds: keys of 16 characters or more are taken out. */
  inAnswer<T>(value: T): T;
}

/** @param key null where there is none */
export function keyRedactor(key: string | null): HiddenKey {
  const without = (text: string): string => (key === null ? text : text.replaceAll(key, replacement));
  const inAll = (value: unknown): unknown => {
    if (typeof value === 'string') return without(value);
    if (Array.isArray(value)) return value.map(inAll);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [without(name), inAll(member)]));
  };
  return {
    inMessage: without,
    inAnswer: (value) => (key === null || key.length < minCharacters ? value : (inAll(value) as typeof value)),
  };
}
