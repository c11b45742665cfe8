import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

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
