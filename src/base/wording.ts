import { grouped } from './number-format.ts';

/**
 * A count with its noun, in the plural where it must be.
 *
 * @example counted(1712, 'trial') // '1,712 trials'
 */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${grouped(count)} ${count === 1 ? noun : plural}`;
}

/** @example capitalized('one of 40 speakers') // 'One of 40 speakers' */
export function capitalized(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}
