/**
 * A text cut to so many characters (code points are not torn), with a note of what was left out. A recognizer can
 * answer with megabytes; a reader and a file cannot take them.
 *
 * @example limitText('abcdef', 3) // 'abc… (3 more characters)'
 */
export function limitText(text: string, most: number): string {
  if (text.length <= most) return text;
  const torn = /[\ud800-\udbff]$/.test(text.slice(0, most));
  const kept = text.slice(0, torn ? most - 1 : most);
  return `${kept}… (${(text.length - kept.length).toLocaleString('en-US')} more characters)`;
}
