import { dirname, resolve } from 'node:path';
import type { Command } from 'commander';
import { EarwitnessError } from '../../base/errors.ts';
import { asJson } from '../../base/json.ts';
import { printable } from '../../base/printable.ts';
import { findRun } from '../../engine/open-run.ts';
import { gateInWords } from '../../report/gate/gate-words.ts';
import { renderGateMarkdown, renderGateText, renderGithub, renderJunit } from '../../report/gate/render-gate.ts';
import { findConfig } from '../../session/config/find-config.ts';
import { loadConfig } from '../../session/config/load-config.ts';
import { writeWhole } from '../../session/export/write-whole.ts';
import { gateRun } from '../../session/gate-run.ts';
import { loadNormalizer } from '../../session/members/load-normalizer.ts';
import { readText } from '../../session/read-text.ts';
import { openStore } from '../../store/sqlite/sqlite-store.ts';
import type { CliCommand } from '../command.ts';
import { print, printJson, say, terminalWidth, wantsColor } from '../output.ts';
import { addStoreOption, besideStore, storeFile } from '../store-option.ts';

interface Options {
  readonly config?: string;
  readonly baseline?: string;
  readonly store?: string;
  readonly normalizer: string;
  readonly junit?: string;
  readonly markdown?: string;
  readonly github?: true;
  readonly json?: true;
}

/** `gate [RUN]` */
export const gate: CliCommand = {
  examples: ['gate', 'gate last --baseline baselines/main.tsv --junit gate.xml', 'gate --github --markdown comment.md'],
  notes:
    'Holds a finished run against the limits that the config has under `gate`. Ends with 0 (pass), 20 (a limit is broken) or 21 (cannot tell; with gate.ifInconclusive: warn 0). A limit fails only where the data show that it is broken: better never fails, and of releases without a change at most 5 % do. docs/guard.md begins from nothing.',
  configure(command: Command) {
    addStoreOption(command)
      .argument('[run]', 'run id, its beginning, or "last"', 'last')
      .option('-c, --config <file>', 'config with the limits; by default the one in this folder')
      .option('--baseline <file>', "what `earwitness baseline` wrote; by default the config's gate.baseline")
      .option('-n, --normalizer <name>', 'text normalizer: a name, or a module (./mine.ts)', 'by-language')
      .option('--junit <file>', 'also write JUnit XML')
      .option('--markdown <file>', 'also write a comment for a pull request')
      .option('--github', 'also print annotations for GitHub Actions')
      .action(run);
  },
};

async function run(wanted: string, options: Options): Promise<void> {
  const file = options.config ?? findConfig(process.cwd());
  const { config, baseFolder } = await loadConfig(file, undefined, besideStore);
  if (config.gate === undefined) {
    throw new EarwitnessError(
      'bad-config',
      `${printable(file)}: expected limits under \`gate\`, but there are none; add for example gate: { limits: [{ wer: 0.15 }] }`,
    );
  }
  const given = options.store ?? (options.config === undefined ? undefined : resolve(baseFolder, config.store));
  using store = openStore(await storeFile(given), { readonly: true });
  const record = findRun(store, wanted);
  if (record.finishedAtMs === null) {
    throw new EarwitnessError(
      'bad-usage',
      `expected a finished run, but ${record.id} is not; continue it: earwitness resume ${record.id}`,
    );
  }
  const named =
    options.baseline ?? (config.gate.baseline === undefined ? undefined : resolve(baseFolder, config.gate.baseline));
  const baseline = named === undefined ? null : { text: await readText(named, process.cwd()), shown: printable(named) };
  const normalizer = await loadNormalizer(
    options.normalizer,
    options.normalizer === 'by-language' ? dirname(file) : process.cwd(),
  );
  const result = await gateRun(store, record, config.gate, normalizer, baseline);
  if (options.junit !== undefined) await writeWhole(resolve(options.junit), renderJunit(result));
  if (options.markdown !== undefined) await writeWhole(resolve(options.markdown), renderGateMarkdown(result));
  if (options.json) await printJson(asJson(result));
  else await print(renderGateText(result, { width: terminalWidth(), color: wantsColor() }));
  if (options.github) await print(renderGithub(result));
  if (result.verdict === 'fail') throw new EarwitnessError('gate-failed', gateInWords(result));
  if (result.verdict === 'inconclusive') {
    if (result.ifInconclusive === 'block') throw new EarwitnessError('gate-inconclusive', gateInWords(result));
    say(gateInWords(result));
  }
}
