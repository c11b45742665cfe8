import { printable } from '../../base/printable.ts';

/**
 * What a dead process said last, on one line fit for a sentence: without the frames and ornaments of a stack trace.
 *
 * @param error the end of its standard error
 */
export function lastWords(error: string): string {
  const lines = error
    .split('\n')
    .map((line) => line.replace(/^#+/, '').trim())
    .filter((line) => /[\p{L}\p{N}]/u.test(line) && !/^(\d+: 0x|at |-{3,}|<---)/.test(line));
  return printable(lines.slice(-3).join(' / '), 300);
}
