import { z } from 'zod';
import { EarwitnessError } from '../../base/errors.ts';

// Options that engines on this machine have alike.

export const threadsOption = z
  .int()
  .min(1)
  .max(256)
  .default(1)
  .describe('Threads that compute one recognition. Runs use the other cores for other recognitions');

export const languageTagOption = z
  .string()
  .regex(/^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$/, 'expected a BCP 47 tag like "en" or "pt-BR"');

/** Of models that hear several languages. */
export const spokenLanguageOption = languageTagOption
  .optional()
  .describe("Language that a multilingual model is told (BCP 47). Default: the utterance's own");

/** Of models of Whisper's kind. */
export const whisperTask = z.enum(['transcribe', 'translate']);

/** The sentence for a model that cannot be used; begins with the option that names it. */
export function unusable(problem: string, cause?: unknown, option = 'model'): EarwitnessError {
  return new EarwitnessError('bad-config', `${option}: ${problem}`, { cause });
}
