import { EarwitnessError, messageOf } from '../../base/errors.ts';
import { printable } from '../../base/printable.ts';
import { installLine, packageVersion } from '../../packages/installed-package.ts';

const name = 'sherpa-onnx-node';
const purpose = 'which the recognizer sherpa-onnx needs';

/** Sound as the library takes it. */
interface Waveform {
  readonly samples: Float32Array;
  readonly sampleRate: number;
}

/** What the library answers; absent or empty where a kind of model does not have it. */
export interface SherpaResult {
  readonly text: string;
  readonly tokens?: readonly string[];
  /** Seconds at which tokens were emitted. */
  readonly timestamps?: readonly number[];
  /** Seconds; of some transducers. */
  readonly durations?: readonly number[];
}

interface OfflineStream {
  acceptWaveform(sound: Waveform): void;
}

export interface OfflineRecognizer {
  createStream(): OfflineStream;
  decodeAsync(stream: OfflineStream): Promise<SherpaResult>;
}

export interface OnlineStream {
  acceptWaveform(sound: Waveform): void;
  inputFinished(): void;
}

export interface OnlineRecognizer {
  createStream(): OnlineStream;
  isReady(stream: OnlineStream): boolean;
  decode(stream: OnlineStream): void;
  getResult(stream: OnlineStream): SherpaResult;
}

/** What is used of the package, which has no declarations. */
export interface SherpaLibrary {
  readonly OfflineRecognizer: { createAsync(config: object): Promise<OfflineRecognizer> };
  readonly OnlineRecognizer: new (config: object) => OnlineRecognizer;
}

/**
 * Version of the package; nothing is loaded.
 *
 * @throws EarwitnessError `missing-program` where it is not installed
 */
export function libraryVersion(): string {
  return packageVersion(name, purpose);
}

/** @throws EarwitnessError `missing-program`: it is not installed, or has no binary for this machine */
export async function loadLibrary(): Promise<SherpaLibrary> {
  libraryVersion();
  try {
    const specifier: string = name;
    const { default: library } = (await import(specifier)) as { default: SherpaLibrary };
    return library;
  } catch (cause) {
    throw new EarwitnessError(
      'missing-program',
      `the package ${name} does not load on ${process.platform} ${process.arch} (${printable(messageOf(cause).split('\n')[0]!)}); its binary is a package of its own, which npm leaves out with --omit=optional; type: ${installLine(name)}`,
      { cause },
    );
  }
}
