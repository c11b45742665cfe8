import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { json } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import type { Clip } from '../../../audio/clip.ts';
import type { Clock } from '../../../base/clock.ts';
import type { liveServices } from '../live-services.ts';
import { type Asked, type LiveVendor, liveVendors, type Said, written } from './live-vendors.ts';
import { type Spoken, spokenOf } from './vendor.ts';

/** What is used of the package's server, and of a socket that it has. */
export interface ServerSocket {
  send(data: string | Uint8Array, done?: () => void): void;
  close(code?: number, reason?: string): void;
  terminate(): void;
  ping(): void;
  on(event: 'message', told: (data: Buffer, isBinary: boolean) => void): void;
  once(event: 'pong', told: () => void): void;
  readonly _socket: { write(bytes: Uint8Array): void };
}

interface SocketServer {
  handleUpgrade(request: IncomingMessage, raw: object, head: Buffer, done: (socket: ServerSocket) => void): void;
}

/** A moment at which the server can do something else than it should. */
export interface LiveMoment {
  readonly what: 'begin' | 'handshake' | 'open' | 'sound' | 'end';
  /** From 1, of this kind over one socket. */
  readonly number: number;
  /** Answers with a status: where nothing is open yet. */
  readonly answer: (status: number, headers: Readonly<Record<string, string>>, body: string) => void;
  readonly cut: () => void;
  /** Once it is open. */
  readonly socket: ServerSocket | null;
}

export interface LiveServerOptions {
  readonly key: string;
  recognize(clip: Clip): Promise<string>;
  /** True where it did something else. */
  misbehave?(moment: LiveMoment): boolean;
  /** Awaited before what was heard is told. */
  beforeFinal?(): Promise<void>;
}

export interface LiveServer extends AsyncDisposable {
  readonly baseUrl: string;
  /** Sounds whose end was told, with what was asked beside them. */
  readonly heard: readonly (Asked & { readonly clip: Clip; readonly messages: number })[];
  /** Messages of sound that came so far, over all sockets. */
  readonly soundMessages: () => number;
  readonly handshakes: readonly { readonly url: URL; readonly headers: IncomingMessage['headers'] }[];
  /** Returns once the client has dealt with all that it was sent over the socket that was opened last. */
  caughtUp(): Promise<void>;
}

