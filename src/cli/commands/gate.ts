import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { badInput, EarwitnessError, exitCodes } from '../../base/errors.ts';
import { asJson } from '../../base/json.ts';
import { printable } from '../../base/printable.ts';
import type { GateResult } from '../../model/gate.ts';
import { renderGateMarkdown } from '../../report/gate/markdown-gate.ts';
import { gateInWords, judgedInWords, renderGithub, renderJunit } from '../../report/gate/render-gate.ts';
import { renderGateText } from '../../report/gate/text-gate.ts';
import { writeWhole } from '../../session/export/write-whole.ts';
import { readText } from '../../session/open/read-text.ts';
import { gateRun } from '../../session/stored/gate-run.ts';
import type { RunReader } from '../../store/contract.ts';
import type { CliCommand } from '../command.ts';
import type { Flag, FlagsOf } from '../flags.ts';
import { normalizerFlag, openGate, runStoreFlags } from '../options.ts';
import { namedCommand, print, printJson, say, terminalWidth, wantsColor } from '../output.ts';

const flags = [
  ...runStoreFlags,
  ['--baseline <file>', "what `earwitness baseline` wrote; by default the config's gate.baseline"],
  normalizerFlag,
  ['--junit <file>', 'also write JUnit XML'],
  ['--markdown <file>', 'also write a comment for a pull request'],
  ['--github', 'also print annotations for GitHub Actions'],
  ['--full', 'print every check in a line of its own'],
] as const satisfies readonly Flag[];

type Options = FlagsOf<typeof flags>;

/** `gate [RUN]` */
export const gate: CliCommand = {
  examples: ['gate', 'gate last --baseline baselines/main.tsv --junit gate.xml', 'gate --github --markdown comment.md'],
  notes:
    'Holds a finished run against the limits that the config has under `gate`. Ends with 0 (pass), 20 (a limit is broken), 21 (cannot tell; with gate.ifInconclusive: warn 0) or 22 (the config as it is now has no run of the whole corpus with its recognizers as they are now, or its last is not finished). A limit fails only where the data show that it is broken: better never fails, and of releases without a change at most 5 % do. docs/guard.md begins from nothing.',
  flags,
  configure(command: Command) {
    command.argument('[run]', 'run id, its beginning, or "last"', 'last').action(run);
  },
};

async function run(wanted: string, options: Options): Promise<void> {
  const { gate, baseFolder, store, run: record, notes, counted } = await openGate(wanted, options);
  using _store = store;
  const named = options.baseline ?? (gate.baseline === undefined ? undefined : resolve(baseFolder, gate.baseline));
  const baseline = named === undefined ? null : { text: await readBaselineFile(named), shown: printable(named) };
  const judged = await gateRun(store, record, gate, counted, baseline);
  const result = { ...judged, notes: [...notes, ...judged.notes] };
  if (options.junit !== undefined) await writeWhole(resolve(options.junit), renderJunit(result));
  if (options.markdown !== undefined) await writeWhole(resolve(options.markdown), renderGateMarkdown(result));
  if (options.json) await printJson(asJson(result));
  else {
    const next = nextCommand(result, wanted, options, store);
    const full = options.full ? null : everyCheck(wanted, options);
    await print(renderGateText(result, { width: terminalWidth(), color: wantsColor(), next, full }));
  }
  // Actions reads annotations from both streams.
  if (options.github) await (options.json ? say(renderGithub(result).trimEnd()) : print(renderGithub(result)));
  if (result.verdict === 'pass') return;
  const isWarning = result.verdict === 'inconclusive' && result.ifInconclusive === 'warn';
  const code = result.verdict === 'fail' ? 'gate-failed' : 'gate-inconclusive';
  if (!options.json && process.stdout.isTTY && process.stderr.isTTY) {
    // There the report has said it.
    if (!isWarning) process.exitCode = exitCodes[code];
    return;
  }
  const said = `${gateInWords(result)} ${judgedInWords(result)}`;
  if (!isWarning) throw new EarwitnessError(code, said);
  say(said);
}

/** The same command again, with a line for every check. */
function everyCheck(wanted: string, { config, store, baseline, normalizer }: Options): string {
  const given = Object.entries({ baseline, normalizer }).flatMap(([option, value]) =>
    value === undefined ? [] : [`--${option}`, value],
  );
  return namedCommand('gate', { config, store }, [...(wanted === 'last' ? [] : [wanted]), '--full', ...given]);
}

/** What shows why; null where everything passes. */
function nextCommand(
  { verdict, baseline }: GateResult,
  wanted: string,
  { config, store: file }: Options,
  store: Pick<RunReader, 'runs'>,
): string | null {
  const named = (name: string, rest: readonly string[] = []) => namedCommand(name, { config, store: file }, rest);
  if (verdict === 'pass') return null;
  if (verdict === 'inconclusive') return named('plan', wanted === 'last' ? [] : [wanted]);
  return store.runs().some(({ id }) => id === baseline?.run)
    ? named('compare', [baseline!.run, wanted])
    : named('view');
}

/** @throws EarwitnessError `bad-input` where it is not there yet, or cannot be read */
async function readBaselineFile(file: string): Promise<string> {
  if (existsSync(file)) return readText(file, process.cwd());
  throw badInput(
    `${printable(file)}: expected a baseline, but there is no such file; write one of a run that is good: earwitness baseline ${printable(file)}`,
  );
}
