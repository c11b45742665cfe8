import { X509Certificate } from 'node:crypto';
import { EarwitnessError } from '../../base/errors.ts';
import { printable } from '../../base/printable.ts';
import type { Answer } from '../answer.ts';
import { oneTimeDoors } from '../guard.ts';
import { type Asked, listen } from '../listen.ts';
import { type CertifiedKey, fingerprintOf, selfMadeCertificate } from '../self-made-certificate.ts';
import type { PeopleStore, Person } from './people-store.ts';
import { takePartAsset, takePartFrame } from './take-part.ts';

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

export interface ServingPeople extends AsyncDisposable {
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
    throw new EarwitnessError(
      'bad-usage',
      `expected HTTPS for other machines, but ${printable(host, 80)} would be served without; add --tls, or --tls-cert and --tls-key, or --address https://… behind a proxy`,
    );
  }
  if ((host === '0.0.0.0' || host === '::') && behind === null) {
    throw new EarwitnessError(
      'bad-usage',
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
    throw new EarwitnessError(
      'bad-usage',
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
