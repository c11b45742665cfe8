import { type Clip, durationSeconds } from '../../../audio/clip.ts';
import { messageOf } from '../../../base/errors.ts';
import { printable } from '../../../base/printable.ts';
import type { Transcript } from '../../../model/observation.ts';
import type { ProgramStart } from '../../../system/run-program.ts';
import { type PartialTranscript, RecognitionError } from '../../contract.ts';
import { type BatchClip, ProgramProcess } from './program-process.ts';
import type { ProgramHello } from './protocol.ts';

/** One thing that was proved of a recognizer process, or not. */
export interface ProgramCheck {
  /** What is expected, as the end of "the program …". */
  readonly what: string;
  /** `noted`: allowed, and worth knowing. */
  readonly verdict: 'kept' | 'broken' | 'noted' | 'not tried';
  /** What was found, or what stands in the way; empty where there is nothing to add. */
  readonly found: string;
}

/** What a program is checked with. */
export interface ProgramTrial {
  readonly start: ProgramStart;
  /** Of some seconds; at its own rate. */
  readonly clips: readonly [Clip, Clip];
  readonly language: string;
  readonly startLimitSeconds: number;
  /** For each answer. */
  readonly answerLimitSeconds: number;
  at(clip: Clip, sampleRate: number): Clip;
  /** Writes a clip for a program that is given paths; gives the path. */
  wav(clip: Clip): Promise<string>;
}

type Found = string | { readonly noted: string };
type Step = readonly [
  what: string,
  prove: (bench: Bench) => Promise<Found>,
  unless?: (hello: ProgramHello) => string | null,
];

interface Bench {
  readonly trial: ProgramTrial;
  readonly hello: ProgramHello;
  /** Opened; another one where the last was broken. */
  process(): Promise<ProgramProcess>;
  hear(clips: readonly Clip[]): Promise<Transcript[]>;
}

const endSeconds = 1;

