import type { Command } from 'commander';
import type { Flag } from './flags.ts';

/** One command: what its file in `commands/` exports. `--json` and the examples are added for it. */
export interface CliCommand {
  /** Command lines that work as they stand, without `earwitness`. At least one. */
  readonly examples: readonly string[];
  /** What one must know besides the options: stands below them in the help, wrapped to the terminal. */
  readonly notes?: string;
  readonly flags?: readonly Flag[];
  /**
   * Adds arguments, commands below it and the action. Its output goes through `output.ts`: data to stdout, everything for people
   * to stderr when `json` is asked for.
   */
  configure(command: Command, wholeProgram: () => Promise<Command>): void;
}
