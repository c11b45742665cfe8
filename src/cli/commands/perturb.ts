import { type Command, InvalidArgumentError } from 'commander';
import { EarwitnessError } from '../../base/errors.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import { printable } from '../../base/printable.ts';
import type { Condition } from '../../model/condition.ts';
import { readSteps } from '../../session/members/read-steps.ts';
import { findScenario } from '../../session/members/scenarios.ts';
import { createServices } from '../../session/services.ts';
import type { CliCommand } from '../command.ts';
import { printJson, say } from '../output.ts';
import { createPerturber, type PerturbedFile } from '../perturb-file.ts';
import { plannedFiles } from '../sound-file-plan.ts';
import { refuseExisting } from '../write-sound.ts';

interface Options {
  readonly scenario?: string;
  readonly steps?: string;
  readonly output: string;
  readonly seed: number;
  readonly draw: number;
  readonly float?: true;
  readonly force?: true;
  readonly json?: true;
}

/** `perturb IN --scenario NAME | --steps JSON -o OUT --seed N` */
export const perturb: CliCommand = {
  examples: [
    'perturb call.wav --scenario aequevox/noise:3 -o noisy.wav',
    'perturb calls/ --scenario aequevox/drop:2 -o lossy/ --seed 7',
    `perturb call.wav -o loud.wav \\
      --steps '[{"perturbation": "gain", "parameters": {"factor": 2}}]'`,
  ],
  configure(command: Command) {
    command
      .argument('<in>', 'a sound file, or a folder of them')
      .option('--scenario <name>', 'a named condition (earwitness list scenarios)')
      .option('--steps <json>', 'a list of {"perturbation": …, "parameters": {…}}')
      .requiredOption('-o, --output <path>', 'the WAV file to write; for a folder, a folder')
      .option('--seed <number>', 'everything random is seeded from this', wholeNumber, 1)
      .option('--draw <number>', 'the same again with other random choices', wholeNumber, 0)
      .option('--float', 'write 32-bit floats, exactly what recognizers hear, instead of 16-bit integers')
      .option('--force', 'overwrite files that are there')
      .action(run);
  },
};

async function run(input: string, options: Options): Promise<void> {
  const condition = await conditionOf(options);
  const files = await plannedFiles(input, options.output);
  for (const { output } of files) await refuseExisting(output, options.force === true);

  const baseFolder = process.cwd();
  const services = createServices({ baseFolder });
  const perturbFile = await createPerturber({
    sounds: services.sounds,
    condition,
    seed: options.seed,
    draw: options.draw,
    format: options.float ? 'f32' : 's16',
    baseFolder,
  });
  const results: Json[] = [];
  let failed = 0;
  for (const file of files) {
    try {
      const done = await perturbFile(file.input, file.output);
      results.push({ input: file.input, output: file.output, ...done } as unknown as JsonObject);
      say(summary(file.output, done));
    } catch (error) {
      // A lone file's error is the command's; one of many does not stop the others.
      if (!(error instanceof EarwitnessError) || files.length === 1) throw error;
      failed++;
      results.push({ input: file.input, output: null, failure: error.message });
      say(printable(error.message, 1000));
    }
  }
  await services.close();
  if (options.json) {
    const { seed, draw } = options;
    await printJson({ condition: condition as unknown as JsonObject, seed, draw, files: results });
  }
  if (failed > 0) throw new EarwitnessError('bad-input', `${failed} of ${files.length} files were not changed`);
}

async function conditionOf(options: Options): Promise<Condition> {
  if ((options.scenario === undefined) === (options.steps === undefined)) {
    throw new EarwitnessError(
      'bad-usage',
      `expected either --scenario or --steps, but got ${options.scenario === undefined ? 'neither' : 'both'}`,
    );
  }
  if (options.scenario !== undefined) return findScenario(options.scenario);
  return { name: 'steps', steps: await readSteps(options.steps!, process.cwd()) };
}

function summary(output: string, { measurement }: PerturbedFile): string {
  const level = measurement.levelDbfs === null ? 'silent' : `${measurement.levelDbfs.toFixed(1)} dBFS`;
  const facts = measurement.facts.length === 0 ? '' : `\n    ${printable(JSON.stringify(measurement.facts), 600)}`;
  return `${printable(output)}: ${measurement.durationSeconds.toFixed(2)} s, ${level}, ${(100 * measurement.clippedShare).toFixed(2)} % clipped${facts}`;
}

function wholeNumber(text: string): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(value))
    throw new InvalidArgumentError('expected a whole number of at least 0.');
  return value;
}
