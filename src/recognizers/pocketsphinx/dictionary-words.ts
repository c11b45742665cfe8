import { withoutVariant } from './segments.ts';

/** The words of a pronouncing dictionary, lower-case, pronunciations folded. */
export function dictionaryWords(text: string): Set<string> {
  const words = new Set<string>();
  for (const line of text.split('\n')) {
    if (line.startsWith('##') || line.startsWith(';;')) continue;
    const word = /^\s*(\S+)\s+\S/.exec(line)?.[1];
    if (word !== undefined) words.add(withoutVariant(word).toLowerCase());
  }
  return words;
}

/**
 * The words that a JSGF grammar can give (JSpeech Grammar Format, W3C note of 2000), lower-case: what is neither a
 * comment, the header, a rule's name, a weight nor a tag.
 */
export function grammarWords(grammar: string): Set<string> {
  const rules = grammar
    .replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, ' ')
    .replace(/^\s*#JSGF[^;]*;/, ' ')
    .replace(/\bgrammar\s+[^;]*;/, ' ')
    .replace(/\{(?:\\.|[^}\\])*\}/g, ' ')
    .replace(/\/[\d.eE+-]+\//g, ' ')
    .replace(/(?:\bpublic\s+)?<[^>]*>\s*=/g, ' ')
    .replace(/<[^>]*>/g, ' ');
  const tokens = rules.match(/"(?:\\.|[^"\\])*"|[^\s;=|*+()[\]"]+/g) ?? [];
  return new Set(
    tokens.flatMap((token) => token.replaceAll('"', '').trim().toLowerCase().split(/\s+/)).filter(Boolean),
  );
}
