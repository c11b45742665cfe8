import { createServer as createPlainServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { badUsage, messageOf } from '../base/errors.ts';
import { limitText } from '../base/printable.ts';
import { html } from '../report/html/markup.ts';
import { type Answer, type Place, pageText } from './frame.ts';
import { createGuard, type Doors, permissions, safetyHeaders } from './guard.ts';

/** Where a server listens, and who answers. */
export interface ListenOptions<Who> {
  /** 0: any that is free. */
  readonly port: number;
  /** An address of this machine; of all of them only with `origin`. Default: 127.0.0.1, which no other machine reaches. */
  readonly host?: string;
  /** With it the server speaks HTTPS: certificate and key, as PEM. */
  readonly tls?: { readonly cert: string; readonly key: string };
  /** What browsers call it, where that is not the address it listens on: `https://listen.example.org` behind a proxy. */
  readonly origin?: string;
  readonly doors: Doors<Who>;
  /** @param request what passed the guard */
  answer(request: Asked<Who>): Promise<Answer>;
  /** What pages look like that say nothing else of it, such as those that refuse something. */
  readonly frame?: Omit<Place, 'title'>;
  /** Looks and scripts, which anybody may load; null for any other path. */
  assets?(path: string): Answer | null;
  /** Something went wrong that only whoever started the server can mend. */
  problem?(sentence: string): void;
  /** Seconds in which a request must have come whole. Default: 30. */
  readonly patienceSeconds?: number;
  /** Pages may ask for the microphone, and send what it gave in pieces of at most so many bytes. Default: neither. */
  readonly recordings?: { readonly pieceBytes: number };
}

/** A request that passed. */
export interface Asked<Who> {
  readonly url: URL;
  readonly who: Who;
  /** What was sent to be kept: the JSON of a PUT, or bytes of a recording; undefined where something is only read. */
  readonly sent: unknown;
}

export interface Listening extends AsyncDisposable {
  readonly origin: string;
  readonly port: number;
}

/** Bytes of one JSON that is sent. */
const maxSentBytes = 65_536;

/**
 * Answers browsers: listens, asks the guard about every request, and writes what comes of it.
 *
 * @throws EarwitnessError `bad-usage` where the port is taken or the certificate cannot be used
 */
export async function listen<Who>(options: ListenOptions<Who>): Promise<Listening> {
  const { port, host = '127.0.0.1', tls, frame = {}, patienceSeconds = 30 } = options;
  const patience = {
    requestTimeout: 1000 * patienceSeconds,
    headersTimeout: 1000 * patienceSeconds,
    connectionsCheckingInterval: 250 * patienceSeconds,
  };
  const server = tls === undefined ? createPlainServer(patience) : secure({ ...tls, ...patience });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause) =>
      reject(
        badUsage(`port ${port} cannot be listened on (${cause.message}); leave --port away for one that is free`, {
          cause,
        }),
      ),
    );
    server.listen(port, host, resolve);
  });
  const own = (server.address() as AddressInfo).port;
  const shownHost = host.includes(':') ? `[${host}]` : host;
  const origin = options.origin ?? `${tls === undefined ? 'http' : 'https'}://${shownHost}:${own}`;
  const guard = createGuard(origin, options.doors, (path) => (options.assets?.(path) ?? null) !== null);
  const ending = new AbortController();

  const problem = (title: string, sentence: string) =>
    pageText({ ...frame, title }, html`<p class="text"><bdi>${limitText(sentence, 2000)}</bdi></p>`);
  const refuse = (request: IncomingMessage, response: ServerResponse, status: number, title: string, why: string) =>
    request.method === 'PUT'
      ? response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ problem: why }))
      : send(response, status, problem(title, why));

  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    for (const [name, value] of Object.entries(safetyHeaders)) response.setHeader(name, value);
    if (options.recordings) response.setHeader('permissions-policy', permissions('microphone=(self)'));
    void respond(request, response).catch((error: unknown) => {
      options.problem?.(messageOf(error));
      if (response.headersSent) return response.destroy();
      refuse(request, response, 500, 'Something went wrong', messageOf(error));
    });
  });
  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    const url = parsed(request.url ?? '/', origin);
    if (url === null) return refuse(request, response, 400, 'No such page', 'The address cannot be read.');
    const judged = guard.judge(request, url);
    if (judged.say === 'refuse') return refuse(request, response, judged.status, 'Not shown', judged.why);
    if (judged.say === 'enter') {
      response.setHeader('set-cookie', judged.cookie);
      // Followed from another site, a redirect would be asked for without the cookie; what a page of ours asks for has it.
      if (options.doors.takesPart) return send(response, 200, onward(frame, judged.to));
      response.writeHead(303, { location: judged.to }).end();
      return;
    }
    if (judged.say === 'open') return await write(request, response, options.assets!(url.pathname)!, ending.signal);
    const sent = request.method === 'PUT' ? await bodyOf(request, options.recordings) : { value: undefined };
    if ('status' in sent) return refuse(request, response, sent.status, 'Not kept', sent.why);
    const answer = await options.answer({ url, who: judged.who, sent: sent.value });
    if ('page' in answer && request.method === 'PUT') {
      return refuse(
        request,
        response,
        answer.status ?? 404,
        answer.page.title,
        'There is nothing like this to be kept.',
      );
    }
    const framed = 'page' in answer ? { ...answer, page: { ...frame, ...answer.page } } : answer;
    await write(request, response, framed, ending.signal);
  };
  return {
    origin,
    port: own,
    async [Symbol.asyncDispose]() {
      ending.abort();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function onward(frame: Omit<Place, 'title'>, to: string): string {
  return pageText({ ...frame, title: 'Welcome', goesOnTo: to }, html`<p class="text"><a href="${to}">Go on</a></p>`);
}

function secure(tls: Parameters<typeof createSecureServer>[0] & object) {
  try {
    return createSecureServer(tls);
  } catch (cause) {
    throw badUsage(
      `expected a certificate and its key as PEM, but they cannot be used (${messageOf(cause)}); name the two files that belong together`,
      { cause },
    );
  }
}

function parsed(path: string, origin: string): URL | null {
  return path.startsWith('/') && !path.startsWith('//') && URL.canParse(path, origin) ? new URL(path, origin) : null;
}

/** The JSON that was sent, or the piece of a recording. */
async function bodyOf(
  request: IncomingMessage,
  recordings: ListenOptions<unknown>['recordings'],
): Promise<{ readonly value: unknown } | { readonly status: number; readonly why: string }> {
  const type = request.headers['content-type'];
  const isPiece = recordings !== undefined && type === 'application/octet-stream';
  if (!isPiece && type !== 'application/json') return { status: 415, why: 'Only JSON is taken.' };
  const most = isPiece ? recordings.pieceBytes : maxSentBytes;
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > most) return { status: 413, why: `At most ${most / 1024} KB are taken.` };
    parts.push(part);
  }
  if (isPiece) return { value: Buffer.concat(parts) };
  try {
    return { value: JSON.parse(Buffer.concat(parts).toString('utf8')) };
  } catch {
    return { status: 400, why: 'This is no JSON.' };
  }
}