/** A real server on loopback that speaks over sockets as one service's published description says, for tests. */
export async function startLiveServer(
  name: keyof typeof liveServices,
  options: LiveServerOptions,
): Promise<LiveServer> {
  // Not by name, since it has no types.
  const specifier: string = 'ws';
  const { WebSocketServer } = (await import(specifier)) as { WebSocketServer: new (options: object) => SocketServer };
  const sockets = new WebSocketServer({ noServer: true });
  const vendor: LiveVendor = liveVendors[name];
  const open = new Set<Duplex>();
  const heard: (Asked & { clip: Clip; messages: number })[] = [];
  const handshakes: { url: URL; headers: IncomingMessage['headers'] }[] = [];
  let soundMessages = 0;
  let asked: Asked | null = null;
  let last: ServerSocket | null = null;
  const misbehaves = (moment: LiveMoment) => options.misbehave?.(moment) === true;
  const server = createServer((request, response) => {
    void (async () => {
      const body = (await json(request).catch(() => ({}))) as Readonly<Record<string, unknown>>;
      const url = new URL(request.url ?? '/', `http://${request.headers.host}`);
      const answer: LiveMoment['answer'] = (status, headers, text) => {
        response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(text);
      };
      const cut = () => void response.socket!.destroy();
      if (misbehaves({ what: 'begin', number: 1, answer, cut, socket: null })) return;
      if (!vendor.isAuthorized({ url, headers: request.headers }, options.key)) {
        return answer(401, {}, vendor.error(401, `no such key: ${JSON.stringify(request.headers)}`));
      }
      if (url.pathname !== vendor.begin?.path) return answer(404, {}, vendor.error(404, 'no such path'));
      try {
        asked = vendor.begin.asks(body);
        answer(201, {}, JSON.stringify(vendor.begin.created(`ws://${request.headers.host}${url.pathname}`)));
      } catch (error) {
        answer(400, {}, vendor.error(400, String(error)));
      }
    })();
  });
  server.on('upgrade', (request, raw, head) => {
    open.add(raw);
    raw.once('close', () => open.delete(raw));
    const url = new URL(request.url ?? '/', `http://${request.headers.host}`);
    handshakes.push({ url, headers: request.headers });
    const answer: LiveMoment['answer'] = (status, headers, body) => {
      const lines = Object.entries({
        'Content-Type': 'application/json',
        ...headers,
        'Content-Length': Buffer.byteLength(body),
      });
      raw.end(
        `HTTP/1.1 ${status} X\r\n${lines.map(([key, value]) => `${key}: ${value}\r\n`).join('')}Connection: close\r\n\r\n${body}`,
      );
    };
    if (misbehaves({ what: 'handshake', number: 1, answer, cut: () => raw.destroy(), socket: null })) return;
    if (!vendor.isAuthorized({ url, headers: request.headers }, options.key)) {
      return answer(401, {}, vendor.error(401, `no such key: ${request.url} ${JSON.stringify(request.headers)}`));
    }
    if (vendor.asks) asked = vendor.asks(url);
    if (vendor.asks && asked === null) return answer(400, {}, vendor.error(400, `not as described: ${request.url}`));
    const first = asked;
    sockets.handleUpgrade(request, raw, head, (socket) => {
      last = socket;
      listen(socket, first);
    });
  });

  const listen = (socket: ServerSocket, first: Asked | null): void => {
    let asks = first;
    const sounds: Buffer[] = [];
    let partials = 0;
    // One after the other, since what is heard takes a moment.
    let turn = Promise.resolve();
    const tell = (message: object) => socket.send(written(vendor, message));
    const does = (what: LiveMoment['what'], number: number) =>
      misbehaves({ what, number, answer: () => {}, cut: () => socket.terminate(), socket });
    const hear = async (): Promise<{ clip: Clip; spoken: Spoken }> => {
      const bytes = Buffer.concat(sounds);
      const samples = new Float32Array(bytes.length / 2);
      for (let n = 0; n < samples.length; n++) samples[n] = bytes.readInt16LE(2 * n) / 32_768;
      const clip = { samples, sampleRate: asks!.sampleRate };
      return { clip, spoken: spokenOf(await options.recognize(clip), samples.length / clip.sampleRate) };
    };
    const dealWith = async (said: Said): Promise<void> => {
      const read = vendor.read(said, sounds.length);
      if (typeof read === 'string') return socket.close(1008, read.slice(0, 100));
      if (read.asks) {
        asks = { ...asks!, ...read.asks };
        if (vendor.started) tell(vendor.started);
      }
      if (read.sound) {
        sounds.push(read.sound);
        soundMessages++;
        if (does('sound', sounds.length)) return;
        if (vendor.taken) tell(vendor.taken(sounds.length));
        // Ever more seldom, so that ten minutes are heard in a moment.
        if (asks!.partials && Number.isInteger(Math.log2(sounds.length))) {
          tell(vendor.partial((await hear()).spoken, ++partials));
        }
      }
      if (!read.ends || does('end', 1)) return;
      const { clip, spoken } = await hear();
      heard.push({ ...asks!, clip, messages: sounds.length });
      await options.beforeFinal?.();
      for (const message of vendor.finals(inTwo(spoken), partials)) tell(message);
      socket.close(1000);
    };
    socket.on('message', (data, isBinary) => {
      const said: Said =
        vendor.writing?.read(data, isBinary) ?? (isBinary ? { bytes: data } : { json: JSON.parse(data.toString()) });
      turn = turn.then(() => dealWith(said));
    });
    if (!does('open', 1) && vendor.hello) tell(vendor.hello);
  };

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    heard,
    handshakes,
    soundMessages: () => soundMessages,
    async caughtUp() {
      const answered = new Promise<void>((resolve) => last!.once('pong', resolve));
      last!.ping();
      await answered;
    },
    async [Symbol.asyncDispose]() {
      for (const raw of open) raw.destroy();
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

/** A clock on which waiting takes no time. */
export function hastyClock(): Clock {
  let now = 0;
  return {
    monotonicMs: () => now,
    wallMs: () => Date.now(),
    async sleep(ms, signal) {
      await setImmediate();
      signal?.throwIfAborted();
      now += ms;
    },
  };
}

/** What was heard in the halves of its words. */
function inTwo({ words, seconds }: Spoken): readonly Spoken[] {
  const middle = Math.ceil(words.length / 2);
  return [words.slice(0, middle), words.slice(middle)]
    .filter(({ length }) => length > 0)
    .map((half) => ({ text: half.map(({ text }) => text).join(' '), words: half, seconds }));
}
