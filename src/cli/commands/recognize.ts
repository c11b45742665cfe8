import { stat } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import type { Command } from 'commander';
import { durationSeconds } from '../../audio/clip.ts';
import { systemClock } from '../../base/clock.ts';
import { badInput, badUsage, EarwitnessError, messageOf } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json.ts';
import { languageTag } from '../../base/language-tag.ts';
import { timeLeft } from '../../base/number-format.ts';
import { printable } from '../../base/printable.ts';
import { createRandom } from '../../base/random.ts';
import { type CorpusChannels, heardParts } from '../../corpora/shared/with-channels.ts';
import type { SoundFiles } from '../../decoders/contract.ts';
import { backoffSeconds } from '../../engine/ask-trial.ts';
import {
  type Failure,
  failuresInWords,
  type ObservationTiming,
  processorTime,
  type Transcript,
} from '../../model/observation.ts';
import { RecognitionError, type Recognizer } from '../../recognizers/contract.ts';
import { writePersonal } from '../../session/export/write-whole.ts';
import { loadSpec, openRecognizer } from '../../session/open/parse-spec.ts';
import { createServices } from '../../session/open/services.ts';
import { createProcessorMeter, ownProcessorSeconds } from '../../system/processor-time.ts';
import type { CliCommand } from '../command.ts';
import type { Flag, FlagsOf } from '../flags.ts';
import { channelsArgument, channelsHelp, seconds } from '../options.ts';
import { print, printJson, printLine, say } from '../output.ts';
import { type TranscriptForm, transcriptText } from '../recognize/transcript-form.ts';
import { refuseExisting, soundFilesOf } from '../sound-files.ts';

const flags = [
  [
    '-r, --recognizer <spec>',
    'type, type:option=value,…, type:{"option": value}, whisper:MODEL or ./program',
    { required: true },
  ],
  ['-l, --language <tag>', 'spoken language (BCP 47 tag)', { default: 'en' }],
  ['--time-limit <seconds>', 'max wait for one transcript', { read: seconds, default: 300 }],
  ['--channels <which>', channelsHelp, channelsArgument],
  ['--ctm', 'words with times and confidences for scoring programs (NIST)'],
  ['-o, --output <folder>', 'write one file per recording, with its name, instead of printing'],
  ['--force', 'overwrite existing files'],
] as const satisfies readonly Flag[];

type Options = FlagsOf<typeof flags>;

/** `recognize FILES... --recognizer SPEC` */
export const recognize: CliCommand = {
  examples: [
    'recognize call.wav --recognizer pocketsphinx',
    'recognize *.flac -r pocketsphinx:beams=narrow --ctm -o words',
    'recognize recordings/ -r pocketsphinx:mode=streaming --json',
  ],
  notes:
    'A recognizer that is too busy, or cannot be reached, is called up to four times, after the wait that it asks for, within --time-limit. A file that cannot be transcribed is reported on stderr and does not stop the others; the exit code is then 4. It is 11 if no words were recognized in any file.',
  flags,
  configure(command: Command) {
    command.argument('<files...>', 'audio files, or folders of them').action(run);
  },
};

