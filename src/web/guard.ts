import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** Who may look: whoever opened the link that was printed, once, from this machine. */
export interface Guard {
  /** Part of the link that is printed; worth nothing once it was used. */
  readonly token: string;
  /**
   * What becomes of a request. `enter`: the link was opened, the answer sets this cookie and leads to the same page without the token.
   */
  judge(request: Pick<IncomingMessage, 'method' | 'headers'>, url: URL): Judgement;
}

export type Judgement =
  | { readonly say: 'pass' }
  | { readonly say: 'enter'; readonly cookie: string; readonly to: string }
  | { readonly say: 'refuse'; readonly status: 400 | 403 | 405; readonly why: string };

const refuse = (status: 400 | 403 | 405, why: string): Judgement => ({ say: 'refuse', status, why });

/**
 * Keeps other sites and other users of the machine out. A name that is pointed at this machine (DNS rebinding) is not among the hosts;
 * what another site asks for says so itself (Fetch Metadata) or has no cookie (SameSite=Strict); nothing can be written.
 *
 * @param origin where it listens: `http://127.0.0.1:PORT`
 * @example
 * const guard = createGuard('http://127.0.0.1:7000');
 * guard.judge(request, new URL(request.url, 'http://127.0.0.1:7000'));
 */
export function createGuard(origin: string): Guard {
  const { host, port } = new URL(origin);
  const hosts = [host, `localhost:${port}`];
  const origins = hosts.map((one) => `http://${one}`);
  const secret = randomBytes(32).toString('base64url');
  const cookieName = `earwitness-${port}`;
  const token = randomBytes(24).toString('base64url');
  let used = false;

  return {
    token,
    judge({ method, headers }, url) {
      if (!hosts.includes(headers.host ?? '')) return refuse(403, `This is ${origin}, and nothing else.`);
      if (method !== 'GET') return refuse(405, 'Pages can be read, and nothing else.');
      if (headers.origin !== undefined && !origins.includes(headers.origin)) {
        return refuse(403, 'Another site may not ask here.');
      }
      const site = headers['sec-fetch-site'];
      if (site !== undefined && site !== 'same-origin' && site !== 'none') {
        return refuse(403, 'Another site may not ask here.');
      }
      const given = url.searchParams.get('token');
      if (given !== null) {
        if (used || !same(given, token)) {
          return refuse(
            403,
            'This link was used before, or is of another start: take the one that the terminal shows now.',
          );
        }
        used = true;
        url.searchParams.delete('token');
        const to = `${url.pathname}${url.search}`;
        return { say: 'enter', cookie: `${cookieName}=${secret}; Path=/; HttpOnly; SameSite=Strict`, to };
      }
      const cookies = (headers.cookie ?? '').split(/; */).map((pair) => pair.split('='));
      if (cookies.some(([name, value]) => name === cookieName && same(value ?? '', secret))) return { say: 'pass' };
      return refuse(
        403,
        'This page opens with the link that `earwitness view` prints. Each link works once: where it was used already, in another browser, start the command again.',
      );
    },
  };
}

function same(a: string, b: string): boolean {
  const [x, y] = [Buffer.from(a), Buffer.from(b)];
  return x.length === y.length && timingSafeEqual(x, y);
}

/** What every answer says: nothing but this server's own files runs, is drawn, played or asked; nothing is kept or framed. */
export const safetyHeaders: Readonly<Record<string, string>> = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "media-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; '),
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'x-frame-options': 'DENY',
};
