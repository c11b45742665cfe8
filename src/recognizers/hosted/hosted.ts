import { resolve } from 'node:path';
import { encodeWav } from '../../audio/encode-wav.ts';
import { resample } from '../../audio/resample.ts';
import { type Clock, systemClock } from '../../base/clock.ts';
import { badConfig } from '../../base/errors.ts';
import { foreignLimits } from '../../base/foreign-data.ts';
import { printable } from '../../base/printable.ts';
import { awsSecrets, awsSigner, awsStatus, readAwsKeys, type UnsignedCall } from '../../http/aws-signature.ts';
import { type HttpConnections, openConnections } from '../../http/connections.ts';
import { type HiddenKey, keyRedactor } from '../../http/hidden-key.ts';
import { readKey, serviceAddress } from '../../http/read-key.ts';
import { beginningOf, jsonIn, jsonOf, refusalOf, refusedAs, textOf } from '../../http/refusal.ts';
import type { Transcript } from '../../model/observation.ts';
import { RecognitionError, type Recognizer, type RecognizerKind, type RecognizerServices } from '../contract.ts';
import { streamingIdentity } from '../shared/model-options.ts';
import { quietPieces } from '../shared/quiet-pieces.ts';
import { clipOf, recognitionFailure, withUnheard } from '../shared/requests.ts';
import { exchangeRecorder } from './exchange-recorder.ts';
import { type AskService, clipsLeft, finishJob, jobPlace, removeOldNotes } from './jobs.ts';
import { openLive } from './live.ts';
import { liveServices } from './live-services.ts';
import { type HostedOptions, hostedOptions, serviceLanguage, toldLanguage } from './options.ts';
import {
  type Heard,
  type HostedService,
  joined,
  type LiveService,
  type OneCallService,
  type ServiceCall,
  type ServiceFacts,
  type ServiceQuestion,
} from './service.ts';
import { hostedServices } from './services.ts';

/**
 * Hosted services by their published interfaces, rows of tables (`services.ts`, `live-services.ts`): what is sent, what comes back, keys, regions,
 * prices, languages. What openai-compatible does about failures holds here too.
 */
export const hosted: RecognizerKind<HostedOptions> = {
  name: 'hosted',
  about: `Hosted services, in one call, as jobs or over sockets, all untried with the real ones: ${[
    ...new Set([...Object.values(hostedServices), ...Object.values(liveServices)].map(({ title }) => title)),
  ].join(', ')}`,
  options: hostedOptions,
  isolation: 'none',

  async describe(options) {
    const service = serviceOf(options);
    const { model, region, address } = settled(options, service);
    const { language, wordTimes, sampleRate, version } = options;
    const { price, billing } = service;
    const priced = price !== null && (model === service.models[0] || service.onePrice === true) ? price : null;
    return {
      identity: {
        engine: 'hosted',
        method: 2,
        service: options.service,
        // An instance is a customer's, and its name a secret of sorts.
        endpoint: `${address.origin}${address.pathname.replace(/\/instances\/[^/]+/, '/instances')}`,
        model,
        settings: {
          ...{ wordTimes, sampleRate, ...(language === undefined ? {} : { language }) },
          ...('follow' in service
            ? streamingIdentity({ mode: 'streaming', pace: 'real-time', chunkSeconds: options.chunkSeconds })
            : {}),
        },
        ...(region === null ? {} : { region }),
        ...(version === undefined ? {} : { version }),
      },
      input: 'sound',
      pinned: version !== undefined,
      concurrency: service.concurrency,
      usesProcessor: false,
      hosted: true,
      ...(priced && { pricePerMinute: { amount: priced.amount, currency: priced.currency } }),
      ...(billing && { billing }),
      facts: { service: service.title, model, ...(priced && { listPriceSeen: priced.seen }) },
    };
  },

  open: (options, services) => openHosted(options, services, systemClock),

  async readiness(services) {
    const named = [...Object.values<ServiceFacts>(hostedServices), ...Object.values<ServiceFacts>(liveServices)];
    const variables = [...new Set(named.map(({ keyVariable }) => keyVariable))];
    const set = variables.filter((name) => services.environment(name));
    return {
      ready: true,
      found: `built in; the service is asked when it is used; untried with real ones; keys: ${set.length === 0 ? 'none is set' : set.join(', ')}`,
    };
  },
};

