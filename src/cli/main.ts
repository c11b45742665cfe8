import { existsSync, statSync } from 'node:fs';
import { Command, CommanderError, Help, type Option } from 'commander';
import {
  badUsage,
  EarwitnessError,
  type ErrorCode,
  exitCodes,
  messageOf,
  type Question,
  Undecided,
} from '../base/errors.ts';
import { nearestName } from '../base/nearest-name.ts';
import { commandLine, printable, printableLines } from '../base/printable.ts';
import { refuseTelemetry } from '../base/telemetry.ts';
import { counted } from '../base/wording.ts';
import { packageVersion } from '../session/version.ts';
import type { CliCommand } from './command.ts';
import { type CommandEntry, commands } from './commands.ts';
import { addFlags } from './flags.ts';
import { hasPrinted, lostOutput, say, sayWrapped, workWithoutReader } from './output.ts';
import { answerTo } from './terminal/prompt.ts';
import { wrap } from './terminal/text-table.ts';

const meanings: Readonly<Record<ErrorCode, string>> = {
  'bad-usage': 'wrong command line',
  'bad-config': 'wrong config, or a member that does not exist',
  'bad-input': 'an unusable file or text',
  'missing-program': 'something that has to be installed is missing (also: Node is too old)',
  store: 'the store cannot be used',
  'store-busy': 'another process uses the store',
  budget: 'the budget is used up',
  'run-differs': 'the run was begun with another config, corpus or recognizers',
  'not-verified': 'an evidence bundle was changed, or could not be verified wholly',
  'nothing-answered': 'a recognizer, embedder or predictor did not answer',
  'too-much-failed': 'a recognizer failed more often than the config allows (failures.maxShare)',
  'gate-failed': 'a limit of the gate is broken',
  'gate-inconclusive': 'the gate cannot tell (gate.ifInconclusive: block)',
  'no-run': 'the config as it is has no run, or its newest is not finished',
  interrupted: 'stopped by Ctrl-C; the same command continues',
};

/** The exit codes with their meanings, for the top-level help. */
export function exitCodeHelp(): string {
  const rows: [number, string][] = [
    [0, 'success'],
    [1, 'a bug in earwitness; please report it'],
    ...Object.entries(meanings).map(([code, meaning]): [number, string] => [exitCodes[code as ErrorCode], meaning]),
  ];
  return ['Exit codes:', ...rows.map(([code, meaning]) => `  ${String(code).padEnd(5)}${meaning}`)].join('\n');
}

/**
 * The command. Sets the process' exit code (`earwitness --help` lists them) and never rejects.
 *
 * @param argv arguments without node and script
 */
export async function main(argv: readonly string[]): Promise<void> {
  workWithoutReader();
  refuseTelemetry();
  // Node does not let `nohup` have its way. Where no terminal is left to be closed, that is what was meant.
  if (![process.stdin, process.stdout, process.stderr].some(({ isTTY }) => isTTY)) process.on('SIGHUP', () => {});
  try {
    // Commander looks no further than the first name after `help`.
    const [first, ...rest] = argv;
    const typed = first === 'help' && rest.length > 0 ? [...rest, '--help'] : argv;
    const [name = ''] = typed;
    if (name !== 'help' && /^[^-]/.test(name) && commands.every((entry) => entry.name !== name))
      throw noSuchCommand(name, 'earwitness', commands);
    await perform(typed);
    // What was written is told with the next turn of the event loop.
    await new Promise(setImmediate);
    if (lostOutput() !== null) process.exitCode = reportLost(argv[0]);
  } catch (error) {
    process.exitCode = report(error);
  }
}

/**
 * Runs the command, and where it ends undecided again with what somebody at the terminal says, until nothing is open.
 *
 * @param typed without node and script
 */
