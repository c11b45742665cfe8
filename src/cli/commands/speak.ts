import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import type { Command } from 'commander';
import { durationSeconds } from '../../audio/clip.ts';
import { badInput, badUsage, fileProblem, missingProgram } from '../../base/errors.ts';
import { isInLanguage, languageTag, longestTag } from '../../base/language-tag.ts';
import { nearestName } from '../../base/nearest-name.ts';
import { printable, someOf } from '../../base/printable.ts';
import { loadSpec, requireReady } from '../../session/open/parse-spec.ts';
import { createServices } from '../../session/open/services.ts';
import type { Voice } from '../../synthesizers/contract.ts';
import type { CliCommand } from '../command.ts';
import type { Flag, FlagsOf } from '../flags.ts';
import { printJson, say } from '../output.ts';
import { refuseExisting, refuseOtherSound, writeSound } from '../sound-files.ts';

const flags = [
  ['-f, --file <path>', 'read the text from a UTF-8 file instead'],
  ['-s, --synthesizer <spec>', 'type, type:option=value,… or type:{"option": value}', { required: true }],
  ['-v, --voice <name>', 'voice of the synthesizer (default: one of the language)'],
  ['-l, --language <tag>', 'language of the text (BCP 47 tag; default: that of the voices, where all have one)'],
  ['-o, --output <path>', 'the WAV file to write', { required: true }],
  ['--float', 'write 32-bit floats instead of 16-bit integers'],
  ['--force', 'overwrite an existing file'],
] as const satisfies readonly Flag[];

type Options = FlagsOf<typeof flags>;

/** `speak TEXT | --file F --synthesizer SPEC --voice V -o OUT` */
export const speak: CliCommand = {
  examples: ['speak "hello world" --synthesizer flite --voice slt -o hello.wav'],
  flags,
  configure(command: Command) {
    command.argument('[text]', 'the text to speak; - for stdin').action(run);
  },
};

async function run(text: string | undefined, options: Options): Promise<void> {
  const words = await wordsOf(text, options.file);
  const language = options.language === undefined ? null : languageTag(options.language, () => '--language');
  refuseOtherSound(options.output);
  await refuseExisting(options.output, options.force === true);
  const baseFolder = process.cwd();
  const spec = await loadSpec('synthesizers', options.synthesizer, baseFolder);
  const services = createServices({ baseFolder, warn: (message) => say(printable(message, 1000)) });
  await requireReady(spec.member, services.synthesizer);
  const synthesizer = await spec.member.open(spec.options, services.synthesizer);
  try {
    const voice = chooseVoice(await synthesizer.voices(), options.voice, language);
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
    throw badUsage(`expected either a text or --file, but got ${text === undefined ? 'neither' : 'both'}`);
  }
  if (file === undefined && text !== '-') return text!;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(
      await (file === undefined ? buffer(process.stdin) : readFile(file)),
    );
  } catch (error) {
    const problem =
      error instanceof TypeError ? 'it has other bytes; save it as UTF-8' : `${fileProblem(error)}; check the path`;
    throw badInput(`${file ?? 'stdin'}: expected a text in UTF-8, but ${problem}`, {
      cause: error,
    });
  }
}

/**
 * The voice named; else one of the text's language: of the variety that is meant where none is told (`fr` is `fr-FR`, by CLDR's likely
 * subtags), else the first.
 *
 * @throws EarwitnessError `bad-usage`: no such voice, or one of another language; several languages, and none asked for
 */
function chooseVoice(listed: readonly Voice[], name: string | undefined, language: string | null): Voice {
  const voices = listed.map((voice) => ({ ...voice, language: longestTag(voice.language) }));
  const [first] = voices;
  if (first === undefined) throw missingProgram('the synthesizer has no voices; install one');
  const names = voices.map((voice) => voice.name);
  const languages = [...new Set(voices.map((voice) => voice.language.split('-', 1)[0]!))].sort();
  if (name !== undefined) {
    const found = voices.find((voice) => voice.name === name);
    if (found === undefined) {
      const nearest = nearestName(name, names);
      const hint = nearest === null ? `expected one of ${someOf(names)}` : `did you mean "${nearest}"?`;
      throw badUsage(`unknown voice ${JSON.stringify(name)}; ${hint}`);
    }
    if (language === null || isInLanguage(found.language, language)) return found;
    throw badUsage(
      `expected a voice of ${language}, but ${JSON.stringify(name)} speaks ${found.language}; leave out --voice or --language`,
    );
  }
  if (language === null) {
    if (languages.length === 1) return first;
    throw badUsage(
      `expected --language or --voice, because the synthesizer speaks ${languages.length} languages (${someOf(languages)}); add --language en or so`,
    );
  }
  const speakers = voices.filter((voice) => isInLanguage(voice.language, language));
  const likely = (tag: string) => new Intl.Locale(tag).maximize().baseName;
  const chosen =
    speakers.find((voice) => voice.language === language) ??
    speakers.find((voice) => likely(voice.language) === likely(language)) ??
    speakers[0];
  if (chosen !== undefined) return chosen;
  throw badUsage(
    `expected the synthesizer to have a voice of ${language}, but it speaks ${someOf(languages)}; take another language or synthesizer`,
  );
}
