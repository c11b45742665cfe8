import { availableParallelism } from 'node:os';
import { extname } from 'node:path';
import type { Command } from 'commander';
import { badInput, badUsage } from '../../base/errors.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import { defaultSeed } from '../../base/random.ts';
import { atRate, type Condition, usualRateHz } from '../../model/trial.ts';
import {
  audioFolderForm,
  type CorpusSurvey,
  conditionFolders,
  discardForm,
  type ExportForm,
  exportColumns,
  soundFilesForm,
  splitNames,
} from '../../session/export/export-form.ts';
import { namedConditions } from '../../session/export/named-conditions.ts';
import { parquetForm } from '../../session/export/parquet-form.ts';
import { perturbCorpus, type SoundDone } from '../../session/export/perturb-corpus.ts';
import { loadMember } from '../../session/members/load-member.ts';
import { packageVersion } from '../../session/version.ts';
import type { CliCommand } from '../command.ts';
import type { Flag, FlagsOf } from '../flags.ts';
import { channelsArgument, channelsHelp, naturalNumber, wholeNumber } from '../options.ts';
import { print } from '../output.ts';
import { createPerturbProgress } from '../perturb-progress.ts';
import { collectMeasures, namedMeasures } from '../perturb-quality.ts';
import { openAttackSource, openPerturbSource, refuseOutputInside } from '../perturb-source.ts';
import { refuseOtherSound } from '../sound-files.ts';

const flags = [
  ['-c, --config <file>', 'perturb the corpus of a config instead'],
  ['--scenario <names>', 'named conditions, families or ladders (earwitness list scenarios); clean', collectNames],
  ['--steps <json>', 'a list of {"perturbation": …, "parameters": {…}}'],
  ['--channels <which>', channelsHelp, channelsArgument],
  ['-o, --output <path>', 'the WAV file to write; for several recordings or scenarios, a folder'],
  ['--export <form>', 'write a data set', { choices: ['audiofolder', 'parquet'] }],
  [
    '--discard',
    'make all clips but write none, to measure them',
    { conflicts: ['output', 'export', 'force', 'skipExisting'] },
  ],
  ['--seed <number>', "random seed (default: the config's, else 1)", naturalNumber],
  [
    '--draw <number>',
    'another number makes another version, with other random choices',
    { read: naturalNumber, default: 0 },
  ],
  [
    '--quality <measure>',
    'measure the clips: stoi, snr, dnsmos:models=FOLDER … (earwitness list quality)',
    collectMeasures,
  ],
  ['--workers <n>', 'number of threads (default: one per core)', wholeNumber],
  ['--float', 'write 32-bit floats, exactly what recognizers receive, instead of 16-bit integers'],
  ['--force', 'overwrite existing files'],
  ['--skip-existing', 'keep existing files that are the same'],
  [
    '--accept-no-derivatives',
    'write copies for your own use of recordings whose licence forbids sharing changed copies',
  ],
] as const satisfies readonly Flag[];

type Options = FlagsOf<typeof flags>;

/** `perturb IN --scenario NAME | --steps JSON -o OUT --seed N` */
export const perturb: CliCommand = {
  examples: [
    'perturb call.wav --scenario aequevox/noise:3 -o noisy.wav',
    'perturb calls/ --scenario aequevox/drop -o lossy/ --seed 7',
    `perturb test.tsv --scenario clean,aequevox/noise -o dataset/ \\
      --export parquet`,
    'perturb --config study.yaml --scenario aequevox --discard',
    'perturb calls/ --scenario srb/echo --discard --quality stoi,snr',
    `perturb call.wav -o loud.wav \\
      --steps '[{"perturbation": "gain", "parameters": {"factor": 2}}]'`,
  ],
  notes:
    'Several scenarios get a folder each. An interrupted command continues with --skip-existing. The samples are the same for any number of workers, and the same that recognizers receive in a run with this seed. The export forms are read by `load_dataset("OUT")` of Hugging Face datasets; ATTRIBUTION names the licences that manifests (column `licence`) and sound collections declare.',
  flags,
  configure(command: Command) {
    command.argument('[in]', 'an audio file, a folder of them, or a manifest (.tsv, .csv, .jsonl)').action(run);
  },
};

