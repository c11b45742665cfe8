import { dirname, resolve } from 'node:path';

/** Whether a store is in a PostgreSQL server, by its address. */
export function isServer(store: string): boolean {
  return /^postgres(ql)?:\/\//.test(store);
}

/**
 * Where a store is.
 *
 * @param store as a config or a command names it: a file, or `postgres://user@host/database`
 * @example storeAt('/work', '.earwitness/store.sqlite') // '/work/.earwitness/store.sqlite'
 */
export function storeAt(baseFolder: string, store: string): string {
  return isServer(store) ? store : resolve(baseFolder, store);
}

/** The folder of what is kept beside a store: sounds, speech, notes of calls. Of one on a server it lies where the program was started. */
export function folderBeside(store: string): string {
  return isServer(store) ? resolve('.earwitness') : dirname(resolve(store));
}
