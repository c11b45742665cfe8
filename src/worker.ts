// The entry of the thread that runs studies: the terminal stays alive whatever is computed here.
import { parentPort, workerData } from 'node:worker_threads';
import { sentError } from './base/errors.ts';
import { renderJson } from './report/json/render-json.ts';
import { spentSentence } from './report/prepare/report-parts.ts';
import { renderFirstScreen } from './report/text/first-screen.ts';
import { runSession } from './session/run/run-session.ts';
import { type FromWorker, stopped, type ToWorker, type Work, type WorkerJob } from './session/run/worker-messages.ts';
import { type ReportFiles, writeReport } from './session/run/write-report.ts';

/** Does a run's work: what it comes to, told on the way to `tell`. `stop` and `abort` as `ToWorker` says. */
export const work: Work = async (job, tell, stop, abort) => {
  const { loaded, request, reportFolder, choice, trials, terminal } = job;
  let files: ReportFiles | null = null;
  const { report, rest } = await runSession(loaded, request, {
    on: (event) => tell({ say: 'event', event }),
    signal: stop,
    abort,
    report: {
      folder: reportFolder,
      async write({ report, excerpts }, folder, table) {
        files = await writeReport(report, excerpts, folder, { ...choice, trials: { table, forms: trials } });
      },
    },
  });
  return {
    run: String(report.timing.run),
    text: renderFirstScreen(report, { ...terminal, transcripts: choice.transcripts }),
    json: renderJson(report, { transcripts: choice.transcripts }),
    files: files!,
    tally: report.tally,
    failures: report.failures,
    ...(rest && { rest }),
    spent: spentSentence(report.timing),
  };
};

if (parentPort !== null) {
  const port = parentPort;
  process.noDeprecation = true;
  const tell = (message: FromWorker) => port.postMessage(message);
  const stop = new AbortController();
  const abort = new AbortController();
  port.on('message', (message: ToWorker) => {
    stop.abort(stopped());
    if (message === 'abort') abort.abort(stopped());
  });
  work(workerData as WorkerJob, tell, stop.signal, abort.signal)
    .then(
      (result) => tell({ say: 'done', result }),
      (error: unknown) => tell({ say: 'failed', error: sentError(error) }),
    )
    .finally(() => port.close());
}