/**
 * As `open` of the member.
 *
 * @param clock paces sound that is sent as one speaks
 */
export async function openHosted(
  options: HostedOptions,
  services: RecognizerServices,
  clock: Clock,
): Promise<Recognizer> {
  const service = serviceOf(options);
  const { model, region, bucket, address, keyVariable } = settled(options, service);
  const hints = {
    address: 'baseUrl',
    unreachable: `check ${service.regions.length === 0 || options.baseUrl !== undefined ? 'baseUrl' : 'region'} and the network`,
    key:
      keyVariable === null
        ? 'if it wants a key, name its environment variable in keyVariable'
        : `check the key in ${keyVariable}`,
    missing: bucket === null ? 'check model, region and baseUrl' : 'check model, region, bucket and baseUrl',
  };
  if ('follow' in service) {
    const languageOf = (tag: string) => languageFor(tag, options, service);
    const languageOfStream = () =>
      toldLanguage(options.language ?? 'none', service, { model, sampleRate: options.sampleRate });
    const place = { service, model, region, address, keyVariable, hints, languageOf, languageOfStream };
    return openLive(place, options, services, clock);
  }
  const { secrets, keyHeaders } = credentials(service, options, keyVariable, region, services.environment);
  const hidden = keyRedactor(secrets);
  const opened = new Map<string, HttpConnections>();
  const connectionsTo = (url: URL): HttpConnections => {
    const known = opened.get(url.origin) ?? openConnections(new URL(url.origin), recognitionFailure, hints.unreachable);
    opened.set(url.origin, known);
    return known;
  };
  const targetOf = ({ to, path = '' }: ServiceCall): URL => {
    if (to instanceof URL) {
      if (to.protocol === 'https:' || to.origin === address.origin) return to;
      throw new RecognitionError(
        'refused',
        `the service gave an address that is not https: ${printable(to.host, 100)}`,
      );
    }
    const place =
      to === undefined
        ? address
        : options.baseUrl === undefined
          ? new URL(service.bucketAddress!(region!, to.bucket))
          : new URL(`${address.pathname.replace(/\/+$/, '')}/${to.bucket}`, address);
    return new URL(`${place.pathname.replace(/\/+$/, '')}${path}`, place);
  };
  const record =
    options.record === undefined
      ? null
      : exchangeRecorder(resolve(services.baseFolder, options.record), options.service, hidden);
  const { jobsFolder } = services;
  if (jobsFolder !== undefined && 'submit' in service) {
    removeOldNotes(jobsFolder);
    const left = service.cleanUp === undefined ? 0 : clipsLeft(jobsFolder);
    if (left > 0) {
      services.progress?.(
        `${service.title}: ${left} ${left === 1 ? 'clip' : 'clips'} of earlier starts still lie in the bucket; each is removed once its trial is asked again`,
      );
    }
  }

  const askWith =
    (signal: AbortSignal, trial: string | undefined): AskService =>
    async (asked, tolerated) => {
      const { to, body, headers, method = body === undefined ? 'GET' : 'POST' } = asked;
      const url = targetOf(asked);
      const call = {
        method,
        path: `${url.pathname}${url.search}`,
        headers: { Accept: 'application/json', ...headers },
        ...(body && { body }),
      };
      const keys = to instanceof URL ? {} : await keyHeaders({ ...call, url }, to === undefined ? 'service' : 'bucket');
      const answer = await connectionsTo(url).send(
        { ...call, headers: { ...call.headers, ...keys } },
        foreignLimits.answerBytes,
        signal,
      );
      record?.call(call, answer, trial);
      if (answer.status < 200 || answer.status >= 300) {
        const meant =
          service.signedFor === undefined
            ? answer.status
            : awsStatus(answer.status, answer.header('x-amzn-errortype'), answer.body);
        if (tolerated?.includes(meant)) return undefined;
        const refused = refusalOf(answer, hidden, hints, Date.now(), recognitionFailure, meant);
        throw service.refusesWith?.includes(meant) ? withUnheard(refused, true) : refused;
      }
      if (asked.answersNothing && ['', '{}'].includes(textOf(answer, recognitionFailure).trim())) return null;
      const answered =
        'answersInPieces' in service
          ? jsonPieces(textOf(answer, recognitionFailure), hidden)
          : jsonOf(answer, hidden, recognitionFailure);
      if (!asked.answersNothing) return answered;
      throw new RecognitionError('garbage', 'the server answered with JSON without being asked for any');
    };

  const hear = async (service: OneCallService, ask: AskService, question: ServiceQuestion): Promise<Transcript> => {
    const answer = await ask(await service.ask(question));
    const refusal = service.refusal?.(answer) ?? null;
    if (refusal === null) return read(service, answer, hidden);
    const said = `the service answered: ${printable(hidden.inMessage(refusal.message), 300)}`;
    throw refusedAs(refusal.status, said, hints, recognitionFailure);
  };

  return {
    async recognize(request, signal) {
      const clip = resample(clipOf(request), options.sampleRate);
      // Nothing to hear, and nothing to pay for.
      if (clip.samples.length === 0) return { text: '' };
      const language = languageFor(request.language, options, service);
      const ask = askWith(signal, request.key);
      const question = (samples: Float32Array): ServiceQuestion => ({
        wav: encodeWav({ samples, sampleRate: clip.sampleRate }, { format: 's16' }),
        sampleRate: clip.sampleRate,
        language,
        model,
        wordTimes: options.wordTimes,
        bucket,
      });
      if ('submit' in service) {
        const place = jobsFolder === undefined || request.key === undefined ? null : jobPlace(jobsFolder, request.key);
        const { alreadyPaid = async () => {} } = request;
        const answer = await finishJob(
          ...([service, ask, hidden, question(clip.samples), place, options.pollSeconds, signal, alreadyPaid] as const),
        );
        return read(service, answer, hidden);
      }
      const parts: { readonly startSeconds: number; readonly part: Transcript }[] = [];
      for (const piece of quietPieces(clip.samples, clip.sampleRate, service.maxSeconds ?? Number.POSITIVE_INFINITY)) {
        const part = await hear(service, ask, question(piece.samples)).catch((error: unknown) => {
          throw parts.length > 0 ? withUnheard(error, false) : error;
        });
        parts.push({ startSeconds: piece.startSeconds, part });
      }
      return joined(parts);
    },
    async close() {
      for (const connections of opened.values()) connections.close();
    },
  };
}

