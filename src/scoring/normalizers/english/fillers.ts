import { anyWord } from './word-edges.ts';

const fillers = anyWord(['hmm', 'mm', 'mhm', 'mmm', 'uh', 'um']);

/**
 * Without the fillers `hmm mm mhm mmm uh um`, in lower case. Others (`er`, `ah`, `hm`, `uhh`) stay, and of `uh-huh` the
 * second half.
 *
 * Known trap: the unit goes too. `20 mm` gives `20`, as a filler would (while `20mm` gives `20 mm`).
 */
export function dropFillers(text: string): string {
  return text.replace(fillers, '');
}
