import { type Clip, durationSeconds } from '../../../audio/clip.ts';
import { foreignLimits, tooLongToWait } from '../../../base/foreign-data.ts';
import type { Transcript } from '../../../model/observation.ts';
import { type CheckBench, type ProcessChecks, shownText } from '../../../system/check-process.ts';
import type { ProgramStart } from '../../../system/run-program.ts';
import { type PartialTranscript, RecognitionError } from '../../contract.ts';
import { type BatchClip, ProgramProcess } from './program-process.ts';
import type { ProgramHello } from './protocol.ts';

/** What a program is checked with. */
export interface ProgramTrial {
  readonly start: ProgramStart;
  /** Of some seconds; at its own rate. */
  readonly clips: readonly [Clip, Clip];
  readonly language: string;
  /** For each answer. */
  readonly answerLimitSeconds: number;
  at(clip: Clip, sampleRate: number): Clip;
  /** Writes a clip for a program that is given paths; gives the path. */
  wav(clip: Clip): Promise<string>;
}

/** So many are asked alone too. */
const maxDifferentClips = 6;

type Bench = CheckBench<ProgramProcess, ProgramHello>;

/**
 * What is proved of a recognizer process, besides what all do.
 *
 * @example for await (const { what, verdict } of checkProcess(recognizerChecks(trial), 300)) console.log(verdict, what);
 */
