/** Scripts that put no blanks between words: each of their letters stands for one. */
const words =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]|[^\s\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+/gu;

/**
 * The words of a text, lower-case: what stands between blanks, and each letter of scripts that write none.
 *
 * @example textWords('Two words 你好') // ['two', 'words', '你', '好']
 */
export function textWords(text: string): string[] {
  return text.toLowerCase().match(words) ?? [];
}
