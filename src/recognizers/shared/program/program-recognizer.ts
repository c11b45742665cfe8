import { resample } from '../../../audio/resample.ts';
import { EarwitnessError } from '../../../base/errors.ts';
import type { Recognizer } from '../../contract.ts';
import { recognizeStream } from '../recognize-stream.ts';
import { clipOf } from '../requests.ts';
import type { ProgramOptions } from './program-options.ts';
import { asOpening, openPool, type PoolOptions } from './program-pool.ts';
import { ProgramProcess } from './program-process.ts';
import type { ProgramHello } from './protocol.ts';

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
    throw new EarwitnessError(
      'bad-config',
      `expected a recognizer that hears while it is spoken (mode: streaming), but ${hello.name} does not say that it streams; leave mode out`,
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
        return recognizeStream((chunks, until) => pool.stream(chunks, language, until), heard, options, signal);
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