async function run(places: string[], options: Options): Promise<void> {
  const files = await filesOf(places);
  const baseFolder = process.cwd();
  const spec = await loadSpec('recognizers', options.recognizer, baseFolder);
  const services = createServices({ baseFolder, warn: say, progress: say });
  const heard = await heardOf(files, options.channels, services.sounds);
  const form = options.ctm ? 'ctm' : 'txt';
  if (options.ctm && options.json && options.output === undefined)
    throw badUsage('expected one of --json and --ctm, but got both; they go together where --output takes the words');
  const names = heard.map(({ name }) => name);
  const outputs = options.output === undefined ? null : transcriptFiles(names, options.output, form);
  for (const path of outputs?.values() ?? []) await refuseExisting(path, options.force === true);
  const { recognizer, description } = await openRecognizer(spec, services.recognizer);
  const asking = {
    recognizer,
    input: description.input,
    usesProcessor: description.usesProcessor,
    // What has no process of its own computes elsewhere, or tells the time of its processes itself.
    processor: createProcessorMeter(() =>
      spec.member.isolation === 'process' ? ownProcessorSeconds(spec.moduleHash !== null) : null,
    ),
    sounds: services.sounds,
    language: languageTag(options.language, () => '--language'),
    timeLimitSeconds: options.timeLimit,
  };
  const answers: FileAnswer[] = [];
  let untold = 0;
  try {
    for (const sound of heard) {
      const answer = await answerFile(sound, asking);
      answers.push(answer);
      if (answer.failure) say(failureLine(sound.name, answer.failure));
      else if (!(await tell(answer, form, outputs, heard.length, options.json === true))) untold++;
    }
  } finally {
    await recognizer.close();
    await services.close();
  }
  if (options.json) {
    await printJson({
      recognizer: { type: spec.type, identity: description.identity },
      answers: answers as unknown as JsonObject[],
    });
  }
  const failed = untold + answers.filter(({ failure }) => failure).length;
  const silent = answers.filter(({ transcript }) => transcript && !/[\p{L}\p{N}]/u.test(transcript.text));
  const allSilent = silent.length > 0 && silent.length === answers.length;
  if (silent.length > 0 && !allSilent)
    say(`no words were recognized in ${silent.length} of ${heard.length} files: ${someFiles(silent)}`);
  if (failed > 0) {
    const have = heard.length === 1 ? 'file has' : 'files have';
    throw badInput(`${failed} of ${heard.length} ${have} no transcript`);
  }
  if (allSilent) {
    const [where, them] = heard.length === 1 ? ['', 'it'] : [`any of the ${heard.length} files: `, 'them'];
    throw new EarwitnessError(
      'nothing-answered',
      `no words were recognized in ${where}${someFiles(silent)}; check that there is speech in ${them}, and that a program prints its transcript to stdout`,
    );
  }
}

const maxNamed = 5;

function someFiles(answers: readonly FileAnswer[]): string {
  const named = answers.slice(0, maxNamed).map(({ file }) => printable(file, 200));
  return `${named.join(', ')}${answers.length > maxNamed ? ` and ${answers.length - maxNamed} more` : ''}`;
}

/** Sound files, and those in folders; what is not there is told with the other files' failures. */
async function filesOf(places: readonly string[]): Promise<readonly string[]> {
  const files: string[] = [];
  const [only = ''] = places.length === 1 ? places : [];
  if (/\.(?:csv|tsv|tab|jsonl|ndjson|json|scp)$/i.test(only)) {
    throw badInput(
      `${printable(only)}: expected audio files, or folders of them, but this is a list; a run reads lists of recordings: earwitness run LIST --recognizer SPEC`,
    );
  }
  for (const place of places) {
    const found = await stat(place).catch(() => null);
    files.push(...(found?.isDirectory() ? (await soundFilesOf(place)).files : [place]));
  }
  return files;
}

/** Prints or writes a transcript; says why, where it cannot stand in this form, and gives false. */
async function tell(
  { file, transcript }: FileAnswer,
  form: TranscriptForm,
  outputs: ReadonlyMap<string, string> | null,
  files: number,
  json: boolean,
): Promise<boolean> {
  try {
    const path = outputs?.get(file);
    if (path !== undefined) await writePersonal(path, transcriptText(file, transcript!, form));
    // With several files each line says whose it is; a lone transcript stands for itself.
    else if (json) return true;
    else if (form === 'txt' && files > 1)
      await printLine(`${printable(file)}\t${printable(transcript!.text, 100_000)}`);
    else await print(transcriptText(file, transcript!, form));
    return true;
  } catch (error) {
    if (!(error instanceof EarwitnessError)) throw error;
    say(printable(messageOf(error), 1000));
    return false;
  }
}

/** Messages about sounds begin with the file themselves. */
function failureLine(file: string, { kind, message }: Failure): string {
  return printable(message.startsWith(`${file}:`) ? message : `${file}: ${failuresInWords[kind]}: ${message}`, 1000);
}

/**
 * The file that each sound's transcript goes into: its name, with the ending of the form, in the folder.
 *
 * @throws EarwitnessError `bad-usage` where two sounds have one name
 */
