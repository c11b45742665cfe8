import { z } from 'zod';

export const openaiCompatibleOptions = z.strictObject({
  model: z
    .string()
    .min(1)
    .max(300)
    .describe('Name of the model, as the server knows it: whisper-1, whisper-large-v3, …'),
  baseUrl: z
    .string()
    .min(1)
    .max(2000)
    .default('https://api.openai.com/v1')
    .describe('Address that the path is appended to: https://api.groq.com/openai/v1, http://localhost:8000/v1, …'),
  path: z
    .string()
    .regex(/^\/[\w./-]{1,200}$/, 'expected a path that begins with "/"')
    .default('/audio/transcriptions')
    .describe("Appended to the address. whisper.cpp's server has /inference unless it was started with another."),
  keyVariable: z
    .string()
    .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'expected the name of an environment variable')
    .nullable()
    .optional()
    .describe(
      'Environment variable that holds the key; null for none. Default: OPENAI_API_KEY for api.openai.com, none for any other server, which must not get the key of that one unasked.',
    ),
  responseFormat: z
    .enum(['verbose_json', 'json', 'text'])
    .default('verbose_json')
    .describe('What the server is asked for. Some models know json alone; only verbose_json has times.'),
  wordTimes: z.boolean().default(true).describe('With verbose_json: whether times of words are asked for.'),
  language: z
    .string()
    .regex(/^(none|[a-z]{2,3})$/, 'expected an ISO 639 code like "en", or "none"')
    .optional()
    .describe('ISO 639 code that the server is told; none: it finds out. Default: the language of each utterance.'),
  prompt: z.string().max(10_000).optional().describe('Text that steers spelling and style of the transcript.'),
  temperature: z.number().min(0).max(2).optional().describe("Of the sampling. Default: the server's own."),
  sampleRate: z
    .int()
    .min(8000)
    .max(48_000)
    .default(16_000)
    .describe('Rate in Hz of the 16-bit WAV files that are sent; clips are resampled.'),
  usesProcessor: z
    .boolean()
    .default(false)
    .describe("Whether the server works on this machine's processor: then it shares its cores with other recognizers."),
  version: z
    .string()
    .min(1)
    .max(300)
    .optional()
    .describe('Version of server and model. Given, answers are kept from run to run; else every run asks anew.'),
});

export type OpenaiCompatibleOptions = z.infer<typeof openaiCompatibleOptions>;