async function run(input: string | undefined, options: Options): Promise<void> {
  const { output } = options;
  if (output === undefined && !options.discard)
    throw badUsage('expected an output, but got none; name it with -o, or use --discard');
  if (options.export === 'parquet' && options.skipExisting)
    throw badUsage('a Parquet file is written whole or not at all; omit --skip-existing');
  const progressOf = (conditions: readonly Condition[]) => createPerturbProgress(process.stderr, conditions);
  const early = progressOf([]);
  const { scenario, steps } = options;
  // A config has ladders of its own; without one, a wrong name is met before any sound is looked for.
  const known = options.config === undefined ? await namedConditions(scenario, steps, [], process.cwd()) : null;
  await using source = await openPerturbSource(
    input,
    options.config,
    output ?? '',
    { portableNames: options.export !== undefined, channels: options.channels },
    early.warn,
  );
  const { baseFolder, config, loaded, oneFile } = source;
  const named = known ?? (await namedConditions(scenario, steps, loaded!.config.ladders, baseFolder));
  const rateHz = loaded?.config.perturbationRateHz ?? usualRateHz;
  const conditions = named.map((condition) => ({ ...condition, steps: atRate(condition.steps, rateHz) }));
  const attacks = options.config !== undefined && (await areMadeAgainst(conditions, baseFolder));
  if (input !== undefined && output !== undefined) await refuseOutputInside(input, output);
  const single = oneFile && conditions.length === 1 && options.export === undefined;
  if (output !== undefined && single) refuseOtherSound(output);
  if (output !== undefined && !single) refuseFileName(output, conditions.length);

  const seed = options.seed ?? loaded?.config.seed ?? defaultSeed;
  const { draw } = options;
  const progress = progressOf(conditions);
  const list = options.json ? openSoundList({ conditions: conditions as unknown as JsonObject[], seed, draw }) : null;
  const program = `earwitness ${packageVersion()}`;
  await perturbCorpus(
    {
      job: {
        baseFolder,
        config,
        ...(attacks && (await openAttackSource(options.config!))),
        conditions,
        seed,
        draw,
        quality: await namedMeasures(options.quality ?? [], loaded?.config.quality ?? [], baseFolder),
        format: options.float ? 'f32' : 's16',
        force: options.force === true,
      },
      utterances: source.utterances,
      form: (survey) => formOf(options, conditions, single, survey, { seed, draw }, program),
      folder: output === undefined || single ? null : output,
      attribution: options.export === undefined ? null : { program },
      skipExisting: options.skipExisting === true,
      workers: options.workers ?? loaded?.config.workers ?? availableParallelism(),
      licences: options.discard ? null : { acceptNoDerivatives: options.acceptNoDerivatives === true },
    },
    {
      begin: progress.begin,
      warn: progress.warn,
      async done(sound) {
        // A lone sound's error is the command's; one of many does not stop the others.
        if (sound.failure !== null && progress.sounds === 1) throw badInput(sound.failure);
        progress.done(sound);
        await list?.add(sound, conditions[sound.condition]!.name);
      },
    },
  );
  progress.end(single ? null : (output ?? null));
  await list?.end();
  if (progress.failed > 0) throw badInput(`${progress.failed} of ${progress.sounds} files were not changed`);
}

async function formOf(
  options: Options,
  conditions: readonly Condition[],
  single: boolean,
  survey: CorpusSurvey,
  chance: { readonly seed: number; readonly draw: number },
  program: string,
): Promise<ExportForm> {
  const { output, export: form } = options;
  if (output === undefined) return discardForm;
  if (form === undefined) {
    const folders = conditions.length === 1 ? null : conditionFolders(conditions);
    return soundFilesForm(output, folders, single ? output : null);
  }
  const columns = exportColumns(conditions, survey, chance);
  const splits = splitNames(conditions);
  return form === 'audiofolder'
    ? audioFolderForm(output, splits, columns)
    : parquetForm(output, splits, columns, program);
}

/** Whether a recognizer is asked to make the audio of some. */
async function areMadeAgainst(conditions: readonly Condition[], baseFolder: string): Promise<boolean> {
  for (const { steps } of conditions) {
    for (const { perturbation, parameters } of steps) {
      if (!Object.hasOwn(parameters, 'source')) continue;
      if ((await loadMember('perturbations', perturbation, baseFolder)).member.adversarial) return true;
    }
  }
  return false;
}

function refuseFileName(output: string, conditions: number): void {
  const ending = extname(output).toLowerCase();
  if (!['.wav', '.flac', '.mp3', '.ogg', '.parquet'].includes(ending)) return;
  const what = conditions > 1 ? `the scenario stands for ${conditions}, and ` : '';
  throw badUsage(`${what}${output} is named like a file; expected a folder for several recordings`);
}

/** The answer of `perturb --json`, printed as it comes: a corpus under a hundred conditions fits into no memory. */
interface SoundList {
  add(sound: SoundDone, condition: string): Promise<void>;
  end(): Promise<void>;
}

/** @param head members that stand before the list `files` */
function openSoundList(head: JsonObject & { readonly conditions: readonly Json[] }): SoundList {
  let begun = false;
  const begin = async () => {
    if (begun) return;
    begun = true;
    await print(`${JSON.stringify(head).slice(0, -1)},"files":[`);
  };
  let first = true;
  return {
    async add({ utterance, output, measurement, failure, skipped }, condition) {
      await begin();
      const { id, sound } = utterance.utterance;
      const input = sound !== undefined && 'file' in sound ? sound.file : null;
      const entry = { id, input, condition, output, ...(failure === null ? { measurement, skipped } : { failure }) };
      await print(`${first ? '' : ','}\n${JSON.stringify(entry)}`);
      first = false;
    },
    async end() {
      await begin();
      await print('\n]}\n');
    },
  };
}

/**
 * The conditions that a command line names: scenarios, families, whole ladders and `clean`, each once and in their order, or
 * one list of steps.
 *
 * @param own ladders of the config
 * @throws EarwitnessError `bad-usage`: neither, both, wrong steps; `bad-config`: no such scenario
 */

/** For commander: names one after the other, and in lists with commas. */
function collectNames(text: string, before: readonly string[] = []): string[] {
  const names = text.split(',').map((name) => name.trim());
  return [...before, ...names.filter((name) => name !== '')];
}
