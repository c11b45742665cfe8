import type { CliCommand } from './command.ts';

/** A command as the top-level help needs it: its module is loaded only when the command is used. */
export interface CommandEntry {
  readonly name: string;
  /** One line. */
  readonly about: string;
  /** Under which heading the top-level help has it. */
  readonly group: string;
  load(): Promise<CliCommand>;
}

/** Headings of the top-level help: what most people need first, and the others by what they are about. */
const groups = {
  first: 'Commands:',
  runs: 'Runs and what is kept of them:',
  people: 'People:',
  steps: 'Single steps:',
  machine: 'This machine:',
} as const;

/** Every command, in the order of the top-level help. */
export const commands: readonly CommandEntry[] = [
  {
    name: 'init',
    group: groups.first,
    about: 'look what is here, and write a commented config',
    load: () => import('./commands/init.ts').then((module) => module.init),
  },
  {
    name: 'run',
    group: groups.first,
    about: 'run the recognizers and report; continues an interrupted run',
    load: () => import('./commands/run.ts').then((module) => module.run),
  },
  {
    name: 'worker',
    group: groups.runs,
    about: 'make calls of runs on other machines that share a store on a server',
    load: () => import('./commands/worker.ts').then((module) => module.worker),
  },
  {
    name: 'workers',
    group: groups.runs,
    about: 'list workers, and tell them to pause, to drain or to go on',
    load: () => import('./commands/workers.ts').then((module) => module.workers),
  },
  {
    name: 'view',
    group: groups.first,
    about: 'look at runs in the browser: findings, trials, words, audio',
    load: () => import('./commands/view.ts').then((module) => module.view),
  },
  {
    name: 'compare',
    group: groups.first,
    about: 'compare outputs of recognizers in files, two runs, or two recognizers of one',
    load: () => import('./commands/compare.ts').then((module) => module.compare),
  },
  {
    name: 'score',
    group: groups.first,
    about: 'score hypotheses against references: counts, WER, CER',
    load: () => import('./commands/score.ts').then((module) => module.score),
  },
  {
    name: 'gate',
    group: groups.first,
    about: 'check a run against the limits of the config: pass, fail, inconclusive',
    load: () => import('./commands/gate.ts').then((module) => module.gate),
  },
  {
    name: 'resume',
    group: groups.runs,
    about: 'continue an interrupted run from the store, without its config',
    load: () => import('./commands/resume.ts').then((module) => module.resume),
  },
  {
    name: 'report',
    group: groups.runs,
    about: 'print the findings of a finished run again',
    load: () => import('./commands/report.ts').then((module) => module.report),
  },
  {
    name: 'share',
    group: groups.runs,
    about: 'write what a run found into one page for a chat or an issue',
    load: () => import('./commands/share.ts').then((module) => module.share),
  },
  {
    name: 'history',
    group: groups.runs,
    about: 'word error rates over the runs of a store, and whether they drift',
    load: () => import('./commands/history.ts').then((module) => module.history),
  },
  {
    name: 'baseline',
    group: groups.runs,
    about: 'write the counts of a run as the baseline of later runs',
    load: () => import('./commands/baseline.ts').then((module) => module.baseline),
  },
  {
    name: 'plan',
    group: groups.runs,
    about: 'what the limits of a gate can see with this corpus, and what a run costs',
    load: () => import('./commands/plan.ts').then((module) => module.plan),
  },
  {
    name: 'bundle',
    group: groups.runs,
    about: 'write a finished run into one file that anybody can verify',
    load: () => import('./commands/bundle.ts').then((module) => module.bundle),
  },
  {
    name: 'verify',
    group: groups.runs,
    about: 'verify a bundle: hashes, times, and every number recomputed',
    load: () => import('./commands/verify.ts').then((module) => module.verify),
  },
  {
    name: 'cases',
    group: groups.runs,
    about: 'failed cases of differential testing: verify and export',
    load: () => import('./commands/cases.ts').then((module) => module.cases),
  },
  {
    name: 'store',
    group: groups.runs,
    about: 'list runs; export, merge, prune or repair the store',
    load: () => import('./commands/store.ts').then((module) => module.store),
  },
  {
    name: 'forget',
    group: groups.runs,
    about: "remove a speaker's audio, transcripts and measurements",
    load: () => import('./commands/forget.ts').then((module) => module.forget),
  },
  {
    name: 'collect',
    group: groups.people,
    about: 'people record a corpus in their browsers: consent, scripts, quotas',
    load: () => import('./commands/collect.ts').then((module) => module.collect),
  },
  {
    name: 'transcribe',
    group: groups.people,
    about: 'people listen and write down the words: a recognizer like others',
    load: () => import('./commands/transcribe.ts').then((module) => module.transcribe),
  },
  {
    name: 'rate',
    group: groups.people,
    about: 'people rate clips: sharpness, naturalness, comprehensibility; a gate for studies',
    load: () => import('./commands/rate.ts').then((module) => module.rate),
  },
  {
    name: 'perturb',
    group: groups.steps,
    about: 'perturb audio by a scenario or a list of steps',
    load: () => import('./commands/perturb.ts').then((module) => module.perturb),
  },
  {
    name: 'rooms',
    group: groups.steps,
    about: 'measure room impulse responses and classify them by severity',
    load: () => import('./commands/rooms.ts').then((module) => module.rooms),
  },
  {
    name: 'speak',
    group: groups.steps,
    about: 'synthesize speech from text',
    load: () => import('./commands/speak.ts').then((module) => module.speak),
  },
  {
    name: 'recognize',
    group: groups.steps,
    about: 'transcribe audio files',
    load: () => import('./commands/recognize.ts').then((module) => module.recognize),
  },
  {
    name: 'conformance',
    group: groups.steps,
    about: 'check a recognizer process of your own against the protocol',
    load: () => import('./commands/conform.ts').then((module) => module.conform),
  },
  {
    name: 'violations',
    group: groups.steps,
    about: "AequeVox's fairness violations in a table of distances between recognizers",
    load: () => import('./commands/violations.ts').then((module) => module.violations),
  },
  {
    name: 'grammar',
    group: groups.steps,
    about: 'check the sentences of grammars with a grammar checker',
    load: () => import('./commands/grammar.ts').then((module) => module.grammar),
  },
  {
    name: 'normalize',
    group: groups.steps,
    about: 'normalize text, line by line',
    load: () => import('./commands/normalize.ts').then((module) => module.normalize),
  },
  {
    name: 'list',
    group: groups.machine,
    about: 'list recognizers, scenarios, corpora, … with their options',
    load: () => import('./commands/list.ts').then((module) => module.list),
  },
  {
    name: 'doctor',
    group: groups.machine,
    about: 'show what is installed, what is missing and how to install it',
    load: () => import('./commands/doctor.ts').then((module) => module.doctor),
  },
  {
    name: 'completion',
    group: groups.machine,
    about: 'completion script for bash, zsh or fish',
    load: () => import('./commands/completion.ts').then((module) => module.completion),
  },
];
