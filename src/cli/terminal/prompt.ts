import { createInterface } from 'node:readline/promises';
import { EarwitnessError } from '../../base/errors.ts';

/** Asks somebody at a terminal. */
export interface Prompt extends Disposable {
  /**
   * @param question without the answer that is suggested, which is taken where nothing is typed
   * @param help what `?` says
   * @throws EarwitnessError `interrupted`: Ctrl-C, or the end of the input (Ctrl-D)
   */
  ask(question: string, suggested: string, help: string): Promise<string>;
}

/** @param streams the terminal; it is never asked about where standard input is none */
export function createPrompt(streams: {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
  readonly terminal?: boolean;
}): Prompt {
  const lines = createInterface(streams);
  const closed = new AbortController();
  lines.once('close', () => closed.abort());
  return {
    async ask(question, suggested, help) {
      for (;;) {
        const typed = await lines
          .question(`${question} [${suggested}, ? explains]: `, { signal: closed.signal })
          .catch((cause: unknown) => {
            streams.output.write('\n');
            throw new EarwitnessError('interrupted', 'stopped at a question; no config was written', { cause });
          });
        if (typed.trim() !== '?') return typed.trim() === '' ? suggested : typed.trim();
        streams.output.write(`${help}\n`);
      }
    },
    [Symbol.dispose]: () => lines.close(),
  };
}
