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
