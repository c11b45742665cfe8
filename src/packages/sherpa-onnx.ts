import { readFile } from 'node:fs/promises';
import { messageOf, missingProgram } from '../base/errors.ts';
import { printable } from '../base/printable.ts';
import { installLine, packageVersion } from './installed-package.ts';
import { type OnnxFile, unusable } from './model-files.ts';

const name = 'sherpa-onnx-node';
const purpose = 'which sherpa-onnx needs';

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

export interface OfflineTts {
  generate(request: object): Waveform;
}

/** What is used of the package, which has no declarations. */
interface SherpaLibrary {
  readonly OfflineRecognizer: { createAsync(config: object): Promise<OfflineRecognizer> };
  readonly OnlineRecognizer: new (config: object) => OnlineRecognizer;
  readonly OfflineTts: { createAsync(config: object): Promise<OfflineTts> };
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
    throw missingProgram(
      `the package ${name} does not load on ${process.platform} ${process.arch} (${printable(messageOf(cause).split('\n')[0]!)}); its binary is a package of its own, which npm leaves out with --omit=optional; type: ${installLine(name)}`,
      { cause },
    );
  }
}

/**
 * Looks for entries that the library needs in the metadata of a graph. Where one is missing it ends the whole process without an
 * error that could be caught.
 *
 * @param shown the graph as the options name it
 * @throws EarwitnessError `bad-config`
 */
export function checkEntries(
  { graph }: OnnxFile,
  entries: readonly string[],
  kind: string,
  shown: string,
  option: string,
): void {
  const missing = entries.find((entry) => !graph.metadata.has(entry));
  if (missing === undefined) return;
  throw unusable(
    `expected a graph for ${kind}, but ${printable(shown, 80)} has no entry ${missing} in its metadata; take a model exported for sherpa-onnx, of the kind that it is`,
    undefined,
    option,
  );
}

const longestChecked = 20_000_000;

/**
 * Reads a list of tokens, each with its number.
 *
 * @returns the tokens; a blank is one
 * @throws EarwitnessError `bad-config`: from a list that it cannot read the library ends the process
 */
export async function readTokens(path: string, shown: string): Promise<ReadonlySet<string>> {
  const text = await readFile(path, 'utf8');
  const lines = text.length > longestChecked ? [] : text.split('\n').filter((line) => line.trim() !== '');
  const wrong = lines.findIndex((line) => !/\s?\d+\s*$/.test(line.slice(-40)));
  if (lines.length > 0 && wrong === -1) return new Set(lines.map((line) => line.replace(/\d+\s*$/, '').trim() || ' '));
  const where = lines.length === 0 ? 'it holds none' : `line ${wrong + 1} is something else`;
  throw unusable(
    `expected a token and its number in each line of ${printable(shown, 80)}, but ${where}; take the tokens of the same model`,
    undefined,
    'tokens',
  );
}
