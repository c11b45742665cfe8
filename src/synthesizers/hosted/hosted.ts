import { setTimeout as pause } from 'node:timers/promises';
import { badConfig, EarwitnessError, type ErrorCode } from '../../base/errors.ts';
import { awsSecrets, awsSigner, awsStatus, readAwsKeys, type UnsignedCall } from '../../http/aws-signature.ts';
import { type Fail, type HttpAnswer, type HttpCall, openConnections } from '../../http/connections.ts';
import { keyRedactor } from '../../http/hidden-key.ts';
import { readKey } from '../../http/read-key.ts';
import { jsonOf, refusalOf } from '../../http/refusal.ts';
import type { BeginCall, Synthesizer, SynthesizerKind, SynthesizerServices, Voice } from '../contract.ts';
import { findVoice, speakableText } from '../shared/speakable-text.ts';
import { type HostedOptions, hostedOptions } from './options.ts';
import { serviceOf } from './services.ts';

/** 22 minutes of 24 kHz. */
const maxSoundBytes = 64 * 2 ** 20;
/** Where the service does not say when to ask again: twice as long each time. */
const firstPauseSeconds = 0.5;
/** A service has hundreds of voices; one whose list never ends is at fault. */
const maxVoicePages = 100;
/** Nobody waits longer for one text. */
const maxPauseSeconds = 300;

/** Why a text was not spoken, and whether asking again can help. */
class SpeechFailure extends EarwitnessError {
  readonly retryable: boolean;
  readonly retryAfterSeconds: number | undefined;
  /** Whether nothing was spoken, so that nothing is charged. */
  readonly unheard: boolean;

  constructor(code: ErrorCode, message: string, options: Parameters<Fail>[2] = {}) {
    super(code, message, { cause: options.cause });
    this.retryable = options.retryable ?? false;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.unheard = options.unheard ?? false;
  }
}

const codes = {
  refused: 'bad-input',
  garbage: 'bad-input',
  unavailable: 'nothing-answered',
  error: 'nothing-answered',
} as const;

/**
 * Speech from a service, for which it is paid. What can pass (429, 5xx, no connection, half an answer) is asked again after what the
 * service says; a run keeps what was spoken, so that nothing is paid twice.
 */
