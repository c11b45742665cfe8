import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A real server on loopback, until it is disposed of. */
export interface LoopbackServer extends AsyncDisposable {
  /** `http://127.0.0.1:PORT` */
  readonly origin: string;
}

/** @param failed what is answered, with status 400, where an answer cannot be given */
export async function serveOnLoopback(
  answer: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
  failed: (error: unknown) => string,
): Promise<LoopbackServer> {
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      if (!response.headersSent) response.writeHead(400).end(failed(error));
    });
  });
  return { origin: `http://127.0.0.1:${await portOf(server)}`, [Symbol.asyncDispose]: () => ended(server) };
}

async function portOf(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

async function ended(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise<void>((resolve) => server.close(() => resolve()));
}

/** Answers with a JSON value. */
export function json(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(value));
}

/** What OpenAI's and others' errors look like. */
export const asError = (error: unknown) => JSON.stringify({ error: { message: String(error) } });
