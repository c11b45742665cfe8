import { spawn } from 'node:child_process';
import { badUsage, EarwitnessError, messageOf } from '../base/errors.ts';
import { moneyText, timeLeft } from '../base/number-format.ts';
import { printable } from '../base/printable.ts';
import { counted } from '../base/wording.ts';
import type { BudgetLimits } from '../engine/limits.ts';
import type { RunMode } from '../engine/open-run.ts';
import { executors, type LoadedConfig } from '../session/config/config.ts';
import { defaultMaxShare } from '../session/config/frame.ts';
import { trustNone } from '../session/members/own-module.ts';
import { type PreviewPrice, previewedUtterances } from '../session/open/price-rest.ts';
import { refuseFailed } from '../session/run/refuse-failed.ts';
import { runInThread } from '../session/run/run-in-thread.ts';
import type { WorkerJob } from '../session/run/worker-messages.ts';
import { budgetText } from './budget-text.ts';
import { collected, type Flag, type FlagsOf } from './flags.ts';
import { share, wholeNumber } from './options.ts';
import { namedCommand, print, printLine, say, terminalWidth, wantsColor } from './output.ts';
import { nextSteps, runSteps } from './print-report.ts';
import { createProgressDisplay } from './progress/progress-line.ts';
import { minutesText } from './survey/survey-text.ts';
import { wrap } from './terminal/text-table.ts';

/** What `run` and `resume` have in common: whom the config is trusted with, what is asked at once and what is reported. */
export const startFlags = [
  [
    '--trust <whom>',
    'none: the config may run no modules or programs, and reach only allowed hosts and variables',
    { choices: ['none', 'all'] },
  ],
  ['--allow-host <host>', 'with --trust none: a host that may be contacted; may be repeated', collected],
  [
    '--allow-variable <name>',
    'with --trust none: an environment variable that the config may use; may be repeated',
    collected,
  ],
  ['--workers <n>', 'recognitions at once on this machine', wholeNumber],
  [
    '--max-failed <share>',
    "max share of the trials of a recognizer that may fail, from 0 to 1 (default: the config's failures.maxShare, else 0.2)",
    share,
  ],
  ['--executor <where>', "where recognizers run; else the config's, else auto", { choices: executors }],
  ['--out <folder>', 'folder in which the report is written'],
  ['--no-sound', 'write a report without audio'],
  ['--no-transcripts', 'write a report without transcripts'],
  ['--open', 'open the finished report in the browser'],
  ['--verbose', 'also print the id of the run and the hash of its plan'],
] as const satisfies readonly Flag[];

/** What a run is begun with. */
export interface RunFlags extends FlagsOf<typeof startFlags> {
  readonly limit?: number;
  readonly preview?: number | true;
  /** As it was given: commands that are named name it too. */
  readonly config?: string;
  readonly store?: string;
  /** Told at the end that trials were answered. */
  readonly onAnswered?: () => void;
}

/** Takes away what the config is not trusted with, before anything of it is read. */
export function applyTrust({ trust, allowHost = [], allowVariable = [] }: Partial<FlagsOf<typeof startFlags>>): void {
  const [alone] = [
    ...allowHost.map((host) => `--allow-host ${host}`),
    ...allowVariable.map((name) => `--allow-variable ${name}`),
  ];
  if (trust !== 'none' && alone !== undefined) {
    throw badUsage(
      `expected --trust none beside ${printable(alone, 100)}: without it a config may contact every host and read every variable`,
    );
  }
  if (trust === 'none') trustNone({ hosts: allowHost, variables: allowVariable });
}

/** A terminal that is closed stops a run as Ctrl-C does; where there is none, nobody meant to. */
const stopSignals: readonly NodeJS.Signals[] = process.stderr.isTTY
  ? ['SIGINT', 'SIGTERM', 'SIGHUP']
  : ['SIGINT', 'SIGTERM'];

