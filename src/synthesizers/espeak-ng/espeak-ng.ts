import { z } from 'zod';
import { longestTag } from '../../base/language-tag.ts';
import { whole } from '../../base/option-kinds.ts';
import { limitText } from '../../base/printable.ts';
import { readinessOf } from '../../packages/installed-package.ts';
import { programEnvironment } from '../../system/run-program.ts';
import type { Synthesizer, SynthesizerKind, Voice } from '../contract.ts';
import { readWav, runProgram } from '../shared/run-program.ts';
import { findVoice, speakableText } from '../shared/speakable-text.ts';

const sexes: Readonly<Record<string, string>> = { M: 'male', F: 'female' };

const program = 'espeak-ng';
const install = 'sudo apt-get install espeak-ng';

const options = z.strictObject({
  wordsPerMinute: whole(80, 450).default(175).describe('How fast it speaks, in words per minute'),
  pitch: whole(0, 99).default(50).describe('How high it speaks, from 0 to 99'),
  timeoutSeconds: z.number().gt(0).max(3600).default(60).describe('How long one text may take, in seconds'),
});

/** So many texts of a voice are looked at, until one of them is not read in its language. */
const maxLooked = 20;

/**
 * The program eSpeak NG. Under the GPL, and therefore only used where the user has installed it.
 *
 * Where a voice does not know a character it goes over to English (`cmn` of Debian's 1.51 reads all of Chinese so, as the
 * digits and letters of pinyin): what it makes of texts outside of the Latin script is looked at, and told.
 */
export const espeakNg: SynthesizerKind<z.output<typeof options>> = {
  name: 'espeak-ng',
  about: 'eSpeak NG, a program of your own: more than a hundred languages in a robot’s voice',
  options,

  async open({ wordsPerMinute, pitch, timeoutSeconds }, { warn }): Promise<Synthesizer> {
    const version = await programVersion();
    const listed = await run(['--voices'], timeoutSeconds);
    const voices = parseVoices(Buffer.from(listed).toString('utf8'));
    const looked = new Map<string, number>();
    const lookAt = async (line: string, { name, file, language }: EspeakVoice) => {
      const before = looked.get(name) ?? 0;
      if (warn === undefined || before >= maxLooked || !/(?!\p{Script=Latin})\p{L}/u.test(line)) return;
      looked.set(name, before + 1);
      const phonemes = Buffer.from(await run(['-v', file, '-q', '-x', '--stdin'], timeoutSeconds, asPlainText(line)));
      if (!phonemes.toString('utf8').includes('(en)')) return;
      looked.set(name, maxLooked);
      const [subtag] = language.split('-');
      const others = voices.filter((other) => other.name !== name && other.language.split('-')[0] === subtag);
      warn(
        `espeak-ng: the voice ${name} reads ${JSON.stringify(limitText(line, 40))} as English letters or digits, since it does not know these characters; do not trust what is made of it${others.length === 0 ? '' : `, and try the voice ${others.map((other) => other.name).join(' or ')}`}`,
      );
    };
    return {
      identity: { engine: 'espeak-ng', version, wordsPerMinute, pitch },
      voices: async () => voices.map(({ name, language, attributes }) => ({ name, language, attributes })),
      async speak(text, voice, signal) {
        const chosen = findVoice(program, voices, voice);
        const line = speakableText(text, { engine: program, maxCharacters: 10_000, characters: 'any' });
        await lookAt(line, chosen);
        const settings = ['-v', chosen.file, '-s', String(wordsPerMinute), '-p', String(pitch), '-b', '1'];
        return readWav(
          await run([...settings, '--stdin', '--stdout'], timeoutSeconds, asPlainText(line), signal),
          program,
        );
      },
      async close() {},
    };
  },

  readiness: () => readinessOf(async () => `eSpeak NG ${await programVersion()}`),
};

/** Two square brackets would begin names of phonemes. */
function asPlainText(line: string): Uint8Array {
  return new TextEncoder().encode(`${line.replaceAll('[[', '[ [')}\n`);
}

async function programVersion(): Promise<string> {
  const printed = Buffer.from(await run(['--version'], 20)).toString('utf8');
  return /text-to-speech: (\S+)/.exec(printed)?.[1] ?? printed.trim().slice(0, 40);
}

async function run(parameters: string[], timeoutSeconds: number, input?: Uint8Array, signal?: AbortSignal) {
  // Where its voices lie, if elsewhere than usual.
  const environment = programEnvironment(['ESPEAK_DATA_PATH']);
  const call = { program, arguments: parameters, timeoutSeconds, install, environment, signal };
  const { output } = await runProgram(input === undefined ? call : { ...call, input });
  return output;
}

/** A voice with the name of its file, which alone is unambiguous. */
interface EspeakVoice extends Voice {
  readonly file: string;
}

/**
 * Reads the table that `espeak-ng --voices` prints. Voices are named by their language; where two speak the same, by their
 * file. Those of MBROLA are left out: they are listed even where they are not installed.
 */
export function parseVoices(table: string): EspeakVoice[] {
  const rows = table
    .split('\n')
    .slice(1)
    .map((line) => /^\s*\d+\s+(\S+)\s+\S*?\/?([MF-])\s+(\S+)\s+(\S+)/.exec(line))
    .filter((match) => match !== null)
    .map(([, language, sex, title, file]) => ({ language: language!, sex: sex!, title: title!, file: file! }))
    .filter(({ file }) => !file.startsWith('mb/'));
  const count = new Map<string, number>();
  for (const { language } of rows) count.set(language, (count.get(language) ?? 0) + 1);
  return rows.map(({ language, sex, title, file }) => ({
    name: count.get(language) === 1 ? language : file,
    language: longestTag(language),
    attributes: { ...attribute('sex', sexes[sex]), ...attribute('accent', /\((.+)\)$/.exec(title)?.[1]) },
    file,
  }));
}

function attribute(key: string, value: string | undefined): Record<string, string> {
  return value === undefined ? {} : { [key]: value.replaceAll('_', ' ') };
}
