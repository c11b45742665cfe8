import { z } from 'zod';

/** Language tags as of BCP 47, by form. */
export const languageTag = z
  .string()
  .max(64)
  .regex(/^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$/, 'expected a BCP 47 tag like "en" or "pt-BR"');
