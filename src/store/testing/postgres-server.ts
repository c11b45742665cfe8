import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { connect } from '../postgres/connection.ts';

/** A PostgreSQL server of this process alone, in a temporary folder. */
export interface TestServer {
  /** Of a new, empty database. */
  newDatabase(): string;
  address(database: string, more?: string): string;
}

/** Debian keeps the server's programs out of the path. */
const folders = ['', ...[18, 17, 16, 15, 14].map((version) => `/usr/lib/postgresql/${version}/bin/`)];
const programs = folders.find((folder) => spawnSync(`${folder}initdb`, ['--version']).status === 0);

/** The one user of the server who needs a password. */
export const guarded = 'guarded';

/** Why there is no server; false where there is one. It is spoken with through a socket in its folder, which Windows has not. */
export const noServer =
  programs === undefined || process.platform === 'win32'
    ? 'PostgreSQL is not installed (Debian: apt install postgresql)'
    : false;

/** PostgreSQL refuses to be run by root. */
function somebody(): { readonly uid?: number; readonly gid?: number } {
  if (process.getuid?.() !== 0) return {};
  return { uid: 65534, gid: 65534 };
}

let started: TestServer | null = null;
let stop = async () => {};
// Where it is loaded, not where it is first used: that may be within one test.
after(() => stop());

/** Starts the server when it is first asked for; it ends with this process, however that ends. */
export function testServer(): TestServer {
  started ??= start();
  return started;
}

function start(): TestServer {
  const folder = mkdtempSync(join(tmpdir(), 'earwitness-postgres-'));
  const who = somebody();
  chmodSync(folder, 0o755);
  if (who.uid !== undefined) chownSync(folder, who.uid, who.gid!);
  const data = join(folder, 'data');
  const made = spawnSync(
    `${programs}initdb`,
    ['-D', data, '-U', 'earwitness', '-A', 'trust', '--no-sync', '-E', 'UTF8', '--locale=C.UTF-8'],
    {
      ...who,
      cwd: folder,
      encoding: 'utf8',
    },
  );
  if (made.status !== 0) throw new Error(made.stderr);
  writeFileSync(join(data, 'pg_hba.conf'), `local all ${guarded} scram-sha-256\nlocal all all trust\n`);
  // It is told to end when nobody holds the other end of its input any more.
  const script =
    '"$0" -D "$1" -k "$2" -h "" -F >"$2/log" 2>&1 & server=$!; cat >/dev/null; kill -QUIT $server; wait $server';
  const shell = spawn('sh', ['-c', script, `${programs}postgres`, data, folder], {
    ...who,
    cwd: folder,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  shell.unref();
  stop = async () => {
    shell.ref();
    const ended = new Promise((resolve) => shell.once('exit', resolve));
    shell.stdin.end();
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  const address = (database: string, more = '') => `postgres:///${database}?host=${folder}&user=earwitness${more}`;
  const until = Date.now() + 20_000;
  while (!existsSync(join(folder, '.s.PGSQL.5432')) && Date.now() < until) spawnSync('sleep', ['0.05']);
  let databases = 0;
  return {
    address,
    newDatabase() {
      const name = `store${++databases}`;
      const server = patiently(address('postgres'), until);
      server.exec(`CREATE DATABASE ${name}`);
      server.close();
      return address(name);
    },
  };
}

/** A server that has just been started refuses everybody for an instant. */
function patiently(address: string, untilMs: number): ReturnType<typeof connect> {
  for (;;) {
    try {
      return connect(address);
    } catch (error) {
      const { code } = error as { readonly code?: string };
      if (Date.now() > untilMs || (code !== 'ENOENT' && code !== 'ECONNREFUSED' && code !== '57P03')) throw error;
      spawnSync('sleep', ['0.05']);
    }
  }
}