/** Runs a config in a thread of its own, shows how far it is, and prints what was found. */
export async function executeRun(
  written: LoadedConfig,
  which: { readonly mode: RunMode; readonly resume: string | null },
  flags: RunFlags,
): Promise<void> {
  const maxShare = flags.maxFailed ?? written.config.failures?.maxShare ?? defaultMaxShare;
  const loaded = { ...written, config: { ...written.config, failures: { maxShare } } };
  const { report } = loaded.config;
  const choice = { sound: flags.sound && report.sound, transcripts: flags.transcripts && report.transcripts };
  const job: WorkerJob = {
    loaded,
    request: {
      ...which,
      limit: flags.limit ?? null,
      preview: flags.preview === true ? previewedUtterances : (flags.preview ?? null),
      executor: flags.executor ?? null,
      workers: flags.workers ?? null,
      sound: choice.sound,
    },
    reportFolder: flags.out ?? report.folder,
    choice,
    trials: report.trials ?? ['csv'],
    terminal: { width: terminalWidth(), color: wantsColor(), verbose: flags.verbose === true },
  };
  const display = createProgressDisplay(process.stderr, flags.verbose);
  const running = runInThread(job, display.on);
  let stopping = false;
  const onInterrupt = () => {
    const isInFlight = running.stop();
    display.end();
    const waits = isInFlight
      ? 'waiting for the calls in flight (Ctrl-C again to end them)'
      : 'no calls are in flight, and computations can be repeated';
    say(stopping ? 'ending now' : `stopping: ${waits}`);
    stopping = true;
  };
  for (const signal of stopSignals) process.on(signal, onInterrupt);
  try {
    const result = await running.result;
    const { text, json, files, spent } = result;
    display.end();
    if (result.tally.answered > 0) flags.onAnswered?.();
    const next =
      result.rest === undefined || result.tally.answered === 0
        ? null
        : previewText(result.rest, loaded.config.budget, namedCommand('run', { config: flags.config }));
    if (flags.json) {
      await print(json.endsWith('\n') ? json : `${json}\n`);
      say(`report: ${files.html}${spent === null ? '' : `\n${spent}`}${next === null ? '' : `\n${next}`}`);
    } else {
      const steps = nextSteps(files.html, runSteps({ config: flags.config, store: flags.store }));
      await printLine(`${text.trimEnd()}\n${steps}${next === null ? '' : `\n\n${next}`}`);
    }
    if (flags.open) await openFile(files.html);
    refuseFailed(result, maxShare);
  } catch (error) {
    throw error instanceof EarwitnessError && error.code === 'budget'
      ? beyondBudget(error, which.resume, flags)
      : error;
  } finally {
    display.end();
    for (const signal of stopSignals) process.off(signal, onInterrupt);
  }
}

function beyondBudget({ message }: EarwitnessError, run: string | null, flags: RunFlags): EarwitnessError {
  const report = namedCommand('report', { config: flags.config, store: flags.store }, [
    run ?? 'last',
    '--out',
    'FOLDER',
  ]);
  return new EarwitnessError('budget', `${message}. What was answered so far is written as a table by: ${report}`);
}

/** What the rest will take and how to go on, for people. */
function previewText(rest: PreviewPrice, budget: BudgetLimits, goOn: string): string {
  const {
    utterances,
    ofUtterances,
    audioMinutes,
    trials,
    trialMinutes,
    elapsedSeconds,
    processorSeconds,
    money,
    used,
  } = rest;
  const width = terminalWidth();
  if (utterances >= ofUtterances) {
    const all = utterances === 1 ? 'This was the only utterance' : `These were all ${utterances} utterances`;
    return wrap(`${all}: nothing is left to run.`, width).join('\n');
  }
  const length = audioMinutes === null ? '' : ` (${minutesText(audioMinutes)})`;
  const sound = trialMinutes === null ? '' : ` of ${minutesText(trialMinutes)} of audio`;
  const computed = processorSeconds === null ? '' : ` (${timeLeft(processorSeconds)} of processor time)`;
  const time =
    elapsedSeconds === null
      ? ''
      : `, about ${timeLeft(elapsedSeconds)} if the machine stays as busy as it was${computed}`;
  const prices = Object.fromEntries(money.map(({ amount, currency }) => [currency, amount]));
  const price = money.some(({ amount }) => amount > 0) ? `, ${moneyText(prices)}` : '';
  const open = { calls: trials, audioMinutes: trialMinutes, money: trialMinutes === null ? null : money, used };
  const enough = budgetText(budget, open);
  return [
    `This was a preview: ${utterances} of ${ofUtterances.toLocaleString('en')} utterances${length}.`,
    `The rest needs ${counted(trials, 'recognition')}${sound}${time}${price}. Finished recognitions are reused.`,
    ...(enough === null ? [] : [enough]),
    `Next: ${goOn}`,
  ]
    .flatMap((line) => wrap(line, width))
    .join('\n');
}

/** What opens a file as a click on it would, by `process.platform`. */
const openers: Readonly<Record<string, readonly string[]>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
};

/** Opens a file in whatever shows such files on this machine; says so where nothing does. The file is there all the same. */
async function openFile(path: string): Promise<void> {
  const [program, ...args] = openers[process.platform] ?? ['xdg-open'];
  const child = spawn(program!, [...args, path], { stdio: 'ignore', detached: true });
  const problem = await new Promise<string | null>((resolve) => {
    child.once('error', (error) => resolve(messageOf(error)));
    child.once('exit', (code) => resolve(code === 0 ? null : `${program} ended with ${code}`));
    // Some openers stay for as long as the window does.
    setTimeout(() => resolve(null), 2000).unref();
  });
  child.unref();
  if (problem !== null) say(`the report could not be opened (${problem}); open it by its path`);
}
