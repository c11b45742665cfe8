import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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

/** A server that is stopped or killed, and started again. */
export interface OwnServer extends TestServer {
  /** @param how `SIGINT`: connections are ended and all is written; `SIGKILL`: neither */
  stop(how: 'SIGINT' | 'SIGKILL'): Promise<void>;
  restart(): void;
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
const stops: (() => Promise<void>)[] = [];
// Where it is loaded, not where it is first used: that may be within one test.
after(() => Promise.all(stops.map((stop) => stop())));

/** Starts the server when it is first asked for; it ends with this process, however that ends. */
export function testServer(): TestServer {
  started ??= startServer();
  return started;
}

/** Why there is no server with TLS; false where there is one. */
export const noTls =
  noServer || (spawnSync('openssl', ['version']).error === undefined ? false : 'openssl is not installed');

/** A server for `localhost` that is reached by TLS alone. */
export interface TlsServer extends TestServer {
  /** Of the authority that signed its certificate. */
  readonly authority: string;
  /** Certificate and key of the user `certified`, who needs no password. */
  readonly user: { readonly certificate: string; readonly key: string };
  readonly port: number;
}

/** Starts a server with certificates that are made for it. */
export function startTlsServer(): TlsServer {
  const folder = mkdtempSync(join(tmpdir(), 'earwitness-tls-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  const file = (name: string) => join(folder, name);
  const make = (name: string, subject: string, ...more: readonly string[]) => {
    const made = spawnSync('openssl', [
      ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'],
      ...['-subj', `/CN=${subject}`, '-keyout', file(`${name}.key`), '-out', file(`${name}.pem`), ...more],
    ]);
    if (made.status !== 0) throw new Error(made.stderr.toString());
  };
  const byAuthority = ['-CA', file('authority.pem'), '-CAkey', file('authority.key')];
  make('authority', 'an authority');
  make('server', 'a server', ...byAuthority, '-addext', 'subjectAltName=DNS:localhost');
  make('user', 'certified', ...byAuthority);
  const { uid, gid } = somebody();
  chmodSync(folder, 0o755);
  if (uid !== undefined) for (const name of ['server.key', 'server.pem']) chownSync(file(name), uid, gid!);
  const port = 20_000 + (process.pid % 20_000);
  const server = startServer(
    [
      ...['-h', '127.0.0.1', '-p', `${port}`, '-c', 'ssl=on', '-c', `ssl_cert_file=${file('server.pem')}`],
      ...['-c', `ssl_key_file=${file('server.key')}`, '-c', `ssl_ca_file=${file('authority.pem')}`],
    ],
    `hostssl all certified 127.0.0.1/32 cert\nhostssl all ${guarded} 127.0.0.1/32 scram-sha-256\n`,
    port,
  );
  const user = { certificate: file('user.pem'), key: file('user.key') };
  return { ...server, authority: file('authority.pem'), user, port };
}

/** Starts a server that nobody else uses. */
export function startServer(options: readonly string[] = ['-h', ''], more = '', port = 5432): OwnServer {
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
  writeFileSync(join(data, 'pg_hba.conf'), `local all ${guarded} scram-sha-256\nlocal all all trust\n${more}`);
  // It is told to end when nobody holds the other end of its input any more.
  const script =
    'program=$0; folder=$1; shift; "$program" -D "$folder/data" -k "$folder" -F "$@" >"$folder/log" 2>&1 & server=$!; cat >/dev/null; kill -QUIT $server; wait $server';
  const boot = () => {
    const shell = spawn('sh', ['-c', script, `${programs}postgres`, folder, ...options], {
      ...who,
      cwd: folder,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    shell.unref();
    return shell;
  };
  let shell = boot();
  const end = async () => {
    shell.ref();
    const ended = new Promise((resolve) => shell.once('exit', resolve));
    shell.stdin.end();
    await ended;
  };
  stops.push(async () => {
    await end();
    rmSync(folder, { recursive: true, force: true });
  });
  const socket = `host=${folder}${port === 5432 ? '' : `&port=${port}`}`;
  const address = (database: string, more = '') => `postgres:///${database}?${socket}&user=earwitness${more}`;
  const file = join(folder, `.s.PGSQL.${port}`);
  const appear = (last: number) => {
    while (!existsSync(file) && Date.now() < last) spawnSync('sleep', ['0.05']);
  };
  const until = Date.now() + 20_000;
  appear(until);
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
    async stop(how) {
      const pid = Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n', 1)[0]);
      process.kill(pid, how);
      await end();
      rmSync(file, { force: true });
    },
    restart() {
      // Of one that was killed others may still hold the memory.
      for (const last = Date.now() + 20_000; !existsSync(file) && Date.now() < last; ) {
        shell = boot();
        appear(Date.now() + 2000);
      }
      patiently(address('postgres'), Date.now() + 20_000).close();
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
