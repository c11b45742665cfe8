import { EarwitnessError } from '../../base/errors.ts';

/** The sentence for a model that cannot be used; begins with the option that names it. */
export function unusable(problem: string, cause?: unknown, option = 'model'): EarwitnessError {
  return new EarwitnessError('bad-config', `${option}: ${problem}`, { cause });
}
