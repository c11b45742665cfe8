import type { MessagePort } from 'node:worker_threads';

/** A statement with its values, as text. */
export interface Step {
  readonly sql: string;
  readonly values: readonly (string | null)[];
}

export interface Column {
  readonly name: string;
  /** The number that the server gives the type of its values. */
  readonly type: number;
}

/** What a statement gave, as text. */
export interface Answer {
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly (string | null)[])[];
  readonly changes: number;
}

/** Several statements on one way, texts of several statements without values, or the end. */
export type Asked = { readonly steps: readonly Step[] } | { readonly text: string } | { readonly close: true };

export type Reply =
  | { readonly answers: readonly Answer[] }
  | { readonly error: { readonly code: string; readonly message: string } };

/** A server that does not answer for so long is not there. */
export const connectWithinMs = 30_000;
/** Whether a server that says nothing is still there is asked after so long: one whose network was cut never says that it is gone. */
export const stillThereAfterMs = 10_000;

/** Where the thread says that it has answered. */
export const answerFlag = 0;

export interface ThreadData {
  readonly port: MessagePort;
  readonly signal: SharedArrayBuffer;
  readonly address: { readonly connectionString: string };
}
