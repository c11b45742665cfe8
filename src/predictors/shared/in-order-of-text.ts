import type { TriedText } from '../contract.ts';

/** The tried texts by the order of their code units, so that the order in which they were tried changes no digit. */
export function inOrderOfText(tried: readonly TriedText[]): TriedText[] {
  return tried.toSorted((a, b) => (a.text < b.text ? -1 : a.text > b.text ? 1 : 0));
}
