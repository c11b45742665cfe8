import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, extname, join, relative, resolve } from 'node:path';
import type { Command } from 'commander';
import { badInput, badUsage, EarwitnessError, type ErrorCode } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json.ts';
import { printable } from '../../base/printable.ts';
import { configNames, findConfig, loadConfig } from '../../session/config/load-config.ts';
import { namedRecognizers } from '../../session/open/parse-spec.ts';
import type { CliCommand } from '../command.ts';
import { applyTrust, executeRun, startFlags } from '../execute-run.ts';
import { collected, type Flag, type FlagsOf } from '../flags.ts';
import type { NewConfig } from '../new-config.ts';
import { channelsArgument, channelsHelp, recognizerHelp, wholeNumber } from '../options.ts';
import { namedCommand, sayWrapped } from '../output.ts';
import { createDoingLine } from '../progress/lines.ts';
import type { ChosenRecognizers } from '../suggest-config.ts';

const flags = [
  ['-r, --recognizer <spec>', `with recordings: ${recognizerHelp}`, collected],
  ['--noise', 'with recordings: add white noise at 20 and 10 dB SNR'],
  ['--telephone', 'with recordings: add two telephone codecs'],
  ['-l, --language <tag>', 'with recordings: spoken language (BCP 47 tag)'],
  ['--channels <which>', `with recordings: ${channelsHelp}`, channelsArgument],
  [
    '--reference-column <name>',
    'with recordings: table column, or folder of texts, of the references, where several may be',
  ],
  ['--tier <name>', 'with recordings: tier of the words, of TextGrid or ELAN files with several'],
  ['--partial', 'with recordings: go on with what can be used, where most audio, the references or a file cannot'],
  ['-c, --config <file>', 'the config (default: earwitness.config.* in this folder)'],
  ['--new', 'begin a new run; stored answers are reused', { conflicts: ['fresh', 'retryFailed'] }],
  ['--fresh', 'begin a new run that ignores stored answers', { conflicts: ['retryFailed'] }],
  ['--retry-failed', 'begin a run that retries what failed in the last finished one'],
  ...startFlags,
  [
    '--preview',
    'try 10 utterances, of as many speakers as possible, and estimate the rest',
    { conflicts: ['limit', 'fresh', 'retryFailed'] },
  ],
  [
    '--dry-run',
    'recognize nothing: say which recognitions are due, what must be synthesized or perturbed, and what is stored already',
    { conflicts: ['preview'] },
  ],
  ['--limit <n>', 'only the first n utterances', wholeNumber],
] as const satisfies readonly Flag[];

type Options = FlagsOf<typeof flags>;

/** `run [RECORDINGS --recognizer SPEC] [--config FILE]` */
export const run: CliCommand = {
  examples: [
    'run recordings --recognizer whisper:base --noise --preview',
    'run',
    'run --preview',
    'run --dry-run',
    'run --config study.yaml --limit 20',
    'run --fresh --no-sound --json > report.json',
  ],
  notes:
    'With recordings, first writes the config that it then uses; without, uses the existing one. Continues an unfinished run of the same config. Ctrl-C stops after the calls in flight; a second Ctrl-C ends those too.',
  flags,
  configure(command: Command) {
    command.argument('[recordings]', 'folder of recordings, or a manifest: a config is written and used').action(start);
  },
};

async function start(recordings: string | undefined, options: Options): Promise<void> {
  applyTrust(options);
  const config = recordings === undefined ? null : await writtenConfig(recordings, options);
  const mode = options.new ? 'new' : options.fresh ? 'fresh' : options.retryFailed ? 'retry-failed' : 'continue';
  let answered = false;
  const onAnswered = () => {
    answered = true;
  };
  try {
    const loaded = await loadConfig(config?.file ?? givenConfig(options));
    if (options.dryRun) {
      const { printDryRun } = await import('../dry-run.ts');
      const { limit = null, executor = null, workers = null, json = false } = options;
      const request = { mode, resume: null, limit, preview: null, executor, workers, sound: false } as const;
      return await printDryRun(loaded, request, json);
    }
    await executeRun(loaded, { mode, resume: null }, { ...options, onAnswered });
  } catch (error) {
    // What was stopped, or broke, goes on with its config.
    const refused = error instanceof EarwitnessError && fruitless.includes(error.code);
    if (config?.written && !answered && refused) await takeBack(config.file, config.text);
    throw error;
  }
}

/** Why nothing came of a config: another is to be tried. */
const fruitless: readonly ErrorCode[] = ['bad-config', 'bad-input', 'missing-program', 'nothing-answered'];

/** Removes a config of which nothing came, so that another can be written; not where somebody has edited it. */
async function takeBack(file: string, text: string): Promise<void> {
  if ((await readFile(file, 'utf8').catch(() => null)) !== text) return;
  await rm(file);
  sayWrapped(`Removed ${printable(basename(file))} again, so that you can choose other recognizers.`);
}

function givenConfig({ config, recognizer, noise, telephone, language }: Options): string {
  const [alone] =
    Object.entries({ recognizer, noise, telephone, language }).find(([, value]) => value !== undefined) ?? [];
  if (alone === undefined) return config ?? findConfig(process.cwd());
  throw badUsage(
    `expected recordings beside --${alone}, as in: earwitness run recordings --recognizer pocketsphinx --noise; edit the config to change what it says`,
  );
}

const usualConfig = 'earwitness.config.yaml';

/** A config for recordings that somebody named. */
interface RecordingsConfig {
  readonly file: string;
  readonly text: string;
  /** By this command; else it was there. */
  readonly written: boolean;
}

