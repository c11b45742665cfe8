import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** Who may come in, and what for. */
export interface Doors<Who> {
  /** What the cookie of whoever opens this link carries; null: the link is worth nothing (any more). */
  enter(token: string): string | null;
  /** Whose a cookie is; null: nobody's (any more). */
  who(secret: string): Who | null;
  /**
   * The path that somebody's pages lie below, `/p/k3Zr`: their cookie is for it alone, so that links of several people live in one browser
   * and none answers for another. Default: all pages are for whoever comes in.
   */
  home?(who: Who): string;
  /** What is said of a link or a cookie that was good once; null: it never was. */
  ended?(secret: string): string | null;
  /** What is said to those without a link. */
  readonly closed: string;
  /** What is said of a link that is worth nothing. */
  readonly spent: string;
  /** Links come by mail, and answers are sent: PUT is taken from our own pages. */
  readonly takesPart?: true;
}

/** Judges requests before anything is done for them. */
export interface Guard<Who> {
  /** What becomes of a request. `enter`: a link was opened, the answer sets this cookie and leads to the same page without the token. */
  judge(request: Pick<IncomingMessage, 'method' | 'headers'>, url: URL): Judgement<Who>;
}

export type Judgement<Who> =
  | { readonly say: 'pass'; readonly who: Who }
  | { readonly say: 'open' }
  | { readonly say: 'enter'; readonly cookie: string; readonly to: string }
  | { readonly say: 'refuse'; readonly status: 400 | 403 | 405; readonly why: string };

const refuse = (status: 400 | 403 | 405, why: string) => ({ say: 'refuse', status, why }) as const;

/**
 * Keeps other sites and other users of the machine out. A name that is pointed at this machine (DNS rebinding) is not among the hosts;
 * what another site asks for says so itself (Fetch Metadata) or has no cookie (SameSite=Strict); what is sent must come from our own pages.
 *
 * @param origin what browsers call it: `http://127.0.0.1:PORT`
 * @param isOpen paths that anybody may load: looks and scripts, so that a page that refuses somebody is one
 * @example
 * const guard = createGuard('http://127.0.0.1:7000', oneTimeDoors('`earwitness view`').doors);
 * guard.judge(request, new URL(request.url, 'http://127.0.0.1:7000'));
 */
export function createGuard<Who>(
  origin: string,
  doors: Doors<Who>,
  isOpen: (path: string) => boolean = () => false,
): Guard<Who> {
  const { host, hostname, port, protocol } = new URL(origin);
  const hosts = hostname === '127.0.0.1' ? [host, `localhost:${port}`] : [host];
  const origins = hosts.map((one) => `${protocol}//${one}`);
  const cookieName = `earwitness-${port || '0'}`;
  const methods = doors.takesPart ? ['GET', 'HEAD', 'PUT'] : ['GET', 'HEAD'];
  const homeOf = (who: Who) => doors.home?.(who) ?? '';
  const isBelow = (path: string, home: string) => path === home || path.startsWith(`${home}/`);
  const cookieFor = (home: string) => (home === '' ? cookieName : `${cookieName}-${home.split('/').at(-1)}`);

  return {
    judge({ method = '', headers }, url) {
      if (!hosts.includes(headers.host ?? ''))
        return refuse(403, `This page was asked for under another name; open ${origin}${url.pathname}`);
      if (!methods.includes(method))
        return refuse(405, doors.takesPart ? 'There is no such request.' : 'Pages can be read, and nothing else.');
      if (method === 'PUT' ? !origins.includes(headers.origin ?? '') : foreign(headers.origin, origins)) {
        return refuse(403, 'Another site may not ask here.');
      }
      const given = method === 'GET' ? url.searchParams.get('token') : null;
      const site = headers['sec-fetch-site'];
      // A link in a mail is followed from another site; it shows nothing, and leads to a page that is asked for by us.
      const followed = given !== null && doors.takesPart && headers['sec-fetch-mode'] === 'navigate';
      if (site !== undefined && site !== 'same-origin' && site !== 'none' && !followed) {
        return refuse(403, 'Another site may not ask here.');
      }
      if (given !== null) {
        const secret = doors.enter(given);
        const who = secret === null ? null : doors.who(secret);
        if (who === null) return refuse(403, doors.ended?.(given) ?? doors.spent);
        url.searchParams.delete('token');
        const home = homeOf(who);
        const path = isBelow(url.pathname, home) ? url.pathname : `${home}/`;
        const secure = protocol === 'https:' ? '; Secure' : '';
        const kept = doors.takesPart ? '; Max-Age=7776000' : '';
        return {
          say: 'enter',
          cookie: `${cookieFor(home)}=${secret}; Path=${home || '/'}; HttpOnly; SameSite=Strict${secure}${kept}`,
          to: `${path}${url.search}`,
        };
      }
      if (method !== 'PUT' && isOpen(url.pathname)) return { say: 'open' };
      let ended: string | null = null;
      for (const pair of (headers.cookie ?? '').split(/; */)) {
        const [name = '', value = ''] = pair.split('=');
        if (!name.startsWith(cookieName)) continue;
        const who = doors.who(value);
        if (who === null) ended ??= doors.ended?.(value) ?? null;
        else if (name === cookieFor(homeOf(who)) && isBelow(url.pathname, homeOf(who))) return { say: 'pass', who };
      }
      return refuse(403, ended ?? doors.closed);
    },
  };
}

function foreign(origin: string | undefined, own: readonly string[]): boolean {
  return origin !== undefined && !own.includes(origin);
}

/** Doors that the one link opens once, for whoever started the command. */
export function oneTimeDoors(command: string): { readonly token: string; readonly doors: Doors<true> } {
  const secret = randomBytes(32).toString('base64url');
  const token = randomBytes(24).toString('base64url');
  let used = false;
  const doors: Doors<true> = {
    enter(given) {
      if (used || !same(given, token)) return null;
      used = true;
      return secret;
    },
    who: (given) => (same(given, secret) ? true : null),
    closed: `This page opens with the link that ${command} prints. Each link works once: where it was used already, in another browser, start the command again.`,
    spent: 'This link was used before, or is of another start: take the one that the terminal shows now.',
  };
  return { token, doors };
}

/** Whether two secrets are the same, in a time that tells nothing. */
export function same(a: string, b: string): boolean {
  const [x, y] = [Buffer.from(a), Buffer.from(b)];
  return x.length === y.length && timingSafeEqual(x, y);
}

/** What pages may ask the browser for: nothing of this, but for what is given. */
export function permissions(microphone: 'microphone=()' | 'microphone=(self)'): string {
  return `camera=(), geolocation=(), ${microphone}`;
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
  'permissions-policy': permissions('microphone=()'),
};
