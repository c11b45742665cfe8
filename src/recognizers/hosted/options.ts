import { z } from 'zod';
import { printable } from '../../base/printable.ts';
import { RecognitionError } from '../contract.ts';
import { streamingOptions } from '../shared/model-options.ts';
import { liveServices } from './live-services.ts';
import { serviceNames } from './services.ts';

/** Tags that say that the language is not known: undetermined, several, none, not coded (ISO 639-2). */
const unknownLanguages: readonly string[] = ['und', 'mul', 'zxx', 'mis'];

/**
 * A BCP 47 tag as a service writes it. A bare language is the first of its regions that the service has; a region that it has not is
 * never exchanged for another, because that would test the wrong one (parts are left out from behind, as RFC 4647 section 3.4 says).
 *
 * @param supported as the service writes them
 * @param takesOtherRegions whether a tag with a region is sent although it is not listed
 * @throws RecognitionError `refused` for a language that the service is not known to have
 * @example serviceLanguage('de', 'Azure', ['de-DE', 'de-AT'], false) // 'de-DE'
 */
export function serviceLanguage(
  tag: string,
  title: string,
  supported: readonly string[],
  takesOtherRegions: boolean,
): string {
  const wanted = tag.toLowerCase();
  const primary = wanted.split('-', 1)[0]!;
  for (let part = wanted; part !== ''; part = part.includes('-') ? part.slice(0, part.lastIndexOf('-')) : '') {
    const found = supported.find((code) => code.toLowerCase() === part);
    if (found !== undefined) return found;
  }
  const ofLanguage = supported.filter((code) => code.toLowerCase().split('-', 1)[0] === primary);
  if (wanted === primary && ofLanguage.length > 0) return ofLanguage[0]!;
  if (takesOtherRegions && wanted !== primary && !unknownLanguages.includes(primary)) return tag;
  const choice = ofLanguage.length > 0 ? ofLanguage : supported;
  const shown = choice.length > 12 ? `${choice.slice(0, 12).join(', ')}, …` : choice.join(', ');
  throw new RecognitionError(
    'refused',
    `expected a language that ${title} is known to have (${shown}), but the utterance is in ${printable(tag, 40)}; name one with \`language\`, or leave such utterances out`,
  );
}

const variable = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'expected the name of an environment variable, not the key itself');

const { mode, chunkSeconds } = streamingOptions(0.1);
const liveNames = Object.keys(liveServices) as (keyof typeof liveServices)[];

export const hostedOptions = z.strictObject({
  service: z.enum([...new Set([...serviceNames, ...liveNames])]).describe('Whose service: deepgram, google, azure, …'),
  model: z
    .string()
    .regex(/^[\w.:-]{1,100}$/, 'expected the name of a model')
    .optional()
    .describe('Name of the model, as the service knows it. Default: the first that docs/recognizers.md lists.'),
  region: z
    .string()
    .regex(/^[a-z0-9-]{1,40}$/, 'expected the name of a region, like eu or westeurope')
    .optional()
    .describe('Where the audio is processed. Default: the first region that docs/recognizers.md lists.'),
  keyVariable: variable
    .nullable()
    .optional()
    .describe(
      "Environment variable that holds the key; null for none. Default: the vendor's own name for it (DEEPGRAM_API_KEY, …), and none with `baseUrl`.",
    ),
  baseUrl: z
    .string()
    .min(1)
    .max(2000)
    .optional()
    .describe("Address in place of the vendor's: of an instance (IBM), of a proxy, of a server of your own."),
  bucket: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'expected the name of an S3 bucket, without s3://')
    .optional()
    .describe(
      'With AWS Transcribe: your S3 bucket, of the same region, in which each clip lies below earwitness/ until it is transcribed.',
    ),
  accessKeyIdVariable: variable
    .default('AWS_ACCESS_KEY_ID')
    .describe('With AWS Transcribe: environment variable that holds the id of the access key.'),
  sessionTokenVariable: variable
    .default('AWS_SESSION_TOKEN')
    .describe('With AWS Transcribe: environment variable that holds the session token, where the keys have one.'),
  language: z
    .string()
    .regex(/^(none|[A-Za-z][\w-]{1,34})$/, 'expected a language as the service writes it, or "none"')
    .optional()
    .describe(
      'Language that the service is told, as it writes it; none: it finds out. Default: that of each utterance.',
    ),
  wordTimes: z
    .boolean()
    .default(true)
    .describe('Whether times of words are asked for, where the service can leave them out.'),
  sampleRate: z
    .int()
    .min(8000)
    .max(48_000)
    .default(16_000)
    .describe('Rate in Hz of the 16-bit WAV files that are sent; clips are resampled.'),
  mode: mode
    .unwrap()
    .optional()
    .describe(
      'batch: the whole clip is sent at once. streaming: audio is sent over a socket in real time, and the latencies of partial and final results are measured. Default: batch, and streaming with services that have sockets alone.',
    ),
  chunkSeconds: chunkSeconds.describe('With mode streaming: how much audio is sent at a time.'),
  pollSeconds: z
    .number()
    .min(0.01)
    .max(600)
    .default(2)
    .describe(
      'With services that take jobs: seconds until a job is first asked for; later ones wait up to five times as long.',
    ),
  record: z
    .string()
    .min(1)
    .max(1000)
    .optional()
    .describe(
      'Folder in which every exchange with the service is kept, without keys and sound, for tests and questions.',
    ),
  version: z
    .string()
    .min(1)
    .max(300)
    .optional()
    .describe('Version of the model. Given, answers are kept from run to run; else every run asks anew.'),
});

export type HostedOptions = z.infer<typeof hostedOptions>;
