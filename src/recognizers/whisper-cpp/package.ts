import { EarwitnessError, messageOf } from '../../base/errors.ts';
import { printable } from '../../base/printable.ts';
import { installLine, packageVersion } from '../../packages/installed-package.ts';

const name = '@fugood/whisper.node';
const purpose = 'which the recognizer whisper-cpp needs';
const binary = `@fugood/node-whisper-${process.platform}-${process.arch}`;

/** What is used of the package; its declarations do not resolve from an ES module. */
export interface WhisperPackage {
  initWhisper(options: { filePath: string; useGpu: boolean }): Promise<WhisperContext>;
  toggleNativeLog(enable: boolean): Promise<void>;
}

export interface WhisperContext {
  /** @param sound 16-bit samples at 16 kHz */
  transcribeData(sound: ArrayBuffer, options: object): { readonly promise: Promise<WhisperResult> };
  release(): Promise<void>;
}

export interface WhisperResult {
  readonly result: string;
  readonly isAborted: boolean;
  /** Times in milliseconds. */
  readonly segments: readonly { readonly text: string; readonly t0: number; readonly t1: number }[];
}

/**
 * Versions of the package and of its binary for this machine; nothing is loaded.
 *
 * @throws EarwitnessError `missing-program` where one is not installed
 */
export function packageVersions(): { readonly [packageName: string]: string } {
  return Object.fromEntries([name, binary].map((each) => [each, packageVersion(each, purpose, installLine(name))]));
}

/** @throws EarwitnessError `missing-program`: it is not installed, or its binary does not load */
export async function loadPackage(): Promise<WhisperPackage> {
  packageVersions();
  try {
    const specifier: string = name;
    const loaded = (await import(specifier)) as WhisperPackage & { default?: WhisperPackage };
    const found = typeof loaded.initWhisper === 'function' ? loaded : loaded.default!;
    // Its log goes to nobody while it is on, and to the terminal while it is off.
    await found.toggleNativeLog(true);
    return found;
  } catch (cause) {
    throw new EarwitnessError(
      'missing-program',
      `the package ${name} does not load on ${process.platform} ${process.arch} (${printable(messageOf(cause).split('\n')[0]!)}); type: ${installLine(name)}`,
      { cause },
    );
  }
}

/**
 * Whether the binary computes with the vector instructions of its processor: one that does not is about ten times slower.
 *
 * @returns null where that cannot be told: other processors than x64, or no koffi to ask it with
 */
export async function usesVectorInstructions(): Promise<boolean | null> {
  if (process.arch !== 'x64' || process.platform === 'win32') return null;
  try {
    const { fileURLToPath } = await import('node:url');
    const { default: koffi } = await import('koffi');
    const library = koffi.load(fileURLToPath(new URL('./index.node', import.meta.resolve(binary))), { lazy: true });
    return library.func('int ggml_cpu_has_avx2()')() !== 0;
  } catch {
    return null;
  }
}
