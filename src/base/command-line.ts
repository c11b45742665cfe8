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
