import { Command, CommanderError } from 'commander';
import { EarwitnessError, exitCodes, messageOf } from '../base/errors.ts';
import { printable, printableLines } from '../base/printable.ts';
import { packageVersion } from '../session/version.ts';
import { type CommandEntry, commands } from './commands.ts';
import { exitCodeHelp } from './exit-codes.ts';
import { lostOutput, say, workWithoutReader } from './output.ts';
import { wrap } from './terminal/text-table.ts';

/**
 * The command. Sets the process' exit code (`earwitness --help` lists them) and never rejects.
 *
 * @param argv arguments without node and script
 */
export async function main(argv: readonly string[]): Promise<void> {
  workWithoutReader();
  // Node does not let `nohup` have its way. Where no terminal is left to be closed, that is what was meant.
  if (![process.stdin, process.stdout, process.stderr].some(({ isTTY }) => isTTY)) process.on('SIGHUP', () => {});
  try {
    const program = await createProgram(
      (entry) => entry.name === argv[0] || (argv[0] === 'help' && entry.name === argv[1]),
    );
    await program.parseAsync(argv, { from: 'user' });
    // What was written is told with the next turn of the event loop.
    await new Promise(setImmediate);
    if (lostOutput() !== null) process.exitCode = reportLost(argv[0]);
  } catch (error) {
    process.exitCode = report(error);
  }
}

/**
 * The command line as commander knows it: every command by name, and of those that are `needed` all options.
 */
export async function createProgram(needed: (entry: CommandEntry) => boolean): Promise<Command> {
  const program = new Command('earwitness')
    .description('Cross-examines speech recognizers: where they mishear, for whom, and how sure we are.')
    .version(packageVersion(), '--version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [command]', 'print the help of a command')
    .exitOverride()
    .configureOutput({
      // Commander quotes what was typed, which may be hostile.
      outputError: (text, write) => write(`${printableLines(text.trimEnd()).replace(/^error: /, 'earwitness: ')}\n`),
    })
    .showHelpAfterError('(earwitness --help lists the commands)')
    .addHelpText('after', () => `\n${exitCodeHelp()}\n\nExample:\n  $ earwitness list scenarios`);
  for (const entry of commands) {
    const command = program.command(entry.name).description(entry.about);
    command.showHelpAfterError(`(earwitness ${entry.name} --help says more)`);
    if (!needed(entry)) continue;
    const { configure, examples, notes } = await entry.load();
    configure(command, () => createProgram(() => true));
    for (const leaf of command.commands.length > 0 ? command.commands : [command]) {
      if (leaf.options.some(({ long }) => long === '--json')) continue;
      leaf.option('--json', 'data as JSON on stdout; what is for people goes to stderr');
    }
    if (notes !== undefined) command.addHelpText('after', `\n${wrap(notes, 80).join('\n')}`);
    const shown = examples.map((example) => `  $ earwitness ${example}`).join('\n');
    command.addHelpText('after', `\nExample${examples.length === 1 ? '' : 's'}:\n${shown}`);
  }
  return program;
}

/** A run has its report in files. Of everything else, what was to be printed was all there is. */
function reportLost(command: string | undefined): number {
  const reported = command === 'run' || command === 'resume';
  const rest = reported ? 'the report stands in its files' : 'give it another place and try again';
  say(`earwitness: what was to be printed could not be written (${lostOutput()}); ${rest}`);
  return reported ? 0 : exitCodes['bad-input'];
}

/** Prints what went wrong and says the exit code: one sentence for what the user can mend, a stack for faults of ours. */
function report(error: unknown): number {
  if (error instanceof CommanderError) {
    // Commander has printed it. What it ends with 0 is help and version, asked for.
    return error.exitCode === 0 ? 0 : exitCodes['bad-usage'];
  }
  if (error instanceof EarwitnessError) {
    process.stderr.write(`earwitness: ${printableLines(error.message)}\n`);
    return exitCodes[error.code];
  }
  const stack = error instanceof Error ? (error.stack ?? error.message) : messageOf(error);
  process.stderr.write(
    `earwitness: a fault of earwitness itself: ${printable(messageOf(error))}\n${printableLines(stack)}\n`,
  );
  return 1;
}
