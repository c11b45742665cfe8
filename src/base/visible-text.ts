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
