// The thread that speaks with a PostgreSQL server, for whoever waits for its answers.
import { workerData } from 'node:worker_threads';
import type { Connection } from 'pg';
import {
  type Answer,
  type Asked,
  answerFlag,
  type Column,
  connectWithinMs,
  type Reply,
  type Step,
  stillThereAfterMs,
  type ThreadData,
} from './protocol.ts';

const { port, signal, address } = workerData as ThreadData;
const flag = new Int32Array(signal);

function reply(message: Reply): void {
  port.postMessage(message);
  Atomics.store(flag, answerFlag, 1);
  Atomics.notify(flag, answerFlag);
}

function replyError(error: unknown): void {
  const { code, message } = error as { readonly code?: string; readonly message?: string };
  reply({ error: { code: String(code ?? ''), message: String(message ?? error) } });
}

// Whoever waits is blocked: nothing else would tell it.
process.on('uncaughtException', replyError);

interface Prepared {
  readonly name: string;
  columns: readonly Column[];
}

const prepared = new Map<string, Prepared>();
let names = 0;

/** Statements sent one behind the other with one sync: one way there and back for all of them. */
class Pipeline {
  readonly #steps: readonly Step[];
  readonly #settle: (error: Error | null, answers: readonly Answer[]) => void;
  readonly #fresh: string[] = [];
  readonly #answers: Answer[] = [];
  /** Whose columns are still to be told, in the order of the statements. */
  readonly #untold: Prepared[] = [];
  #rows: (string | null)[][] = [];

  constructor(steps: readonly Step[], settle: (error: Error | null, answers: readonly Answer[]) => void) {
    this.#steps = steps;
    this.#settle = settle;
  }

  submit(connection: Connection): null {
    connection.stream.cork();
    for (const { sql, values } of this.#steps) {
      let statement = prepared.get(sql);
      if (statement === undefined) {
        statement = { name: `s${++names}`, columns: [] };
        prepared.set(sql, statement);
        this.#fresh.push(sql);
        this.#untold.push(statement);
        connection.parse({ name: statement.name, text: sql, types: [] }, true);
        connection.describe({ type: 'S', name: statement.name }, true);
      }
      connection.bind({ portal: '', statement: statement.name, values: [...values] }, true);
      connection.execute({ portal: '' }, true);
    }
    connection.sync();
    connection.stream.uncork();
    return null;
  }

  handleRowDescription({ fields }: { readonly fields: readonly { name: string; dataTypeID: number }[] }): void {
    this.#untold.shift()!.columns = fields.map(({ name, dataTypeID }) => ({ name, type: dataTypeID }));
  }

  handleDataRow({ fields }: { readonly fields: (string | null)[] }): void {
    this.#rows.push(fields);
  }

  handleCommandComplete({ text }: { readonly text: string }): void {
    const { sql } = this.#steps[this.#answers.length]!;
    const statement = prepared.get(sql)!;
    // One that gives no rows is told by no description.
    if (this.#untold[0] === statement) this.#untold.shift();
    const changes = Number(/\d+$/.exec(text)?.[0] ?? 0);
    this.#answers.push({ columns: statement.columns, rows: this.#rows, changes });
    this.#rows = [];
  }

  handleEmptyQuery(): void {}

  handlePortalSuspended(): void {}

  handleError(error: Error): void {
    // Some of them may not have been prepared.
    for (const sql of this.#fresh) prepared.delete(sql);
    this.#settle(error, []);
  }

  handleReadyForQuery(): void {
    this.#settle(null, this.#answers);
  }
}

try {
  const { default: pg } = await import('pg');
  const client = new pg.Client({
    ...address,
    keepAlive: true,
    keepAliveInitialDelayMillis: stillThereAfterMs,
    connectionTimeoutMillis: connectWithinMs,
  });
  // It is told to whoever asks next.
  client.on('error', () => {});
  await client.connect();
  port.on('message', (asked: Asked) => {
    if ('close' in asked) {
      client.end().then(() => reply({ answers: [] }), replyError);
    } else if ('text' in asked) {
      client.query(asked.text).then(() => reply({ answers: [] }), replyError);
    } else {
      client.query(
        new Pipeline(asked.steps, (error, answers) => (error === null ? reply({ answers }) : replyError(error))),
      );
    }
  });
  reply({ answers: [] });
} catch (error) {
  replyError(error);
}
