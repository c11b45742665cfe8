import { spawnSync } from 'node:child_process';
import { appendFileSync, chownSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { connect } from '../../src/store/postgres/connection.ts';

/** A server whose end can be as rough as is wished. */
export interface RoughServer {
  readonly port: number;
  /** Seen from a machine that reaches it by `host`. */
  address(database: string, user?: string, host?: string): string;
  /** `fast`, `immediate`: as pg_ctl knows them; `kill`: its first process is killed with SIGKILL. */
  end(how: 'fast' | 'immediate' | 'kill'): void;
  start(): void;
}

const programs = ['', ...[18, 17, 16, 15, 14].map((version) => `/usr/lib/postgresql/${version}/bin/`)].find(
  (folder) => spawnSync(`${folder}initdb`, ['--version']).status === 0,
);

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as { readonly port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

export async function roughServer(folder: string): Promise<RoughServer> {
  if (programs === undefined) throw new Error('PostgreSQL is not installed (Debian: apt install postgresql)');
  // PostgreSQL refuses to be run by root.
  const who = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};
  const home = join(folder, 'server');
  mkdirSync(home);
  if (who.uid !== undefined) chownSync(home, who.uid, who.gid!);
  const data = join(home, 'data');
  const call = (program: string, args: readonly string[]) => {
    const { status, stderr } = spawnSync(`${programs}${program}`, args, {
      ...who,
      cwd: home,
      encoding: 'utf8',
      // The server keeps what it is given open.
      stdio: ['ignore', 'ignore', program === 'initdb' ? 'pipe' : 'ignore'],
    });
    if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${stderr ?? status}`);
  };
  const port = await freePort();
  call('initdb', ['-D', data, '-U', 'earwitness', '-A', 'trust', '--no-sync', '-E', 'UTF8', '--locale=C.UTF-8']);
  appendFileSync(join(data, 'pg_hba.conf'), 'host all all 10.77.0.0/16 trust\n');
  writeFileSync(
    join(data, 'postgresql.auto.conf'),
    `listen_addresses = '*'\nport = ${port}\nunix_socket_directories = ''\nfsync = off\nmax_connections = 100\n`,
  );
  const address = (database: string, user = 'earwitness', host = '127.0.0.1') =>
    `postgres://${user}@${host}:${port}/${database}`;
  const start = () => {
    // Of one that was killed others may still hold the memory.
    for (let tries = 0; ; tries++) {
      try {
        call('pg_ctl', ['-D', data, '-w', '-t', '20', '-l', join(home, 'log'), 'start']);
        break;
      } catch (error) {
        if (tries === 20) throw error;
        spawnSync('sleep', ['0.2']);
      }
    }
  };
  start();
  return {
    port,
    address,
    start,
    end(how) {
      if (how === 'kill')
        process.kill(Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n', 1)[0]), 'SIGKILL');
      else call('pg_ctl', ['-D', data, '-m', how, '-t', '60', 'stop']);
    },
  };
}

/** Rows of one statement, as text. */
export function rowsOf(
  address: string,
  sql: string,
  values: readonly string[] = [],
): readonly (readonly (string | null)[])[] {
  const server = connect(address);
  try {
    return server.ask([{ sql, values }])[0]!.rows;
  } finally {
    server.close();
  }
}
