import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { InvalidArgumentError } from 'commander';
import { badUsage, fileProblem } from '../base/errors.ts';
import { asJson } from '../base/json.ts';
import { printable } from '../base/printable.ts';
import type { PeopleStore } from '../web/people/people-store.ts';
import { type PeopleAddress, type PeoplePages, servePeople } from '../web/people/serve-people.ts';
import type { Flag, FlagsOf } from './flags.ts';
import { naturalNumber, requirePort } from './options.ts';
import { printJson, printLine, say } from './output.ts';

/** Whose links are good, and how browsers reach the pages. */
export const peopleFlags = [
  [
    '--person <name>',
    'who takes part (again for each): a link of their own',
    { read: names, default: [], shownDefault: 'nobody' },
  ],
  [
    '--revoke <name>',
    'whose link is not to open any more; --person gives a new one',
    { read: names, default: [], shownDefault: 'nobody' },
  ],
  ['--port <n>', 'port to listen on (default: that of the last start)', naturalNumber],
  ['--listen <address>', 'address of this machine to listen on', { default: '127.0.0.1' }],
  ['--address <url>', 'its public address, behind a proxy: https://listen.example.org'],
  ['--tls', 'HTTPS with a certificate made here: browsers warn of it once'],
  ['--tls-cert <file>', 'certificate for HTTPS, as PEM'],
  ['--tls-key <file>', 'its key, as PEM'],
] as const satisfies readonly Flag[];

/** What every command takes that people take part in. */
export type PeopleFlags = FlagsOf<typeof peopleFlags>;

/** @throws EarwitnessError `bad-usage` for an address that browsers cannot call, or half of a certificate */
export async function addressOf({ port, listen, address, tls, tlsCert, tlsKey }: PeopleFlags): Promise<PeopleAddress> {
  if ((tlsCert === undefined) !== (tlsKey === undefined)) {
    throw badUsage('expected --tls-cert and --tls-key together; add the other one');
  }
  if (tls && tlsCert !== undefined) throw badUsage('expected --tls or --tls-cert, but got both; leave one away');
  if (port !== undefined) requirePort(port);
  if (address !== undefined) {
    const isNone = !/^https?:\/\/[^/?#@]+\/?$/.test(address) || !URL.canParse(address);
    const shown = JSON.stringify(printable(address, 80));
    if (isNone) {
      throw badUsage(`expected --address as browsers call it, but got ${shown}; write https://listen.example.org`);
    }
    const { protocol, hostname } = new URL(address);
    if (protocol !== 'https:' && !/^(127(\.\d+){3}|\[::1\]|localhost)$/.test(hostname)) {
      throw badUsage(
        `expected --address with https://, because links and answers would cross the network readable to all, but got ${shown}; put an HTTPS proxy before it, or use --tls`,
      );
    }
  }
  return {
    host: listen,
    ...(port !== undefined && { port }),
    ...(address !== undefined && { origin: address }),
    ...(tls && { tls: 'self-made' as const }),
    ...(tlsCert !== undefined && { tls: { cert: await pem(tlsCert), key: await pem(tlsKey!) } }),
  };
}

async function pem(file: string): Promise<string> {
  return await readFile(file, 'utf8').catch((error: unknown) => {
    throw badUsage(`${file}: expected a PEM file, but it cannot be read (${fileProblem(error)})`);
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
 * @throws EarwitnessError `bad-usage` for somebody who does not take part, or two names that are one where upper and lower case are alike
 */
export function inviteAndRevoke(people: PeopleStore, { person, revoke }: PeopleFlags): void {
  const known = people.people().map(({ name }) => name);
  const alike = (name: string, among: readonly string[]) =>
    among.find((one) => one !== name && caseFolded(one) === caseFolded(name));
  for (const name of revoke) {
    if (known.includes(name)) continue;
    const meant = alike(name, known);
    const hint = meant === undefined ? 'see --person' : `did you mean ${meant}?`;
    throw badUsage(`expected somebody who takes part, but there is no ${name}; ${hint}`);
  }
  for (const name of person) {
    const other = alike(name, [...known, ...person]);
    if (other === undefined) continue;
    throw badUsage(
      `expected names that differ in more than upper and lower case, because files are called by them, but there are ${other} and ${name}; write the name as it was, or take another`,
    );
  }
  for (const name of revoke) people.revoke(name);
  for (const name of person) people.invite(name);
}

/** What is the same for names that many disks take for one: Ä and ä, STRASSE and Straße. */
function caseFolded(name: string): string {
  return name.normalize('NFC').toUpperCase().toLowerCase().normalize('NFC');
}

/** What a command says of its pages while they are open. */
interface Told<Share> {
  readonly json: boolean;
  /** What is somebody's to do, beside their link. */
  share(person: string): Share;
  inWords(share: Share): string;
  /** What the page for whoever started it shows: `who has heard how much` */
  readonly overview: string;
  /** A sentence before the last one. */
  readonly lead?: string;
  /** Further members of the JSON. */
  readonly more?: object;
}

/** Serves pages that people take part in, tells their links, and waits until it is to end (Ctrl-C). */
export async function serveUntilEnded<Share extends object>(
  people: PeopleStore,
  pages: PeoplePages,
  address: PeopleAddress,
  { json, share, inWords, overview, lead, more }: Told<Share>,
): Promise<void> {
  sayRestored(people);
  const ended = Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
  await using serving = await servePeople(people, pages, address);
  const { fingerprint } = serving;
  const links = serving.links.map((one) => ({ ...one, ...share(one.name) }));
  if (json) await printJson(asJson({ links, overview: serving.overview, fingerprint, ...more }));
  else {
    for (const one of links) {
      const words = inWords(one);
      await printLine(`${one.name}: ${one.link}${words === '' ? '' : ` (${words})`}`);
    }
    await printLine(`For you alone: ${overview} (the link opens once per start): ${serving.overview}`);
    if (fingerprint !== null)
      say(`Browsers warn of the certificate made here; it is the right one if they show SHA-256 ${fingerprint}`);
    say(
      `${lead === undefined ? '' : `${lead} `}Each link is one person’s own. Ctrl-C ends it; the same command goes on.`,
    );
  }
  await ended;
}

/** Tells what the database mended when it was opened. */
function sayRestored({ path, restored }: Pick<PeopleStore, 'path' | 'restored'>): void {
  if (restored.length === 0) return;
  const names = [...new Set(restored.map(({ person }) => person))].join(', ');
  const isOne = restored.length === 1;
  const what = isOne ? `an answer of ${names} was` : `${restored.length} answers of ${names} were`;
  say(`${path}: ${what} damaged and put back from the log; check the disk`);
}
