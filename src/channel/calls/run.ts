import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { type CallerNames, namedBy, namesOfCommand } from '../../base/caller.ts';
import { EarwitnessError } from '../../base/errors.ts';
import { refuseTelemetry } from '../../base/telemetry.ts';
import { defaultMaxShare } from '../../session/config/frame.ts';
import { checkedConfig, loadConfig } from '../../session/config/load-config.ts';
import { refuseFailed } from '../../session/run/refuse-failed.ts';
import { runSession } from '../../session/run/run-session.ts';
import { writeReport } from '../../session/run/write-report.ts';
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
    return namedBy(namesInPython(functions), async () => {
      const loaded =
        typeof config === 'string'
          ? await loadConfig(config, undefined, [], own)
          : await checkedConfig({ ...config, recognizers: { ...(config.recognizers as object), ...own } }, baseFolder);
      const choice = loaded.config.report;
      const pages: string[] = [];
      const running = callers.run(
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
              pages.push((await writeReport(report, excerpts, folder, { ...choice, trials })).html);
            },
          },
        },
      );
      try {
        const { report } = await running;
        refuseFailed(report, loaded.config.failures?.maxShare ?? defaultMaxShare);
        return { value: { ...toldReport(report, choice.transcripts), page: pages.at(-1)! } };
      } catch (error) {
        if (!(error instanceof EarwitnessError)) throw error;
        const there = pages
          .slice(-1)
          .map((page) => `. The report is written: earwitness.read_report(${JSON.stringify(dirname(page))})`);
        throw new EarwitnessError(error.code, `${error.message}${there.join('')}`);
      }
    });
  },
);

/** As `earwitness.run` has them. A function has no entry in the config. */
const namesInPython = (functions: object): CallerNames => ({
  newRun: 'new=True',
  allMayFail: '`failures: {maxShare: 1}` in the config',
  moreMayFail: '`failures: {maxShare: …}` in the config',
  retryFailed: null,
  keepAnswers: (recognizer, epoch) =>
    Object.hasOwn(functions, recognizer)
      ? 'Say of what version it is with revision="…", and its answers are kept'
      : namesOfCommand.keepAnswers(recognizer, epoch),
});
