/** Letters that fall apart into no letter and mark, in lower case; of capitals one is left where a compatibility form has it. */
const letters: ReadonlyMap<string, string> = new Map([
  ['œ', 'oe'],
  ['ø', 'o'],
  ['æ', 'ae'],
  ['Æ', 'AE'],
  ['ß', 'ss'],
  ['đ', 'd'],
  ['ð', 'd'],
  ['þ', 'th'],
  ['ł', 'l'],
]);

const changed = /[œøæÆßđðþł]|(?![.%$¢€£])[\p{M}\p{S}\p{P}]/gu;
const markWithoutRoom = /^\p{Mn}$/u;

/**
 * Without accents (compatibility decomposition, NFKD, then marks that take no room dropped; `ø`, `ß` and their like as
 * plain letters), every other mark, symbol and punctuation sign a blank, but for the `.%$¢€£` of numbers. The text is in
 * lower case.
 *
 * Known traps: scripts that write vowels with marks lose them (Devanagari, Thai, pointed Hebrew), and Japanese its voicing
 * (`です` gives `てす`).
 */
export function dropSymbolsAndAccents(text: string): string {
  return text
    .normalize('NFKD')
    .replace(changed, (found) => letters.get(found) ?? (markWithoutRoom.test(found) ? '' : ' '));
}
