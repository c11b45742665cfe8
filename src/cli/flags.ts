import { type Command, Option } from 'commander';
import { badUsage } from '../base/errors.ts';
import { printable } from '../base/printable.ts';

/** How the text behind a flag is read, what it may be, and what holds where the flag is not there. */
interface FlagRules {
  readonly read?: Read;
  readonly choices?: readonly string[];
  readonly default?: unknown;
  /** How the help shows the default, where the value does not say it. */
  readonly shownDefault?: string;
  /** Names of flags that may not stand beside it. */
  readonly conflicts?: readonly string[];
  readonly required?: true;
}

/** Gets what was read before, where a flag is repeated. */
type Read = (text: string, before: never) => unknown;

/**
 * A flag of a command, from which come its help, completion, checks and the type of its value: as it is written, what it does, and rules,
 * or only how it is read.
 *
 * @example ['-l, --language <tag>', 'spoken language (BCP 47 tag)', { default: 'en' }]
 */
export type Flag = readonly [written: string, help: string, rules?: Read | FlagRules];

/** Lets a command take flags, in the order in which the help has them. */
export function addFlags(command: Command, flags: readonly Flag[]): Command {
  for (const [written, help, rules = {}] of flags) {
    const {
      read,
      choices,
      conflicts = [],
      required,
      ...absent
    } = typeof rules === 'function' ? { read: rules } : rules;
    const option = new Option(written, help).conflicts([...conflicts]).makeOptionMandatory(required ?? false);
    if (read !== undefined) option.argParser(read as (text: string, before: unknown) => unknown);
    if (choices !== undefined) option.choices(choices);
    if ('default' in absent) option.default(absent.default, absent.shownDefault);
    command.addOption(option);
    if (option.required && read !== collected && !Array.isArray(option.defaultValue)) refuseTwice(command, option);
  }
  return command;
}

/** Puts the values of a flag that may be repeated together. */
export function collected(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}

/** Of two values one would be taken in silence. */
function refuseTwice(command: Command, option: Option): void {
  let before: string | null = null;
  command.on(`option:${option.name()}`, (value: string) => {
    if (before !== null && before !== value) {
      const got = [before, value].map((one) => JSON.stringify(printable(one, 60))).join(' and ');
      throw badUsage(`expected ${option.long} once, but got ${got}; leave one out`);
    }
    before = value;
  });
}

/** What an action gets of the flags of its command. */
export type FlagsOf<Flags extends readonly Flag[]> = {
  readonly [Written in Sure<Flags[number]>[0] as NameOf<Written>]:
    | ValueOf<FlagWritten<Flags[number], Written>>
    | (Written extends `--no-${string}` ? true : never);
} & {
  readonly [Written in Exclude<Flags[number], Sure<Flags[number]>>[0] as NameOf<Written>]?: ValueOf<
    FlagWritten<Flags[number], Written>
  >;
} & { readonly json?: true };

type FlagWritten<All extends Flag, Written> = Extract<All, readonly [Written, ...unknown[]]>;

/** Flags that have a value on every command line: `--no-sound` has one, unless there is a `--sound` too. */
type Sure<All extends Flag, One extends Flag = All> =
  | Extract<All, readonly [string, string, { readonly default: unknown } | { readonly required: true }]>
  | (One extends readonly [`--no-${infer Long}`, string]
      ? Camel<Long> extends NameOf<Exclude<All[0], `--no-${string}`>>
        ? never
        : One
      : never);

/** Of each flag, where a name is that of two. */
type ValueOf<One extends Flag> = One extends readonly [string, string, { readonly choices: readonly (infer Choice)[] }]
  ? One[0] extends `${string}...>`
    ? readonly Choice[]
    : Choice
  : One extends readonly [string, string, { readonly read: (...given: never) => infer Value }]
    ? Value
    : One extends readonly [string, string, (...given: never) => infer Value]
      ? Value
      : One[0] extends `${string}...>`
        ? readonly string[]
        : One[0] extends `${string}>`
          ? string
          : One[0] extends `--no-${string}`
            ? false
            : true;

/** `-n, --half-width <rating>` and `--no-half-width` are `halfWidth`. */
type NameOf<Written extends string> = Written extends `${infer Bare} <${string}`
  ? NameOf<Bare>
  : Written extends `--no-${infer Long}`
    ? Camel<Long>
    : Written extends `${string}--${infer Long}`
      ? Camel<Long>
      : never;

type Camel<Long extends string> = Long extends `${infer Head}-${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : Long;
