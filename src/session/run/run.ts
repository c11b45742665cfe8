import { refuseTelemetry } from '../../base/telemetry.ts';
import type { OnEvent } from '../../engine/events.ts';
import type { RunMode } from '../../engine/open-run.ts';
import type { ExecutorChoice, LoadedConfig } from '../config/config.ts';
import type { EarwitnessConfig } from '../config/written-config.ts';
import type { SessionResult } from './run-session.ts';

/** How a program runs a config; the command's options of the same names mean the same. */
export interface RunOptions {
  /** Relative paths of a written config are meant from here. Default: the current folder. */
  readonly baseFolder?: string;
  /** Default: `continue`, which goes on with an unfinished run of the same config, and else begins one. */
  readonly mode?: RunMode;
  /** Only the first so many utterances. Default: all. */
  readonly limit?: number;
  /**
   * Only so many utterances, of as many speakers as can be; what the rest will take comes back as `rest`. Their answers are used
   * again by the whole run. Default: all.
   */
  readonly preview?: number;
  /** Recognitions on this machine at once. Default: as the config says, else one for each core. */
  readonly workers?: number;
  /** Where recognizers run. Default: as the config says, else `auto`: as each of them declares. */
  readonly executor?: ExecutorChoice;
  /** Is told what happens. */
  readonly on?: OnEvent;
  /** Aborted: nothing new is asked, what is in flight is waited for, and the run rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Aborted: what is in flight is ended too. */
  readonly abort?: AbortSignal;
  /** Whether excerpts of the findings' sounds are made for an HTML report. Default: false. */
  readonly sound?: boolean;
}

/**
 * Asks the recognizers of a config everything that its studies want to know, keeps every answer in its store, and gives
 * back what was found. What is already stored is not asked again. Runs in the calling thread; nothing is printed, and no
 * report is written: `renderText`, `renderHtml` and `writeReport` take what comes back.
 *
 * @param config as it is written in a file (see `defineConfig`), or as `loadConfig` gave it
 * @throws EarwitnessError `bad-config` with all that is wrong, and the others that the command has exit codes for; or the
 * signal's reason. Everything recognized until then is kept.
 * @example
 * const { report } = await run({
 *   corpus: { type: 'folder', folder: 'recordings', language: 'en' },
 *   recognizers: { usual: { type: 'pocketsphinx' }, narrow: { type: 'pocketsphinx', beams: 'narrow' } },
 * });
 * console.log(renderText(report, { width: 100, color: false, transcripts: true }));
 */
export async function run(config: EarwitnessConfig | LoadedConfig, options: RunOptions = {}): Promise<SessionResult> {
  refuseTelemetry();
  const never = new AbortController().signal;
  const { signal = never, abort = never, on = () => {} } = options;
  // Loaded when used: a config that imports `defineConfig` needs neither the engine nor the store.
  const { runSession } = await import('./run-session.ts');
  const loaded = isLoaded(config) ? config : await check(config, options.baseFolder ?? process.cwd());
  return runSession(
    loaded,
    {
      mode: options.mode ?? 'continue',
      resume: null,
      limit: options.limit ?? null,
      preview: options.preview ?? null,
      executor: options.executor ?? null,
      workers: options.workers ?? null,
      sound: options.sound ?? false,
    },
    { on, signal, abort },
  );
}

async function check(written: EarwitnessConfig, baseFolder: string): Promise<LoadedConfig> {
  const { checkedConfig } = await import('../config/load-config.ts');
  return checkedConfig(written, baseFolder);
}

function isLoaded(config: EarwitnessConfig | LoadedConfig): config is LoadedConfig {
  return 'config' in config && 'baseFolder' in config;
}
