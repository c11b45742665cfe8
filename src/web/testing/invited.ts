import { askServer } from './browser.ts';

/** What a server for people answers; audio comes as it is. */
export const ask = (origin: string, path: string, options: Parameters<typeof askServer>[2] = {}) =>
  askServer(origin, path, { ...options, encoding: 'latin1' });

/** Follows an invitation: the cookie that its link sets. */
export async function cookieOf(link: string): Promise<string> {
  const { origin } = new URL(link);
  const { headers } = await ask(origin, link.slice(origin.length));
  return String(headers['set-cookie']).split(';')[0]!;
}

/** Sends an answer as the pages do. */
export const put = (origin: string, cookie: string, path: string, value: unknown) =>
  ask(origin, path, {
    method: 'PUT',
    headers: { cookie, origin, 'content-type': 'application/json' },
    body: JSON.stringify(value),
  });
