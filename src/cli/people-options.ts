import { readFile } from 'node:fs/promises';
import { type Command, InvalidArgumentError } from 'commander';
import { EarwitnessError } from '../base/errors.ts';
import { fileProblem } from '../base/file-problem.ts';
import { printable } from '../base/printable.ts';
import type { PeopleStore } from '../web/people/people-store.ts';
import type { PeopleAddress } from '../web/people/serve-people.ts';
import { naturalNumber, requirePort } from './terminal/option-values.ts';

/** What every command takes that people take part in. */
export interface PeopleFlags {
  readonly person: readonly string[];
  readonly revoke: readonly string[];
  readonly port?: number;
  readonly listen: string;
  readonly address?: string;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
}

/** Whose links are good. */
export function addPersonOptions(command: Command): Command {
  return command
    .option('--person <name>', 'who takes part (again for each): a link of their own', names, [])
    .option('--revoke <name>', 'whose link is not to open any more; --person gives a new one', names, []);
}

/** How browsers reach the pages. */
export function addAddressOptions(command: Command): Command {
  return command
    .option('--port <n>', 'port to listen on (default: that of the last start)', naturalNumber)
    .option('--listen <address>', 'address of this machine to listen on', '127.0.0.1')
    .option('--address <url>', 'what browsers call it behind a proxy: https://listen.example.org')
    .option('--tls-cert <file>', 'certificate for HTTPS, as PEM')
    .option('--tls-key <file>', 'its key, as PEM');
}

/** @throws EarwitnessError `bad-usage` for an address that browsers cannot call, or half of a certificate */
export async function addressOf({ port, listen, address, tlsCert, tlsKey }: PeopleFlags): Promise<PeopleAddress> {
  if ((tlsCert === undefined) !== (tlsKey === undefined)) {
    throw new EarwitnessError('bad-usage', 'expected --tls-cert and --tls-key together; add the other one');
  }
  if (port !== undefined) requirePort(port);
  if (address !== undefined && !/^https?:\/\/[^/?#@]+\/?$/.test(address)) {
    throw new EarwitnessError(
      'bad-usage',
      `expected --address as browsers call it, but got ${JSON.stringify(printable(address, 80))}; write https://listen.example.org`,
    );
  }
  return {
    host: listen,
    ...(port !== undefined && { port }),
    ...(address !== undefined && { origin: address }),
    ...(tlsCert !== undefined && { tls: { cert: await pem(tlsCert), key: await pem(tlsKey!) } }),
  };
}

async function pem(file: string): Promise<string> {
  return await readFile(file, 'utf8').catch((error: unknown) => {
    throw new EarwitnessError(
      'bad-usage',
      `${file}: expected a PEM file, but it cannot be read (${fileProblem(error)})`,
    );
  });
}

/** For commander: a name that can be part of a file's. */
function names(name: string, before: readonly string[]): readonly string[] {
  if (!/^[\p{L}\p{N}][\p{L}\p{M}\p{N} _.-]{0,39}$/u.test(name) || name.endsWith('.') || name.endsWith(' ')) {
    throw new InvalidArgumentError('expected letters, digits, spaces, - and _, at most 40');
  }
  return [...before, name.normalize('NFC')];
}

/**
 * Ends links and makes others, as the options want it.
 *
 * @throws EarwitnessError `bad-usage` for somebody who does not take part
 */
export function inviteAndRevoke(people: PeopleStore, { person, revoke }: PeopleFlags): void {
  for (const name of revoke) {
    if (people.revoke(name)) continue;
    throw new EarwitnessError('bad-usage', `expected somebody who takes part, but there is no ${name}; see --person`);
  }
  for (const name of person) people.invite(name);
}
