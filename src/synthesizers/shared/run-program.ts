import type { Clip } from '../../audio/clip.ts';
import { bytesPerFrame, decodePcm } from '../../audio/pcm.ts';
import { isWav, wavLayout } from '../../audio/wav-layout.ts';
import { badInput, EarwitnessError } from '../../base/errors.ts';
import { type ProgramCall, type ProgramOutcome, runProgram as runOnce } from '../../system/run-program.ts';
import { quoted } from './speakable-text.ts';

/** A program that speaks, run once. */
interface SpeakingCall extends Omit<ProgramCall, 'maxSeconds' | 'maxOutputBytes'> {
  readonly timeoutSeconds: number;
  /** What to type where the program is missing. */
  readonly install: string;
}

/** A gigabyte of WAV would be 9 hours of 16 kHz: who writes this much has gone mad. */
const maxOutputBytes = 256 * 2 ** 20;

/**
 * Runs a program to its end, gives it bytes to read and takes what it writes.
 *
 * @throws EarwitnessError `missing-program` where it is not installed; `bad-input` where it fails, takes too long or
 * writes without end
 * @throws the signal's reason where it is aborted
 */
export async function runProgram(call: SpeakingCall): Promise<ProgramOutcome> {
  const outcome = await runOnce({ ...call, maxSeconds: call.timeoutSeconds, maxOutputBytes });
  const { end, errors } = outcome;
  if (end.how === 'exit' && end.code === 0) return outcome;
  if (end.how === 'given up') throw call.signal?.reason;
  if (end.how === 'not started') {
    if (end.error.code === 'ENOENT') throw missingProgram(call, end.error);
    throw failed(call, 'could not be started', end.error.message);
  }
  if (end.how === 'too long') throw failed(call, `took longer than ${call.timeoutSeconds} s`, '');
  if (end.how === 'too much') throw failed(call, `wrote more than ${maxOutputBytes} bytes`, '');
  throw failed(call, end.how === 'signal' ? `was ended by ${end.signal}` : `ended with exit code ${end.code}`, errors);
}

function missingProgram({ program, install }: SpeakingCall, cause: Error): EarwitnessError {
  return new EarwitnessError(
    'missing-program',
    `expected the program ${program}, but it is not installed or not on PATH; type: ${install}`,
    { cause },
  );
}

function failed({ program }: SpeakingCall, what: string, printed: string): EarwitnessError {
  const lastLine = printed.trim().split('\n').at(-1) ?? '';
  const said = lastLine === '' ? '' : ` and said ${quoted(lastLine)}`;
  return badInput(`expected speech from ${program}, but it ${what}${said}; try it by itself`);
}

/**
 * The sound that a synthesizer gave as a WAV file.
 *
 * @param engine what error messages begin with
 * @throws EarwitnessError `bad-input` where it is none, is cut off, or holds no sound
 */
export function readWav(bytes: Uint8Array, engine: string): Clip {
  if (!isWav(bytes))
    throw noSound(engine, bytes.length === 0 ? 'gave nothing' : `gave ${bytes.length} bytes of something else`);
  const layout = wavLayout(bytes, bytes.length, engine);
  if (layout === null) throw noSound(engine, 'gave a file that ends before its samples');
  if (layout.promisedFrames > layout.frames) throw noSound(engine, 'gave a file that is cut off');
  const start = layout.dataOffset;
  const clip = decodePcm(bytes.subarray(start, start + layout.frames * bytesPerFrame(layout)), layout);
  if (clip.samples.length === 0) throw noSound(engine, 'gave a file without samples');
  if (!clip.samples.every(Number.isFinite)) throw noSound(engine, 'gave samples that are not numbers');
  return clip;
}

function noSound(engine: string, came: string): EarwitnessError {
  return badInput(
    `${engine}: expected a WAV file with the spoken text, but it ${came}; try the text with the program itself`,
  );
}
