import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { type CallerNames, namedBy, namesOfCommand } from '../../base/caller.ts';
import { EarwitnessError } from '../../base/errors.ts';
import { assumedLanguage, textsLookedAt } from '../../base/guess-language.ts';
import { undeterminedLanguage } from '../../base/language-tag.ts';
import { whole } from '../../base/option-kinds.ts';
import { refuseTelemetry } from '../../base/telemetry.ts';
import { capitalized } from '../../base/wording.ts';
import type { RunReport } from '../../model/run.ts';
import type { LoadedConfig } from '../../session/config/config.ts';
import { defaultMaxShare } from '../../session/config/frame.ts';
import { checkedConfig, loadConfig } from '../../session/config/load-config.ts';
import { loadMember } from '../../session/members/load-member.ts';
import { openCorpus } from '../../session/open/open-corpus.ts';
import { createServices } from '../../session/open/services.ts';
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
    functions: z.record(
      z.string(),
      z.object({ rate: z.int(), revision: z.string().nullable(), fingerprint: z.string() }),
    ),
    baseFolder: z.string(),
    limit: whole(1).nullable(),
    workers: whole(1).nullable(),
    anew: z.boolean(),
  }),
  async ({ config, functions, baseFolder, limit, workers, anew }, _, caller) => {
    refuseTelemetry();
    // Python may be in another folder by now, and has one alone.
    process.chdir(baseFolder);
    const own = Object.fromEntries(
      Object.entries(functions).map(([name, described]) => [name, { type: calledRecognizer, name, ...described }]),
    );
    return namedBy(namesInPython(functions), async () => {
      const given =
        typeof config === 'string'
          ? await loadConfig(config, undefined, [], own)
          : await checkedConfig(config, baseFolder, own);
      const { loaded, note } = typeof config === 'string' ? { loaded: given, note: null } : await withLanguage(given);
      const noted = (report: RunReport): RunReport =>
        note === null ? report : { ...report, warnings: [note, ...report.warnings] };
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
              pages.push((await writeReport(noted(report), excerpts, folder, { ...choice, trials })).html);
            },
          },
        },
      );
      try {
        const { report } = await running;
        refuseFailed(report, loaded.config.failures?.maxShare ?? defaultMaxShare);
        return { value: { ...toldReport(noted(report), choice.transcripts), page: pages.at(-1)! } };
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

/**
 * Gives a corpus that can be told its language, and has utterances without one, that which `compare` takes such texts to be in. A config in a file
 * is as the command takes it, and `init` writes the language there.
 *
 * @returns with the sentence that says so; null where the language is known
 */
async function withLanguage(
  loaded: LoadedConfig,
): Promise<{ readonly loaded: LoadedConfig; readonly note: string | null }> {
  const { config, baseFolder } = loaded;
  const known = { loaded, note: null };
  const [only, ...others] = config.corpora;
  if (only === undefined || others.length > 0 || 'language' in only.options) return known;
  const { options } = (await loadMember('corpora', only.type, baseFolder)).member;
  if (!(options instanceof z.ZodObject) || !('language' in options.shape)) return known;
  const services = createServices({ baseFolder, synthesizers: config.synthesizers });
  const texts: string[] = [];
  try {
    const corpus = await openCorpus(config, null, services.corpus);
    try {
      for await (const { reference, language } of corpus.utterances()) {
        if (language === undeterminedLanguage && reference !== undefined) texts.push(reference);
        if (texts.length === textsLookedAt) break;
      }
    } finally {
      await corpus.close();
    }
  } finally {
    await services.close();
  }
  if (texts.length === 0) return known;
  const { language, told } = assumedLanguage(texts, undefined, '`language` of the corpus');
  const corpora = [{ ...only, options: { ...only.options, language } }];
  return { loaded: { ...loaded, config: { ...config, corpora } }, note: `${capitalized(told)}.` };
}

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
