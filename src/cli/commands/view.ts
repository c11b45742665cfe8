import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Command } from 'commander';
import { EarwitnessError } from '../../base/errors.ts';
import { findRun } from '../../engine/open-run.ts';
import { openStore } from '../../store/sqlite/sqlite-store.ts';
import { serveRuns } from '../../web/serve.ts';
import type { CliCommand } from '../command.ts';
import { printJson, printLine } from '../output.ts';
import { addStoreOption, storeFile } from '../store-option.ts';
import { naturalNumber } from '../terminal/option-values.ts';

interface Options {
  readonly store?: string;
  readonly port: number;
  readonly audio: boolean;
  readonly open?: true;
  readonly json?: true;
}

/** `view [RUN]` */
export const view: CliCommand = {
  examples: ['view', 'view last --port 7700', 'view --no-audio'],
  notes:
    'Shows the runs of the store in the browser: findings, every trial with filters and search, words aligned under the reference, and audio before and after. It listens on this machine alone; the link works once. Ctrl-C ends it.',
  configure(command: Command) {
    addStoreOption(command)
      .argument('[run]', 'run to begin with: its id, its beginning, or "last"')
      .option('--port <n>', 'port to listen on; 0: any that is free', naturalNumber, 0)
      .option('--no-audio', 'make no audio')
      .option('--open', 'open the link in the browser of this machine')
      .action(run);
  },
};

async function run(wanted: string | undefined, { store: given, port, audio, open, json }: Options): Promise<void> {
  if (port > 65_535) {
    throw new EarwitnessError(
      'bad-usage',
      `expected a port from 0 to 65535, but got ${port}; 0 takes any that is free`,
    );
  }
  const file = await storeFile(given);
  using store = openStore(file, { readonly: true });
  const path = wanted === undefined ? '/runs' : `/runs/${findRun(store, wanted).id}`;
  await using serving = await serveRuns({ store, storeFile: file, port, audio });
  const link = serving.link.replace('/?', `${path}?`);
  if (json) await printJson({ link, origin: serving.origin });
  else await printLine(`${link}\nOpen it in a browser of this machine; it works once. Ctrl-C ends it.`);
  if (open)
    spawn(process.platform === 'darwin' ? 'open' : 'xdg-open', [link], { stdio: 'ignore', detached: true })
      .on('error', () => {})
      .unref();
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
}
