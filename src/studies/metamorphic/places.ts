import type { Design } from './design.ts';

/** Where cases of a recognizer in a condition are counted. */
export function placeOf(design: Design, recognizer: number, condition: number): number {
  return condition * design.recognizers.length + recognizer;
}

/** Where what both of two recognizers answered is counted. */
export function jointPlace(design: Design, first: number, second: number, condition: number): number {
  const { length } = design.recognizers;
  return (condition * length + first) * length + second;
}

/** Where trials are counted; null: clean clips. */
export function trialPlace(design: Design, recognizer: number, condition: number | null): number {
  return recognizer * (design.conditions.length + 1) + (condition === null ? 0 : condition + 1);
}
