import { type Command, InvalidArgumentError } from 'commander';
import { durationSeconds } from '../../audio/clip.ts';
import { EarwitnessError, messageOf } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json.ts';
import { printable } from '../../base/printable.ts';
import type { Failure, Transcript } from '../../model/observation.ts';
import { RecognitionError, type Recognizer } from '../../recognizers/contract.ts';
import { openRecognizer } from '../../session/members/open-recognizer.ts';
import { loadSpec } from '../../session/members/parse-spec.ts';
import { createServices, type Services } from '../../session/services.ts';
import type { CliCommand } from '../command.ts';
import { printJson, printLine, say } from '../output.ts';

interface Options {
  readonly recognizer: string;
  readonly language: string;
  readonly timeLimit: number;
  readonly json?: true;
}

interface Answer {
  readonly file: string;
  readonly soundSeconds: number | null;
  readonly transcript?: Transcript;
  readonly failure?: Failure;
  readonly seconds: number;
}

/** `recognize FILES... --recognizer SPEC` */
export const recognize: CliCommand = {
  examples: [
    'recognize call.wav --recognizer pocketsphinx',
    'recognize *.flac -r pocketsphinx:beam=1e-20,wordBeam=1e-10 --json',
  ],
  configure(command: Command) {
    command
      .argument('<files...>', 'sound files')
      .requiredOption('-r, --recognizer <spec>', 'type, type:option=value,… or type:{"option": value}')
      .option('-l, --language <tag>', 'BCP 47 tag of what is spoken', 'en')
      .option('--time-limit <seconds>', 'longest wait for one answer', seconds, 300)
      .action(run);
  },
};

async function run(files: string[], options: Options): Promise<void> {
  const baseFolder = process.cwd();
  const spec = await loadSpec('recognizers', options.recognizer, baseFolder);
  const services = createServices({ baseFolder, warn: say });
  const { recognizer, description } = await openRecognizer(spec, services.recognizer);
  const answers: Answer[] = [];
  try {
    for (const file of files) {
      const answer = await ask(recognizer, description.input, file, services, options);
      answers.push(answer);
      if (answer.failure) say(failureLine(file, answer.failure));
      else if (!options.json) await printLine(lineFor(file, answer.transcript!, files.length));
    }
  } finally {
    await recognizer.close();
    await services.close();
  }
  if (options.json) {
    await printJson({
      recognizer: { type: spec.type, identity: description.identity },
      answers: answers.map(({ seconds, ...answer }) => ({ ...answer, timing: { seconds } })) as unknown as JsonObject[],
    });
  }
  const failed = answers.filter(({ failure }) => failure).length;
  if (failed > 0) throw new EarwitnessError('bad-input', `${failed} of ${files.length} files have no transcript`);
}

/** Messages about sounds begin with the file themselves. */
function failureLine(file: string, { kind, message }: Failure): string {
  return printable(message.startsWith(`${file}:`) ? message : `${file}: ${kind}: ${message}`, 1000);
}

/** With several files each line says whose it is; a lone transcript stands for itself. */
function lineFor(file: string, { text }: Transcript, files: number): string {
  const line = printable(text, 100_000);
  return files === 1 ? line : `${printable(file)}\t${line}`;
}

async function ask(
  recognizer: Recognizer,
  input: 'sound' | 'names',
  file: string,
  services: Services,
  options: Options,
): Promise<Answer> {
  let soundSeconds: number | null = null;
  let begin = performance.now();
  const failed = (failure: Failure): Answer => ({
    file,
    soundSeconds,
    failure,
    seconds: (performance.now() - begin) / 1000,
  });
  try {
    const clip = input === 'sound' ? await services.sounds.read(file) : undefined;
    soundSeconds = clip ? durationSeconds(clip) : null;
    begin = performance.now();
    const signal = AbortSignal.timeout(options.timeLimit * 1000);
    const request = { utteranceId: file, conditionName: 'clean', repeat: 0, language: options.language };
    const transcript = await recognizer.recognize(clip ? { ...request, clip } : request, signal);
    return { file, soundSeconds, transcript, seconds: (performance.now() - begin) / 1000 };
  } catch (error) {
    if (error instanceof RecognitionError) return failed({ kind: error.kind, message: error.message });
    if (error instanceof EarwitnessError && error.code === 'bad-input') {
      return failed({ kind: 'sound', message: error.message });
    }
    if ((error as Error)?.name === 'TimeoutError') {
      return failed({ kind: 'timeout', message: `no answer within ${options.timeLimit} seconds` });
    }
    return failed({ kind: 'error', message: messageOf(error) });
  }
}

function seconds(text: string): number {
  const value = Number(text);
  if (!(value > 0 && value <= 86_400))
    throw new InvalidArgumentError('expected a number of seconds above 0, at most 86400.');
  return value;
}