export function transcriptFiles(
  sounds: readonly string[],
  folder: string,
  form: TranscriptForm,
): ReadonlyMap<string, string> {
  const bySound = new Map<string, string>();
  const byFile = new Map<string, string>();
  for (const sound of sounds) {
    const [, path = sound, channel = ''] = /^(.*\.\w+)(#\d+)$/s.exec(sound) ?? [];
    const file = join(folder, `${basename(path, extname(path))}${channel}.${form}`);
    const other = byFile.get(file);
    if (other !== undefined) throw badUsage(`${other} and ${sound} would both be written to ${file}; rename one`);
    byFile.set(file, sound);
    bySound.set(sound, file);
  }
  return bySound;
}

/** A file, or one channel of it. */
interface Heard {
  /** The path, and of channels that are heard by themselves which one: `call.wav#2`. */
  readonly name: string;
  readonly path: string;
  readonly channel?: number | 'mean';
}

async function heardOf(
  files: readonly string[],
  channels: CorpusChannels | undefined,
  sounds: SoundFiles,
): Promise<readonly Heard[]> {
  const heard: Heard[] = [];
  for (const path of files) {
    const parts = await heardParts(path, channels, sounds);
    heard.push(...parts.map(({ suffix, ...part }) => ({ name: `${path}${suffix}`, path, ...part })));
  }
  return heard;
}

/** What one file gave. */
interface FileAnswer {
  readonly file: string;
  /** Null where it could not be read, or was not heard. */
  readonly soundSeconds: number | null;
  readonly transcript?: Transcript;
  readonly failure?: Failure;
  readonly timing: Omit<ObservationTiming, 'calls'>;
}

/** How a file is to be heard. */
interface Asking {
  readonly recognizer: Recognizer;
  readonly input: 'sound' | 'names';
  readonly usesProcessor: boolean;
  readonly processor: ReturnType<typeof createProcessorMeter>;
  readonly sounds: SoundFiles;
  readonly language: string;
  readonly timeLimitSeconds: number;
}

/** As often as a run asks where nobody says another number. */
const attempts = 4;

/**
 * Reads a file and lets the recognizer hear it, again where that can help, when the service says and within the time limit. Whatever goes
 * wrong is this file's failure, and no exception.
 */
async function answerFile({ name: file, path, channel }: Heard, asking: Asking): Promise<FileAnswer> {
  const { recognizer, input, usesProcessor, processor, sounds, language, timeLimitSeconds } = asking;
  let soundSeconds: number | null = null;
  let begin = performance.now();
  const elapsed = () => (performance.now() - begin) / 1000;
  const endsAtMs = begin + timeLimitSeconds * 1000;
  const signal = AbortSignal.timeout(timeLimitSeconds * 1000);
  try {
    const clip =
      input === 'sound' ? await sounds.read(path, channel === undefined ? undefined : { channel }) : undefined;
    soundSeconds = clip ? durationSeconds(clip) : null;
    const request = { utteranceId: file, conditionName: 'clean', repeat: 0, language };
    for (let calls = 1; ; calls++) {
      begin = performance.now();
      try {
        const asked = clip ? { ...request, clip } : request;
        const processorSeconds = processor.begin();
        const { timing = {}, ...transcript } = await recognizer.recognize(asked, signal);
        const { stream, processorSeconds: told = processorSeconds() } = timing;
        const took = { seconds: elapsed(), ...processorTime(told, usesProcessor), ...(stream && { stream }) };
        return { file, soundSeconds, transcript, timing: took };
      } catch (error) {
        const canHelp = error instanceof RecognitionError && error.retryable && calls < attempts && !signal.aborted;
        if (!canHelp) throw error;
        const wait = backoffSeconds(calls, createRandom({ file, calls }), error.retryAfterSeconds);
        if (performance.now() + wait * 1000 >= endsAtMs) {
          const left = `to ask again in ${timeLeft(wait)} would be past the --time-limit of ${timeLimitSeconds} s`;
          throw new RecognitionError(error.kind, `${error.message}; ${left}`);
        }
        say(`${failureLine(file, failureOf(error))}; asking again in ${timeLeft(wait)}`);
        await systemClock.sleep(wait * 1000, signal);
      }
    }
  } catch (error) {
    const failure: Failure = signal.aborted
      ? { kind: 'timeout', message: `no answer within ${timeLimitSeconds} seconds` }
      : failureOf(error);
    return { file, soundSeconds, failure, timing: { seconds: elapsed() } };
  }
}

function failureOf(error: unknown): Failure {
  if (error instanceof RecognitionError) return { kind: error.kind, message: error.message };
  const isBadSound = error instanceof EarwitnessError && error.code === 'bad-input';
  return { kind: isBadSound ? 'sound' : 'error', message: messageOf(error) };
}
