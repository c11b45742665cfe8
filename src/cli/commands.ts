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
    about: 'write a commented config, asking little',
    load: () => import('./commands/init.ts').then((module) => module.init),
  },
  {
    name: 'run',
    about: 'ask the recognizers and report; goes on where it was stopped',
    load: () => import('./commands/run.ts').then((module) => module.run),
  },
  {
    name: 'resume',
    about: 'go on with a run without its config',
    load: () => import('./commands/resume.ts').then((module) => module.resume),
  },
  {
    name: 'report',
    about: 'what a finished run found, again',
    load: () => import('./commands/report.ts').then((module) => module.report),
  },
  {
    name: 'compare',
    about: 'what changed between two runs, or two recognizers of one',
    load: () => import('./commands/compare.ts').then((module) => module.compare),
  },
  {
    name: 'bundle',
    about: 'everything of a finished run in one file that anybody can check',
    load: () => import('./commands/bundle.ts').then((module) => module.bundle),
  },
  {
    name: 'verify',
    about: 'check a bundle: hashes, times, and every number computed again',
    load: () => import('./commands/verify.ts').then((module) => module.verify),
  },
  {
    name: 'cases',
    about: 'failed cases of differential testing: verify, export, compare, repair',
    load: () => import('./commands/cases.ts').then((module) => module.cases),
  },
  {
    name: 'perturb',
    about: 'change sounds as a scenario or a list of steps says',
    load: () => import('./commands/perturb.ts').then((module) => module.perturb),
  },
  {
    name: 'rooms',
    about: 'measure room responses and class them by severity',
    load: () => import('./commands/rooms.ts').then((module) => module.rooms),
  },
  {
    name: 'speak',
    about: 'make speech from text',
    load: () => import('./commands/speak.ts').then((module) => module.speak),
  },
  {
    name: 'recognize',
    about: 'transcribe sound files',
    load: () => import('./commands/recognize.ts').then((module) => module.recognize),
  },
  {
    name: 'score',
    about: 'compare hypotheses with references: counts, WER, CER',
    load: () => import('./commands/score.ts').then((module) => module.score),
  },
  {
    name: 'violations',
    about: "AequeVox's fairness violations in a table of distances between recognizers",
    load: () => import('./commands/violations.ts').then((module) => module.violations),
  },
  {
    name: 'grammar',
    about: 'have sentences of grammars looked at by a grammar checker',
    load: () => import('./commands/grammar.ts').then((module) => module.grammar),
  },
  {
    name: 'normalize',
    about: 'normalize text, line by line',
    load: () => import('./commands/normalize.ts').then((module) => module.normalize),
  },
  {
    name: 'store',
    about: 'list runs; export, merge or prune what is stored',
    load: () => import('./commands/store.ts').then((module) => module.store),
  },
  {
    name: 'forget',
    about: "remove a person's sounds, transcripts and measurements",
    load: () => import('./commands/forget.ts').then((module) => module.forget),
  },
  {
    name: 'list',
    about: 'what there is: recognizers, scenarios, corpora, … with their options',
    load: () => import('./commands/list.ts').then((module) => module.list),
  },
  {
    name: 'doctor',
    about: 'what is installed, what is missing, how to get it',
    load: () => import('./commands/doctor.ts').then((module) => module.doctor),
  },
  {
    name: 'completion',
    about: 'completion script for bash, zsh or fish',
    load: () => import('./commands/completion.ts').then((module) => module.completion),
  },
];
