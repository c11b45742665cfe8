import { access, constants, mkdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from 'commander';
import type { Clip } from '../../audio/clip.ts';
import { encodeWav } from '../../audio/encode-wav.ts';
import { resample } from '../../audio/resample.ts';
import { badInput, badUsage } from '../../base/errors.ts';
import { asJson } from '../../base/json.ts';
import { languageTag } from '../../base/language-tag.ts';
import { temporaryFolder } from '../../base/on-disk.ts';
import { printable } from '../../base/printable.ts';
import type { SoundFiles } from '../../decoders/contract.ts';
import { embedderChecks } from '../../embedders/shared/embedding-process.ts';
import { predictorChecks } from '../../predictors/shared/predicting-process.ts';
import { type ProgramTrial, recognizerChecks } from '../../recognizers/shared/program/check-program.ts';
import { createServices } from '../../session/open/services.ts';
import { speakerChecks } from '../../synthesizers/shared/speaker-options.ts';
import { checkProcess, type ProcessCheck } from '../../system/check-process.ts';
import { processTasks } from '../../system/line-process.ts';
import { workerVariables } from '../../system/named-program.ts';
import { pythonScript } from '../../system/python.ts';
import { type ProgramStart, programEnvironment } from '../../system/run-program.ts';
import type { CliCommand } from '../command.ts';
import type { Flag, FlagsOf } from '../flags.ts';
import { channelsArgument, seconds } from '../options.ts';
import { print, printJson, say } from '../output.ts';

const flags = [
  ['--does <task>', 'what the program does', { choices: processTasks, default: 'recognize' }],
  ['--audio <files...>', 'two audio files to check it with, best with speech'],
  [
    '--channels <which>',
    'of audio files with several channels: 1 (left), 2 (right), … or mean (mixed)',
    { read: channelsArgument },
  ],
  ['-l, --language <tag>', 'spoken language (BCP 47 tag)', { default: 'en' }],
  [
    '--start-limit <seconds>',
    'max seconds until it introduces itself and has loaded its model',
    { read: seconds, default: 300 },
  ],
  ['--time-limit <seconds>', 'max seconds until it answers', { read: seconds, default: 300 }],
  ['--environment <names...>', 'environment variables that it may see, besides PATH, HOME, LANG, LC_ALL, TMPDIR'],
  ['--python <path>', 'Python that has the packages of a script that imports earwitness'],
] as const satisfies readonly Flag[];

type Options = FlagsOf<typeof flags>;

/** `conformance -- PROGRAM [ARGUMENTS]`, `conformance SCRIPT.py` */
export const conform: CliCommand = {
  examples: [
    'conformance -- ./my-recognizer',
    'conformance my_model.py --python .venv/bin/python',
    'conformance --audio a.wav b.wav -- ./my-recognizer --fast',
    'conformance --does embed -- ./my-embedder',
  ],
  notes:
    'The protocol is in docs/protocol.md. A Python file that is not executable, or with --python, is started as `type: python` does, and may import earwitness. "noted" is allowed and worth knowing; if anything is broken the exit code is 4. Without --audio the program is given tones, in which nobody speaks.',
  flags,
  configure(command: Command) {
    command.argument('<program...>', 'the program or Python file and its arguments, behind --').action(run);
  },
};

/** Whoever waits longer than this is told what for. */
const quietMs = 3000;

async function run(program: string[], options: Options): Promise<void> {
  const folder = temporaryFolder('conformance');
  const services = createServices({ baseFolder: process.cwd(), warn: say });
  const checks: ProcessCheck[] = [];
  let files = 0;
  let waiting: NodeJS.Timeout | undefined;
  try {
    await mkdir(folder, { recursive: true });
    const trial: ProgramTrial = {
      start: await startOf(program, options),
      clips: await clipsOf(options, services.sounds.read),
      language: languageTag(options.language, () => '--language'),
      answerLimitSeconds: options.timeLimit,
      at: resample,
      async wav(clip) {
        const path = join(folder, `${++files}.wav`);
        await writeFile(path, encodeWav(clip, { format: 's16' }));
        return path;
      },
    };
    const [first] = trial.clips;
    const begins = (what: string) => {
      clearTimeout(waiting);
      const limits = `--start-limit ${options.startLimit}, --time-limit ${options.timeLimit}`;
      waiting = setTimeout(() => say(`still waiting whether it ${what} (at most, in seconds: ${limits})`), quietMs);
    };
    const proved = {
      recognize: () => checkProcess(recognizerChecks(trial), options.startLimit, begins),
      speak: () =>
        checkProcess(speakerChecks({ ...trial, reference: () => trial.wav(first) }), options.startLimit, begins),
      embed: () => checkProcess(embedderChecks(trial), options.startLimit, begins),
      predict: () => checkProcess(predictorChecks(trial), options.startLimit, begins),
    };
    for await (const check of proved[options.does]()) {
      checks.push(check);
      if (options.json !== true) await print(lineOf(check));
    }
  } finally {
    clearTimeout(waiting);
    await services.close();
    await rm(folder, { recursive: true, force: true });
  }
  const broken = checks.filter(({ verdict }) => verdict === 'broken');
  if (options.json === true) await printJson({ conforms: broken.length === 0, checks: asJson(checks) });
  if (broken.length === 0) return;
  const [first] = broken;
  throw badInput(
    `expected a program that keeps the protocol, but ${broken.length} of ${checks.length} checks are broken; first make sure that it ${first!.what} (docs/protocol.md)`,
  );
}

async function startOf([program = '', ...given]: readonly string[], options: Options): Promise<ProgramStart> {
  const environment = programEnvironment(options.environment);
  const folder = process.cwd();
  if (options.python !== undefined || (program.endsWith('.py') && (await isScript(program))))
    return pythonScript({ python: options.python ?? 'python3', folder, environment }, program, given, 0, undefined);
  return { program, arguments: given, environment: { ...environment, ...workerVariables(0, undefined) } };
}

/** A file that cannot be started as a program: by its mode, or because a name without a slash is looked for in PATH. */
async function isScript(named: string): Promise<boolean> {
  if (!(await stat(named).catch(() => null))?.isFile()) return false;
  if (!named.includes('/')) return true;
  return access(named, constants.X_OK).then(
    () => false,
    () => true,
  );
}

const words = { kept: 'ok', broken: 'BROKEN', noted: 'noted', 'not tried': 'not tried' } as const;

function lineOf({ what, verdict, found }: ProcessCheck): string {
  return `${words[verdict].padEnd(10)}${what}${found === '' ? '' : `: ${printable(found, 1000)}`}\n`;
}

async function clipsOf({ audio: named, channels }: Options, read: SoundFiles['read']): Promise<readonly [Clip, Clip]> {
  if (named === undefined) return [beeps([1, 1, 0, 1, 0, 1]), beeps([0, 0, 1])];
  const [first, second, ...more] = named;
  if (first === undefined || second === undefined || more.length > 0)
    throw badUsage(`--audio: expected two audio files, but got ${named.length}`);
  if (channels === 'each')
    throw badUsage('--channels: expected one channel or mean, since two clips are given, but got each');
  const part = channels === undefined ? {} : { channel: channels };
  return [await read(first, part), await read(second, part)];
}

const sampleRate = 16_000;

/** Half a second of a tone where 1 stands, and of silence where 0 does. */
function beeps(halfSeconds: readonly number[]): Clip {
  const samples = Float32Array.from({ length: (halfSeconds.length * sampleRate) / 2 }, (_, at) => {
    const amplitude = halfSeconds[Math.floor((2 * at) / sampleRate)]! / 2;
    return amplitude * Math.sin((2 * Math.PI * 440 * at) / sampleRate);
  });
  return { samples, sampleRate };
}
