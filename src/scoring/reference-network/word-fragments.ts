/**
 * Whether words agree where one of them may be a fragment: `recog-` agrees with every word that begins so, `-nition` with
 * every word that ends so (sclite's `-F`). The reference's hyphen is looked at first, a leading one before a trailing one;
 * a lone hyphen is a word like others.
 *
 * @param words by symbol, the first having symbol 1
 */
export function fragmentsAgree(
  words: readonly string[],
): (referenceSymbol: number, hypothesisSymbol: number) => boolean {
  const agreements = words.map(fragmentAgreement);
  return (referenceSymbol, hypothesisSymbol) => {
    if (referenceSymbol === hypothesisSymbol) return true;
    const ofReference = agreements[referenceSymbol - 1];
    if (ofReference) return ofReference(words[hypothesisSymbol - 1]!);
    return agreements[hypothesisSymbol - 1]?.(words[referenceSymbol - 1]!) ?? false;
  };
}

function fragmentAgreement(word: string): ((other: string) => boolean) | null {
  if (word.length < 2) return null;
  if (word.startsWith('-')) return (other) => other.endsWith(word.slice(1));
  if (word.endsWith('-')) return (other) => other.startsWith(word.slice(0, -1));
  return null;
}
