/**
 * A text cut to so many characters (code points are not torn), with a note of what was left out. A recognizer can
 * answer with megabytes; a reader and a file cannot take them. A text of which a cut would save nothing stays whole.
 *
 * @example limitText('a'.repeat(100), 3) // 'aaa… (97 more characters)'
 */
export function limitText(text: string, most: number): string {
  if (text.length <= most) return text;
  const torn = /[\ud800-\udbff]$/.test(text.slice(0, most));
  const kept = text.slice(0, torn ? most - 1 : most);
  const cut = `${kept}… (${(text.length - kept.length).toLocaleString('en-US')} more characters)`;
  return cut.length < text.length ? cut : text;
}

/**
 * What must never reach a reader unseen: control characters (they move cursors and colour terminals), characters that
 * turn the direction of writing (Unicode TR 36, "Trojan Source"), that take no room, or that carry hidden data
 * (tags, supplementary variation selectors), and noncharacters.
 */
const hidden =
  /[\p{Cc}\u00ad\u061c\u115f\u1160\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]|\p{Noncharacter_Code_Point}|\u034f|\u17b4|\u17b5|\u180b|\u180c|\u180d|\u180f/gu;

/** Marks stacked higher than any writing needs cover the lines above and below. */
const stackedMarks = /(\p{Mark}{6})\p{Mark}+/gu;

/** Joiners between letters of these scripts are spelling (Persian, Hindi, …), and within an emoji they are drawing. */
const joined =
  /^[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Mongolian}\p{Extended_Pictographic}]$|^\ufe0f$/u;

/**
 * A text that can be shown anywhere on one line: hidden and controlling characters are replaced by something to be
 * seen (`⟨U+001B⟩` for escape, `↵` for a new line), half surrogates by U+FFFD, and heaps of combining marks
 * are cut to six.
 *
 * @example visibleText('a\u001b[31mb\u202ec') // 'a⟨U+001B⟩[31mb⟨U+202E⟩c'
 */
export function visibleText(text: string): string {
  return text
    .toWellFormed()
    .replaceAll('\r\n', '\n')
    .replace(stackedMarks, '$1')
    .replace(hidden, (character: string, offset: number, whole: string) =>
      isSpelling(character, offset, whole) ? character : picture(character),
    );
}

function isSpelling(character: string, offset: number, whole: string): boolean {
  if (character !== '\u200c' && character !== '\u200d') return false;
  const before = [...whole.slice(Math.max(0, offset - 2), offset)].at(-1) ?? '';
  const after = [...whole.slice(offset + 1, offset + 3)][0] ?? '';
  return joined.test(before) && joined.test(after);
}

function picture(character: string): string {
  if (character === '\n') return '↵';
  if (character === '\t') return '⇥';
  const code = character.codePointAt(0) ?? 0;
  return `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`;
}

/**
 * A hostile text as one harmless line for a terminal: what would steer it is shown by its number, and what is longer than
 * `limit` characters is cut.
 *
 * @param keep which end of a text that is too long is worth keeping
 * @example printable('a\u001b[2Jb') // 'a⟨U+001B⟩[2Jb'
 */
export function printable(text: string, limit = 200, keep: 'start' | 'end' = 'start'): string {
  if (keep === 'end' && text.length > limit) return `…${visibleText(text.slice(-limit))}`;
  return visibleText(limitText(text, limit));
}

/** The same over several lines: line breaks stay, everything else that steers a terminal does not. */
export function printableLines(text: string, limit = 20_000): string {
  return limitText(text, limit)
    .split('\n')
    .map((line) => visibleText(line))
    .join('\n');
}

/**
 * A command as it can be copied into a shell: what a shell would take apart stands in quotes.
 *
 * @example commandLine(['earwitness', 'check', "anna's table.csv"]) // "earwitness check 'anna'\\''s table.csv'"
 */
export function commandLine(words: readonly string[]): string {
  return words.map((word) => (/^[\p{L}\p{N}_@%+=:,./-]+$/u.test(word) ? word : shellQuoted(word))).join(' ');
}

/** A word in single quotes, as POSIX shells read it. */
export function shellQuoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}

/**
 * Names as a sentence lists them: so many at most, and how many more there are.
 *
 * @example someOf(['a', 'b', 'c'], 2) // 'a, b, … (1 more)'
 */
export function someOf(names: readonly string[], most = 20): string {
  const rest = names.length - most;
  return rest > 0 ? `${names.slice(0, most).join(', ')}, … (${rest} more)` : names.join(', ');
}
