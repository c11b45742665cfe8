import type { Utterance } from '../../model/utterance.ts';
import { createBinning, type NumericBins } from './numeric-bins.ts';

/** The value of an utterance under an attribute's name; null where it has none. */
export type ReadAttribute = (utterance: Utterance, attribute: string) => string | null;

/** Reads attributes, numbers as the ranges that the option `bins` makes of them. */
export function attributeReader(bins: NumericBins): ReadAttribute {
  const binnings = new Map(Object.entries(bins).map(([name, chosen]) => [name, createBinning(chosen)]));
  return ({ attributes }, name) => {
    const value = Object.hasOwn(attributes, name) ? attributes[name]! : null;
    return value === null ? null : (binnings.get(name)?.(value) ?? value);
  };
}
