import type { Clip } from '../../audio/clip.ts';
import { decodePcm } from '../../audio/pcm.ts';
import { badConfig, badInput } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json.ts';
import type { AwsVariables } from '../../http/aws-signature.ts';
import type { HttpCall } from '../../http/connections.ts';
import { serviceAddress } from '../../http/read-key.ts';
import type { Price } from '../../model/observation.ts';
import type { Voice } from '../contract.ts';
import { readWav } from '../shared/run-program.ts';
import type { HostedOptions, OptionsOf } from './options.ts';

/** A call without what the connections add. */
type Call = Pick<HttpCall, 'method' | 'path' | 'body'> & { readonly headers: Readonly<Record<string, string>> };

/** A list price, and when public pages told it. */
type ListPrice = Price & { readonly seen: string };

/** What is particular to one service: its calls, and how its answers are read. */
interface Service<Options> {
  readonly title: string;
  /** Texts beyond it are refused by the service. */
  readonly maxCharacters: number;
  /** Where calls go, without user, query and fragment. */
  address(options: Options): URL;
  /** How the key is sent. */
  keyHeader(key: string): Readonly<Record<string, string>>;
  /** In place of the key, of AWS: how every call is signed, by three keys. */
  signing?(options: Options): { readonly service: string; readonly region: string; readonly variables: AwsVariables };
  speak(text: string, voice: Voice, options: Options, url: URL): Call;
  /** @throws EarwitnessError `bad-input` for what is no sound */
  sound(body: Buffer, options: Options): Clip;
  /** Null where the service has no list. */
  readonly list: {
    call(url: URL, options: Options): Call;
    /** Its voices, or null where the answer has none of its form. */
    read(answer: unknown): Voice[] | null;
    /** What asks for the voices after those of an answer; null: these were all. */
    next?(answer: unknown, url: URL, options: Options): Call | null;
  } | null;
  /** Of a million characters; null where none was found, or where it is not counted in characters. */
  price(options: Options, voice: string): ListPrice | null;
  /** Header in which an answer says how many characters were counted. */
  readonly countedIn?: string;
  /** The voices of a service without a list. */
  readonly known: readonly Voice[];
  /** What changes the sound, besides the address. */
  settings(options: Options): JsonObject;
}

type Fields = Readonly<Record<string, unknown>>;

const dollars = (amount: number, seen: string): ListPrice => ({ amount, currency: 'USD', seen });

const json = (path: string, value: JsonObject): Call => ({
  method: 'POST',
  path,
  headers: { 'Content-Type': 'application/json' },
  body: Buffer.from(JSON.stringify(value)),
});
const get = (path: string): Call => ({ method: 'GET', path, headers: { Accept: 'application/json' } });
const below = (url: URL, path: string): string => `${url.pathname.replace(/\/+$/, '')}${path}`;
const textIn = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

/** Samples of 16 bits, little-endian, one channel and no header. */
function bareSamples(body: Buffer, sampleRate: number, title: string): Clip {
  if (body.length < 2 || body.length % 2 === 1)
    throw badInput(
      `${title}: expected samples of 16 bits, but it gave ${body.length} bytes; try the text with the service itself`,
    );
  return decodePcm(body, { encoding: 's16', channels: 1, sampleRate, littleEndian: true });
}

/** `female` and `male` as attributes of corpora have them; a service's "neutral" is left out. */
function sexOf(value: unknown): { sex?: string } {
  const sex = String(value).toLowerCase();
  return sex === 'female' || sex === 'male' ? { sex } : {};
}

/** OpenAI API reference, "Create speech". The WAV file is written to a pipe, with its length left open. */
const openai: Service<OptionsOf<'openai'>> = {
  title: 'the server',
  maxCharacters: 4096,
  address: ({ baseUrl }) => serviceAddress(baseUrl, 'baseUrl', 'keyVariable'),
  keyHeader: (key) => ({ Authorization: `Bearer ${key}` }),
  speak: (input, { name }, { model }, url) =>
    json(below(url, '/audio/speech'), { model, input, voice: name, response_format: 'wav' }),
  sound: (body) => readWav(body, 'the server'),
  list: null,
  // gpt-4o-mini-tts is charged by tokens of sound; other servers have prices of their own, or none.
  price({ baseUrl, model }) {
    if (!/^https:\/\/api\.openai\.com(\/|$)/.test(baseUrl)) return null;
    if (model === 'tts-1') return dollars(15, '2026-04');
    return model === 'tts-1-hd' ? dollars(30, '2026-04') : null;
  },
  // Of their sex and accent the reference says nothing.
  known: ['alloy', 'ash', 'ballad', 'coral', 'echo', 'fable', 'nova', 'onyx', 'sage', 'shimmer', 'verse'].map(
    (name) => ({ name, language: 'en', attributes: {} }),
  ),
  settings: ({ model }) => ({ model }),
};

