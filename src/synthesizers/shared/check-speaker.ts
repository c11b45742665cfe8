import { durationSeconds } from '../../audio/clip.ts';
import { EarwitnessError } from '../../base/errors.ts';
import { AskedProcess } from '../../system/asked-processes.ts';
import { type CheckBench, type ProcessChecks, shownText } from '../../system/check-process.ts';
import type { ProgramStart } from '../../system/run-program.ts';
import { type SpeechSaid, speech, spokenClip } from './speaker-options.ts';

type Process = AskedProcess<SpeechSaid>;
type Hello = Extract<SpeechSaid, { say: 'hello' }>;

const texts = ['the quick brown fox', 'one two three'] as const;
const oddTexts = ['a', '42', 'word '.repeat(200).trim(), 'naïve café 你好 🏽', '<b>not a tag</b> & more'];

/** What is proved of a process that speaks, besides what all do. */
export function speakerChecks(trial: {
  readonly start: ProgramStart;
  readonly language: string;
  readonly answerLimitSeconds: number;
  /** Path of a clip, for a process that clones. */
  reference(): Promise<string>;
}): ProcessChecks<Process, Hello> {
  const say = async (
    process: Process,
    hello: Hello,
    text: string,
    more: { voice?: string; reference?: string } = {},
  ) => {
    const [voice] = hello.voices;
    const usual = { voice: voice?.name ?? 'any', language: voice?.language ?? trial.language };
    // Whoever has no voices of its own needs the clip of one.
    const cloned = hello.clones && voice === undefined && { reference: await trial.reference() };
    const line = { say: 'speak', text, ...usual, ...cloned, ...more };
    const said = await process.answer(line, 'speech', trial.answerLimitSeconds);
    return spokenClip(said, hello.name, hello.sampleRate);
  };
  const spoken = async ({ process, hello }: CheckBench<Process, Hello>, text: string, more = {}) =>
    say(await process(), hello, text, more);
  return {
    launch: () => new AskedProcess(trial.start, speech, 'the program'),
    introduced({ name, version, sampleRate, voices, clones }) {
      return `${name} ${version}, ${sampleRate} Hz, ${voices.length} voices${clones ? ', clones' : ''}`;
    },
    ordinary: (process, hello) => say(process, hello, texts[0]),
    steps: [
      [
        'speaks a text',
        async (bench) => {
          const clip = await spoken(bench, texts[0]);
          return `${durationSeconds(clip).toFixed(2)} s for ${shownText(texts[0])}`;
        },
      ],
      [
        'speaks the same text in the same way',
        async (bench) => {
          const first = await spoken(bench, texts[0]);
          await spoken(bench, texts[1]);
          const again = await spoken(bench, texts[0]);
          const alike =
            first.samples.length === again.samples.length &&
            first.samples.every((sample, at) => sample === again.samples[at]);
          return alike ? '' : { noted: 'with other samples: what was spoken once is kept, and heard again' };
        },
      ],
      [
        'speaks another text otherwise, and stays within full scale',
        async (bench) => {
          const [one, two] = [await spoken(bench, texts[0]), await spoken(bench, texts[1])];
          if (
            one.samples.length === two.samples.length &&
            one.samples.every((sample, at) => sample === two.samples[at])
          )
            throw new Error(`${shownText(texts[0])} and ${shownText(texts[1])} have the same samples`);
          const peak = one.samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
          if (peak === 0) throw new Error('all samples are 0');
          return peak > 1 ? { noted: `a peak of ${peak.toFixed(2)}` } : '';
        },
      ],
      [
        'speaks by each of its voices',
        async (bench) => {
          for (const { name, language } of bench.hello.voices)
            await spoken(bench, texts[1], { voice: name, language }).catch((error: unknown) => {
              throw new Error(`${shownText(name)}: ${error instanceof Error ? error.message : error}`);
            });
          return `${bench.hello.voices.length} voices`;
        },
        ({ voices }) => (voices.length === 0 ? 'it names none' : null),
      ],
      [
        'answers texts of one letter, of digits, very long ones and ones in other scripts',
        async (bench) => {
          const asked = await bench.process();
          const refused: string[] = [];
          for (const text of oddTexts) {
            try {
              await spoken(bench, text);
            } catch (error) {
              // A failure of its own is an answer too; what broke it is none.
              if (!(error instanceof EarwitnessError) || error === asked.broken) throw error;
              refused.push(`${shownText(text)}: ${error.message}`);
            }
          }
          return refused.length === 0 ? '' : { noted: `failures of their own: ${refused.join('; ')}` };
        },
      ],
      [
        'speaks in the voice of a clip',
        async (bench) => {
          await spoken(bench, texts[0], { reference: await trial.reference() });
          return '';
        },
        ({ clones }) => (clones ? null : 'it does not say that it clones'),
      ],
    ],
  };
}