function send(response: ServerResponse, status: number, page: string): void {
  response.writeHead(status, { 'content-type': 'text/html; charset=utf-8' }).end(page);
}

async function write(
  request: IncomingMessage,
  response: ServerResponse,
  answer: Answer,
  ending: AbortSignal,
): Promise<void> {
  if ('to' in answer) {
    response.writeHead(303, { location: answer.to }).end();
  } else if ('page' in answer) {
    send(response, answer.status ?? 200, pageText(answer.page, answer.content));
  } else if ('events' in answer) {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    if (request.method === 'HEAD') return void response.end();
    const gone = new AbortController();
    request.on('close', () => gone.abort());
    await answer.events(
      (event, data) => response.write(`event: ${event}\ndata: ${data}\n\n`),
      AbortSignal.any([gone.signal, ending]),
    );
    response.end();
  } else if ('body' in answer) {
    writeBody(request, response, answer);
  } else {
    response.writeHead(200, headersOf(answer));
    if (request.method === 'HEAD') return void response.end();
    for (const part of answer.lines) {
      if (response.destroyed) return;
      if (!response.write(part)) await drained(response);
    }
    response.end();
  }
}

/** Until more can be sent, or nobody takes it any more. */
function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      response.off('drain', go).off('close', go);
      resolve();
    };
    response.on('drain', go).on('close', go);
  });
}

function headersOf({ type, name }: { readonly type: string; readonly name?: string }) {
  return {
    'content-type': type,
    ...(name !== undefined && { 'content-disposition': `attachment; filename="${name}"` }),
  };
}

/** Whole, or the part that players ask for: Safari plays no audio that is not served in parts. */
function writeBody(
  request: IncomingMessage,
  response: ServerResponse,
  answer: Extract<Answer, { readonly body: string | Uint8Array }>,
): void {
  const { body, status = 200 } = answer;
  const headers = headersOf(answer);
  const asked = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '');
  if (typeof body === 'string' || asked === null || status !== 200) {
    response.writeHead(status, headers).end(body);
    return;
  }
  const [from, to] = [Number(asked[1]), Math.min(body.length - 1, asked[2] === '' ? Infinity : Number(asked[2]))];
  if (from > to) {
    response.writeHead(416, { 'content-range': `bytes */${body.length}` }).end();
    return;
  }
  const part = { 'accept-ranges': 'bytes', 'content-range': `bytes ${from}-${to}/${body.length}` };
  response.writeHead(206, { ...headers, ...part }).end(body.subarray(from, to + 1));
}
