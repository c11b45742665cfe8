import { type ClientRequest, Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { messageOf } from '../base/errors.ts';
import { printable } from '../base/printable.ts';

/** What a call to a service fails with: `refused` understood and declined, `unavailable` not there or too busy, `garbage` no sense. */
export type HttpFailureKind = 'refused' | 'unavailable' | 'garbage' | 'error';

/** Makes the error of a family: recognizers throw theirs, synthesizers theirs. */
export type Fail = (
  kind: HttpFailureKind,
  message: string,
  options?: {
    readonly retryable?: boolean;
    readonly retryAfterSeconds?: number;
    /** Nothing of what was sent was worked on, so that nothing is charged: no server, no access, no money, too much. */
    readonly unheard?: boolean;
    readonly cause?: unknown;
  },
) => Error;

/** What a server answered. */
export interface HttpAnswer {
  readonly status: number;
  /** The first header of this name, null where there is none. */
  header(name: string): string | null;
  /** The body, or the beginning of one that is longer than was asked for. */
  readonly body: Buffer;
  /** Whether the body was longer. */
  readonly isCut: boolean;
}

/** A body and its headers. */
export interface HttpMessage {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** Any call to the server that the connections were opened for. */
export interface HttpCall {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Path and query, in place of those of the address. */
  readonly path?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
}

/** Connections to one server, kept for the next call. */
export interface HttpConnections {
  /**
   * Asks, and reads the answer up to so many bytes. Redirects are answers like others: nothing is sent elsewhere.
   *
   * Node's own `fetch` gives up after five minutes without headers whatever it is told, and keeps its connections.
   *
   * @throws what `fail` makes: `unavailable`, worth trying again: no connection, or one that closed without an answer;
   * `garbage`: no HTTP, or, worth trying again, a connection that closed in the middle of the answer; `refused`: no trust
   * in its certificate; `error`: given up
   */
  send(call: HttpCall, maxBytes: number, signal: AbortSignal): Promise<HttpAnswer>;
  /** `send` of a message to the address itself. */
  post(message: HttpMessage, maxBytes: number, signal: AbortSignal): Promise<HttpAnswer>;
  /** Closes all connections; calls in hand fail. */
  close(): void;
}

/**
 * @param fail makes what is thrown
 * @param check what to look at where nobody is there: `check region and baseUrl`
 */
export function openConnections(url: URL, fail: Fail, check: string): HttpConnections {
  const secure = url.protocol === 'https:';
  const agent = secure ? new HttpsAgent({ keepAlive: true }) : new HttpAgent({ keepAlive: true });
  const request = secure ? requestHttps : requestHttp;
  const closing = new AbortController();
  const givenUp = (signal: AbortSignal) =>
    fail('error', `the call was given up: ${messageOf(signal.reason)}`, { cause: signal.reason });
  const send: HttpConnections['send'] = async ({ method, path, headers, body }, maxBytes, signal) => {
    const stopped = AbortSignal.any([signal, closing.signal]);
    if (stopped.aborted) throw givenUp(stopped);
    const target = path === undefined ? url : new URL(path, url);
    // A path that names another server would take the key there.
    if (target.origin !== url.origin) throw fail('error', `expected a path of ${url.host}, got another server`);
    const length = body === undefined ? {} : { 'Content-Length': String(body.byteLength) };
    const sent = request(target, { method, agent, headers: { ...headers, ...length } });
    const stop = () => sent.destroy();
    stopped.addEventListener('abort', stop, { once: true });
    try {
      const response = await answerTo(sent, body, (error) => noAnswer(error, url, fail, check));
      return await readAnswer(response, maxBytes, fail);
    } catch (error) {
      throw stopped.aborted ? givenUp(stopped) : error;
    } finally {
      stopped.removeEventListener('abort', stop);
    }
  };
  return {
    send,
    post: (message, maxBytes, signal) => send({ method: 'POST', ...message }, maxBytes, signal),
    close() {
      closing.abort(new Error('the connections were closed'));
      agent.destroy();
    },
  };
}

function answerTo(
  sent: ClientRequest,
  body: Uint8Array | undefined,
  failed: (error: NodeJS.ErrnoException) => Error,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    sent.once('response', resolve);
    // More than one error may come of a connection; later ones find nobody waiting.
    sent.on('error', (error: NodeJS.ErrnoException) => reject(failed(error)));
    sent.end(body);
  });
}

/** Codes of untrusted, expired and wrong certificates (Node.js documentation, "X509 certificate error codes"). */
const certificateCode = /CERT|SIGNATURE|^ERR_TLS|HOSTNAME/;

/** What codes mean for whoever set the address up. */
const meanings: Readonly<Record<string, string>> = {
  ENOTFOUND: 'no server has this name',
  EAI_AGAIN: 'its name could not be looked up now',
  ECONNREFUSED: 'no server listens there',
};

/** A connection without an answer, as the failure it stands for. @param check as of `openConnections` */
export function noAnswer(error: NodeJS.ErrnoException, url: URL, fail: Fail, check: string): Error {
  const code = error.code ?? 'no code';
  if (certificateCode.test(code)) {
    return fail('refused', `the server's certificate is not to be trusted (${code})`, { cause: error });
  }
  // The codes of Node's parser.
  if (code.startsWith('HPE_')) {
    return fail('garbage', `the server answered with something that is no HTTP (${code})`, {
      cause: error,
    });
  }
  const isReached = code === 'ECONNRESET' || code === 'EPIPE';
  const what = isReached
    ? 'the server closed the connection without an answer'
    : `${printable(url.host, 200)} could not be reached (${[code, meanings[code]].filter(Boolean).join(': ')}); ${check}`;
  return fail('unavailable', what, { retryable: true, cause: error, ...(code in meanings && { unheard: true }) });
}

/** An answer up to so many bytes. */
export async function readAnswer(response: IncomingMessage, maxBytes: number, fail: Fail): Promise<HttpAnswer> {
  const parts: Buffer[] = [];
  let bytes = 0;
  let isCut = false;
  try {
    for await (const part of response as AsyncIterable<Buffer>) {
      parts.push(part);
      bytes += part.length;
      if (bytes <= maxBytes) continue;
      isCut = true;
      break;
    }
  } catch (error) {
    throw fail('garbage', `the connection closed in the middle of the answer, after ${bytes} bytes`, {
      retryable: true,
      cause: error,
    });
  }
  return {
    status: response.statusCode ?? 0,
    header(name) {
      const value = response.headers[name];
      return (Array.isArray(value) ? value[0] : value) ?? null;
    },
    body: Buffer.concat(parts).subarray(0, maxBytes),
    isCut,
  };
}
