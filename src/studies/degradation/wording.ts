import { named } from '../shared/wording.ts';
import type { Design, MeasureKind } from './design.ts';

/** What a kind of measure counts, in a sentence. */
export function kindInWords(kind: MeasureKind): string {
  return kind === 'distance' ? 'distance between recognizers' : 'word error rate';
}

/** `native English` */
export function groupInWords(attribute: string, group: string): string {
  return `${named(attribute)} ${named(group)}`;
}

/** Over what a number was averaged: `all`, a pair of recognizers, a family of conditions. */
export function scopeInWords(
  { measure, family }: { readonly measure: number | null; readonly family: string | null },
  { measures }: Design,
): string {
  if (measure !== null) return measures[measure]!.name;
  return family ?? 'all';
}
