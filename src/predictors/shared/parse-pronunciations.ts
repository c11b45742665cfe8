/**
 * The first pronunciation of each word of a pronouncing dictionary as PocketSphinx and CMU have them: a word and its phonemes
 * on a line, further pronunciations as `word(2)`, remarks after `;;` and `##`. Words are made lower-case.
 *
 * @example parsePronunciations('vote V OW T\nvote(2) V OW') // Map { 'vote' => 'V OW T' }
 */
export function parsePronunciations(dictionary: string): Map<string, string> {
  const pronunciations = new Map<string, string>();
  for (let start = 0, end = 0; start < dictionary.length; start = end + 1) {
    end = dictionary.indexOf('\n', start);
    if (end === -1) end = dictionary.length;
    if (dictionary.startsWith(';;', start) || dictionary.startsWith('##', start)) continue;
    const [written = '', ...phonemes] = dictionary.slice(start, end).split(/\s+/).filter(Boolean);
    if (phonemes.length === 0) continue;
    const variant = /^(.+)\(\w+\)$/.exec(written);
    const word = (variant?.[1] ?? written).toLowerCase();
    if (!pronunciations.has(word)) pronunciations.set(word, phonemes.join(' '));
  }
  return pronunciations;
}
