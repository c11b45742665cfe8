import type { CliCommand } from './command.ts';

/** A command as the top-level help needs it: its module is loaded only when the command is used. */
export interface CommandEntry {
  readonly name: string;
  /** One line. */
  readonly about: string;
  load(): Promise<CliCommand>;
}

/** Every command, in the order of the top-level help: the main job, single steps, the machine. */
export const commands: readonly CommandEntry[] = [
  {
    name: 'init',
    about: 'write a commented config, after two questions',
    load: () => import('./commands/init.ts').then((module) => module.init),
  },
  {
    name: 'run',
    about: 'run the recognizers and report; continues an interrupted run',
    load: () => import('./commands/run.ts').then((module) => module.run),
  },
  {
    name: 'resume',
    about: 'continue an interrupted run from the store, without its config',
    load: () => import('./commands/resume.ts').then((module) => module.resume),
  },
  {
    name: 'report',
    about: 'print the findings of a finished run again',
    load: () => import('./commands/report.ts').then((module) => module.report),
  },
  {
    name: 'view',
    about: 'look at runs in the browser: findings, trials, words, audio',
    load: () => import('./commands/view.ts').then((module) => module.view),
  },
  {
    name: 'compare',
    about: 'compare two runs, or two recognizers of one run',
    load: () => import('./commands/compare.ts').then((module) => module.compare),
  },
  {
    name: 'history',
    about: 'word error rates over the runs of a store, and whether they drift',
    load: () => import('./commands/history.ts').then((module) => module.history),
  },
  {
    name: 'gate',
    about: 'check a run against the limits of the config: pass, fail, inconclusive',
    load: () => import('./commands/gate.ts').then((module) => module.gate),
  },
  {
    name: 'baseline',
    about: 'write the counts of a run as the baseline of later runs',
    load: () => import('./commands/baseline.ts').then((module) => module.baseline),
  },
  {
    name: 'plan',
    about: 'what the limits of a gate can see with this corpus, and what a run costs',
    load: () => import('./commands/plan.ts').then((module) => module.plan),
  },
  {
    name: 'bundle',
    about: 'write a finished run into one file that anybody can verify',
    load: () => import('./commands/bundle.ts').then((module) => module.bundle),
  },
  {
    name: 'verify',
    about: 'verify a bundle: hashes, times, and every number recomputed',
    load: () => import('./commands/verify.ts').then((module) => module.verify),
  },
  {
    name: 'cases',
    about: 'failed cases of differential testing: verify, export, compare, repair',
    load: () => import('./commands/cases.ts').then((module) => module.cases),
  },
  {
    name: 'collect',
    about: 'people record a corpus in their browsers: consent, scripts, quotas',
    load: () => import('./commands/collect.ts').then((module) => module.collect),
  },
  {
    name: 'transcribe',
    about: 'people listen and write down the words: a recognizer like others',
    load: () => import('./commands/transcribe.ts').then((module) => module.transcribe),
  },
  {
    name: 'rate',
    about: 'people rate clips: sharpness, naturalness, comprehensibility; a gate for studies',
    load: () => import('./commands/rate.ts').then((module) => module.rate),
  },
  {
    name: 'perturb',
    about: 'perturb audio by a scenario or a list of steps',
    load: () => import('./commands/perturb.ts').then((module) => module.perturb),
  },
  {
    name: 'rooms',
    about: 'measure room impulse responses and classify them by severity',
    load: () => import('./commands/rooms.ts').then((module) => module.rooms),
  },
  {
    name: 'speak',
    about: 'synthesize speech from text',
    load: () => import('./commands/speak.ts').then((module) => module.speak),
  },
  {
    name: 'recognize',
    about: 'transcribe audio files',
    load: () => import('./commands/recognize.ts').then((module) => module.recognize),
  },
  {
    name: 'conformance',
    about: 'check a recognizer process of your own against the protocol',
    load: () => import('./commands/conform.ts').then((module) => module.conform),
  },
  {
    name: 'score',
    about: 'score hypotheses against references: counts, WER, CER',
    load: () => import('./commands/score.ts').then((module) => module.score),
  },
  {
    name: 'violations',
    about: "AequeVox's fairness violations in a table of distances between recognizers",
    load: () => import('./commands/violations.ts').then((module) => module.violations),
  },
  {
    name: 'grammar',
    about: 'check the sentences of grammars with a grammar checker',
    load: () => import('./commands/grammar.ts').then((module) => module.grammar),
  },
  {
    name: 'normalize',
    about: 'normalize text, line by line',
    load: () => import('./commands/normalize.ts').then((module) => module.normalize),
  },
  {
    name: 'store',
    about: 'list runs; export, merge, prune or repair the store',
    load: () => import('./commands/store.ts').then((module) => module.store),
  },
  {
    name: 'forget',
    about: "remove a speaker's audio, transcripts and measurements",
    load: () => import('./commands/forget.ts').then((module) => module.forget),
  },
  {
    name: 'list',
    about: 'list recognizers, scenarios, corpora, … with their options',
    load: () => import('./commands/list.ts').then((module) => module.list),
  },
  {
    name: 'doctor',
    about: 'show what is installed, what is missing and how to install it',
    load: () => import('./commands/doctor.ts').then((module) => module.doctor),
  },
  {
    name: 'completion',
    about: 'completion script for bash, zsh or fish',
    load: () => import('./commands/completion.ts').then((module) => module.completion),
  },
];
