import { z } from 'zod';
import { EarwitnessError } from '../../base/errors.ts';
import type { Synthesizer, SynthesizerKind } from '../contract.ts';
import { chooseVoice } from '../shared/choose-voice.ts';
import { readWav } from '../shared/read-wav.ts';
import { runProgram } from '../shared/run-program.ts';
import { speakableText } from '../shared/speakable-text.ts';
import { parseVoices } from './parse-voices.ts';

const program = 'espeak-ng';
const install = 'sudo apt-get install espeak-ng';

export interface EspeakNgOptions {
  readonly wordsPerMinute: number;
  readonly pitch: number;
  readonly timeoutSeconds: number;
}

/** The program eSpeak NG. Under the GPL, and therefore only used where the user has installed it. */
export const espeakNg: SynthesizerKind<EspeakNgOptions> = {
  name: 'espeak-ng',
  about: 'eSpeak NG, a program of your own: more than a hundred languages in a robot’s voice',
  options: z.strictObject({
    wordsPerMinute: z.int().min(80).max(450).default(175).describe('How fast it speaks, in words per minute'),
    pitch: z.int().min(0).max(99).default(50).describe('How high it speaks, from 0 to 99'),
    timeoutSeconds: z.number().gt(0).max(3600).default(60).describe('How long one text may take, in seconds'),
  }),

  async open({ wordsPerMinute, pitch, timeoutSeconds }): Promise<Synthesizer> {
    const version = await programVersion();
    const listed = await run(['--voices'], timeoutSeconds);
    const voices = parseVoices(Buffer.from(listed).toString('utf8'));
    return {
      identity: { engine: 'espeak-ng', version, wordsPerMinute, pitch },
      voices: async () => voices.map(({ name, language, attributes }) => ({ name, language, attributes })),
      async speak(text, voice, signal) {
        const { file } = chooseVoice(program, voices, voice);
        const line = speakableText(text, { engine: program, mostCharacters: 10_000, characters: 'any' });
        const settings = ['-v', file, '-s', String(wordsPerMinute), '-p', String(pitch), '-b', '1'];
        return readWav(
          await run([...settings, '--stdin', '--stdout'], timeoutSeconds, asPlainText(line), signal),
          program,
        );
      },
      async close() {},
    };
  },

  async readiness() {
    try {
      return { ready: true, found: `eSpeak NG ${await programVersion()}` };
    } catch (thrown) {
      if (!(thrown instanceof EarwitnessError)) throw thrown;
      return { ready: false, found: thrown.message, install };
    }
  },
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
  const call = { program, arguments: parameters, timeoutSeconds, install, signal };
  const { output } = await runProgram(input === undefined ? call : { ...call, input });
  return output;
}