async function perform(typed: readonly string[]): Promise<void> {
  const [name = '', word = ''] = typed;
  const program = await createProgram((entry) => entry.name === name, typed.includes('--full'));
  const command = program.commands.find((one) => one.name() === name);
  const inside = command?.commands ?? [];
  if (inside.length > 0 && /^[^-]/.test(word) && inside.every((one) => one.name() !== word))
    throw noSuchCommand(
      word,
      `earwitness ${name}`,
      inside.map((one) => ({ name: one.name() })),
    );
  try {
    await program.parseAsync(typed, { from: 'user' });
  } catch (error) {
    const flag = error instanceof Undecided ? openFlag(error.question, typed, command!) : null;
    if (flag === null) throw error;
    const { question } = error as Undecided;
    sayWrapped(question.asks);
    const value = await answerTo(question);
    const end = typed.includes('--') ? typed.indexOf('--') : typed.length;
    const decided = typed.toSpliced(end, 0, flag, ...(value === true ? [] : [value]));
    say(`Next time: ${printableLines(commandLine(['earwitness', ...decided]), 1000)}`);
    await perform(decided);
  }
}

/** The flag that answers a question; null where nobody can be asked, the answer is there, or the command cannot begin anew. */
function openFlag({ option }: Question, typed: readonly string[], command: Command): string | null {
  const isAsked = process.stdin.isTTY && process.stderr.isTTY && !command.opts().yes;
  const isPipe = (word: string) => word === '-' || (existsSync(word) && statSync(word).isFIFO());
  if (!isAsked || hasPrinted() || typed.some(isPipe) || command.opts()[option] !== undefined) return null;
  return command.options.find((one) => one.attributeName() === option)?.long ?? null;
}

/**
 * The command line as commander knows it: every command by name, and of those that are `needed` all options.
 *
 * @param fullHelp whether help is to tell all, or what is needed first
 */
export async function createProgram(needed: (entry: CommandEntry) => boolean, fullHelp = true): Promise<Command> {
  const program = new Command('earwitness')
    .description('Cross-examines speech recognizers: where they mishear, for whom, and how sure we are.')
    .version(packageVersion(), '--version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [command]', 'print the help of a command')
    .exitOverride()
    .configureOutput({
      outputError: (text, write) => write(`${plainUsageError(text)}\n`),
    })
    .showHelpAfterError('(earwitness --help lists the commands)')
    .addHelpText('after', () => `\n${exitCodeHelp()}\n\nExample:\n  $ earwitness list scenarios`);
  for (const entry of commands) {
    const command = program.command(entry.name).description(entry.about).helpGroup(entry.group);
    command.showHelpAfterError(`(earwitness ${entry.name} --help says more)`);
    if (!needed(entry)) continue;
    const { flags = [], configure, examples, notes } = await entry.load();
    command.configureHelp({ formatHelp: commandHelp(entry.name, { examples, ...(notes && { notes }) }, fullHelp) });
    configure(addFlags(command, flags), () => createProgram(() => true));
    for (const leaf of command.commands.length > 0 ? command.commands : [command]) {
      if (leaf !== command) {
        const path = `${entry.name} ${leaf.name()}`;
        leaf.showHelpAfterError(`(earwitness ${path} --help says more)`);
        leaf.configureHelp({ formatHelp: commandHelp(path, { examples }, fullHelp) });
      }
      leaf.configureOutput({
        outputError: (text, write) => write(`${usageSentence(text, leaf, examples)}\n`),
      });
      if (leaf.options.some(({ long }) => long === '--json')) continue;
      leaf.option('--json', 'print JSON to stdout, messages to stderr');
    }
  }
  return program;
}

/** What fits on a screen beside the prompt. */
const maxLines = 25;
const maxExamples = 3;

/**
 * The help of a command as commander asks for it: all of it where that is short or asked for, else what a person needs first: what it does, as many of
 * its first options as fit, some examples, and how to see the rest.
 *
 * @param path what is typed for it: `cases judge`
 */
