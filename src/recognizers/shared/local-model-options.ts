import { z } from 'zod';

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
