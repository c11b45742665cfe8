import type { RunMode } from '../engine/open-run.ts';
import type { LoadedConfig } from '../session/config/config.ts';
import type { ExecutorChoice } from '../session/create-executor.ts';
import { runInThread } from '../session/run-in-thread.ts';
import type { WorkerJob } from '../session/worker-messages.ts';
import { print, printLine, say, terminalWidth } from './output.ts';
import { wantsColor } from './print-report.ts';
import { createProgressDisplay } from './progress/progress-line.ts';

/** Options of `run` and `resume`. */
export interface RunFlags {
  readonly limit?: number;
  readonly workers?: number;
  readonly executor: ExecutorChoice;
  readonly out?: string;
  readonly sound: boolean;
  readonly transcripts: boolean;
  readonly json?: true;
}

/** Runs a config in a thread of its own, shows how far it is, and prints what was found. */
export async function executeRun(
  loaded: LoadedConfig,
  which: { readonly mode: RunMode; readonly resume: string | null },
  flags: RunFlags,
): Promise<void> {
  const { report } = loaded.config;
  const choice = { sound: flags.sound && report.sound, transcripts: flags.transcripts && report.transcripts };
  const job: WorkerJob = {
    loaded,
    request: {
      ...which,
      limit: flags.limit ?? null,
      executor: flags.executor,
      workers: flags.workers ?? null,
      sound: choice.sound,
    },
    reportFolder: flags.out ?? report.folder,
    choice,
    terminal: { width: terminalWidth(), color: wantsColor() },
  };
  const display = createProgressDisplay(process.stderr);
  const running = runInThread(job, display.on);
  const onInterrupt = () => {
    running.stop();
    display.end();
    say('stopping: waiting for what is in flight (Ctrl-C again to end it)');
  };
  process.on('SIGINT', onInterrupt);
  process.on('SIGTERM', onInterrupt);
  try {
    const { text, json, files } = await running.result;
    display.end();
    if (flags.json) {
      await print(json.endsWith('\n') ? json : `${json}\n`);
      say(`report: ${files.html}`);
    } else {
      await printLine(`${text.trimEnd()}\n\nReport: ${files.html}`);
    }
  } finally {
    display.end();
    process.off('SIGINT', onInterrupt);
    process.off('SIGTERM', onInterrupt);
  }
}
