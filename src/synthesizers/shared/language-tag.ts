/** The longest beginning that is a BCP 47 tag, as it is usually written: `en-gb` is `en-GB`, `en-us-nyc` is `en-US`; `und` where none is. */
export function languageTag(language: string): string {
  const parts = language.split(/[-_]/);
  for (let length = parts.length; length > 0; length--) {
    try {
      return Intl.getCanonicalLocales(parts.slice(0, length).join('-'))[0]!;
    } catch {
      // Not a tag: one part less.
    }
  }
  return 'und';
}
