import { InvalidArgumentError } from 'commander';

/** For commander: a whole number of at least 0. */
export function naturalNumber(text: string): number {
  const number = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(number))
    throw new InvalidArgumentError('expected a whole number of at least 0');
  return number;
}