/** Writes the config of recordings that somebody named, or finds it as it would be written. */
async function writtenConfig(recordings: string, options: Options): Promise<RecordingsConfig> {
  if (await isConfig(recordings)) {
    const shown = printable(recordings, 100);
    throw badUsage(`expected recordings or a manifest, but ${shown} is a config; run it with --config ${shown}`);
  }
  const file = resolve(options.config ?? usualConfig);
  const format = extname(file) === '.ts' ? 'ts' : 'yaml';
  if (!['.ts', '.yaml', '.yml'].includes(extname(file))) {
    throw badUsage(
      `expected a name for the config that ends in .yaml or .ts, but got ${printable(options.config!)}; a config is written for recordings`,
    );
  }
  const folder = dirname(file);
  const other = options.config === undefined ? configNames.filter((name) => existsSync(join(folder, name))) : [];
  if (other.some((name) => name !== usualConfig)) throw otherConfig(other[0]!);

  using line = createDoingLine(process.stderr);
  // A run of a config that is there needs none of this, and would load half of the program for it.
  const [{ examineRecognizers }, { proposeRecognizers }, newConfig] = await Promise.all([
    import('../examine-machine.ts'),
    import('../suggest-recognizers.ts'),
    import('../new-config.ts'),
  ]);
  const { findMaterial, newConfigLines, newConfigText, writeNewConfig } = newConfig;
  const path = relative(folder, resolve(recordings)) || '.';
  const { recognizer } = options;
  const named = recognizer === undefined ? null : await namedRecognizers(recognizer, folder);
  const found = await findMaterial(path, options, folder, line.doing);
  line.doing('looking for recognizers on this machine');
  const { chosen, offers } =
    named === null ? await proposeRecognizers(await examineRecognizers(folder), folder) : { chosen: named, offers: [] };
  line.clear();
  if (found.material.kind !== 'recordings') {
    throw badInput(
      found.material.kind === 'transcripts'
        ? `${printable(recordings)}: expected recordings (wav, flac, mp3, ogg, …), but found transcripts alone; write a config for them: earwitness init ${printable(recordings)}, or compare them without: ${found.material.survey.quickWay}`
        : `${printable(recordings)}: expected recordings (wav, flac, mp3, ogg, …), but found none; name the folder that holds them`,
    );
  }
  for (const line of [...found.lines, ...offers]) sayWrapped(line);
  const conditions = (['noise', 'telephone'] as const).filter((name) => options[name]);
  const config = { material: found.material, recognizers: chosen, conditions, format, folder } as const;
  for (const line of newConfigLines(config)) sayWrapped(line);
  const text = await newConfigText(config);
  const shown = options.config ?? usualConfig;
  const before = await readFile(file, 'utf8').catch(() => null);
  const written = before === null;
  if (before !== null && before !== text) {
    const more = recognizer === undefined ? null : await withMore(before, config);
    if (more === null) throw otherConfig(shown, recognizer === undefined ? {} : chosen);
    await writeFile(file, more);
    sayWrapped(`Added ${Object.keys(chosen).join(' and ')} to ${shown}.`);
    return { file, text: more, written };
  }
  if (!written) {
    sayWrapped(`${shown} already exists as this command writes it, and is used.`);
  } else {
    await writeNewConfig(file, text);
    sayWrapped(`Wrote ${shown}: from now on \`${namedCommand('run', { config: options.config })}\` does the same.`);
  }
  return { file, text, written };
}

/**
 * A config that this command wrote for the same recordings, with recognizers added.
 *
 * @returns null where it is another, somebody has edited it, or a recognizer of such a name is there
 */
async function withMore(before: string, config: NewConfig): Promise<string | null> {
  if (config.format !== 'yaml') return null;
  const [{ newConfigText }, { parse }] = await Promise.all([import('../new-config.ts'), import('yaml')]);
  try {
    const written: { readonly recognizers: Readonly<Record<string, { readonly type: string } & JsonObject>> } =
      parse(before);
    const there = Object.fromEntries(
      Object.entries(written.recognizers).map(([name, { type, ...options }]) => [name, { type, options }]),
    );
    const isTaken = Object.keys(config.recognizers).some((name) => Object.hasOwn(there, name));
    if (isTaken || before !== (await newConfigText({ ...config, recognizers: there }))) return null;
    return await newConfigText({ ...config, recognizers: { ...there, ...config.recognizers } });
  } catch {
    // It is said that it differs, and to whoever runs it what is wrong in it.
    return null;
  }
}

/** No manifest ends as most configs do; one in JSON is known by what it holds, as manifests of lines of JSON end so too. */
async function isConfig(path: string): Promise<boolean> {
  if (/\.config\.json$|\.(ya?ml|[cm]?[jt]s)$/.test(path)) return true;
  if (!path.endsWith('.json')) return false;
  try {
    const { corpus, recognizers } = JSON.parse(await readFile(path, 'utf8')) as Partial<Record<string, unknown>>;
    return typeof (corpus ?? recognizers) === 'object';
  } catch {
    return false;
  }
}

function otherConfig(name: string, named: ChosenRecognizers = {}): EarwitnessError {
  const entries = Object.entries(named).map(
    ([own, { type, options }]) => `${own}: ${JSON.stringify({ type, ...options })}`,
  );
  const add =
    entries.length === 0
      ? ''
      : `to add what you named, write under its recognizers: ${printable(entries.join(', '), 300)}; or `;
  return badInput(
    `${printable(name)} already exists and differs; ${add}use it with \`earwitness run\` alone, remove it, or write another with --config NAME.yaml`,
  );
}