export const hosted: SynthesizerKind<HostedOptions> = {
  name: 'hosted',
  about: 'Speech from a service: OpenAI and servers like it, Google, Azure, Amazon Polly, ElevenLabs',
  options: hostedOptions,

  async open(options, services): Promise<Synthesizer> {
    const service = serviceOf(options);
    const url = service.address(options);
    const { secrets, keyHeaders } = credentials(service, options, services.environment);
    const hidden = keyRedactor(secrets);
    const fail: Fail = (kind, message, more) => new SpeechFailure(codes[kind], `${service.title}: ${message}`, more);
    const hints = {
      address: options.service === 'openai' ? 'baseUrl' : 'endpoint',
      key:
        options.keyVariable === null
          ? 'name the variable of its key in keyVariable'
          : `check the key in ${options.keyVariable}`,
      unreachable: `check ${options.service === 'openai' ? 'baseUrl' : 'region' in options ? 'region, endpoint' : 'endpoint'} and the network`,
      missing: 'check the address, the model and the voice',
    };
    const connections = openConnections(url, fail, hints.unreachable);

    const once = async (call: HttpCall, signal?: AbortSignal): Promise<HttpAnswer> => {
      const limit = AbortSignal.timeout(Math.ceil(options.timeoutSeconds * 1000));
      const stopped = signal === undefined ? limit : AbortSignal.any([signal, limit]);
      const keys = await keyHeaders({ ...call, url: new URL(call.path ?? url.pathname, url) });
      const headers = { ...call.headers, ...keys };
      let answer: HttpAnswer;
      try {
        answer = await connections.send({ ...call, headers }, maxSoundBytes, stopped);
      } catch (error) {
        signal?.throwIfAborted();
        if (limit.aborted)
          throw fail('unavailable', `took longer than ${options.timeoutSeconds} s`, { retryable: true });
        throw error;
      }
      if (answer.status >= 200 && answer.status < 300) return answer;
      const meant =
        service.signing === undefined
          ? answer.status
          : awsStatus(answer.status, answer.header('x-amzn-errortype'), answer.body);
      // A key or an account is at fault, not the text.
      const failed: Fail = (kind, message, more) =>
        [401, 402, 403].includes(meant)
          ? new SpeechFailure('bad-config', `${service.title}: ${message}`, more)
          : fail(kind, message, more);
      throw refusalOf(answer, hidden, hints, Date.now(), failed, meant);
    };

    /** Again, as long as it can help. */
    const ask = async (call: HttpCall, signal?: AbortSignal, beginCall?: BeginCall): Promise<HttpAnswer> => {
      for (let attempt = 1; ; attempt++) {
        signal?.throwIfAborted();
        const answered = beginCall?.();
        try {
          const answer = await once(call, signal);
          const counted = service.countedIn && answer.header(service.countedIn);
          answered?.(counted && /^\d+$/.test(counted) ? Number(counted) : undefined);
          return answer;
        } catch (error) {
          if (error instanceof SpeechFailure && error.unheard) answered?.(0);
          if (!(error instanceof SpeechFailure) || !error.retryable || attempt >= options.attempts) throw error;
          const seconds = error.retryAfterSeconds ?? firstPauseSeconds * 2 ** (attempt - 1);
          if (seconds > maxPauseSeconds) throw error;
          await pause(seconds * 1000, undefined, signal && { signal }).catch(() => signal?.throwIfAborted());
        }
      }
    };

    const listed = async (): Promise<readonly Voice[]> => {
      if (options.voices !== undefined) return options.voices;
      const all: Voice[] = [...service.known];
      for (let call = service.list?.call(url, options) ?? null, page = 1; call !== null; page++) {
        const answer = jsonOf(await ask(call), hidden, fail);
        const voices = service.list!.read(answer);
        if (voices === null || page > maxVoicePages)
          throw fail('garbage', 'expected a list of voices, but it gave something else');
        all.push(...voices);
        call = service.list!.next?.(answer, url, options) ?? null;
      }
      const wanted = options.language?.toLowerCase();
      const fitting = all
        .filter(({ language }) => isTag(language))
        .filter(({ language }) => {
          const tag = language.toLowerCase();
          return wanted === undefined || tag === wanted || tag.startsWith(`${wanted}-`);
        });
      if (fitting.length > 0) return hidden.inAnswer(fitting);
      throw badConfig(
        `${service.title}: expected a voice${wanted === undefined ? '' : ` of ${options.language}`}, but it lists none; name them in voices`,
      );
    };
    let voices: Promise<readonly Voice[]> | undefined;
    const allVoices = () => {
      voices ??= listed();
      return voices;
    };

    return {
      identity: {
        ...{ engine: 'hosted', method: 1, service: options.service, endpoint: `${url.origin}${url.pathname}` },
        settings: service.settings(options),
        ...(options.version !== '' && { version: options.version }),
      },
      voices: allVoices,
      charges: {
        characters: countedCharacters,
        pricePerMillionCharacters(voice) {
          const price = service.price(options, voice);
          return price && { amount: price.amount, currency: price.currency };
        },
      },
      async speak(text, voice, signal, beginCall) {
        signal?.throwIfAborted();
        const found = findVoice(service.title, await allVoices(), voice);
        const line = speakableText(text, {
          engine: service.title,
          maxCharacters: service.maxCharacters,
          characters: 'any',
        });
        const answer = await ask(service.speak(line, found, options, url), signal, beginCall);
        if (answer.isCut) throw fail('garbage', `gave more than ${maxSoundBytes} bytes`);
        return service.sound(answer.body, options);
      },
      async close() {
        connections.close();
      },
    };
  },

  async readiness({ environment }) {
    const variables = [
      'OPENAI_API_KEY',
      'GOOGLE_API_KEY',
      'AZURE_SPEECH_KEY',
      'AWS_SECRET_ACCESS_KEY',
      'ELEVENLABS_API_KEY',
    ];
    const set = variables.filter((name) => Boolean(environment(name)));
    const keys = set.length === 0 ? `none of ${variables.join(', ')} is set` : `set: ${set.join(', ')}`;
    return { ready: true, found: `built in; a service is asked when it is used; of keys, ${keys}` };
  },
};

/** What calls carry to be answered, and what of it must never come out. */
function credentials(
  service: ReturnType<typeof serviceOf>,
  options: HostedOptions,
  environment: SynthesizerServices['environment'],
) {
  const signing = service.signing?.(options);
  if (signing === undefined) {
    const key = readKey('keyVariable', options.keyVariable, environment);
    const headers = key === null ? {} : service.keyHeader(key);
    return { secrets: key === null ? [] : [key], keyHeaders: async (_: UnsignedCall) => headers };
  }
  const keys = readAwsKeys(signing.variables, environment);
  return { secrets: awsSecrets(keys), keyHeaders: awsSigner(keys, signing.service, signing.region) };
}

/** Each character counts, and one of Chinese, Japanese or Korean twice: so Azure counts, the others less. */
function countedCharacters(text: string): number {
  const wide = text.match(/\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}/gu) ?? [];
  return [...text].length + wide.length;
}

function isTag(language: string): boolean {
  try {
    return Intl.getCanonicalLocales(language).length === 1;
  } catch {
    return false;
  }
}
