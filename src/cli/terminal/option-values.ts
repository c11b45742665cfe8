import { InvalidArgumentError } from 'commander';
import { EarwitnessError } from '../../base/errors.ts';

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

/** @throws EarwitnessError `bad-usage` for a number that is no port */
export function requirePort(port: number): void {
  if (port <= 65_535) return;
  throw new EarwitnessError('bad-usage', `expected a port from 0 to 65535, but got ${port}; 0 takes any that is free`);
}

/** What may be named as a recognizer, for `init` and `run`. */
export const recognizerHelp =
  'whisper:openai/whisper-base, pocketsphinx:beams=narrow, ./program, ./program:output=json, python:my_model.py, program:./my-recognizer, http://localhost:8000/v1, …; may be repeated';

/** Puts the values of an option that may be repeated together. */
export function collected(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}