function commandHelp(
  path: string,
  { notes, examples }: Pick<CliCommand, 'notes' | 'examples'>,
  isFull: boolean,
): (command: Command, helper: Help) => string {
  return (command, helper) => {
    const own = examples.filter((line) => line === path || line.startsWith(`${path} `));
    const shownExamples = (most: number) => {
      const shown = own.slice(0, most).map((example) => `  $ earwitness ${example}\n`);
      return own.length === 0 ? '' : `\nExample${shown.length === 1 ? '' : 's'}:\n${shown.join('')}`;
    };
    const all = helper.visibleOptions(command);
    const full = `${formatted(command, helper, all)}${notes === undefined ? '' : `\n${wrap(notes, 80).join('\n')}\n`}${shownExamples(own.length)}`;
    if (isFull || linesOf(full) <= maxLines) return full;
    const always = all.filter(({ long }) => long === '--json' || long === '--help');
    const others = all.filter((option) => !always.includes(option));
    for (let count = others.length; ; count--) {
      const rest = [
        ...(others.length > count ? [counted(others.length - count, 'more option')] : []),
        ...(command.registeredArguments.length > 0 ? ['arguments'] : []),
        ...(notes === undefined ? [] : ['notes']),
      ];
      const options = formatted(command, helper, [...others.slice(0, count), ...always], true);
      const short = `${options}${shownExamples(maxExamples)}\nAll (${rest.join(', ')}): earwitness ${path} --help --full\n`;
      if (count === 0 || linesOf(short) <= maxLines) return short;
    }
  };
}

const linesOf = (text: string) => text.trimEnd().split('\n').length;

function formatted(command: Command, helper: Help, options: Option[], isShort = false): string {
  const part: Help = Object.create(helper);
  part.visibleOptions = () => options;
  if (isShort) part.visibleArguments = () => [];
  return Help.prototype.formatHelp.call(part, command, part);
}

function noSuchCommand(name: string, of: string, known: readonly { readonly name: string }[]): EarwitnessError {
  const nearest = nearestName(
    name,
    known.map((entry) => entry.name),
  );
  const hint =
    nearest !== null
      ? `did you mean ${of} ${nearest}?`
      : known.length > 10
        ? `${of} --help lists them`
        : `there are ${known.map((entry) => entry.name).join(', ')}`;
  return badUsage(
    `there is no command ${JSON.stringify(printable(name, 60))}${of === 'earwitness' ? '' : ` in ${of}`}; ${hint}`,
  );
}

/** What commander says of a command line that lacks something names neither all that is expected nor a line that works. */
function usageSentence(text: string, command: Command, examples: readonly string[]): string {
  const path = command.parent?.parent ? `${command.parent.name()} ${command.name()}` : command.name();
  const example = examples.find((line) => line === path || line.startsWith(`${path} `)) ?? path;
  const such = `for example: earwitness ${example.replace(/ \\\n\s*/g, ' ')}`;
  const [, argument] = /missing required argument '(.*)'/.exec(text) ?? [];
  if (argument !== undefined) {
    const { description } = command.registeredArguments.find((one) => one.name() === argument)!;
    return `earwitness: ${path} expects <${argument}> (${description}), but got none; ${such}`;
  }
  const [, flags] = /required option '(.*)' not specified/.exec(text) ?? [];
  if (flags !== undefined) {
    const about = command.options.find((option) => option.flags === flags)!.description;
    return `earwitness: ${path} expects ${flags} (${about}), but it is missing; ${such}`;
  }
  return plainUsageError(text);
}

/** Commander quotes what was typed, which may be hostile. */
function plainUsageError(text: string): string {
  return printableLines(text.trimEnd()).replace(/^error: /, 'earwitness: ');
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
  process.stderr.write(`earwitness: a bug in earwitness: ${printable(messageOf(error))}\n${printableLines(stack)}\n`);
  return 1;
}
