import { InvalidArgumentError } from 'commander';

/** For commander: a whole number of at least 1. */
export function wholeNumber(text: string): number {
  const number = Number(text);
  if (!Number.isSafeInteger(number) || number < 1)
    throw new InvalidArgumentError('expected a whole number of at least 1');
  return number;
}

/** For commander: a whole number of at least 0. */
export function naturalNumber(text: string): number {
  const number = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(number))
    throw new InvalidArgumentError('expected a whole number of at least 0');
  return number;
}
