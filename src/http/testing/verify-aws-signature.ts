import { createHash, createHmac } from 'node:crypto';

/** A call as it came over the wire. */
export interface SignedCall {
  readonly method: string;
  /** Path and query, as they were sent. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Uint8Array;
}

/** Keys of tests, by the variables that AWS' own programs read; the secret is each test's own. */
export const awsTestKeys = {
  AWS_ACCESS_KEY_ID: 'AKIAEXAMPLEOFTESTS01',
  AWS_SESSION_TOKEN: 'session-token-of-a-test/0123456789+abcdefghijklmnop==',
} as const;

const hash = (data: string | Uint8Array) => createHash('sha256').update(data).digest('hex');
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();
const encoded = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);

/**
 * What is wrong with a signature of version 4, worked out by the letter of its description (docs.aws.amazon.com/IAM, "Elements of an AWS
 * API request signature") and not by the code under test; null: nothing.
 *
 * @param nowMs the server's time: signatures live for five minutes
 */
export function wrongAwsSignature(
  { method, target, headers, body }: SignedCall,
  keys: { readonly accessKeyId: string; readonly secret: string; readonly sessionToken: string | null },
  nowMs = Date.now(),
): string | null {
  const form =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/([^/]+)\/aws4_request, SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/;
  const parts = form.exec(String(headers.authorization));
  if (parts === null) return 'IncompleteSignature';
  const [, id, day, region, service, names, given] = parts as unknown as string[];
  const header = (name: string) => String(headers[name] ?? '');
  const moment = header('x-amz-date');
  const [, y, mo, d, h, mi, s] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(moment) ?? [];
  const ageMs = Math.abs(nowMs - Date.UTC(Number(y), Number(mo) - 1, Number(d), Number(h), Number(mi), Number(s)));
  if (!(ageMs <= 5 * 60_000) || !moment.startsWith(day!)) return 'RequestTimeTooSkewed';
  if (id !== keys.accessKeyId) return 'InvalidAccessKeyId';
  if (keys.sessionToken !== null && header('x-amz-security-token') !== keys.sessionToken) return 'InvalidToken';
  const signed = names!.split(';');
  for (const name of Object.keys(headers)) {
    if ((name === 'host' || name === 'content-type' || name.startsWith('x-amz-')) && !signed.includes(name))
      return `unsigned ${name}`;
  }
  const told = headers['x-amz-content-sha256'];
  if (told === undefined ? service === 's3' : told !== hash(body)) return 'XAmzContentSHA256Mismatch';
  const [path = '', query = ''] = target.split('?');
  const fields = query
    .split('&')
    .filter((field) => field !== '')
    .map((field) => {
      const [name = '', value = ''] = field.split('=').map((part) => decodeURIComponent(part.replaceAll('+', ' ')));
      return `${encoded(name)}=${encoded(value)}`;
    })
    .sort();
  const request = [
    method,
    // S3 alone takes the path as it is sent, with each name encoded once.
    service === 's3'
      ? path
          .split('/')
          .map((name) => encoded(decodeURIComponent(name)))
          .join('/')
      : path.split('/').map(encoded).join('/'),
    fields.join('&'),
    ...signed.map((name) => `${name}:${header(name).trim().replace(/ +/g, ' ')}`),
    '',
    names,
    hash(body),
  ].join('\n');
  const text = ['AWS4-HMAC-SHA256', moment, `${day}/${region}/${service}/aws4_request`, hash(request)].join('\n');
  const key = [region!, service!, 'aws4_request'].reduce(hmac, hmac(`AWS4${keys.secret}`, day!));
  return hmac(key, text).toString('hex') === given ? null : 'SignatureDoesNotMatch';
}

/**
 * What is wrong with a signed address (docs.aws.amazon.com/transcribe/latest/dg/websocket.html, "Creating a pre-signed URL"), worked out by
 * the letter of its tasks 1 to 3; null: nothing.
 */
export function wrongAwsAddress(
  { host, pathname, searchParams }: URL,
  keys: { readonly accessKeyId: string; readonly secret: string; readonly sessionToken: string | null },
  nowMs = Date.now(),
): string | null {
  const field = (name: string) => searchParams.get(`X-Amz-${name}`) ?? '';
  const [id, day, region, service] = field('Credential').split('/');
  const [, y, mo, d, h, mi, s] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(field('Date')) ?? [];
  const age = nowMs - Date.UTC(Number(y), Number(mo) - 1, Number(d), Number(h), Number(mi), Number(s));
  const seconds = Number(field('Expires'));
  if (!(seconds > 0 && seconds <= 300 && age > -300_000 && age <= 1000 * seconds)) return 'RequestExpired';
  if (id !== keys.accessKeyId) return 'InvalidAccessKeyId';
  if (keys.sessionToken !== null && field('Security-Token') !== keys.sessionToken) return 'InvalidToken';
  if (field('Algorithm') !== 'AWS4-HMAC-SHA256' || field('SignedHeaders') !== 'host') return 'IncompleteSignature';
  const query = [...searchParams]
    .filter(([name]) => name !== 'X-Amz-Signature')
    .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
    .sort()
    .join('&');
  const request = ['GET', pathname, query, `host:${host}`, '', 'host', hash('')].join('\n');
  const told = ['AWS4-HMAC-SHA256', field('Date'), `${day}/${region}/${service}/aws4_request`, hash(request)].join(
    '\n',
  );
  const key = [region!, service!, 'aws4_request'].reduce(hmac, hmac(`AWS4${keys.secret}`, day!));
  return hmac(key, told).toString('hex') === field('Signature') ? null : 'SignatureDoesNotMatch';
}
