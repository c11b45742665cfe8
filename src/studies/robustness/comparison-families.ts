import type { Family } from '../shared/comparisons.ts';
import type { Design } from './design.ts';
import type { RobustnessOptions } from './options.ts';

/** What comparisons of recognizers are about, most important first: their shares of the error are kept apart (`jointPairedTest`). */
export function comparisonFamilies({ pairs }: Pick<RobustnessOptions, 'pairs'>): readonly Family[] {
  return [
    { name: 'clean audio and all scenarios together', weight: 2 },
    { name: 'categories and the worst group', weight: 1 },
    { name: 'single conditions', weight: 1 },
    ...(pairs.length > 0
      ? [{ name: 'pairs that the config names, on clean audio and over all scenarios', weight: 4 }]
      : []),
  ];
}

/**
 * The family of a comparison of the first weight: of pairs that were fixed before anybody saw a result it is one of their own, so that they do not pay
 * for the others.
 */
export function mainFamily(
  first: number,
  second: number,
  design: Design,
  { pairs }: Pick<RobustnessOptions, 'pairs'>,
): number {
  const nameOf = (recognizer: number) => design.recognizers[recognizer]!.name;
  const isFixed = pairs.some((pair) => pair.includes(nameOf(first)) && pair.includes(nameOf(second)));
  return isFixed ? 3 : 0;
}
