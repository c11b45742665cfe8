import type { Estimate } from '../../model/finding.ts';
import { listed, named } from '../shared/wording.ts';
import type { Subgroup } from './subgroups.ts';

/** A group in a sentence: `accent Indian`, `sex female and accent Indian`. */
export function groupWords({ attributes, values }: Subgroup): string {
  return listed(attributes.map((attribute, place) => `${named(attribute)} ${named(values[place]!)}`));
}

/** A group in a cell: `sex female × accent Indian`. */
export function groupLabel({ attributes, values }: Subgroup): string {
  return attributes.map((attribute, place) => `${attribute} ${values[place]}`).join(' × ');
}

/** The same with its interval, where it has one: `4.1 points [2.0, 6.3]`. */
export function pointsWithin({ value, low, high }: Estimate): string {
  const within = low === null || high === null ? '' : ` [${(100 * low).toFixed(1)}, ${(100 * high).toFixed(1)}]`;
  return `${points(value!)}${within}`;
}

/** A difference of rates in a sentence, in percentage points: `4.1 points`. */
export function points(difference: number): string {
  return `${(100 * difference).toFixed(1)} points`;
}
