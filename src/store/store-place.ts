import { dirname, resolve } from 'node:path';
import { badConfig, EarwitnessError } from '../base/errors.ts';
import { nearestName } from '../base/nearest-name.ts';
import { checkAddress } from './postgres/address.ts';

/**
 * Whether a store is in a PostgreSQL server, by its address.
 *
 * @throws EarwitnessError `bad-config` for an address of something else, which would become a folder of that name
 */
export function isServer(store: string): boolean {
  // A letter alone is a drive.
  const [, found] = /^([a-z][\w+.-]+):\//i.exec(store) ?? [];
  if (found === undefined) return false;
  const scheme = found.toLowerCase();
  const isKnown = schemes.includes(scheme);
  if (isKnown && /^\w+:\/\//.test(store)) return true;
  const meant = nearestName(scheme, schemes);
  throw badConfig(
    `store: expected a file, or postgres://user@host/database, but got an address that begins with ${scheme}:/${isKnown ? ' and one slash' : ''}; ${meant === null ? 'correct it' : `did you mean ${meant}://?`}`,
  );
}

const schemes = ['postgres', 'postgresql'];

/**
 * For what a server does itself.
 *
 * @param instead what its keeper does
 * @throws EarwitnessError `store` for a store on a server
 */
export function requireFile(store: string, instead: string): void {
  if (isServer(store)) throw new EarwitnessError('store', `${store}: expected a store in a file; ${instead}`);
}

/**
 * For what several machines do together.
 *
 * @throws EarwitnessError `bad-config` for a store in a file
 */
export function requireServer(store: string): void {
  if (isServer(store)) return;
  throw badConfig(
    `expected a store on a server beside a queue, but ${store} is a file, which one program writes; set store: postgres://user@host/database`,
  );
}

/**
 * Where a store is.
 *
 * @param store as a config or a command names it: a file, or `postgres://user@host/database`
 * @throws EarwitnessError `bad-config` for an address with a password, before anybody shows it
 * @example storeAt('/project', '.earwitness/store.sqlite') // '/project/.earwitness/store.sqlite'
 */
export function storeAt(baseFolder: string, store: string): string {
  if (!isServer(store)) return resolve(baseFolder, store);
  checkAddress(store);
  return store;
}

/** The folder of what is kept beside a store: sounds, speech, notes of calls. Of one on a server it lies where the program was started. */
export function folderBeside(store: string): string {
  return isServer(store) ? resolve('.earwitness') : dirname(resolve(store));
}
