import { z } from 'zod';
import { resample } from '../../../audio/resample.ts';
import { badConfig } from '../../../base/errors.ts';
import { flag, nonEmpty, positive, whole } from '../../../base/option-kinds.ts';
import { seenVariables } from '../../../system/named-program.ts';
import type { Recognizer, RecognizerDescription } from '../../contract.ts';
import { streamingOptions } from '../model-options.ts';
import { recognizeStream } from '../recognize-stream.ts';
import { clipOf } from '../requests.ts';
import { asOpening, openPool, type PoolOptions } from './program-pool.ts';
import { ProgramProcess } from './program-process.ts';
import type { ProgramHello } from './protocol.ts';

/** Options that recognizers in processes that stay have alike. */
export const programOptions = {
  workers: whole(1, 256).default(1).describe('Processes that recognize side by side. Each loads the model for itself.'),
  devices: z
    .array(nonEmpty(100))
    .default([])
    .describe(
      'Given to the workers in turn, in EARWITNESS_DEVICE and when they are opened: [cuda:0, cuda:1]. Workers on one device each load the model.',
    ),
  batch: whole(1, 1024)
    .optional()
    .describe('Max clips at once for each worker. Default: as many as the program says that it takes.'),
  usesProcessor: flag(true).describe(
    "Whether it works on this machine's processor and shares its cores; false for a GPU or a service.",
  ),
  startLimitSeconds: positive(86_400)
    .default(300)
    .describe('Max wait until it introduces itself, and again until its model is loaded.'),
  environment: seenVariables,
  ...streamingOptions(0.1),
};

const schema = z.strictObject(programOptions);
type ProgramOptions = z.output<typeof schema>;

/** How such a recognizer may be called. */
export function callsOf(
  { workers, usesProcessor, environment }: ProgramOptions,
  batch: number,
): Pick<RecognizerDescription, 'input' | 'concurrency' | 'batch' | 'usesProcessor' | 'hosted'> {
  // What computes elsewhere and is given variables may be a service with its key.
  const hosted = !usesProcessor && environment.length > 0;
  return { input: 'sound', concurrency: workers * batch, batch, usesProcessor, hosted };
}

/**
 * A recognizer whose clips are heard by processes that stay.
 *
 * @throws EarwitnessError `missing-program`: they cannot be started, with their last words; `nothing-answered`: not in time;
 * `bad-config`: mode streaming, but they do not hear piece by piece
 */
export async function openProgramRecognizer(
  options: ProgramOptions,
  start: PoolOptions['start'],
): Promise<{ readonly recognizer: Recognizer; readonly hello: ProgramHello }> {
  const pool = await openPool({ ...options, start });
  const { hello } = pool;
  if (options.mode === 'streaming' && !hello.streams) {
    await pool.close();
    throw badConfig(
      `expected a recognizer that streams (mode: streaming), but ${hello.name} does not say so; leave mode out`,
    );
  }
  const stream: NonNullable<Recognizer['stream']> = (chunks, signal) =>
    pool.stream(chunks, hello.languages?.[0] ?? 'und', signal);
  return {
    hello,
    recognizer: {
      async recognize(request, signal) {
        const clip = clipOf(request);
        const { language } = request;
        if (options.mode === 'batch') return pool.recognize(clip, language, signal);
        const heard = resample(clip, hello.sampleRate);
        let processorSeconds: number | null = null;
        const took = (seconds: number | null) => {
          processorSeconds = seconds;
        };
        const hear: typeof stream = (chunks, until) => pool.stream(chunks, language, until, took);
        const recognition = await recognizeStream(hear, heard, options, signal);
        return { ...recognition, timing: { ...recognition.timing, processorSeconds } };
      },
      ...(hello.streams && { stream, streamSampleRate: hello.sampleRate }),
      close: pool.close,
    },
  };
}

/**
 * How a program introduces itself. It is started for that and ended again, without loading its model.
 *
 * @throws EarwitnessError as `openProgramRecognizer`
 */
export async function introduce(start: ReturnType<PoolOptions['start']>, maxSeconds: number): Promise<ProgramHello> {
  const process = new ProgramProcess(start);
  try {
    return await process.hello(maxSeconds);
  } catch (error) {
    throw asOpening(error);
  } finally {
    await process.kill();
  }
}
