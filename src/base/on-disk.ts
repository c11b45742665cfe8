import { createHash, randomBytes } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  existsSync,
  fdatasyncSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

/** Waits until what was written to a file is on the disk, so that a power cut does not take it. */
export function syncFile(path: string): void {
  // Windows flushes only what may be written.
  const file = openSync(path, 'r+');
  try {
    fdatasyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Waits until the names in a folder are on the disk: files that were made, renamed or removed there. Systems that cannot keep them so. */
export function syncFolder(folder: string): void {
  let file: number | null = null;
  try {
    file = openSync(folder, 'r');
    fsyncSync(file);
  } catch {
    // Windows opens no folders, and some network file systems sync none.
  } finally {
    if (file !== null) closeSync(file);
  }
}

/**
 * Gives a file that is written to its end the name it is to have: whoever looks, whatever happens, finds the old one or the new one whole.
 *
 * @param half in the same folder
 */
export function putInPlace(half: string, path: string): void {
  syncFile(half);
  renameSync(half, path);
  syncFolder(dirname(path));
}

/**
 * Makes a folder with all above it.
 *
 * @param mode of what is made; absent: as the system has it
 * @returns the first that was not there; undefined where all were
 * @throws what the system says; of a disk that is read-only that, where Node says of the whole way that there is no such folder
 */
export function makeFolder(folder: string, mode?: number): string | undefined {
  try {
    return mkdirSync(folder, { recursive: true, ...(mode !== undefined && { mode }) });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    let first = resolve(folder);
    while (dirname(first) !== first && !existsSync(dirname(first))) first = dirname(first);
    mkdirSync(first);
    throw error;
  }
}

/** Modes of what holds voices, words, names or attributes of people: it is nobody else's. */
export const personal = { file: 0o600, folder: 0o700 } as const;

/** Makes a file of people, where there is none, that no other account can read, and makes those beside it so that are there. */
export function keepPersonal(path: string, ...beside: readonly string[]): void {
  closeSync(openSync(path, 'a', personal.file));
  for (const file of [path, ...beside]) {
    try {
      chmodSync(file, personal.file);
    } catch {
      // Not there, or another account's that lets this one write.
    }
  }
}

/**
 * Makes a folder with all above it, so that a power cut does not take it with what is in it.
 *
 * @param mode as of `makeFolder`
 */
export function makeDurableFolder(folder: string, mode?: number): void {
  const first = makeFolder(folder, mode);
  if (first === undefined) return;
  for (let made = resolve(folder); made.length >= first.length; made = dirname(made)) syncFolder(dirname(made));
}

/** Numbers of processes mean something in their namespace alone: containers may share a folder. */
const space = createHash('sha256').update(namespace()).digest('hex').slice(0, 8);

function namespace(): string {
  try {
    return `${hostname()} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return hostname();
  }
}

/**
 * A name that nobody else gives, for what is to be gone when this process is: once it has ended, `removeAbandoned` knows it.
 *
 * @example ownedName('.merge-') // '.merge-p4711s1f3a9b20-6c1d0e9f8a7b'
 */
export function ownedName(prefix: string): string {
  return `${prefix}p${process.pid}s${space}-${randomBytes(6).toString('hex')}`;
}

/** The name that a file has until it is whole, in the folder where it is to lie. `removeUnfinished` knows it. */
export function unfinishedName(path: string): string {
  return join(dirname(path), `${ownedName(unfinished)}.tmp`);
}

/** Removes what processes that have ended left unfinished in a folder: nothing that any other program made, whoever names the folder. */
export function removeUnfinished(folder: string): void {
  removeAbandoned(folder, unfinished);
}

const unfinished = '.earwitness-';

/** Makes a folder for temporary files, which whoever asked removes; the next run does it where a kill prevented that. */
export function temporaryFolder(purpose: string): string {
  const folder = join(tmpdir(), ownedName(`earwitness-${purpose}-`));
  mkdirSync(folder, { mode: 0o700 });
  return folder;
}

/** Removes files and folders with owned names whose processes have ended. What cannot be removed stays. */
export function removeAbandoned(folder: string, prefix: string): void {
  let names: readonly string[] = [];
  try {
    names = readdirSync(folder);
  } catch {
    // There is no such folder.
  }
  for (const name of names) {
    if (!name.startsWith(prefix)) continue;
    const [, owner, where] = /p(\d+)s([0-9a-f]{8})-[0-9a-f]{12}(?:\.\w+)?$/.exec(name) ?? [];
    if (owner === undefined || where !== space || isAlive(Number(owner))) continue;
    try {
      rmSync(join(folder, name), { recursive: true, force: true });
    } catch {
      // Another user's.
    }
  }
}

/** Threads have numbers of the same kind, and answer like processes. */
function isThread(id: number): boolean {
  try {
    return Number(/^Tgid:\s*(\d+)/m.exec(readFileSync(`/proc/${id}/status`, 'utf8'))?.[1] ?? id) !== id;
  } catch {
    return false;
  }
}

function isAlive(id: number): boolean {
  try {
    process.kill(id, 0);
    return !isThread(id);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
