import { z } from 'zod';
import { badConfig } from '../../base/errors.ts';
import { between, flag, matching, nonEmpty, oneOf, whole } from '../../base/option-kinds.ts';
import { printable } from '../../base/printable.ts';
import { RecognitionError } from '../contract.ts';
import { streamingOptions } from '../shared/model-options.ts';
import { liveServices } from './live-services.ts';
import type { ServiceFacts } from './service.ts';
import { serviceNames } from './services.ts';

/** Tags that say that the language is not known: undetermined, several, none, not coded (ISO 639-2). */
const unknownLanguages: readonly string[] = ['und', 'mul', 'zxx', 'mis'];

/** Two codes of a language each (Unicode CLDR, `languageAlias` and `parentLocale`): some corpora write one, some services the other. */
const twoCodes = ['zh cmn', 'nb no', 'fil tl', 'he iw', 'id in', 'jv jw'].map((pair) => pair.split(' '));

/** Chinese of Hong Kong and Macao, which services take for Cantonese: never asked as Chinese without a region. */
const cantonese = /^(?:zh|yue)(?:-hant)?-(?:hk|mo)$/;

/** A tag, and the same in the other code of its language. */
function writings(tag: string): readonly string[] {
  const [primary = '', ...rest] = tag.split('-');
  if (cantonese.test(tag)) return [tag, 'yue'];
  const other = twoCodes.find((codes) => codes.includes(primary))?.find((code) => code !== primary);
  return other === undefined ? [tag] : [tag, [other, ...rest].join('-')];
}

function primaryOf(code: string): string {
  return code.toLowerCase().split(/[-_]/, 1)[0]!;
}

/** As `serviceLanguage`; null: it is not among them. */
function languageAmong(tag: string, supported: readonly string[], takesOtherRegions: boolean): string | null {
  const spelled = tag.toLowerCase();
  const wanted = spelled.replaceAll('_', '-');
  const asWritten = supported.find((code) => code.toLowerCase() === spelled);
  if (asWritten !== undefined) return asWritten;
  for (const writing of writings(wanted)) {
    for (let part = writing; part !== ''; part = part.includes('-') ? part.slice(0, part.lastIndexOf('-')) : '') {
      if (part === 'zh' && cantonese.test(wanted)) continue;
      const found = supported.find((code) => code.toLowerCase() === part);
      if (found !== undefined) return found;
      // A name of the service's own, as of a pack of two languages: its parts are no languages to fall back on.
      if (spelled.includes('_')) break;
    }
    const ofLanguage = supported.filter((code) => primaryOf(code) === writing);
    if (!wanted.includes('-') && ofLanguage.length > 0) return ofLanguage[0]!;
  }
  return takesOtherRegions && wanted.includes('-') && !unknownLanguages.includes(primaryOf(wanted)) ? tag : null;
}

type LanguagesOfService = Pick<
  ServiceFacts,
  | 'title'
  | 'models'
  | 'languages'
  | 'languagesOf'
  | 'hasOtherLanguages'
  | 'findsLanguage'
  | 'takesOtherRegions'
  | 'sampleRates'
>;

/** What languages go by besides the service. */
interface AskedWith {
  readonly model: string;
  readonly sampleRate: number;
}

function languagesWith(service: LanguagesOfService, { model, sampleRate }: AskedWith): readonly string[] {
  return service.languagesOf?.(model, sampleRate) ?? (service.languages === 'account' ? [] : service.languages);
}

/** What is expected in place of a language, with those that come nearest, and what has it. */
function wrongLanguage(tag: string, service: LanguagesOfService, asked: AskedWith): readonly [string, string | null] {
  const { title, takesOtherRegions = false } = service;
  const { model, sampleRate } = asked;
  const supported = languagesWith(service, asked);
  const primaries = writings(primaryOf(tag));
  const ofLanguage = supported.filter((code) => primaries.includes(primaryOf(code)));
  const choice = ofLanguage.length > 0 ? ofLanguage : supported;
  const shown = choice.length > 12 ? `${choice.slice(0, 12).join(', ')}, …` : choice.join(', ');
  const has = (other: AskedWith) => languageAmong(tag, languagesWith(service, other), takesOtherRegions) !== null;
  const otherModel = service.models.find((name) => has({ model: name, sampleRate }));
  const otherRate = service.sampleRates?.(model).find((rate) => has({ model, sampleRate: rate }));
  const elsewhere =
    otherModel !== undefined
      ? `\`model: ${otherModel}\` has it`
      : otherRate !== undefined
        ? `\`sampleRate: ${otherRate}\` has it`
        : null;
  const special = service.languagesOf?.(model, sampleRate) !== undefined;
  const where = special ? ` with model ${model} at ${sampleRate} Hz` : '';
  return [`expected a language that ${title} is known to have${where} (${shown})`, elsewhere];
}

