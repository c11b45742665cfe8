/** What was opened one after the other, closed in the opposite order. For `await using`. */
export interface Closing extends AsyncDisposable {
  /** Remembers how to close what has just been opened. */
  defer(close: () => Promise<void>): void;
}

/** As `AsyncDisposableStack`, which the oldest Node.js that we run on does not have. */
export function createClosing(): Closing {
  const closes: (() => Promise<void>)[] = [];
  return {
    defer(close) {
      closes.push(close);
    },
    async [Symbol.asyncDispose]() {
      const errors: unknown[] = [];
      for (const close of closes.toReversed()) await close().catch((error: unknown) => errors.push(error));
      if (errors.length > 0) throw errors[0];
    },
  };
}
