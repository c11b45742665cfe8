import type { Command } from 'commander';
import { fileProblem } from '../base/errors.ts';
import type { Json } from '../base/json.ts';
import { commandLine } from '../base/printable.ts';
import { wrap } from './terminal/text-table.ts';

/** Why stdout takes nothing any more. */
let lost: NodeJS.ErrnoException | null = null;
/** What waits until stdout takes more, or never will. */
let waiting: (() => void) | null = null;

/** What has been written to stdout: nothing is done again after it. */
let isWritten = false;
export const hasPrinted = (): boolean => isWritten;

/** Writes data to stdout, as fast as its reader takes it; nothing once that has gone. */
export async function print(text: string): Promise<void> {
  isWritten = true;
  if (lost !== null || process.stdout.write(text)) return;
  await new Promise<void>((resolve) => {
    waiting = resolve;
    process.stdout.once('drain', resolve);
  });
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

/** Says something to people, in lines that fit the terminal; a line that is indented stays so. */
export function sayWrapped(text: string): void {
  for (const line of text.split('\n')) {
    const indent = /^ */.exec(line)![0];
    say(
      wrap(line.trim(), terminalWidth() - indent.length)
        .map((part) => `${indent}${part}`)
        .join('\n'),
    );
  }
}

/** Columns of the terminal, or COLUMNS where stdout is none, or 80; at most 120, since longer lines are hard to read. */
export function terminalWidth(): number {
  return Math.min(120, Math.max(20, process.stdout.columns || Number(process.env.COLUMNS) || 80));
}

/** Whether what goes to stdout may have colours. */
export function wantsColor(): boolean {
  return process.stdout.isTTY === true && !process.env.NO_COLOR;
}

/**
 * A reader that leaves (`earwitness run | head -1`), a disk that is full and a terminal that was closed cost output, never what is being
 * done.
 */
export function workWithoutReader(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    lost ??= error;
    waiting?.();
  });
  process.stderr.on('error', () => {});
}

/** Why data is missing on stdout, where somebody still wanted it: a reader that has left did not. Null where none is. */
export function lostOutput(): string | null {
  if (lost === null || lost.code === 'EPIPE') return null;
  return fileProblem(lost);
}

/**
 * A command that goes on from this one: of the same config and store, as they were given.
 *
 * @example namedCommand('run', { config: 'other.yaml' }) // 'earwitness run --config other.yaml'
 */
export function namedCommand(
  name: string,
  { config, store }: { readonly config: string | undefined; readonly store?: string | undefined },
  rest: readonly string[] = [],
): string {
  const given = Object.entries({ config, store }).flatMap(([option, value]) =>
    value === undefined ? [] : [`--${option}`, value],
  );
  return commandLine(['earwitness', name, ...rest, ...given]);
}

/**
 * The command that was given, with more behind it.
 *
 * @example sameCommand(command, ['--out', 'FOLDER']) // 'earwitness compare a.jsonl b.jsonl --out FOLDER'
 */
export function sameCommand(command: Command, rest: readonly string[]): string {
  const options = command.options
    .filter((option) => command.getOptionValueSource(option.attributeName()) === 'cli')
    .flatMap((option) => {
      const value: unknown = command.getOptionValue(option.attributeName());
      const flag = option.long ?? option.short ?? '';
      if (typeof value === 'boolean') return value === option.negate ? [] : [flag];
      return [value].flat().flatMap((one) => [flag, String(one)]);
    });
  return commandLine(['earwitness', command.name(), ...command.args, ...options, ...rest]);
}