/**
 * What holds where the options say nothing.
 *
 * @throws EarwitnessError `bad-config` for a region that the service has not
 */
function settled(options: HostedOptions, service: ServiceFacts) {
  const { baseUrl } = options;
  const { regions } = service;
  if (options.region !== undefined && regions.length === 0) {
    throw badConfig(`region: ${service.title} has none to choose; take it out`);
  }
  const region = options.region ?? regions[0] ?? null;
  const address = serviceAddress(baseUrl ?? service.address(region ?? ''), 'baseUrl', 'keyVariable');
  // A key goes to no server that it was not named for.
  const keyVariable =
    options.keyVariable !== undefined ? options.keyVariable : baseUrl === undefined ? service.keyVariable : null;
  const { bucket = null } = options;
  if ((bucket === null) !== (service.bucketAddress === undefined)) {
    throw badConfig(
      bucket === null
        ? `bucket: expected the name of an S3 bucket of yours, from which ${service.title} reads each clip, but got none`
        : `bucket: ${service.title} reads from none${'follow' in service ? ' over a socket' : ''}; take it out`,
    );
  }
  return { model: options.model ?? service.models[0]!, region, bucket, address, keyVariable };
}

type KeyHeaders = (call: UnsignedCall, place: 'service' | 'bucket') => Promise<Readonly<Record<string, string>>>;

/** What calls carry to be answered, and what of it must never come out. */
function credentials(
  service: HostedService,
  options: HostedOptions,
  keyVariable: string | null,
  region: string | null,
  environment: RecognizerServices['environment'],
): { readonly secrets: readonly string[]; readonly keyHeaders: KeyHeaders } {
  if (service.signedFor === undefined) {
    const key = readKey('keyVariable', keyVariable, environment);
    const headers = key === null ? {} : service.authorize(key);
    return { secrets: key === null ? [] : [key], keyHeaders: async () => headers };
  }
  const keys = readAwsKeys({ ...options, keyVariable }, environment);
  const sign = { service: awsSigner(keys, service.signedFor, region!), bucket: awsSigner(keys, 's3', region!) };
  return { secrets: awsSecrets(keys), keyHeaders: (call, place) => sign[place](call) };
}

