import { attributeReader, type ReadAttribute } from '../shared/attribute-reader.ts';
import { createBinning } from '../shared/numeric-bins.ts';
import type { DisparityOptions } from './options.ts';

/** What stands for values that are not kept apart. */
export const otherValue = 'Other';

/**
 * Reads attributes as the options want them: a pair's two values joined in the order of their code units, numbers as
 * ranges, values that are not kept apart as Other.
 */
export function attributeValues({ bins, pairs, values }: DisparityOptions): ReadAttribute {
  const binnings = new Map(Object.entries(bins).map(([name, chosen]) => [name, createBinning(chosen)]));
  const kept = new Map(Object.entries(values).map(([name, list]) => [name, new Set(list)]));
  const single = attributeReader(bins);
  return (utterance, name) => {
    let value: string | null;
    if (Object.hasOwn(pairs, name)) {
      const { of, mixed } = pairs[name]!;
      const both = of.map((attribute) => {
        const own = single(utterance, attribute);
        return own === null ? null : (binnings.get(name)?.(own) ?? own);
      });
      if (both.includes(null)) return null;
      const [one, other] = (both as string[]).sort();
      value = one === other || mixed ? `${one}-${other}` : otherValue;
    } else {
      value = single(utterance, name);
    }
    if (value === null) return null;
    return kept.get(name)?.has(value) === false ? otherValue : value;
  };
}
