/**
 * A text with its ASCII letters in lower case and all others as they are: how sclite compares words unless it is given
 * `-s` (in SCTK 2.4.10 with `-e utf-8`, “É” and “é” differ), and how rfilter1 compares text.
 *
 * @example foldAsciiCase('ÉTÉ Ever') // 'ÉtÉ ever'
 */
export function foldAsciiCase(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
