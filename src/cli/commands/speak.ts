import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import type { Command } from 'commander';
import { durationSeconds } from '../../audio/clip.ts';
import { EarwitnessError, fileProblem } from '../../base/errors.ts';
import { nearestName } from '../../base/nearest-name.ts';
import { printable, someOf } from '../../base/printable.ts';
import { loadSpec } from '../../session/members/parse-spec.ts';
import { createServices } from '../../session/services.ts';
import type { Voice } from '../../synthesizers/contract.ts';
import type { CliCommand } from '../command.ts';
import { printJson, say } from '../output.ts';
import { refuseExisting, refuseOtherSound, writeSound } from '../sound-files.ts';

interface Options {
  readonly file?: string;
  readonly synthesizer: string;
  readonly voice?: string;
  readonly output: string;
  readonly force?: true;
  readonly float?: true;
  readonly json?: true;
}

/** `speak TEXT | --file F --synthesizer SPEC --voice V -o OUT` */
export const speak: CliCommand = {
  examples: ['speak "hello world" --synthesizer flite --voice slt -o hello.wav'],
  configure(command: Command) {
    command
      .argument('[text]', 'the text to speak; - for stdin')
      .option('-f, --file <path>', 'read the text from a UTF-8 file instead')
      .requiredOption('-s, --synthesizer <spec>', 'type, type:option=value,… or type:{"option": value}')
      .option('-v, --voice <name>', 'voice of the synthesizer (default: its first)')
      .requiredOption('-o, --output <path>', 'the WAV file to write')
      .option('--float', 'write 32-bit floats instead of 16-bit integers')
      .option('--force', 'overwrite an existing file')
      .action(run);
  },
};

async function run(text: string | undefined, options: Options): Promise<void> {
  const words = await wordsOf(text, options.file);
  refuseOtherSound(options.output);
  await refuseExisting(options.output, options.force === true);
  const baseFolder = process.cwd();
  const spec = await loadSpec('synthesizers', options.synthesizer, baseFolder);
  const services = createServices({ baseFolder, warn: (message) => say(printable(message, 1000)) });
  const readiness = await spec.member.readiness?.(services.synthesizer);
  if (readiness && !readiness.ready) {
    const hint = readiness.install === undefined ? '' : `; install it with: ${readiness.install}`;
    throw new EarwitnessError(
      'missing-program',
      `${spec.type} does not work on this machine: ${readiness.found}${hint}`,
    );
  }
  const synthesizer = await spec.member.open(spec.options, services.synthesizer);
  try {
    const voice = chooseVoice(await synthesizer.voices(), options.voice);
    const clip = await synthesizer.speak(words, voice.name);
    await writeSound(options.output, clip, options.float ? 'f32' : 's16');
    const facts = {
      output: options.output,
      voice: voice.name,
      durationSeconds: durationSeconds(clip),
      sampleRate: clip.sampleRate,
    };
    if (options.json) await printJson({ ...facts, synthesizer: { type: spec.type, identity: synthesizer.identity } });
    else
      say(
        `${printable(options.output)}: ${facts.durationSeconds.toFixed(2)} s at ${clip.sampleRate} Hz, voice ${voice.name}`,
      );
  } finally {
    await synthesizer.close();
    await services.close();
  }
}

async function wordsOf(text: string | undefined, file: string | undefined): Promise<string> {
  if ((text === undefined) === (file === undefined)) {
    throw new EarwitnessError(
      'bad-usage',
      `expected either a text or --file, but got ${text === undefined ? 'neither' : 'both'}`,
    );
  }
  if (file === undefined && text !== '-') return text!;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(
      await (file === undefined ? buffer(process.stdin) : readFile(file)),
    );
  } catch (error) {
    const problem =
      error instanceof TypeError ? 'it has other bytes; save it as UTF-8' : `${fileProblem(error)}; check the path`;
    throw new EarwitnessError('bad-input', `${file ?? 'stdin'}: expected a text in UTF-8, but ${problem}`, {
      cause: error,
    });
  }
}

function chooseVoice(voices: readonly Voice[], name: string | undefined): Voice {
  const [first] = voices;
  if (first === undefined) throw new EarwitnessError('missing-program', 'the synthesizer has no voices; install one');
  if (name === undefined) return first;
  const found = voices.find((voice) => voice.name === name);
  if (found) return found;
  const names = voices.map((voice) => voice.name);
  const nearest = nearestName(name, names);
  const hint = nearest === null ? `expected one of ${someOf(names)}` : `did you mean "${nearest}"?`;
  throw new EarwitnessError('bad-usage', `unknown voice ${JSON.stringify(name)}; ${hint}`);
}
