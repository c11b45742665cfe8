import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { refuseTelemetry } from '../../base/telemetry.ts';
import { defaultMaxShare } from '../../session/config/frame.ts';
import { checkedConfig, loadConfig } from '../../session/config/load-config.ts';
import { refuseFailed } from '../../session/run/refuse-failed.ts';
import { runSession } from '../../session/run/run-session.ts';
import { type ReportFiles, writeReport } from '../../session/run/write-report.ts';
import { defineCall } from '../call.ts';
import { callers } from '../callers.ts';
import { toldReport } from '../told-report.ts';

const here = import.meta.url.endsWith('.ts') ? '.ts' : '.js';
const calledRecognizer = fileURLToPath(new URL(`../called-recognizer${here}`, import.meta.url));

/** Runs a config as `earwitness run` does, with recognizers that are functions of the caller, and writes its report. */
export const run = defineCall(
  z.object({
    config: z.union([z.string(), z.record(z.string(), z.unknown())]),
    functions: z.record(z.string(), z.object({ rate: z.int(), revision: z.string().nullable() })),
    baseFolder: z.string(),
    limit: z.int().nullable(),
    workers: z.int().nullable(),
    anew: z.boolean(),
  }),
  async ({ config, functions, baseFolder, limit, workers, anew }, _, caller) => {
    refuseTelemetry();
    // Python may be in another folder by now, and has one alone.
    process.chdir(baseFolder);
    const own = Object.fromEntries(
      Object.entries(functions).map(([name, { rate, revision }]) => [
        name,
        { type: calledRecognizer, name, rate, revision },
      ]),
    );
    const loaded =
      typeof config === 'string'
        ? await loadConfig(config, undefined, [], own)
        : await checkedConfig({ ...config, recognizers: { ...(config.recognizers as object), ...own } }, baseFolder);
    const choice = loaded.config.report;
    let files: ReportFiles | null = null;
    const { report } = await callers.run(
      caller,
      runSession,
      loaded,
      {
        mode: anew ? 'new' : 'continue',
        resume: null,
        limit,
        preview: null,
        executor: 'auto',
        workers,
        sound: choice.sound,
      },
      {
        on: (event) => caller.tell('event', { ...event }),
        signal: caller.signal,
        abort: caller.signal,
        report: {
          folder: choice.folder,
          async write({ report, excerpts }, folder, table) {
            const trials = { table, forms: choice.trials ?? ['csv' as const] };
            files = await writeReport(report, excerpts, folder, { ...choice, trials });
          },
        },
      },
    );
    refuseFailed(report, loaded.config.failures?.maxShare ?? defaultMaxShare);
    return { value: { ...toldReport(report, choice.transcripts), page: files!.html } };
  },
);