const steps: readonly Step[] = [
  ['answers a clip with text', async ({ hear, trial }) => shown((await hear([trial.clips[0]]))[0]!)],
  [
    'gives words in order, within the clip',
    async ({ hear, trial }) => {
      const [transcript] = await hear([trial.clips[0]]);
      let last = 0;
      for (const { text, startSeconds, endSeconds: end } of transcript!.words ?? []) {
        if (startSeconds === undefined || end === undefined) continue;
        if (startSeconds < last || end < startSeconds)
          throw new Error(
            `"${text}" is said to be spoken from ${startSeconds} to ${end} s, after a word from ${last} s`,
          );
        if (end > durationSeconds(trial.clips[0]) + 0.05) throw new Error(`"${text}" ends at ${end} s, after the clip`);
        last = startSeconds;
      }
      return transcript!.words ? `${transcript!.words.length} words` : 'no words given';
    },
  ],
  [
    'gives the same transcript for the same clip',
    async ({ hear, trial: { clips } }) => {
      const [first] = await hear([clips[0]]);
      await hear([clips[1]]);
      const [again] = await hear([clips[0]]);
      return first!.text === again!.text ? '' : { noted: `${shown(first!)}, then ${shown(again!)}` };
    },
  ],
  [
    'answers an empty clip, a single sample, 10 ms and silence',
    async ({ process, hear, hello: { sampleRate } }) => {
      const asked = await process();
      const refused: string[] = [];
      for (const samples of [0, 1, Math.round(sampleRate / 100), 2 * sampleRate]) {
        try {
          await hear([{ samples: new Float32Array(samples), sampleRate }]);
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
    async ({ hear, hello: { sampleRate } }) => {
      await hear([{ samples: new Float32Array(sampleRate).map((_, at) => 4 * Math.sin(at / 9)), sampleRate }]);
      return '';
    },
  ],
  [
    'answers every clip of a batch, each with its own transcript',
    async ({ hear, hello, trial: { clips } }) => {
      const batch = Array.from({ length: hello.batch }, (_, place) => clips[place % 2]!);
      const alone = [...(await hear([clips[0]])), ...(await hear([clips[1]]))];
      const together = await hear(batch);
      const other = together.findIndex(({ text }, place) => text !== alone[place % 2]!.text);
      if (other === -1) return `${hello.batch} at once`;
      return {
        noted: `clip ${other + 1} of ${hello.batch} is ${shown(together[other]!)} in the batch, ${shown(alone[other % 2]!)} alone`,
      };
    },
    ({ batch }) => (batch === 1 ? 'it takes one clip at a time' : null),
  ],
  [
    'answers "ping" while it is idle',
    async ({ process }) => {
      if (!(await (await process()).ping(endSeconds))) throw new Error('there was no "pong" within 1 s');
      return '';
    },
  ],
  [
    'passes over messages and members that it does not know',
    async ({ process, hear, trial: { clips } }) => {
      const asked = await process();
      asked.tell({ say: 'from-a-later-version', id: 1, more: { deep: [1, 2] } });
      asked.tell({ say: 'cancel', id: 1_000_000 });
      await hear([clips[1]]);
      if (asked.broken !== null) throw asked.broken;
      return '';
    },
  ],
  [
    'lets go of a clip that is cancelled',
    async ({ process, hear, hello, trial }) => {
      const asked = await process();
      const { samples, sampleRate } = trial.clips[0];
      const long = { samples: new Float32Array(6 * samples.length), sampleRate };
      for (let time = 0; time < 6; time++) long.samples.set(samples, time * samples.length);
      const clip = await batchClip(trial, hello, long);
      const { id } = asked.recognize([clip])[0]!;
      const started = performance.now();
      await asked.cancel(id);
      const took = (performance.now() - started) / 1000;
      await hear([trial.clips[1]]);
      return asked.broken === null
        ? `after ${took.toFixed(2)} s`
        : { noted: 'not within 1 s: earwitness kills it then, and starts it again' };
    },
  ],
  [
    'hears a clip while it is spoken: one transcript at its end, and the same one again',
    async ({ process, hello, trial }) => {
      const [first, again, other] = [await spoken(0), await spoken(0), await spoken(1)];
      if (first.text !== again.text) return { noted: `${shown(first)}, then ${shown(again)}` };
      return `${shown(first)}, ${shown(other)}`;
      async function spoken(which: 0 | 1): Promise<PartialTranscript> {
        const { samples, sampleRate } = trial.at(trial.clips[which], hello.sampleRate);
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
  [
    'ends within 1 s when it is told to close',
    async ({ process }) => {
      const started = performance.now();
      const end = await (await process()).close('asked');
      const took = (performance.now() - started) / 1000;
      if (end.how !== 'exit') throw new Error('it had to be killed');
      if (end.code !== 0) throw new Error(`it ended with exit status ${end.code}`);
      return `after ${took.toFixed(2)} s`;
    },
  ],
  [
    'ends within 1 s when its input ends',
    async ({ process }) => {
      const end = await (await process()).close('silently');
      if (end.how !== 'exit') throw new Error('it had to be killed: end when there is nothing more to read');
      return '';
    },
  ],
];

/**
 * Proves of a recognizer process, one after the other, what docs/protocol.md asks for. What prints on standard output, dies or hangs
 * fails the check in hand; the next one finds it started again.
 *
 * @example for await (const { what, verdict } of checkProgram(trial)) console.log(verdict, what);
 */
export async function* checkProgram(trial: ProgramTrial): AsyncGenerator<ProgramCheck> {
  let hello: ProgramHello | null = null;
  let current: ProgramProcess | null = null;
  const introduced = async (): Promise<ProgramProcess> => {
    const process = new ProgramProcess(trial.start);
    current = process;
    const said = await process.hello(trial.startLimitSeconds);
    if (hello !== null && JSON.stringify(said) !== JSON.stringify(hello))
      throw new Error('it introduces itself in another way each time');
    hello = said;
    return process;
  };
  const process = async (): Promise<ProgramProcess> => {
    if (current !== null && current.broken === null) return current;
    const again = await introduced();
    await again.open(0, undefined, trial.startLimitSeconds);
    return again;
  };
  try {
    const checked = async (what: string, prove: () => Promise<Found>): Promise<ProgramCheck> => {
      try {
        const found = await prove();
        return typeof found === 'string'
          ? { what, verdict: 'kept', found }
          : { what, verdict: 'noted', found: found.noted };
      } catch (error) {
        // What it was doing must not come into the next check.
        await (current as ProgramProcess | null)?.kill();
        return { what, verdict: 'broken', found: messageOf(error) };
      }
    };
    const first = await checked('introduces itself, and nothing else stands on its standard output', async () => {
      await introduced();
      await current!.kill();
      const { name, version, sampleRate, audio, batch, streams } = hello!;
      return `${name} ${version}, ${sampleRate} Hz, ${audio}, batches of ${batch}${streams ? ', streams' : ''}`;
    });
    yield first;
    if (first.verdict === 'broken') return;
    const opens = await checked('introduces itself in the same way again, and opens', async () => {
      await process();
      return '';
    });
    yield opens;
    if (opens.verdict === 'broken') return;
    const bench: Bench = {
      trial,
      hello: hello!,
      process,
      async hear(clips) {
        const asked = await process();
        const batch = await Promise.all(clips.map((clip) => batchClip(trial, hello!, clip)));
        return Promise.all(asked.recognize(batch).map(({ answer }) => inTime(answer, trial.answerLimitSeconds)));
      },
    };
    for (const [what, prove, unless] of steps) {
      const why = unless?.(hello!) ?? null;
      yield why === null ? await checked(what, () => prove(bench)) : { what, verdict: 'not tried', found: why };
    }
  } finally {
    await (current as ProgramProcess | null)?.kill();
  }
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
  return JSON.stringify(printable(text, 60));
}
