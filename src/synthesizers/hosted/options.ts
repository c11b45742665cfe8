import { z } from 'zod';
import { list, matching, nonEmpty, oneOf, whole } from '../../base/option-kinds.ts';

const keyVariable = (name: string) =>
  matching(/^[A-Za-z_][A-Za-z0-9_]*$/, 'expected the name of an environment variable')
    .default(name)
    .describe('Environment variable that holds the key. The key itself is never stored, logged or hashed.');

/** What all services have alike. */
const common = {
  voices: list(
    z.strictObject({
      name: nonEmpty(100).describe('As the service calls it'),
      language: z.string().min(2).max(40).describe('BCP 47 tag: en, en-GB'),
      attributes: z
        .record(z.string(), z.string())
        .default({})
        .describe('sex, accent and the like, as you know them of the voice'),
    }),
    1,
  )
    .optional()
    .describe(
      'The voices that speak. Default: all that the service lists, with the sex and accent that it gives them.',
    ),
  language: z
    .string()
    .min(2)
    .max(40)
    .optional()
    .describe('BCP 47 tag: of the voices that the service lists, only those of this language'),
  version: z
    .string()
    .max(200)
    .default('')
    .describe('Change it to have everything spoken anew, because the service speaks otherwise than before'),
  timeoutSeconds: z.number().gt(0).max(3600).default(60).describe('How long one text may take, in seconds'),
  attempts: whole(1, 20)
    .default(4)
    .describe('Max calls for one text, the first included, when a failure may be temporary'),
};
const address = (text: string) => nonEmpty(2000).describe(text);

/** One service each, told apart by `service`. */
export const hostedOptions = z.discriminatedUnion('service', [
  z.strictObject({
    service: z.literal('openai').describe("Any server with OpenAI's /audio/speech: OpenAI, Kokoro-FastAPI, LocalAI, …"),
    baseUrl: address('Address that /audio/speech is appended to: http://localhost:8880/v1').default(
      'https://api.openai.com/v1',
    ),
    model: nonEmpty(300).default('gpt-4o-mini-tts').describe('Name of the model, as the server knows it'),
    ...common,
    keyVariable: keyVariable('OPENAI_API_KEY')
      .nullable()
      .default('OPENAI_API_KEY')
      .describe('Environment variable that holds the key; null for a server that wants none'),
  }),
  z.strictObject({
    service: z.literal('google').describe('Google Cloud Text-to-Speech'),
    endpoint: address('Another address than the usual, of a region: https://eu-texttospeech.googleapis.com').default(
      'https://texttospeech.googleapis.com',
    ),
    sampleRate: whole(8000, 48_000).default(24_000).describe('Hz'),
    ...common,
    keyVariable: keyVariable('GOOGLE_API_KEY'),
  }),
  z.strictObject({
    service: z.literal('azure').describe('Azure AI Speech'),
    region: matching(/^[a-z0-9]{2,40}$/, 'expected the name of a region, like westeurope')
      .optional()
      .describe('Region of the resource: westeurope, eastus, …'),
    endpoint: address('In place of region: another address of the service').optional(),
    sampleRate: z
      .union([z.literal(8000), z.literal(16_000), z.literal(24_000), z.literal(48_000)])
      .default(24_000)
      .describe('Hz; 8000, 16000, 24000 or 48000'),
    ...common,
    keyVariable: keyVariable('AZURE_SPEECH_KEY'),
  }),
  z.strictObject({
    service: z.literal('polly').describe('Amazon Polly'),
    region: matching(/^[a-z0-9-]{2,40}$/, 'expected the name of a region, like eu-west-1')
      .default('us-east-1')
      .describe('Region of the service: us-east-1, eu-central-1, …'),
    endpoint: address('Another address than that of the region').optional(),
    engine: oneOf(['standard', 'neural', 'long-form', 'generative'])
      .default('neural')
      .describe('How it speaks; each has voices of its own, and a price'),
    sampleRate: z
      .union([z.literal(8000), z.literal(16_000)])
      .default(16_000)
      .describe('Hz; 8000 or 16000'),
    ...common,
    keyVariable: keyVariable('AWS_SECRET_ACCESS_KEY'),
    accessKeyIdVariable: keyVariable('AWS_ACCESS_KEY_ID').describe(
      'Environment variable that holds the id of the access key',
    ),
    sessionTokenVariable: keyVariable('AWS_SESSION_TOKEN').describe(
      'Environment variable that holds the session token, where the keys have one',
    ),
  }),
  z.strictObject({
    service: z.literal('elevenlabs').describe('ElevenLabs'),
    endpoint: address('Another address than the usual, of a region').default('https://api.elevenlabs.io'),
    model: nonEmpty(300).default('eleven_multilingual_v2').describe('Name of the model'),
    sampleRate: z
      .union([z.literal(16_000), z.literal(22_050), z.literal(24_000), z.literal(44_100)])
      .default(24_000)
      .describe('Hz; 16000, 22050, 24000 or 44100 (of which a plan may lack the last)'),
    seed: whole(0, 4_294_967_295).optional().describe('Has it speak alike again, as far as the service can'),
    ...common,
    keyVariable: keyVariable('ELEVENLABS_API_KEY'),
  }),
]);

export type HostedOptions = z.output<typeof hostedOptions>;
/** Of one service. */
export type OptionsOf<Service extends HostedOptions['service']> = Extract<HostedOptions, { service: Service }>;