export function recognizerChecks(trial: ProgramTrial): ProcessChecks<ProgramProcess, ProgramHello> {
  const { clips } = trial;
  const hear = async ({ process, hello }: Bench, given: readonly Clip[]): Promise<Transcript[]> => {
    const asked = await process();
    const batch = await Promise.all(given.map((clip) => batchClip(trial, hello, clip)));
    const answers = asked.recognize(batch).map(({ answer }) => inTime(answer, trial.answerLimitSeconds));
    return Promise.all(answers).catch((error: unknown) => {
      const seconds = error instanceof RecognitionError ? error.retryAfterSeconds : undefined;
      if (tooLongToWait(seconds) === null) throw error;
      throw new Error(
        `it asks to be left alone for ${seconds} s, where at most ${foreignLimits.waitSeconds} are waited`,
      );
    });
  };
  return {
    launch: () => new ProgramProcess(trial.start),
    introduced({ name, version, sampleRate, audio, batch, streams }) {
      return `${name} ${version}, ${sampleRate} Hz, ${audio}, batches of ${batch}${streams ? ', streams' : ''}`;
    },
    ordinary: (process, hello) => hear({ hello, process: async () => process }, [clips[1]]),
    steps: [
      ['answers a clip with text', async (bench) => shown((await hear(bench, [clips[0]]))[0]!)],
      [
        'gives words in order, within the clip',
        async (bench) => {
          const [transcript] = await hear(bench, [clips[0]]);
          let last = 0;
          for (const { text, startSeconds, endSeconds: end } of transcript!.words ?? []) {
            if (startSeconds === undefined || end === undefined) continue;
            if (startSeconds < last || end < startSeconds)
              throw new Error(
                `"${text}" is said to be spoken from ${startSeconds} to ${end} s, after a word from ${last} s`,
              );
            if (end > durationSeconds(clips[0]) + 0.05) throw new Error(`"${text}" ends at ${end} s, after the clip`);
            last = startSeconds;
          }
          return transcript!.words ? `${transcript!.words.length} words` : 'no words given';
        },
      ],
      [
        'gives the same transcript for the same clip',
        async (bench) => {
          const [first] = await hear(bench, [clips[0]]);
          await hear(bench, [clips[1]]);
          const [again] = await hear(bench, [clips[0]]);
          return first!.text === again!.text ? '' : { noted: `${shown(first!)}, then ${shown(again!)}` };
        },
      ],
      [
        'answers an empty clip, a single sample, 10 ms and silence',
        async (bench) => {
          const { sampleRate } = bench.hello;
          const asked = await bench.process();
          const refused: string[] = [];
          for (const samples of [0, 1, Math.round(sampleRate / 100), 2 * sampleRate]) {
            try {
              await hear(bench, [{ samples: new Float32Array(samples), sampleRate }]);
            } catch (error) {
              // A failure of its own is an answer too; what broke it is none.
              if (!(error instanceof RecognitionError) || error === asked.broken) throw error;
              refused.push(`${samples} samples: ${error.kind}, ${error.message}`);
            }
          }
          return refused.length === 0 ? '' : { noted: `failures of their own: ${refused.join('; ')}` };
        },
      ],
      [
        'answers samples beyond full scale',
        async (bench) => {
          const { sampleRate } = bench.hello;
          await hear(bench, [
            { samples: new Float32Array(sampleRate).map((_, at) => 4 * Math.sin(at / 9)), sampleRate },
          ]);
          return '';
        },
      ],
      [
        'answers every clip of a batch, each with its own transcript',
        async (bench) => {
          const { hello } = bench;
          const different = differentClips(clips, Math.min(hello.batch, maxDifferentClips));
          const alone: Transcript[] = [];
          for (const clip of different) alone.push(...(await hear(bench, [clip])));
          const at = (place: number) => place % different.length;
          const together = await hear(
            bench,
            Array.from({ length: hello.batch }, (_, place) => different[at(place)]!),
          );
          const other = together.findIndex(({ text }, place) => text !== alone[at(place)]!.text);
          if (other === -1) return `${hello.batch} at once`;
          const said = `clip ${other + 1} of ${hello.batch} is ${shown(together[other]!)} in the batch, ${shown(alone[at(other)]!)} alone`;
          const whose = alone.findIndex(({ text }) => text === together[other]!.text);
          if (whose !== -1)
            throw new Error(
              `${said}: that is the transcript of clip ${whose + 1}; give them back in the order of the clips`,
            );
          return { noted: said };
        },
        ({ batch }) => (batch === 1 ? 'it takes one clip at a time' : null),
      ],
      [
        'lets go of a clip that is cancelled',
        async (bench) => {
          const asked = await bench.process();
          const { samples, sampleRate } = clips[0];
          const long = { samples: new Float32Array(6 * samples.length), sampleRate };
          for (let time = 0; time < 6; time++) long.samples.set(samples, time * samples.length);
          const clip = await batchClip(trial, bench.hello, long);
          const { id } = asked.recognize([clip])[0]!;
          const started = performance.now();
          await asked.cancel(id);
          const took = (performance.now() - started) / 1000;
          await hear(bench, [clips[1]]);
          return asked.broken === null
            ? `after ${took.toFixed(2)} s`
            : { noted: 'not within 1 s: earwitness kills it then, and starts it again' };
        },
      ],
      [
        'recognizes a streamed clip: one transcript at its end, and the same one again',
        async ({ process, hello }) => {
          const [first, again, other] = [await spoken(0), await spoken(0), await spoken(1)];
          if (first.text !== again.text) return { noted: `${shown(first)}, then ${shown(again)}` };
          return `${shown(first)}, ${shown(other)}`;
          async function spoken(which: 0 | 1): Promise<PartialTranscript> {
            const { samples, sampleRate } = trial.at(clips[which], hello.sampleRate);
            const signal = AbortSignal.timeout(trial.answerLimitSeconds * 1000);
            let last: PartialTranscript | null = null;
            async function* chunks() {
              for (let from = 0; from < samples.length; from += sampleRate / 10)
                yield { samples: samples.subarray(from, from + sampleRate / 10), sampleRate };
            }
            const asked = { language: trial.language, sampleRate, chunks: chunks(), signal };
            for await (const partial of (await process()).stream(asked, () => {})) last = partial;
            return last!;
          }
        },
        ({ streams }) => (streams ? null : 'it does not say that it streams'),
      ],
    ],
  };
}

/** Clips of which no two are alike: beginnings of two, in turn, each shorter than the one before of the same. */
function differentClips(clips: readonly [Clip, Clip], count: number): Clip[] {
  return Array.from({ length: count }, (_, place) => {
    const { samples, sampleRate } = clips[place % 2]!;
    const share = 1 - 0.2 * Math.floor(place / 2);
    return { samples: samples.subarray(0, Math.ceil(samples.length * share)), sampleRate };
  });
}

async function batchClip(trial: ProgramTrial, { sampleRate, audio }: ProgramHello, clip: Clip): Promise<BatchClip> {
  const heard = trial.at(clip, sampleRate);
  return { language: trial.language, clip: heard, ...(audio === 'wav' && { wav: await trial.wav(heard) }) };
}

async function inTime<T>(promise: Promise<T>, maxSeconds: number): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`there was no answer within ${maxSeconds} s`)), maxSeconds * 1000);
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

function shown({ text }: { readonly text: string }): string {
  return shownText(text);
}
