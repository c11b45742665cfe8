import { z } from 'zod';
import { seenVariables } from '../../../system/named-program.ts';
import type { RecognizerDescription } from '../../contract.ts';
import { streamingOptions } from '../model-options.ts';

/** Options that recognizers in processes that stay have alike. */
export const programOptions = {
  workers: z
    .int()
    .min(1)
    .max(256)
    .default(1)
    .describe('Processes that recognize side by side. Each loads the model for itself.'),
  devices: z
    .array(z.string().min(1).max(100))
    .default([])
    .describe(
      'Given to the workers in turn, in EARWITNESS_DEVICE and when they are opened: [cuda:0, cuda:1]. Workers on one device each load the model.',
    ),
  batch: z
    .int()
    .min(1)
    .max(1024)
    .optional()
    .describe('Max clips at once for each worker. Default: as many as the program says that it takes.'),
  usesProcessor: z
    .boolean()
    .default(true)
    .describe("Whether it works on this machine's processor and shares its cores; false for a GPU or a service."),
  startLimitSeconds: z
    .number()
    .positive()
    .max(86_400)
    .default(300)
    .describe('Max wait until it introduces itself, and again until its model is loaded.'),
  environment: seenVariables,
  ...streamingOptions(0.1),
};

const schema = z.strictObject(programOptions);
export type ProgramOptions = z.output<typeof schema>;

/** How such a recognizer may be called. */
export function callsOf(
  { workers, usesProcessor, environment }: ProgramOptions,
  batch: number,
): Pick<RecognizerDescription, 'input' | 'concurrency' | 'batch' | 'usesProcessor' | 'hosted'> {
  // What computes elsewhere and is given variables may be a service with its key.
  const hosted = !usesProcessor && environment.length > 0;
  return { input: 'sound', concurrency: workers * batch, batch, usesProcessor, hosted };
}
