import { durationSeconds } from '../../audio/clip.ts';
import { EarwitnessError, messageOf } from '../../base/errors.ts';
import type { SoundFiles } from '../../decoders/contract.ts';
import type { Failure, ObservationTiming, Transcript } from '../../model/observation.ts';
import { RecognitionError, type Recognizer } from '../../recognizers/contract.ts';

/** What one file gave. */
export interface FileAnswer {
  readonly file: string;
  /** Null where it could not be read, or was not heard. */
  readonly soundSeconds: number | null;
  readonly transcript?: Transcript;
  readonly failure?: Failure;
  readonly timing: Omit<ObservationTiming, 'calls'>;
}

/** How a file is to be heard. */
export interface Asking {
  readonly recognizer: Recognizer;
  readonly input: 'sound' | 'names';
  readonly sounds: SoundFiles;
  readonly language: string;
  readonly timeLimitSeconds: number;
}

/** Reads a file and lets the recognizer hear it. Whatever goes wrong is this file's failure, and no exception. */
export async function answerFile(file: string, asking: Asking): Promise<FileAnswer> {
  const { recognizer, input, sounds, language, timeLimitSeconds } = asking;
  let soundSeconds: number | null = null;
  let begin = performance.now();
  const elapsed = () => (performance.now() - begin) / 1000;
  const signal = AbortSignal.timeout(timeLimitSeconds * 1000);
  try {
    const clip = input === 'sound' ? await sounds.read(file) : undefined;
    soundSeconds = clip ? durationSeconds(clip) : null;
    begin = performance.now();
    const request = { utteranceId: file, conditionName: 'clean', repeat: 0, language };
    const { timing: stream, ...transcript } = await recognizer.recognize(clip ? { ...request, clip } : request, signal);
    return { file, soundSeconds, transcript, timing: { seconds: elapsed(), ...(stream && { stream }) } };
  } catch (error) {
    const failure: Failure = signal.aborted
      ? { kind: 'timeout', message: `no answer within ${timeLimitSeconds} seconds` }
      : failureOf(error);
    return { file, soundSeconds, failure, timing: { seconds: elapsed() } };
  }
}

function failureOf(error: unknown): Failure {
  if (error instanceof RecognitionError) return { kind: error.kind, message: error.message };
  const isBadSound = error instanceof EarwitnessError && error.code === 'bad-input';
  return { kind: isBadSound ? 'sound' : 'error', message: messageOf(error) };
}
