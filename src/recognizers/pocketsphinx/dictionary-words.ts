import { withoutVariant } from './segments.ts';

/** The words of a pronouncing dictionary, lower-case, pronunciations folded. */
export function dictionaryWords(text: string): Set<string> {
  const words = new Set<string>();
  // A dictionary has a hundred thousand lines and is read at the start of each run: no pattern, no copy of its lines.
  for (let start = 0, end = 0; start < text.length; start = end + 1) {
    end = text.indexOf('\n', start);
    if (end === -1) end = text.length;
    if (text.startsWith('##', start) || text.startsWith(';;', start)) continue;
    let first = start;
    while (first < end && isBlank(text.charCodeAt(first))) first++;
    let last = first;
    while (last < end && !isBlank(text.charCodeAt(last))) last++;
    let phone = last;
    while (phone < end && isBlank(text.charCodeAt(phone))) phone++;
    if (last === first || phone === end) continue;
    const variant = text.charCodeAt(last - 1) === closingParenthesis;
    const word = variant ? withoutVariant(text.slice(first, last)) : text.slice(first, last);
    words.add(word.toLowerCase());
  }
  return words;
}

const closingParenthesis = 0x29;

function isBlank(code: number): boolean {
  return code === 0x20 || (code >= 0x09 && code <= 0x0d);
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
