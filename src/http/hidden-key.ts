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
  const secrets = formsOf(keys);
  const longSecrets = formsOf(keys.filter(({ length }) => length >= minCharacters));
  const remove = (text: string, forms: readonly (string | RegExp)[]): string =>
    forms
      .reduce<string>((left, secret) => left.replaceAll(secret, replacement), text)
      .replace(signature, `$1${replacement}`);
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

/** Keys as they may come back, the longest first: escaped or not, and what of them is whole in the base64 of any text that they stand in. */
function formsOf(keys: readonly string[]): (string | RegExp)[] {
  const longestFirst = <Text extends string>(texts: readonly Text[]) =>
    [...new Set(texts)].sort((a, b) => b.length - a.length);
  const long = keys.filter(({ length }) => length >= minCharacters);
  return [...longestFirst(keys).map(escapedOrNot), ...longestFirst(long.flatMap(inBase64))];
}

/** The key with each of its characters as it is or as JSON, addresses and HTML escape it: servers differ in which they do. */
function escapedOrNot(key: string): RegExp {
  const forms = [...key].map((character) => {
    const plain = character.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
    const code = character.codePointAt(0)!;
    const hex = code.toString(16).padStart(2, '0');
    const either = hex.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
    return `(?:\\\\?${plain}|%${either}|\\\\u${'0'.repeat(Math.max(0, 4 - hex.length))}${either}|&#(?:[xX]0*${either}|0*${code});)`;
  });
  return new RegExp(forms.join(''), 'g');
}

function inBase64(key: string): string[] {
  const forms = [0, 1, 2].map((shift) => {
    // Three bytes are four characters; those that hold bits of the neighbours are left out on both sides.
    const bytes = Buffer.from(`${' '.repeat(shift)}${key}`);
    const characters = bytes.toString('base64').replace(/=+$/, '');
    return characters.slice(shift === 0 ? 0 : shift + 1, bytes.length % 3 === 0 ? undefined : -1);
  });
  return [...forms, ...forms.map((text) => text.replaceAll('+', '-').replaceAll('/', '_'))];
}
