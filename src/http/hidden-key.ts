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

/** What signs one call, or an address that a service signed: who has it may do what the call does. As AWS writes them. */
const signature =
  /\b((?:X-Amz-(?:Signature|Credential|Security-Token)|AWSAccessKeyId)=|Signature=(?=[0-9a-f]{64}))[^&"'\s\\,<]+/gi;

/** @param key null where there is none; several of them are all taken out */
export function keyRedactor(key: string | readonly string[] | null): HiddenKey {
  const keys = key === null ? [] : typeof key === 'string' ? [key] : key;
  const longestFirst = (forms: readonly string[]) => [...new Set(forms)].sort((a, b) => b.length - a.length);
  const secrets = longestFirst(keys.flatMap(formsOf));
  const longSecrets = longestFirst(keys.filter(({ length }) => length >= minCharacters).flatMap(formsOf));
  const remove = (text: string, forms: readonly string[]): string =>
    forms.reduce((left, secret) => left.replaceAll(secret, replacement), text).replace(signature, `$1${replacement}`);
  const without = (text: string): string => remove(text, longSecrets);
  const inAll = (value: unknown): unknown => {
    if (typeof value === 'string') return without(value);
    if (Array.isArray(value)) return value.map(inAll);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [without(name), inAll(member)]));
  };
  return {
    inMessage: (text) => remove(text, secrets),
    inAnswer: (value) => inAll(value) as typeof value,
  };
}

/** The key as it may come back: as it is, percent-encoded, and what of it is whole in the base64 of any text that it stands in. */
function formsOf(key: string): string[] {
  const plain = [key, encodeURIComponent(key)];
  if (key.length < minCharacters) return plain;
  const inBase64 = [0, 1, 2].map((shift) => {
    // Three bytes are four characters; those that hold bits of the neighbours are left out on both sides.
    const bytes = Buffer.from(`${' '.repeat(shift)}${key}`);
    const characters = bytes.toString('base64').replace(/=+$/, '');
    return characters.slice(shift === 0 ? 0 : shift + 1, bytes.length % 3 === 0 ? undefined : -1);
  });
  return [...plain, ...inBase64, ...inBase64.map((text) => text.replaceAll('+', '-').replaceAll('/', '_'))];
}
