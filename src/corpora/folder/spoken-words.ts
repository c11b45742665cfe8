/**
 * The words of a line that a training tool wrote: without sentence marks and silences (`<s>`, `<sil>`), fillers
 * (`++BREATH++`), and the numbers of alternate pronunciations (`the(2)`), as CMU Sphinx writes them.
 *
 * @example spokenWords('<s> the(2) cat ++NOISE++ </s>') // 'the cat'
 */
export function spokenWords(text: string): string {
  return text
    .split(/\s+/)
    .filter((word) => word !== '' && !/^<\/?[A-Za-z]+>$/.test(word) && !/^\+\+[^+]+\+\+$/.test(word))
    .map((word) => word.replace(/(?<=.)\(\d+\)$/, ''))
    .join(' ');
}
