import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { EarwitnessError, messageOf } from '../base/errors.ts';
import { limitText } from '../base/limit-text.ts';
import { html } from '../report/html/markup.ts';
import type { Answer } from './answer.ts';
import { pageText } from './frame.ts';
import { createGuard, safetyHeaders } from './guard.ts';
import { createSite, type SiteOptions } from './site.ts';

export interface ServeOptions extends SiteOptions {
  /** 0: any that is free. */
  readonly port: number;
}

export interface Serving extends AsyncDisposable {
  /** The link that opens it, once. */
  readonly link: string;
  readonly origin: string;
}

/**
 * Shows the runs of a store as pages, on this machine alone.
 *
 * @throws EarwitnessError `bad-input` where the port is taken
 * @example
 * await using serving = await serveRuns({ store, storeFile: '.earwitness/store.sqlite', port: 0, audio: true });
 * console.log(serving.link);
 */
export async function serveRuns(options: ServeOptions): Promise<Serving> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', ({ message }) =>
      reject(
        new EarwitnessError(
          'bad-usage',
          `port ${options.port} cannot be listened on (${message}); leave --port away for one that is free`,
        ),
      ),
    );
    server.listen(options.port, '127.0.0.1', resolve);
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const guard = createGuard(origin);
  const site = createSite(options);
  const ending = new AbortController();

  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    for (const [name, value] of Object.entries(safetyHeaders)) response.setHeader(name, value);
    void respond(request, response).catch((error: unknown) => {
      if (response.headersSent) return response.destroy();
      send(response, 500, problem('Something went wrong', messageOf(error)));
    });
  });
  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    const url = parsed(request.url ?? '/', origin);
    if (url === null) return send(response, 400, problem('No such page', 'The address cannot be read.'));
    const judged = guard.judge(request, url);
    if (judged.say === 'refuse') return send(response, judged.status, problem('Not shown', judged.why));
    if (judged.say === 'enter') {
      response.writeHead(303, { 'set-cookie': judged.cookie, location: judged.to }).end();
      return;
    }
    await write(request, response, await site.answer(url), ending.signal);
  };
  return {
    origin,
    link: `${origin}/?token=${guard.token}`,
    async [Symbol.asyncDispose]() {
      ending.abort();
      server.closeAllConnections();
      await Promise.all([new Promise((resolve) => server.close(resolve)), site[Symbol.asyncDispose]()]);
    },
  };
}

function parsed(path: string, origin: string): URL | null {
  return path.startsWith('/') && !path.startsWith('//') && URL.canParse(path, origin) ? new URL(path, origin) : null;
}

function problem(title: string, sentence: string): string {
  return pageText({ title }, html`<p class="text"><bdi>${limitText(sentence, 2000)}</bdi></p>`);
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
    const gone = new AbortController();
    request.on('close', () => gone.abort());
    await answer.events(
      (event, data) => response.write(`event: ${event}\ndata: ${data}\n\n`),
      AbortSignal.any([gone.signal, ending]),
    );
    response.end();
  } else {
    const named = answer.name === undefined ? {} : { 'content-disposition': `attachment; filename="${answer.name}"` };
    response.writeHead(200, { 'content-type': answer.type, ...named });
    if ('body' in answer) response.end(answer.body);
    else {
      for (const line of answer.lines) {
        if (response.destroyed) return;
        if (!response.write(line))
          await new Promise((resolve) => response.once('drain', resolve).once('close', resolve));
      }
      response.end();
    }
  }
}
