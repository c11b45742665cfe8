import { z } from 'zod';

/** Where the data set lies. */
export const folderOption = z
  .string()
  .min(1)
  .max(4096)
  .describe('Folder that it was unpacked to, relative to the config');
