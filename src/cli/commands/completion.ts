import { Argument, type Command } from 'commander';
import type { CliCommand } from '../command.ts';
import { completionScript, type Shell, shells } from '../completion-script.ts';
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
