import { EarwitnessError } from '../../base/errors.ts';
import { printable } from '../../base/printable.ts';
import type { Answer } from '../answer.ts';
import { oneTimeDoors } from '../guard.ts';
import { type Asked, listen } from '../listen.ts';
import type { PeopleStore, Person } from './people-store.ts';
import { takePartFrame } from './take-part.ts';

/** How browsers reach the pages. */
export interface PeopleAddress {
  /** Default: that of the last start, so that links stay good; at first any that is free. */
  readonly port?: number;
  /** An address of this machine. Default: 127.0.0.1, which no other machine reaches. */
  readonly host?: string;
  /** What browsers call it behind a proxy: `https://listen.example.org`. */
  readonly origin?: string;
  readonly tls?: { readonly cert: string; readonly key: string };
}

/** Pages for people, and one for whoever looks after them. */
export interface PeoplePages {
  answer(asked: Asked<Person>): Promise<Answer>;
  overview(asked: Asked<true>): Promise<Answer>;
}

export interface ServingPeople extends AsyncDisposable {
  /** Of those who may take part. */
  readonly links: readonly { readonly name: string; readonly link: string }[];
  /** For whoever looks after them: on this machine alone, opened once. */
  readonly overview: string;
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
  { port, host = '127.0.0.1', origin, tls }: PeopleAddress,
): Promise<ServingPeople> {
  const behind = origin === undefined ? null : new URL(origin);
  if (host !== '127.0.0.1' && tls === undefined && behind?.protocol !== 'https:') {
    throw new EarwitnessError(
      'bad-usage',
      `expected HTTPS for other machines, but ${printable(host, 80)} would be served without; add --tls-cert and --tls-key, or --address https://… behind a proxy`,
    );
  }
  if ((host === '0.0.0.0' || host === '::') && behind === null) {
    throw new EarwitnessError(
      'bad-usage',
      `expected what browsers call this machine, because ${host} is all of its addresses; add --address https://its-name:PORT with --port PORT, or listen on one address`,
    );
  }
  const remembered = people.remembered('port');
  const doors = {
    enter: (token: string) => (people.whose(token) === null ? null : token),
    who: (secret: string) => people.whose(secret),
    takesPart: true,
    closed: 'This page opens with your own link. Ask whoever invited you for it.',
    spent: 'This link is not valid, or not any more. Ask whoever invited you for another one.',
  } as const;
  const listening = await listen({
    port: port ?? (typeof remembered === 'number' ? remembered : 0),
    ...{ host, doors, frame: takePartFrame, answer: pages.answer },
    ...(tls && { tls }),
    ...(behind && { origin: behind.origin }),
  });
  people.remember('port', listening.port);
  const { token, doors: ownDoors } = oneTimeDoors('the command');
  const own = await listen({ port: 0, doors: ownDoors, frame: takePartFrame, answer: pages.overview }).catch(
    async (error: unknown) => {
      await listening[Symbol.asyncDispose]();
      throw error;
    },
  );
  return {
    links: people
      .people()
      .filter(({ revoked }) => !revoked)
      .map(({ name, invitation }) => ({ name, link: `${listening.origin}/?token=${invitation}` })),
    overview: `${own.origin}/?token=${token}`,
    async [Symbol.asyncDispose]() {
      await Promise.all([listening[Symbol.asyncDispose](), own[Symbol.asyncDispose]()]);
    },
  };
}
