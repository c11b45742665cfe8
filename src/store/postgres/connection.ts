import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads';
import { badConfig, EarwitnessError } from '../../base/errors.ts';
import { packageVersion } from '../../packages/installed-package.ts';
import { absentDatabase, absentUser, addressForPg, shownAddress } from './address.ts';
import {
  type Answer,
  type Asked,
  answerFlag,
  connectWithinMs,
  type Reply,
  type Step,
  type ThreadData,
} from './protocol.ts';

/** What the server, or what leads to it, refused. */
export class ServerError extends Error {
  /** Five characters of PostgreSQL (its appendix A), or a name of the system. */
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** A connection to a server whose answers are waited for. */
export interface Connection {
  /** All of them on one way. Of several outside a transaction all or none are kept. */
  ask(steps: readonly Step[]): readonly Answer[];
  /** Statements without values. */
  exec(text: string): void;
  close(): void;
  /** For one that broke: nobody is waited for. */
  drop(): void;
}

/**
 * Connects to a server by a thread that holds `pg`, which knows no other way than not to wait.
 *
 * @throws ServerError where it cannot; EarwitnessError `missing-program` where the package is not installed
 */
export function connect(address: string): Connection {
  packageVersion('pg', 'which speaks with PostgreSQL');
  const { port1: port, port2 } = new MessageChannel();
  const signal = new SharedArrayBuffer(4);
  const flag = new Int32Array(signal);
  const entry = new URL(import.meta.url.endsWith('.ts') ? './thread.ts' : './thread.js', import.meta.url);
  const workerData: ThreadData = { port: port2, signal, address: { connectionString: addressForPg(address) } };
  const thread = new Worker(entry, { workerData, transferList: [port2], execArgv: ['--no-deprecation'] });
  // What is open keeps no program from ending.
  thread.unref();
  // An error of the thread is told by its answer: nobody is there to listen while it is waited for.
  thread.on('error', () => {});

  const answer = (withinMs?: number): readonly Answer[] => {
    if (Atomics.wait(flag, answerFlag, 0, withinMs) === 'timed-out')
      throw new Error('the thread for PostgreSQL does not start');
    Atomics.store(flag, answerFlag, 0);
    const { message } = receiveMessageOnPort(port) as { readonly message: Reply };
    if ('answers' in message) return message.answers;
    throw new ServerError(message.error.code, message.error.message);
  };
  const end = () => {
    port.close();
    void thread.terminate();
  };
  const send = (asked: Asked) => {
    port.postMessage(asked);
    return answer();
  };
  try {
    answer(2 * connectWithinMs);
  } catch (error) {
    end();
    throw error;
  }
  let closed = false;
  return {
    ask: (steps) => send({ steps }),
    exec: (text) => void send({ text }),
    close() {
      if (closed) return;
      closed = true;
      try {
        // Until the server has let go: whoever comes next finds no lock.
        send({ close: true });
      } catch {
        // It is gone already.
      } finally {
        end();
      }
    },
    drop() {
      closed = true;
      end();
    },
  };
}

/** What a server refuses, by its code (appendix A of PostgreSQL's documentation) or the system's. */
const refusals: Readonly<Record<string, string>> = {
  '28P01': 'the password is wrong, or there is none; put it into PGPASSWORD or ~/.pgpass',
  '28000':
    'the server does not let this user in so; ask who runs it for an entry in pg_hba.conf, and whether the address needs sslmode=verify-full',
  '42501':
    'this user may not do that there; ask its owner for GRANT CREATE ON DATABASE, for rights in the schema earwitness, or to let a worker in (earwitness store allow-worker ROLE)',
  '25006': 'the server is read-only; use its primary',
  '53100': "the server's disk is full; everything recognized so far is kept: free some space and run again",
  '53300': 'the server has no connection left; wait, or raise its max_connections',
  '57P01': 'the server was stopped; everything recognized so far is kept: start it and give the same command again',
  '57P02': 'the server was stopped; everything recognized so far is kept: start it and give the same command again',
  '57P03': 'the server is starting; try again',
  '40P01':
    'another program wrote the same at the same time; everything recognized so far is kept: give the same command again',
  ECONNREFUSED: 'no server answers there; start it, or correct `store`',
  ENOENT: 'no server answers there; start it, or correct `store`',
  ENOTFOUND: 'there is no such host; correct `store`',
  EHOSTUNREACH: 'no way leads to that host; look after the network, or correct `store`',
  ENETUNREACH: 'no way leads to that host; look after the network, or correct `store`',
  ETIMEDOUT:
    'the server does not answer any more; everything recognized so far is kept: look after the network and give the same command again',
  ...Object.fromEntries(
    [
      ...['SELF_SIGNED_CERT_IN_CHAIN', 'DEPTH_ZERO_SELF_SIGNED_CERT', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
      ...['UNABLE_TO_GET_ISSUER_CERT', 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'CERT_SIGNATURE_FAILURE'],
    ].map((code) => [
      code,
      "the server's certificate is signed by an authority that is not trusted here; put ?sslmode=verify-full&sslrootcert=/path/ca.pem behind the address",
    ]),
  ),
  ERR_TLS_CERT_ALTNAME_INVALID:
    "the server's certificate is for another name than the address's; use the name that stands in the certificate",
  CERT_HAS_EXPIRED: "the server's certificate is no longer valid; ask who runs it for a new one",
  'no TLS': 'the server speaks no TLS; ask who runs it, or leave `sslmode` out on a network that nobody else reads',
  EPIPE: 'the connection was cut; everything recognized so far is kept: give the same command again',
  ECONNRESET: 'the connection was cut; everything recognized so far is kept: give the same command again',
};

/** What `pg` only says in words has a code too. */
function codeOf(error: Error): string {
  if (/^Connection terminated/.test(error.message)) return 'ECONNRESET';
  if (/password must be a string/.test(error.message)) return '28P01';
  if (/server does not support SSL/.test(error.message)) return 'no TLS';
  return 'code' in error ? String(error.code) : '';
}

const cuts: ReadonlySet<unknown> = new Set([
  ...['57P01', '57P02', '57P03', '08000', '08003', '08006'],
  ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOENT', 'EHOSTUNREACH', 'ENETUNREACH', 'EAI_AGAIN'],
]);

/** Whether a connection broke or nobody answers: what waiting can mend. */
export function isCut(error: unknown): boolean {
  if (!(error instanceof Error) || error instanceof EarwitnessError) return false;
  return ('code' in error && cuts.has(error.code)) || /^Connection terminated|not queryable/.test(error.message);
}

/** Whether a server that was there broke a connection, or is about to be there. */
export function wasBroken(error: unknown): boolean {
  if (!isCut(error)) return false;
  const { code = '' } = error as { readonly code?: string };
  return !['ECONNREFUSED', 'ENOENT', 'EHOSTUNREACH', 'ENETUNREACH', 'EAI_AGAIN', 'ETIMEDOUT'].includes(code);
}

/** What a run and its workers say, once each, where a connection breaks. */
export const serverGone = (address: string) =>
  `${shownAddress(address)}: the server does not answer; waiting for it, everything recognized so far is kept`;
export const serverBack = (seconds: number) => `the server answers again after ${seconds.toFixed(0)} s; going on`;
export const serverStaysAway = (address: string, seconds: number) =>
  new EarwitnessError(
    'store',
    `${shownAddress(address)}: the server has not answered for ${seconds.toFixed(0)} s; everything recognized so far is kept: start it and give the same command again`,
  );

/** Turns what a server or `pg` says into a sentence for the user; what is no word of theirs stays as it is. */
export function asServerError(error: unknown, address: string): unknown {
  if (!(error instanceof Error) || error instanceof EarwitnessError) return error;
  const code = codeOf(error);
  // A file that the address names.
  if (code === 'ENOENT' && / open '/.test(error.message)) {
    return badConfig(
      `store: ${shownAddress(address)}: expected the files that the address names, but ${error.message.replace('ENOENT: ', '')}; correct it`,
      { cause: error },
    );
  }
  const refusal = code === '3D000' ? absentDatabase(address) : refusals[code];
  if (refusal === undefined && !(error instanceof ServerError)) return error;
  const who = ['28P01', '28000'].includes(code) ? absentUser(address) : '';
  return new EarwitnessError('store', `${shownAddress(address)}: ${who}${refusal ?? error.message}`, { cause: error });
}
