import { Argument, type Command } from 'commander';
import { shellQuoted } from '../../base/printable.ts';
import { normalizers } from '../../scoring/normalizers/normalizers.ts';
import { listScenarios } from '../../session/members/listings.ts';
import { memberNames } from '../../session/members/load-member.ts';
import type { CliCommand } from '../command.ts';
import { print, printJson } from '../output.ts';

/** `completion bash | zsh | fish` */
export const completion: CliCommand = {
  examples: [
    'completion bash >> ~/.bashrc',
    'completion zsh > ~/.zfunc/_earwitness',
    'completion fish > ~/.config/fish/completions/earwitness.fish',
  ],
  configure(command: Command, wholeProgram) {
    command
      .addArgument(new Argument('<shell>', 'which shell').choices(shells))
      .action(async (shell: Shell, { json }: { readonly json?: true }) => {
        const script = await completionScript(shell, await wholeProgram());
        await (json ? printJson({ shell, script }) : print(script));
      });
  },
};

const shells = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof shells)[number];

/** What may follow on a command line. */
interface Completions {
  readonly commands: readonly {
    readonly name: string;
    readonly about: string;
    readonly flags: readonly { readonly flag: string; readonly about: string }[];
    /** Words its first argument may be; none: files. */
    readonly words: readonly string[];
  }[];
  /** Words that may follow an option, whichever command it belongs to. */
  readonly values: Readonly<Record<string, readonly string[]>>;
}

/** A script that teaches a shell the commands, their options, and names of members and scenarios. */
async function completionScript(shell: Shell, program: Command): Promise<string> {
  const completions = await gather(program);
  return { bash, zsh, fish }[shell](completions);
}

async function gather(program: Command): Promise<Completions> {
  const scenarios = (await listScenarios()).flatMap((family) => family.scenarios.map(({ name }) => name));
  return {
    commands: program.commands.map((command) => ({
      name: command.name(),
      about: command.description(),
      flags: flagsOf(command),
      words: [...(command.registeredArguments[0]?.argChoices ?? []), ...command.commands.map((inner) => inner.name())],
    })),
    values: {
      '--scenario': scenarios,
      '--recognizer': memberNames('recognizers'),
      '--synthesizer': memberNames('synthesizers'),
      '--normalizer': Object.keys(normalizers),
      ...choicesOf(program),
    },
  };
}

/** Options that name what they take: a flag that several commands have offers what any of them takes. */
function choicesOf(program: Command): Record<string, string[]> {
  const choices: Record<string, string[]> = {};
  for (const { long, argChoices } of program.commands.flatMap((command) => command.options)) {
    if (long && argChoices) choices[long] = [...new Set([...(choices[long] ?? []), ...argChoices])];
  }
  return choices;
}

function flagsOf(command: Command): { flag: string; about: string }[] {
  const own = command.options.map(({ long, description }) => ({ flag: long ?? '', about: description }));
  return [...own.filter(({ flag }) => flag !== ''), { flag: '--help', about: 'print the help of the command' }];
}

function bash({ commands, values }: Completions): string {
  const words = (list: readonly string[]) => shellQuoted(list.join(' '));
  return `# earwitness completion for bash
_earwitness() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" command="\${COMP_WORDS[1]}" words=''
  # Names of scenarios have colons, at which bash breaks words.
  if declare -F _get_comp_words_by_ref > /dev/null; then
    _get_comp_words_by_ref -n : -c current -p previous
  fi
  if [ "$COMP_CWORD" -eq 1 ]; then
    words=${words([...commands.map(({ name }) => name), '--help', '--version'])}
  else
    case "$previous" in
${Object.entries(values)
  .map(([flag, list]) => `      ${flag}) words=${words(list)} ;;`)
  .join('\n')}
    esac
    if [ -z "$words" ]; then
      case "$command" in
${commands
  .map(
    ({ name, flags, words: first }) =>
      `        ${name}) words=${words([...first, ...flags.map(({ flag }) => flag)])} ;;`,
  )
  .join('\n')}
      esac
    fi
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  if declare -F __ltrim_colon_completions > /dev/null; then
    __ltrim_colon_completions "$current"
  fi
}
complete -o default -F _earwitness earwitness
`;
}

function zsh({ commands, values }: Completions): string {
  const list = (words: readonly string[]) => words.map(shellQuoted).join(' ');
  return `#compdef earwitness
# earwitness completion for zsh
_earwitness() {
  if (( CURRENT == 2 )); then
    local -a commands=(
${commands.map(({ name, about }) => `      ${shellQuoted(`${name}:${about.replaceAll(':', '\\:')}`)}`).join('\n')}
    )
    _describe command commands
    return
  fi
  case "$words[CURRENT-1]" in
${Object.entries(values)
  .map(([flag, names]) => `    ${flag}) compadd -- ${list(names)}; return ;;`)
  .join('\n')}
  esac
  case "$words[2]" in
${commands
  .map(({ name, flags, words }) => `    ${name}) compadd -- ${list([...words, ...flags.map(({ flag }) => flag)])} ;;`)
  .join('\n')}
  esac
  _files
}
if [ "$funcstack[1]" = _earwitness ]; then
  _earwitness "$@"
else
  compdef _earwitness earwitness
fi
`;
}

function fish({ commands, values }: Completions): string {
  const lines = ['# earwitness completion for fish'];
  for (const { name, about, flags, words } of commands) {
    lines.push(`complete -c earwitness -n __fish_use_subcommand -f -a ${name} -d ${shellQuoted(about)}`);
    const inside = `-n '__fish_seen_subcommand_from ${name}'`;
    if (words.length > 0) lines.push(`complete -c earwitness ${inside} -f -a ${shellQuoted(words.join(' '))}`);
    for (const { flag, about: meaning } of flags) {
      const list = values[flag];
      const value = list === undefined ? '' : ` -x -a ${shellQuoted(list.join(' '))}`;
      lines.push(`complete -c earwitness ${inside} -l ${flag.slice(2)}${value} -d ${shellQuoted(meaning)}`);
    }
  }
  return `${lines.join('\n')}\n`;
}
