import type { IncomingMessage } from 'node:http';
import { messageOf } from '../base/errors.ts';
import { foreignLimits } from '../base/foreign-data.ts';
import { printable } from '../base/printable.ts';
import { isAbsent, missingPackage } from '../packages/installed-package.ts';
import { type Fail, type HttpAnswer, noAnswer, readAnswer } from './connections.ts';
import type { HiddenKey } from './hidden-key.ts';
import { type RefusalHints, refusedAs, unheardStatuses } from './refusal.ts';

/** An open WebSocket (RFC 6455). */
export interface Socket {
  /** Resolves once the system has taken it, so that nothing piles up here; never where the socket is closed: `receive` says why. */
  send(data: string | Uint8Array): Promise<void>;
  /**
   * The next message of the server.
   *
   * @throws what `fail` makes, once the socket is closed and all that came before has been given: `unavailable`, worth trying again:
   * the server had to go, or closed without a word; `refused` with a code that says so; `garbage`: an answer that ended in its
   * middle (worth trying again) or before there was one
   */
  receive(): Promise<string | Uint8Array>;
  /** How it was closed; null while it is open, and where the connection was cut. */
  closed(): { readonly code: number; readonly reason: string } | null;
  /** Says goodbye, and does not wait for an answer. */
  close(): void;
}

export interface SocketOptions {
  readonly headers: Readonly<Record<string, string>>;
  readonly hidden: HiddenKey;
  readonly hints: RefusalHints;
  readonly fail: Fail;
  /** Makes the error of a handshake that the server answered with a status. */
  refusal(answer: HttpAnswer): Error;
  /** The HTTP status that a code of closing stands for, where the service has codes of its own; null: it has none for this. */
  statusOfClose(code: number): number | null;
}

const name = 'ws';
/** The package's own number for a connection that ended without a code (RFC 6455, section 7.1.5). */
const cut = 1006;
const secondsToSayGoodbye = 1;
const maxRefusalBytes = 65_536;

/** Codes of RFC 6455 (section 7.4.1) and IANA's register by the HTTP status that says the same. */
const statusOfCode: Readonly<Record<number, number>> = {
  1001: 503,
  1008: 403,
  1009: 413,
  1011: 500,
  1012: 503,
  1013: 503,
  1014: 502,
};

/**
 * Opens a socket. Redirects are answers like others: nothing is sent elsewhere.
 *
 * Node's own `WebSocket` tells nothing of a handshake that is refused, neither status nor `Retry-After`; that of `ws` does.
 *
 * @param url with http or https, as the service's other calls have it
 * @throws what `fail` and `refusal` make, as `HttpConnections.send` says
 */
export async function openSocket(url: URL, options: SocketOptions, signal: AbortSignal): Promise<Socket> {
  const { headers, fail, refusal } = options;
  const WebSocket = await loadClient();
  const givenUp = () => fail('error', `the call was given up: ${messageOf(signal.reason)}`, { cause: signal.reason });
  if (signal.aborted) throw givenUp();
  const socket = new WebSocket(url, {
    headers,
    perMessageDeflate: false,
    maxPayload: foreignLimits.answerBytes,
    closeTimeout: secondsToSayGoodbye * 1000,
  });
  const stop = () => socket.terminate();
  signal.addEventListener('abort', stop, { once: true });
  socket.once('close', () => signal.removeEventListener('abort', stop));
  const messages = followMessages(socket, options, signal, givenUp);
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve);
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (signal.aborted) return reject(givenUp());
      const says = printable(error.message, 200);
      reject(
        error.code === undefined
          ? fail('garbage', `the server did not open a socket: ${says}`, { cause: error })
          : noAnswer(error, url, fail, options.hints.unreachable),
      );
    });
    socket.once('unexpected-response', (request, response) => {
      readAnswer(response, maxRefusalBytes, fail)
        .then((answer) => reject(signal.aborted ? givenUp() : refusal(answer)), reject)
        .finally(() => request.destroy());
    });
  });
  return {
    send: (data) =>
      new Promise((resolve) => {
        if (socket.readyState === WebSocket.OPEN) socket.send(data, (error) => error ?? resolve());
      }),
    ...messages,
    close: () => socket.close(1000),
  };
}

/** Queues what comes, from before anybody asks for it. */
function followMessages(
  socket: WebSocketClient,
  { hidden, hints, fail, statusOfClose }: SocketOptions,
  signal: AbortSignal,
  givenUp: () => Error,
): Pick<Socket, 'receive' | 'closed'> {
  const waiting: (string | Uint8Array)[] = [];
  let heard = 0;
  let failure: Error | null = null;
  let closed: { readonly code: number; readonly reason: string } | null = null;
  let wake = () => {};
  const broke = (error: Error) => {
    failure ??= error;
    wake();
  };
  socket.on('message', (data, isBinary) => {
    heard++;
    waiting.push(isBinary ? data : data.toString());
    wake();
  });
  // Of an open one: a frame that breaks the protocol. The connection ends with it.
  socket.on('error', (error) =>
    broke(
      fail('garbage', `the server broke the protocol of sockets: ${printable(error.message, 200)}`, { cause: error }),
    ),
  );
  socket.on('close', (code, bytes) => {
    if (signal.aborted) return broke(givenUp());
    if (code === cut) {
      return broke(
        heard === 0
          ? fail('unavailable', 'the server closed the connection without an answer', { retryable: true })
          : fail(
              'garbage',
              `the connection closed in the middle of the answer, after ${heard} message${heard === 1 ? '' : 's'}`,
              {
                retryable: true,
              },
            ),
      );
    }
    const reason = bytes.toString();
    closed = { code, reason };
    const words = reason === '' ? '' : `: ${printable(hidden.inMessage(reason), 300)}`;
    // 1000 is a good end, 1005 one without a code.
    if (code === 1000 || code === 1005) {
      return broke(fail('garbage', `the server closed the socket before its answer was complete (${code})${words}`));
    }
    const status = statusOfClose(code) ?? statusOfCode[code] ?? 400;
    // Whoever gives no access says it so, before anything else: nothing was heard then.
    const unheard = heard === 0 && unheardStatuses.includes(status);
    const failed: Fail = (kind, message, more) => fail(kind, message, { ...more, unheard });
    broke(refusedAs(status, `the server closed the socket (${code})${words}`, hints, failed));
  });
  return {
    async receive() {
      while (waiting.length === 0) {
        if (failure !== null) throw failure;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      return waiting.shift()!;
    },
    closed: () => closed,
  };
}

/** What is used of the package's client. */
interface WebSocketClient {
  readonly readyState: number;
  on(event: 'message', told: (data: Buffer, isBinary: boolean) => void): void;
  on(event: 'error', told: (error: NodeJS.ErrnoException) => void): void;
  on(event: 'close', told: (code: number, reason: Buffer) => void): void;
  once(event: 'open' | 'close', told: () => void): void;
  once(event: 'unexpected-response', told: (request: { destroy(): void }, response: IncomingMessage) => void): void;
  send(data: string | Uint8Array, done: (error?: Error) => void): void;
  close(code: number): void;
  terminate(): void;
}

interface WebSocketClass {
  new (url: URL, options: object): WebSocketClient;
  readonly OPEN: number;
}

/** @throws EarwitnessError `missing-program` where the package is not installed */
async function loadClient(): Promise<WebSocketClass> {
  try {
    const specifier: string = name;
    return ((await import(specifier)) as { readonly WebSocket: WebSocketClass }).WebSocket;
  } catch (cause) {
    throw isAbsent(cause, name) ? missingPackage(name, 'which opens sockets to services', undefined, cause) : cause;
  }
}
