import { once } from 'node:events';
import type { Json } from '../base/json.ts';

/** Writes data to stdout, as fast as its reader takes it. */
export async function print(text: string): Promise<void> {
  if (!process.stdout.write(text)) await once(process.stdout, 'drain');
}

/** Writes one line of data to stdout. */
export function printLine(text: string): Promise<void> {
  return print(`${text}\n`);
}

/** Writes the one JSON document that a command answers with `--json`, indented for people who look at it. */
export function printJson(value: Json): Promise<void> {
  return print(`${JSON.stringify(value, null, 2)}\n`);
}

/** Says something to people, on stderr, so that data on stdout stays data. */
export function say(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** Columns of the terminal, or 80 where stdout is none; at most 120, since longer lines are hard to read. */
export function terminalWidth(): number {
  return Math.min(120, process.stdout.columns ?? 80);
}

/** A reader that has gone (`earwitness list … | head -1`) is no error: the work ends quietly. */
export function endQuietlyWithoutReader(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE') process.exit(0);
      throw error;
    });
  }
}