function languageFor(
  tag: string,
  { language, model, sampleRate }: HostedOptions,
  service: HostedService | LiveService,
): string | null {
  const asked = { model: model ?? service.models[0]!, sampleRate };
  return language === undefined ? serviceLanguage(tag, service, asked) : toldLanguage(language, service, asked);
}

/**
 * The service in the mode of the options; without one batch, where the service has it.
 *
 * @throws EarwitnessError `bad-config` for a mode that the service has not, for a model of the other mode, and for sound and languages that it
 * does not take
 */
function serviceOf(options: HostedOptions): HostedService | LiveService {
  const { service: name, mode, language, sampleRate, chunkSeconds } = options;
  const batch: HostedService | undefined = (hostedServices as Readonly<Record<string, HostedService>>)[name];
  const live: LiveService | undefined = (liveServices as Readonly<Record<string, LiveService>>)[name];
  const bad = (what: string) => badConfig(what);
  if (live === undefined && mode === 'streaming') {
    throw bad(
      `mode: expected batch, since ${batch!.title} is not asked over a socket here, but got streaming; services that are: ${Object.keys(liveServices).join(', ')}`,
    );
  }
  if (batch === undefined && mode === 'batch')
    throw bad(`mode: expected streaming, since ${live!.title} recognizes over a socket alone, but got batch`);
  const [service, other] = batch !== undefined && mode !== 'streaming' ? [batch, live] : [live!, batch];
  const { title, models } = service;
  const { model = models[0]! } = options;
  if (!models.includes(model) && other?.models.includes(model)) {
    throw bad(
      `model: ${title} has ${model} in mode ${'follow' in service ? 'batch' : 'streaming'} alone; in this one it has ${models.join(', ')}`,
    );
  }
  const rates = service.sampleRates?.(model) ?? [sampleRate];
  if (!rates.includes(sampleRate)) {
    throw bad(`sampleRate: expected one that ${title} takes (${rates.join(', ')}), but got ${sampleRate}`);
  }
  if (language !== undefined) toldLanguage(language, service, { model, sampleRate });
  if ('follow' in service) {
    const { min, max } = service.chunkSeconds ?? { min: 0, max: Number.POSITIVE_INFINITY };
    if (chunkSeconds < min || chunkSeconds > max) {
      throw bad(`chunkSeconds: expected ${min} to ${max}, as ${title} takes, but got ${chunkSeconds}`);
    }
  }
  return service;
}

function read(service: HostedService, answer: unknown, hidden: HiddenKey): Transcript {
  const heard: Heard | null = service.read(answer);
  if (heard === null) {
    const shown = beginningOf(JSON.stringify(answer) ?? '', hidden);
    throw new RecognitionError('garbage', `the server answered with JSON without a transcript: ${shown}`);
  }
  return hidden.inAnswer(heard);
}

/** JSON values that follow each other. */
function jsonPieces(text: string, hidden: HiddenKey): unknown[] {
  const pieces: unknown[] = [];
  let [depth, start, quoted] = [0, 0, false];
  for (let at = 0; at < text.length; at++) {
    const sign = text[at];
    if (quoted) {
      if (sign === '\\') at++;
      else quoted = sign !== '"';
    } else if (sign === '"') quoted = true;
    else if (sign === '{' && depth++ === 0) start = at;
    else if (sign === '}' && --depth === 0) pieces.push(jsonPiece(text.slice(start, at + 1), hidden));
  }
  if (depth !== 0 || pieces.length === 0) throw noJson(text, hidden);
  return pieces;
}

function jsonPiece(text: string, hidden: HiddenKey): unknown {
  return jsonIn(text, hidden, recognitionFailure);
}

function noJson(text: string, hidden: HiddenKey): RecognitionError {
  const what = text.trim() === '' ? 'nothing' : `no JSON: ${beginningOf(text, hidden)}`;
  return new RecognitionError('garbage', `the server answered with ${what}`);
}
