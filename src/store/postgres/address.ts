import { userInfo } from 'node:os';
import { badConfig } from '../../base/errors.ts';
import { nearestName } from '../../base/nearest-name.ts';
import { printable } from '../../base/printable.ts';

/** What may stand behind `?`: parameters of libpq, of which `pg` heeds some, and those that `pg` has beside. */
const known: ReadonlySet<string> = new Set([
  ...['host', 'hostaddr', 'port', 'dbname', 'database', 'db', 'user', 'options', 'service', 'replication'],
  ...['ssl', 'sslmode', 'sslcert', 'sslkey', 'sslrootcert', 'sslcrl', 'sslcrldir', 'sslsni', 'sslnegotiation'],
  ...['sslcertmode', 'sslcompression', 'requiressl', 'ssl_min_protocol_version', 'ssl_max_protocol_version'],
  ...['uselibpqcompat', 'channel_binding', 'enableChannelBinding', 'require_auth', 'requirepeer', 'gssencmode'],
  ...['krbsrvname', 'gsslib', 'gssdelegation', 'target_session_attrs', 'load_balance_hosts'],
  ...['application_name', 'fallback_application_name', 'client_encoding', 'encoding'],
  ...['connect_timeout', 'connectionTimeoutMillis', 'tcp_user_timeout', 'statement_timeout', 'lock_timeout'],
  ...['query_timeout', 'idle_in_transaction_session_timeout', 'keepAlive', 'keepAliveInitialDelayMillis'],
  ...['keepalives', 'keepalives_idle', 'keepalives_interval', 'keepalives_count'],
]);

/** Without its secrets, for a sentence. */
export function shownAddress(address: string): string {
  const url = new URL(address);
  return `${url.protocol}//${url.username === '' ? '' : `${url.username}@`}${url.host}${url.pathname}`;
}

/** @throws EarwitnessError `bad-config`: a password stands where it would be shown, or a parameter that would go unheard */
export function checkAddress(address: string): void {
  const url = URL.parse(address);
  if (url === null) {
    throw badConfig(`store: expected an address like postgres://user@host/database, but it cannot be read as one`);
  }
  // One with a sign that parts an address ends up behind it.
  const hidden = url.hash !== '' || url.pathname.includes('@');
  const names = [...url.searchParams.keys()];
  if (hidden || url.password !== '' || names.some((name) => /password/i.test(name))) {
    throw badConfig(
      `store: ${hidden ? `${url.protocol}//…` : shownAddress(address)}: expected no password in the address, which is shown and kept with the run; put it into PGPASSWORD or ~/.pgpass`,
    );
  }
  const unknown = names.find((name) => !known.has(name));
  if (unknown === undefined) return;
  const meant = nearestName(unknown, known);
  throw badConfig(
    `store: ${shownAddress(address)}: expected parameters of PostgreSQL behind the address, but there is none called ${JSON.stringify(printable(unknown, 60))}; ${meant === null ? 'remove it' : `did you mean ${meant}?`}`,
  );
}

/** For `pg`, which warns of names that it will read otherwise one day: what they mean by its own name. */
export function addressForPg(address: string): string {
  const url = new URL(address);
  const isVerified = ['prefer', 'require', 'verify-ca'].includes(url.searchParams.get('sslmode') ?? '');
  return isVerified && url.searchParams.get('uselibpqcompat') !== 'true'
    ? address.replace(/(?<=[?&]sslmode=)[^&]*/, 'verify-full')
    : address;
}

/** Where an address leads, as programs of PostgreSQL and `pg` read it. */
function partsOf(address: string) {
  const { hostname, port, username, pathname, searchParams } = new URL(address);
  const of = (name: string, said: string) => searchParams.get(name) ?? decodeURIComponent(said);
  return {
    host: of('host', hostname),
    port: of('port', port),
    user: of('user', username),
    database: pathname.slice(1),
  };
}

/**
 * Options of PostgreSQL's own programs for the server of an address.
 *
 * @example programFlags('postgres://me@localhost:5433/recognition') // ' -h localhost -p 5433 -U me'
 */
export function programFlags(address: string): string {
  const { host, port, user } = partsOf(address);
  return [
    ['-h', host],
    ['-p', port],
    ['-U', user],
  ]
    .flatMap(([flag, value]) => (value === '' ? [] : ` ${flag} ${value}`))
    .join('');
}

/** How a database is made that an address names; where it names none, `pg` asks for one called as the user. */
export function absentDatabase(address: string): string {
  const { database } = partsOf(address);
  return database === ''
    ? 'the address names no database; write it behind the host: postgres://user@host/database'
    : `there is no such database; type: createdb${programFlags(address)} ${decodeURIComponent(database)}`;
}

/** Where an address names no user: who was asked for in its place. */
export function absentUser(address: string): string {
  if (partsOf(address).user !== '') return '';
  const name = process.env.PGUSER ?? userInfo().username;
  return `the address names no user, and ${printable(name, 60)} was taken: write it before the host (postgres://user@host/database); `;
}
