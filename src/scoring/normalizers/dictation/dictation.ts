import { makeNormalizer, whiteSpace } from '../normalizer.ts';

const quote = '(?:quotes?|quotation marks?|quotations?)';
const parenthesis = '(?:parens?|parenthes[ie]s|round brackets?)';
const opening = '(?:open|opening|begin|start|left)';
const closing = '(?:close|closed|closing|end|right)';

/** Commands of police and medical dictation (the examples of FairLENS, appendix C.4) and of the usual dictation programs. */
const commands: readonly Command[] = [
  { token: 'period', spoken: ['period', 'full stop'], signs: ['.', '。'] },
  { token: 'comma', spoken: ['comma'], signs: [',', '，', '、'] },
  { token: 'question-mark', spoken: ['question mark'], signs: ['?', '？'] },
  { token: 'exclamation-point', spoken: ['exclamation (?:point|mark)'], signs: ['!', '！'] },
  { token: 'colon', spoken: ['colon'], signs: [':', '：'] },
  { token: 'semicolon', spoken: ['semi ?colon'], signs: [';', '；'] },
  { token: 'ellipsis', spoken: ['ellipsis', 'dot dot dot'], signs: ['…'] },
  { token: 'dash', spoken: ['(?:(?:em|en|m|n) )?dash'], signs: ['—', '–'] },
  { token: 'open-quote', spoken: [`${opening} ${quote}`], signs: ['“', '«', '„'] },
  { token: 'close-quote', spoken: [`${closing} ${quote}`, 'unquote', 'end of quote'], signs: ['”', '»'] },
  { token: 'open-parenthesis', spoken: [`${opening} ${parenthesis}`], signs: ['(', '（'] },
  { token: 'close-parenthesis', spoken: [`${closing} ${parenthesis}`], signs: [')', '）'] },
  { token: 'open-bracket', spoken: [`${opening} (?:square )?brackets?`], signs: ['['] },
  { token: 'close-bracket', spoken: [`${closing} (?:square )?brackets?`], signs: [']'] },
  { token: 'slash', spoken: ['(?:forward )?slash'], signs: ['/'] },
  { token: 'ampersand', spoken: ['ampersand'], signs: ['&'] },
  { token: 'asterisk', spoken: ['asterisk'], signs: ['*'] },
  { token: 'at-sign', spoken: ['at sign'], signs: ['@'] },
  { token: 'percent', spoken: ['percent(?: sign)?', 'per cent'], signs: ['%'] },
  { token: 'new-paragraph', spoken: ['(?:new|next) ?paragraph'], signs: ['¶'] },
  { token: 'new-line', spoken: ['(?:new|next) ?line'], signs: ['↵'] },
];

const tokenOf = new Map(commands.flatMap(({ token, signs }) => signs.map((sign) => [sign, token] as const)));
const escaped = (sign: string) => sign.replaceAll(/[\\.*+?^$()[\]{}|/]/g, '\\$&');
const signs = new RegExp([...tokenOf.keys()].map(escaped).join('|'), 'gu');
const anySpoken = commands.flatMap(({ spoken }) => spoken).join('|');
const doubled = new RegExp(`(?<![\\p{L}\\p{N}])(${anySpoken}) ?[.,?!:;]+(?=\\s|$)`, 'giu');
const spokenCommands = commands.map(({ token, spoken }) => ({
  token,
  pattern: new RegExp(`(?<![\\p{L}\\p{N}'-])(?:${spoken.join('|')})(?![\\p{L}\\p{N}'-])`, 'gu'),
}));

const abbreviationDot =
  /(?<=(?<![\p{L}\d.])(?:mr|mrs|ms|dr|prof|sr|jr|st|lt|sgt|capt|col|gen|rev|hon|gov|sen|rep|inc|ltd|co|corp|vs|etc|dept|approx|ave|blvd|rd|mt|ft|(?!i)\p{L}))\.(?= \p{L}| ?\d)|(?<=(?<![\p{L}\d.])(?:nos?|pp?|vol|fig|ch|sec))\.(?= ?\d)|(?<=\.\p{L})\.|(?<=(?<!\p{L})\p{L})\.(?=\p{L}(?!\p{L}))/giu;
