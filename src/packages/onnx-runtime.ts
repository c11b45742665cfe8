import { messageOf, missingProgram } from '../base/errors.ts';
import { printable } from '../base/printable.ts';
import { refuseTelemetry } from '../base/telemetry.ts';
import { installLine, packageVersion } from './installed-package.ts';

const name = 'onnxruntime-node';

export type OnnxRuntime = typeof import('onnxruntime-node');

/**
 * Loads the package that computes neural models.
 *
 * @param purpose what it is for, as a clause: `which computes DNSMOS`
 * @param install the line to type where it is missing
 * @throws EarwitnessError `missing-program`: it is not installed, or has no binary for this machine
 */
export async function loadOnnxRuntime(
  purpose: string,
  install = installLine(name),
): Promise<{ readonly runtime: OnnxRuntime; readonly version: string }> {
  const version = packageVersion(name, purpose, install);
  refuseTelemetry();
  try {
    const runtime = await import('onnxruntime-node');
    // What goes wrong comes back as an error; its own lines would stand between ours.
    runtime.env.logLevel = 'fatal';
    return { runtime, version };
  } catch (cause) {
    throw missingProgram(
      `the package ${name} does not load on ${process.platform} ${process.arch} (${printable(messageOf(cause).split('\n')[0]!)}); it has binaries for Linux and Windows on x64 and arm64 and for macOS on arm64`,
      { cause },
    );
  }
}
