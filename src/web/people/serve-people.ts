import { createHash, generateKeyPairSync, randomBytes, sign, X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { badUsage, EarwitnessError } from '../../base/errors.ts';
import { printable } from '../../base/printable.ts';
import type { Answer } from '../frame.ts';
import { oneTimeDoors } from '../guard.ts';
import { type Asked, listen } from '../listen.ts';
import type { PeopleStore, Person } from './people-store.ts';
import { takePartAsset, takePartFrame } from './take-part.ts';

/** A certificate and its key, as PEM. */
interface CertifiedKey {
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

/** How browsers reach the pages. */
export interface PeopleAddress {
  /** Default: that of the last start, so that links stay good; at first any that is free. */
  readonly port?: number;
  /** An address of this machine. Default: 127.0.0.1, which no other machine reaches. */
  readonly host?: string;
  /** What browsers call it behind a proxy: `https://listen.example.org`. */
  readonly origin?: string;
  /** `self-made`: a certificate that is made at the first start and kept, so that browsers ask once. */
  readonly tls?: CertifiedKey | 'self-made';
}

/** Pages for people, and one for whoever looks after them. */
export interface PeoplePages {
  /** @param asked with the path below the person's `home`, where links and what is kept begin */
  answer(asked: Asked<Person>): Promise<Answer>;
  overview(asked: Asked<true>): Promise<Answer>;
  /** Scripts and looks; default: those that all have. */
  assets?(path: string): Answer | null;
  /** Something is wrong that those who take part cannot mend. */
  problem(sentence: string): void;
  /** They record: their pages may ask for the microphone, and send what it gave in pieces. */
  readonly recordings?: { readonly pieceBytes: number };
}

interface ServingPeople extends AsyncDisposable {
  /** Of those who may take part. */
  readonly links: readonly { readonly name: string; readonly link: string }[];
  /** For whoever looks after them: on this machine alone, opened once. */
  readonly overview: string;
  /** Of a self-made certificate: what browsers show of it; else null. */
  readonly fingerprint: string | null;
}

/**
 * Serves pages that people take part in, each by an invitation of their own. The overview is a server of its own that listens on this machine
 * alone: whoever takes part cannot reach it.
 *
 * @throws EarwitnessError `bad-usage` where a port is taken or other machines would be served without HTTPS
 */
export async function servePeople(
  people: PeopleStore,
  pages: PeoplePages,
  { port, host = '127.0.0.1', origin, tls: wantedTls }: PeopleAddress,
): Promise<ServingPeople> {
  const behind = origin === undefined ? null : new URL(origin);
  const isSelfMade = wantedTls === 'self-made';
  if (host !== '127.0.0.1' && wantedTls === undefined && behind?.protocol !== 'https:') {
    throw badUsage(
      `expected HTTPS for other machines, but ${printable(host, 80)} would be served without; add --tls, or --tls-cert and --tls-key, or --address https://… behind a proxy`,
    );
  }
  if ((host === '0.0.0.0' || host === '::') && behind === null) {
    throw badUsage(
      `expected what browsers call this machine, because ${host} is all of its addresses; add --address https://its-name:PORT with --port PORT, or listen on one address`,
    );
  }
  const tls = isSelfMade ? ownCertificate(people, behind?.hostname ?? host) : wantedTls;
  const remembered = people.remembered('port');
  const doors = {
    enter: (token: string) => (people.whose(token) === null ? null : token),
    who: (secret: string) => people.whose(secret),
    home: ({ home }: Person) => home,
    ended: (secret: string) =>
      people.isEnded(secret) ? 'This invitation has ended. What you had saved is kept.' : null,
    takesPart: true,
    closed: 'This page opens with your own link. Ask whoever invited you for it.',
    spent: 'This link is not valid, or not any more. Ask whoever invited you for another one.',
  } as const;
  let told: string | null = null;
  const common = {
    ...{ frame: takePartFrame, assets: pages.assets ?? takePartAsset },
    problem(sentence: string) {
      if (sentence !== told) pages.problem(sentence);
      told = sentence;
    },
  };
  const wanted = port ?? (typeof remembered === 'number' ? remembered : 0);
  const listening = await listen({
    ...{ port: wanted, host, doors, ...common },
    answer: (asked) => answerBelow(pages, asked),
    ...(tls && { tls }),
    ...(behind && { origin: behind.origin }),
    ...(pages.recordings && { recordings: pages.recordings }),
  }).catch((error: unknown) => {
    const cause = error instanceof EarwitnessError ? (error.cause as NodeJS.ErrnoException | undefined) : undefined;
    if (port !== undefined || wanted === 0 || cause?.code !== 'EADDRINUSE') throw error;
    throw badUsage(
      `port ${wanted}, that of the last start, is in use by another program; free it, so that the links stay as they are, or add --port 0 and give everybody their new link`,
      { cause: error },
    );
  });
  people.remember('port', listening.port);
  const { token, doors: ownDoors } = oneTimeDoors('the command');
  const own = await listen({ port: 0, doors: ownDoors, answer: pages.overview, ...common }).catch(
    async (error: unknown) => {
      await listening[Symbol.asyncDispose]();
      throw error;
    },
  );
  return {
    links: people
      .people()
      .filter(({ revoked }) => !revoked)
      .map(({ name, invitation, home }) => ({ name, link: `${listening.origin}${home}/?token=${invitation}` })),
    overview: `${own.origin}/?token=${token}`,
    fingerprint: isSelfMade ? fingerprintOf((tls as CertifiedKey).cert) : null,
    async [Symbol.asyncDispose]() {
      await Promise.all([listening[Symbol.asyncDispose](), own[Symbol.asyncDispose]()]);
    },
  };
}

/** The certificate of the start before, while it is good for the same name; else a new one. */
function ownCertificate(people: PeopleStore, name: string): CertifiedKey {
  const kept = people.remembered('certificate') as {
    readonly name: string;
    readonly cert: string;
    readonly key: string;
  } | null;
  const soon = Date.now() + 7 * 86_400_000;
  if (kept !== null && kept.name === name && new X509Certificate(kept.cert).validToDate.getTime() > soon) return kept;
  const made = selfMadeCertificate([name.replace(/^\[|\]$/g, '')], new Date());
  people.remember('certificate', { name, ...made });
  return made;
}

/** Asks for a page below somebody's path, and says on it whose it is. */
async function answerBelow(pages: PeoplePages, asked: Asked<Person>): Promise<Answer> {
  const { home, name } = asked.who;
  const url = new URL(asked.url);
  url.pathname = url.pathname.slice(home.length) || '/';
  const answer = await pages.answer({ ...asked, url });
  return 'page' in answer ? { ...answer, page: { ...answer.page, whose: name } } : answer;
}