/**
 * A BCP 47 tag as a service writes it. A bare language is the first of its regions that the service has; a region that it has not is
 * never exchanged for another, because that would test the wrong one (parts are left out from behind, as RFC 4647 section 3.4 says).
 *
 * @param asked the model, and the rate in Hz
 * @returns null where the key stands for a language
 * @throws RecognitionError `refused` for a language that the service is not known to have
 * @example serviceLanguage('de', { title: 'Azure', models: [], languages: ['de-DE', 'de-AT'] }, { model: '', sampleRate: 16_000 }) // 'de-DE'
 */
export function serviceLanguage(tag: string, service: LanguagesOfService, asked: AskedWith): string | null {
  if (service.languages === 'account') return null;
  const found = languageAmong(tag, languagesWith(service, asked), service.takesOtherRegions ?? false);
  if (found !== null) return found;
  const [expected, elsewhere] = wrongLanguage(tag, service, asked);
  throw new RecognitionError(
    'refused',
    `${expected}, but the utterance is in ${printable(tag, 40)}; ${elsewhere ?? 'name one with `language`'}, or leave such utterances out`,
  );
}

/**
 * What a service is told where `language` says it: as `serviceLanguage`, but where not all of its languages are listed here, any other as it stands.
 *
 * @returns null where it finds the language out
 * @throws EarwitnessError `bad-config` for a language that it has not, and for none where it finds out none
 */
export function toldLanguage(language: string, service: LanguagesOfService, asked: AskedWith): string | null {
  const { title, findsLanguage, hasOtherLanguages = false, takesOtherRegions = false } = service;
  const bad = (what: string) => badConfig(`language: ${what}`);
  if (service.languages === 'account') throw bad(`${title} hears the one of its key; take it out`);
  if (language === 'none') {
    if (findsLanguage === true || findsLanguage?.includes(asked.model)) return null;
    const where = findsLanguage === undefined ? '' : ` with model ${asked.model}`;
    throw bad(`expected one, since ${title} does not find it out by itself${where}, but got none`);
  }
  const found = languageAmong(language, languagesWith(service, asked), takesOtherRegions);
  if (found !== null) return found;
  if (hasOtherLanguages && service.languagesOf?.(asked.model, asked.sampleRate) === undefined) return language;
  const [expected, elsewhere] = wrongLanguage(language, service, asked);
  throw bad(`${expected}, but got ${printable(language, 40)}${elsewhere === null ? '' : `; ${elsewhere}`}`);
}

const variable = matching(
  /^[A-Za-z_][A-Za-z0-9_]*$/,
  'expected the name of an environment variable, not the key itself',
);

const { mode, chunkSeconds } = streamingOptions(0.1);
const liveNames = Object.keys(liveServices) as (keyof typeof liveServices)[];

export const hostedOptions = z.strictObject({
  service: oneOf([...new Set([...serviceNames, ...liveNames])]).describe('Whose service: deepgram, google, azure, …'),
  model: matching(/^[\w.:-]{1,100}$/, 'expected the name of a model')
    .optional()
    .describe('Name of the model, as the service knows it. Default: the first that docs/recognizers.md lists.'),
  region: matching(/^[a-z0-9-]{1,40}$/, 'expected the name of a region, like eu or westeurope')
    .optional()
    .describe('Where the audio is processed. Default: the first region that docs/recognizers.md lists.'),
  keyVariable: variable
    .nullable()
    .optional()
    .describe(
      "Environment variable that holds the key; null for none. Default: the vendor's own name for it (DEEPGRAM_API_KEY, …), and none with `baseUrl`.",
    ),
  baseUrl: nonEmpty(2000)
    .optional()
    .describe("Address in place of the vendor's: of an instance (IBM), of a proxy, of a server of your own."),
  bucket: matching(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'expected the name of an S3 bucket, without s3://')
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
  language: matching(/^(none|[A-Za-z][\w-]{1,34})$/, 'expected a language, as en or zh-CN, or "none"')
    .optional()
    .describe('Language that the service is told; none: it finds out, where it can. Default: that of each utterance.'),
  wordTimes: flag(true).describe('Whether times of words are asked for, where the service can leave them out.'),
  sampleRate: whole(8000, 48_000)
    .default(16_000)
    .describe('Rate in Hz of the 16-bit WAV files that are sent; clips are resampled.'),
  mode: mode
    .unwrap()
    .optional()
    .describe(
      'batch: the whole clip is sent at once. streaming: audio is sent over a socket in real time, and the latencies of partial and final results are measured. Default: batch, and streaming with services that have sockets alone.',
    ),
  chunkSeconds: chunkSeconds.describe('With mode streaming: how much audio is sent at a time.'),
  pollSeconds: between(0.01, 600)
    .default(2)
    .describe(
      'With services that take jobs: seconds until a job is first asked for; later ones wait up to five times as long.',
    ),
  record: nonEmpty(1000)
    .optional()
    .describe(
      'Folder in which every exchange with the service is kept, without keys and sound, for tests and questions.',
    ),
  version: nonEmpty(300)
    .optional()
    .describe('Version of the model. Given, answers are kept from run to run; else every run asks anew.'),
});

export type HostedOptions = z.infer<typeof hostedOptions>;
