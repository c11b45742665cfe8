import type { Json } from '../../base/json.ts';

/** A place where two JSON values are not the same. */
export interface Difference {
  /** `findings[0].answer[2].estimate.low` */
  readonly path: string;
  /** Absent: there is nothing in this place. */
  readonly reported?: Json;
  readonly recomputed?: Json;
}

/** How two JSON values compare. */
export interface Compared {
  /** Numbers that are the same in both. */
  readonly sameNumbers: number;
  /** The first of them, in order. */
  readonly differences: readonly Difference[];
  readonly differenceCount: number;
}

/**
 * Every place where a reported value is not what was computed again: numbers to the last digit, texts to the last letter.
 *
 * @param most how many differences are listed; all are counted
 * @example compareJson({ rate: 0.1 }, { rate: 0.2 }, 'finding', 10).differences // [{ path: 'finding.rate', … }]
 */
export function compareJson(reported: Json, recomputed: Json, path: string, most: number): Compared {
  const differences: Difference[] = [];
  let differenceCount = 0;
  let sameNumbers = 0;
  const differ = (difference: Difference) => {
    differenceCount++;
    if (differences.length < most) differences.push(difference);
  };
  const walk = (one: Json, other: Json, place: string): void => {
    if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) {
      if (one !== other) differ({ path: place, reported: one, recomputed: other });
      else if (typeof one === 'number') sameNumbers++;
      return;
    }
    if (Array.isArray(one) !== Array.isArray(other)) {
      differ({ path: place, reported: one, recomputed: other });
      return;
    }
    const [first, second] = [one, other] as readonly Readonly<Record<string, Json>>[];
    for (const key of new Set([...Object.keys(first!), ...Object.keys(second!)])) {
      const inner = Array.isArray(one) ? `${place}[${key}]` : `${place}.${key}`;
      const has = [first!, second!].map((side) => Object.hasOwn(side, key));
      if (!has[0]) differ({ path: inner, recomputed: second![key]! });
      else if (!has[1]) differ({ path: inner, reported: first![key]! });
      else walk(first![key]!, second![key]!, inner);
    }
  };
  walk(reported, recomputed, path);
  return { sameNumbers, differences, differenceCount };
}
