import { z } from 'zod';
import { missingProgram } from '../../base/errors.ts';
import { readinessOf } from '../../packages/installed-package.ts';
import type { Synthesizer, SynthesizerKind, Voice } from '../contract.ts';
import { readWav, runProgram } from '../shared/run-program.ts';
import { findVoice, speakableText } from '../shared/speakable-text.ts';

/** Prints one line for each installed voice: name, language, gender, dialect. Descriptions are loaded with the voice. */
const voicesExpression = `(mapcar
  (lambda (name)
    (let ((about (cadr (assoc name Voice_descriptions))))
      (format t "voice %l %l %l %l\\n" name
        (cadr (assoc 'language about)) (cadr (assoc 'gender about)) (cadr (assoc 'dialect about)))))
  (voice.list))`;

/** Languages as voices name them. */
const languages: Readonly<Record<string, string>> = {
  english: 'en',
  american: 'en-US',
  britishenglish: 'en-GB',
  americanenglish: 'en-US',
  scottishenglish: 'en-GB',
  spanish: 'es',
  welsh: 'cy',
  italian: 'it',
  finnish: 'fi',
  german: 'de',
  czech: 'cs',
  russian: 'ru',
  catalan: 'ca',
  hindi: 'hi',
  telugu: 'te',
  marathi: 'mr',
  polish: 'pl',
};

const dialects: Readonly<Record<string, string>> = {
  american: 'US',
  us: 'US',
  british: 'GB',
  uk: 'GB',
  scottish: 'GB',
};

const install = 'sudo apt-get install festival festvox-kallpc16k';

const options = z.strictObject({
  timeoutSeconds: z.number().gt(0).max(3600).default(60).describe('How long one text may take, in seconds'),
});

/** The program Festival of the University of Edinburgh, with the voices that are installed. */
export const festival: SynthesizerKind<z.output<typeof options>> = {
  name: 'festival',
  about: 'Festival, a program of your own, with the voices that are installed beside it',
  options,

  async open({ timeoutSeconds }): Promise<Synthesizer> {
    const version = await programVersion();
    const printed = await run('festival', ['--batch', voicesExpression], timeoutSeconds);
    const voices = parseVoices(Buffer.from(printed).toString('latin1'));
    if (voices.length === 0) {
      throw missingProgram(`expected a voice of Festival, but none is installed; get one with: ${install}`);
    }
    return {
      identity: { engine: 'festival', version },
      voices: async () => voices,
      async speak(text, voice, signal) {
        const { name, language } = findVoice('festival', voices, voice);
        const characters = language.startsWith('en') ? 'ascii' : 'latin';
        const line = speakableText(text, { engine: 'festival', maxCharacters: 5000, characters });
        // The text is data on standard input. Only the voice's name, one of those listed, becomes part of a program.
        const parameters = ['-o', '-', '-eval', `(voice_${name})`];
        const input = Buffer.from(`${line}\n`, 'latin1');
        return readWav(await run('text2wave', parameters, timeoutSeconds, input, signal), 'festival');
      },
      async close() {},
    };
  },

  readiness: () => readinessOf(async () => `Festival ${await programVersion()}`),
};

async function programVersion(): Promise<string> {
  const printed = Buffer.from(await run('festival', ['--version'], 20)).toString('utf8');
  return /System: ([\w.-]+)/.exec(printed)?.[1] ?? printed.trim().slice(0, 40);
}

async function run(
  program: string,
  parameters: string[],
  timeoutSeconds: number,
  input?: Uint8Array,
  signal?: AbortSignal,
) {
  // Without a home folder nobody's own `.festivalrc` changes what is spoken.
  const environment = { PATH: process.env.PATH, HOME: '/nonexistent', LC_ALL: 'C' };
  const call = { program, arguments: parameters, timeoutSeconds, install, environment, signal };
  const { output } = await runProgram(input === undefined ? call : { ...call, input });
  return output;
}

/** Reads what `voicesExpression` printed. A voice whose language is not known is said to speak `und`. */
export function parseVoices(printed: string): Voice[] {
  const lines = printed.matchAll(/^voice ([\w-]+) (\S+) (\S+) (\S+)$/gm);
  return [...lines].map(([, name, language, gender, dialect]) => {
    const primary = languages[language!.toLowerCase()] ?? 'und';
    const region = primary === 'en' ? dialects[dialect!.toLowerCase()] : undefined;
    return {
      name: name!,
      language: region === undefined ? primary : `${primary}-${region}`,
      attributes: {
        ...(gender === 'male' || gender === 'female' ? { sex: gender } : {}),
        ...(dialect === 'nil' || dialect === 'none' ? {} : { accent: dialect! }),
      },
    };
  });
}
