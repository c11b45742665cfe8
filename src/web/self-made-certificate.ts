import { createHash, generateKeyPairSync, randomBytes, sign, X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';

/** A certificate and its key, as PEM. */
export interface CertifiedKey {
  readonly cert: string;
  readonly key: string;
}

/** Browsers refuse certificates for servers that are good for longer. */
const days = 397;

/**
 * A certificate for HTTPS that signs itself: browsers show a warning once, because nobody vouches for it, and what is sent is encrypted all the
 * same. P-256 with ECDSA and SHA-256; X.509 version 3 by RFC 5280, the names as subjectAltName. Written out here because it is one structure, and
 * packages that make it bring a dozen others.
 *
 * @param names addresses and host names that browsers call the server by, at least one
 * @example selfMadeCertificate(['192.168.1.20', 'recorder.local'], new Date())
 */
export function selfMadeCertificate(names: readonly string[], now: Date): CertifiedKey {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const algorithm = sequence(identifier('2a8648ce3d040302'));
  const name = sequence(set(sequence(identifier('550403'), tagged(0x0c, Buffer.from('Earwitness')))));
  // A day before now: clocks of phones are wrong.
  const time = (at: number) => tagged(0x18, Buffer.from(`${new Date(at).toISOString().replace(/[-:T]|\.\d+/g, '')}`));
  const day = 86_400_000;
  const validity = sequence(time(now.getTime() - day), time(now.getTime() + (days - 1) * day));
  const serial = randomBytes(16);
  serial[0] = (serial[0]! & 0x7f) | 0x40;
  const alternatives = names.map((one) =>
    isIP(one) === 0 ? tagged(0x82, Buffer.from(one)) : tagged(0x87, ipBytes(one)),
  );
  const extensions = sequence(
    extension('551d11', sequence(...alternatives)),
    extension('551d25', sequence(identifier('2b06010505070301'))),
    extension('551d13', sequence()),
  );
  const signed = sequence(
    tagged(0xa0, tagged(0x02, Buffer.from([2]))),
    tagged(0x02, serial),
    ...[algorithm, name, validity, name, publicKey.export({ type: 'spki', format: 'der' })],
    tagged(0xa3, extensions),
  );
  const signature = tagged(0x03, Buffer.concat([Buffer.from([0]), sign('sha256', signed, privateKey)]));
  const lines = sequence(signed, algorithm, signature)
    .toString('base64')
    .match(/.{1,64}/g)!;
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

/** What people compare with what their browser shows of a certificate: SHA-256, in pairs of digits. */
export function fingerprintOf(cert: string): string {
  const digits = createHash('sha256').update(new X509Certificate(cert).raw).digest('hex').toUpperCase();
  return digits.match(/../g)!.join(':');
}

function tagged(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const long = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...long]), content]);
}

const sequence = (...parts: readonly Buffer[]) => tagged(0x30, Buffer.concat(parts));
const set = (...parts: readonly Buffer[]) => tagged(0x31, Buffer.concat(parts));
const identifier = (hex: string) => tagged(0x06, Buffer.from(hex, 'hex'));
const extension = (hex: string, value: Buffer) => sequence(identifier(hex), tagged(0x04, value));

function ipBytes(address: string): Buffer {
  if (!address.includes(':')) return Buffer.from(address.split('.').map(Number));
  const [head = '', tail] = address.split('::');
  const groups = (text: string) => text.split(':').filter((one) => one !== '');
  const [first, last] = [groups(head), groups(tail ?? '')];
  const all = tail === undefined ? first : [...first, ...Array(8 - first.length - last.length).fill('0'), ...last];
  return Buffer.from(all.flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 0xff]));
}
