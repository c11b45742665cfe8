import { InvalidArgumentError } from 'commander';

/** For commander. */
export function share(text: string): number {
  const number = Number(text);
  if (text.trim() === '' || !(number > 0 && number < 1))
    throw new InvalidArgumentError('expected a share between 0 and 1');
  return number;
}