const withinNumbers = /(?<=\d)[,:/](?=\d)/g;
const apostropheEnding = /(?<=\p{L}) apostrophe (?=(?:s|t|d|m|re|ve|ll)(?!\p{L}))/giu;
// Neither a line before the first word nor one after the last breaks anything.
function withoutEndLines(text: string): string {
  const words = text.split(' ');
  const isLine = (word: string) => word === 'new-line' || word === 'new-paragraph';
  const first = words.findIndex((word) => !isLine(word));
  return first < 0 ? '' : words.slice(first, words.findLastIndex((word) => !isLine(word)) + 1).join(' ');
}

// Straight quotation marks do not say which way they point: those after a blank or a bracket open.
const straightQuotes = (text: string) => text.replaceAll(/(?<=^|[\s([{–—-])"(?=\S)/gu, '“').replaceAll('"', '”');

/**
 * Dictation: a punctuation command said aloud and the sign that a recognizer writes for it become the same one word, so
 * that "Marcus period I" and "Marcus. I" agree, and a command that was missed or invented is one error.
 *
 * FairLENS (Y. Wang et al., 2024, appendix C.4) dictates police reports ("… call period new line") but does not say how
 * transcripts with signs were scored. Keeping commands as words instead of dropping them has two reasons: in dictation they
 * are part of what the recognizer has to get right, and a word that is also a command ("the Victorian period", "colon
 * cancer", "a dash of salt") is then the same word on both sides and costs nothing. The price: signs that a recognizer
 * adds by itself count as insertions; for such text use another normalizer.
 *
 * Not commands: hyphens, which only divide words, written or said; apostrophes ("Marcus apostrophe s" is "marcus's"); dots of
 * abbreviations; signs within numbers ("13:30", "1,000"); lines broken before the first or after the last word, said or
 * written; a sign right after its spoken command ("period."). Numbers are not spelled out, quotes are known by their place.
 *
 * @example dictation.words('Is it? New line') // ['is', 'it', 'question-mark']
 */
export const dictation = makeNormalizer({
  name: 'dictation',
  version: 1,
  about: 'Spoken punctuation commands (period, comma, new line) and written signs become the same words; lower case.',
  steps: [
    {
      step: 'one form of each sign, broken lines as signs',
      apply: (text) =>
        straightQuotes(
          text
            .normalize('NFC')
            .trim()
            .replaceAll(/[’‘ʼ`]/g, "'")
            .replaceAll(/(?:\r\n?|\n)[^\S\r\n]*(?:(?:\r\n?|\n)[^\S\r\n]*)+|\u2029/gu, ' ¶ ')
            .replaceAll(/\r\n?|\n|\u2028/g, ' ↵ ')
            .replaceAll(/\.{3,}|\.(?: \.){2,}/g, '…')
            .replaceAll(/(?<=\s)-{1,3}(?=\s)|--+/g, '—')
            .replace(whiteSpace, ' '),
        ),
    },
    { step: 'a sign after its spoken command', apply: (text) => text.replace(doubled, '$1') },
    {
      step: 'signs of abbreviations and numbers',
      apply: (text) => text.replace(abbreviationDot, '').replace(withinNumbers, (sign) => (sign === ',' ? '' : ' ')),
    },
    {
      step: 'written signs to commands',
      apply: (text) =>
        text.replace(signs, (sign, offset: number, whole: string) =>
          sign === '.' && /\d/.test(whole.charAt(offset + 1)) ? sign : ` ${tokenOf.get(sign)!.replaceAll('-', ' ')} `,
        ),
    },
    {
      step: 'lower case, other signs out',
      apply: (text) =>
        text
          .toLowerCase()
          .replace(apostropheEnding, "'")
          .replaceAll(/(?<![\p{L}\p{N}])hyphen(?![\p{L}\p{N}])/gu, ' ')
          .replaceAll(/(?<![\p{L}\p{N}])'|'(?![\p{L}\p{N}])|(?<!\d)\.|\.(?!\d)|[^\p{L}\p{M}\p{N}'.]+/gu, ' ')
          .replace(whiteSpace, ' ')
          .trim(),
    },
    {
      step: 'each command one word',
      apply: (text) => spokenCommands.reduce((said, { pattern, token }) => said.replace(pattern, token), text),
    },
    { step: 'no lines at the ends', apply: withoutEndLines },
  ],
});

/** A punctuation command: the one word it becomes, the ways to say it, and the signs that recognizers write for it. */
interface Command {
  readonly token: string;
  readonly spoken: readonly string[];
  readonly signs: readonly string[];
}