/** Google Cloud Text-to-Speech API v1, `text.synthesize` and `voices.list` (its discovery document). LINEAR16 comes with a WAV header. */
const google: Service<OptionsOf<'google'>> = {
  title: 'Google',
  maxCharacters: 5000,
  address: ({ endpoint }) => serviceAddress(endpoint, 'endpoint', 'keyVariable'),
  keyHeader: (key) => ({ 'X-Goog-Api-Key': key }),
  speak: (text, { name, language }, { sampleRate }, url) =>
    json(below(url, '/v1/text:synthesize'), {
      input: { text },
      voice: { languageCode: language, name },
      audioConfig: {
        audioEncoding: 'LINEAR16',
        sampleRateHertz: sampleRate,
      },
    }),
  sound(body) {
    let audio: unknown;
    try {
      audio = (JSON.parse(body.toString('utf8')) as Fields | null)?.audioContent;
    } catch {
      // No JSON: said below.
    }
    if (typeof audio !== 'string') throw badInput('Google: expected an answer with audioContent, but it has none');
    return readWav(Buffer.from(audio, 'base64'), 'Google');
  },
  list: {
    call: (url) => get(below(url, '/v1/voices')),
    read(answer) {
      const { voices } = answer as Fields;
      if (!Array.isArray(voices)) return null;
      return voices.flatMap(({ name, languageCodes, ssmlGender }: Fields) => {
        const language = textIn(Array.isArray(languageCodes) ? languageCodes[0] : null);
        return typeof name === 'string' && language !== null ? [{ name, language, attributes: sexOf(ssmlGender) }] : [];
      });
    },
  },
  // By the class of voice, which its name has.
  price(_, voice) {
    if (/-Standard-/.test(voice)) return dollars(4, '2026-04');
    if (/-(Wavenet|Neural2)-/.test(voice)) return dollars(16, '2026-04');
    return /-Chirp3?-HD-/.test(voice) ? dollars(30, '2026-04') : null;
  },
  known: [],
  settings: ({ sampleRate }) => ({ sampleRate }),
};

