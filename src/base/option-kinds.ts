import { z } from 'zod';

// What options and parameters take: each kind of value with its range, as schemas of zod.

/** A text that is not empty. */
export function nonEmpty(maxCharacters?: number) {
  const text = z.string().min(1);
  return maxCharacters === undefined ? text : text.max(maxCharacters);
}

/** A whole number. */
export function whole(min: number, max?: number) {
  const number = z.int().min(min);
  return max === undefined ? number : number.max(max);
}

/** A number from `min` to `max`, both included. */
export function between(min: number, max: number) {
  return z.number().min(min).max(max);
}

/** A number above 0. */
export function positive(max?: number) {
  const number = z.number().positive();
  return max === undefined ? number : number.max(max);
}

/** True or false, `usual` where nobody says. */
export function flag(usual: boolean) {
  return z.boolean().default(usual);
}

/** A list of `min` to `max` values. */
export function list<Item extends z.ZodType>(item: Item, min: number, max?: number) {
  const items = min === 0 ? z.array(item) : z.array(item).min(min);
  return max === undefined ? items : items.max(max);
}

/** Null where nobody says. */
export function orNull<Value extends z.ZodType>(value: Value) {
  return value.nullable().default(null as z.util.NoUndefined<z.output<z.ZodNullable<Value>>>);
}

/** One of these words. */
export function oneOf<const Word extends string>(words: readonly Word[]) {
  return z.enum(words);
}

/** A text of this form. */
export function matching(form: RegExp, expected?: string) {
  return z.string().regex(form, expected);
}