const entities: Readonly<Record<string, string>> = {
  '<': '&lt;',
  '>': '&gt;',
  '&': '&amp;',
  '"': '&quot;',
  "'": '&apos;',
};
const escaped = (text: string): string => text.replace(/[<>&"']/g, (character) => entities[character]!);

/** Azure AI Speech, "Text to speech REST API": `cognitiveservices/v1` and `cognitiveservices/voices/list`. */
const azure: Service<OptionsOf<'azure'>> = {
  title: 'Azure',
  maxCharacters: 5000,
  address({ region, endpoint }) {
    if ((region === undefined) === (endpoint === undefined))
      throw badConfig('expected either region or endpoint of Azure, as in region: westeurope');
    return serviceAddress(endpoint ?? `https://${region}.tts.speech.microsoft.com`, 'endpoint', 'keyVariable');
  },
  keyHeader: (key) => ({ 'Ocp-Apim-Subscription-Key': key }),
  speak: (text, { name, language }, { sampleRate }, url) => ({
    method: 'POST',
    path: below(url, '/cognitiveservices/v1'),
    headers: {
      'Content-Type': 'application/ssml+xml',
      'X-Microsoft-OutputFormat': `riff-${sampleRate / 1000}khz-16bit-mono-pcm`,
      'User-Agent': 'earwitness',
    },
    body: Buffer.from(
      `<speak version='1.0' xmlns='http://www.w3.org/2001/10/synthesis' xml:lang='${escaped(language)}'><voice name='${escaped(name)}'>${escaped(text)}</voice></speak>`,
    ),
  }),
  sound: (body) => readWav(body, 'Azure'),
  list: {
    call: (url) => get(below(url, '/cognitiveservices/voices/list')),
    read(answer) {
      if (!Array.isArray(answer)) return null;
      return answer.flatMap(({ ShortName: name, Locale: language, Gender }: Fields) =>
        typeof name === 'string' && typeof language === 'string' ? [{ name, language, attributes: sexOf(Gender) }] : [],
      );
    },
  },
  // Those in HD have another price.
  price: (_, voice) => (/^[A-Za-z-]+Neural$/.test(voice) ? dollars(16, '2024') : null),
  known: [],
  settings: ({ sampleRate }) => ({ sampleRate }),
};

/**
 * Amazon Polly, `SynthesizeSpeech` and `DescribeVoices` (botocore, `data/polly/2016-06-10/service-2.json`): samples of 16 bits without a
 * header.
 */
const polly: Service<OptionsOf<'polly'>> = {
  title: 'Amazon Polly',
  maxCharacters: 3000,
  address: ({ region, endpoint }) =>
    serviceAddress(
      endpoint ?? `https://polly.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`,
      'endpoint',
      'keyVariable',
    ),
  keyHeader: () => ({}),
  signing: ({ region, ...variables }) => ({ service: 'polly', region, variables }),
  speak: (text, { name, language }, { engine, sampleRate }, url) =>
    json(below(url, '/v1/speech'), {
      ...{ Engine: engine, OutputFormat: 'pcm', SampleRate: String(sampleRate), Text: text, VoiceId: name },
      // A voice may speak two languages; a bare language, of a voice that the config declares, is none of its names.
      ...(language.includes('-') && { LanguageCode: language }),
    }),
  sound: (body, { sampleRate }) => bareSamples(body, sampleRate, 'Amazon Polly'),
  list: {
    call: (url, { engine }) => get(below(url, `/v1/voices?Engine=${engine}`)),
    read(answer) {
      const { Voices: voices } = answer as Fields;
      if (!Array.isArray(voices)) return null;
      return voices.flatMap(({ Id: name, LanguageCode: language, Gender }: Fields) =>
        typeof name === 'string' && typeof language === 'string' ? [{ name, language, attributes: sexOf(Gender) }] : [],
      );
    },
    next(answer, url, { engine }) {
      const token = textIn((answer as Fields).NextToken);
      return token === null
        ? null
        : get(below(url, `/v1/voices?Engine=${engine}&NextToken=${encodeURIComponent(token)}`));
    },
  },
  price: ({ engine }) => dollars({ standard: 4, neural: 16, 'long-form': 100, generative: 30 }[engine], '2026-04'),
  countedIn: 'x-amzn-requestcharacters',
  known: [],
  settings: ({ engine, sampleRate }) => ({ engine, sampleRate }),
};

/** ElevenLabs API reference, "Create speech" and "List voices". A voice is called by its id; what people call it is its attribute `voice`. */
const elevenlabs: Service<OptionsOf<'elevenlabs'>> = {
  title: 'ElevenLabs',
  maxCharacters: 5000,
  address: ({ endpoint }) => serviceAddress(endpoint, 'endpoint', 'keyVariable'),
  keyHeader: (key) => ({ 'xi-api-key': key }),
  speak: (text, { name }, { model, sampleRate, seed }, url) =>
    json(below(url, `/v1/text-to-speech/${encodeURIComponent(name)}?output_format=pcm_${sampleRate}`), {
      ...{ text, model_id: model },
      ...(seed !== undefined && { seed }),
    }),
  sound: (body, { sampleRate }) => bareSamples(body, sampleRate, 'ElevenLabs'),
  list: {
    call: (url) => get(below(url, '/v1/voices')),
    read(answer) {
      const { voices } = answer as Fields;
      if (!Array.isArray(voices)) return null;
      return voices.flatMap(({ voice_id: id, name, labels }: Fields) => {
        if (typeof id !== 'string') return [];
        const { gender, accent, age, language } = (labels ?? {}) as Fields;
        const facts = { voice: textIn(name), accent: textIn(accent), age: textIn(age) };
        const told = Object.entries(facts).filter((fact): fact is [string, string] => fact[1] !== null);
        return [
          {
            name: id,
            language: textIn(language) ?? 'en',
            attributes: { ...sexOf(gender), ...Object.fromEntries(told) },
          },
        ];
      });
    },
  },
  // Characters of a plan.
  price: () => null,
  known: [],
  settings: ({ model, sampleRate, seed }) => ({ model, sampleRate, ...(seed !== undefined && { seed }) }),
};

const services = { openai, google, azure, polly, elevenlabs };

/** The service of these options. */
export function serviceOf(options: HostedOptions): Service<HostedOptions> {
  return services[options.service] as unknown as Service<HostedOptions>;
}
