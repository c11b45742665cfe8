import { readFile } from 'node:fs/promises';
import { EarwitnessError, messageOf } from '../../base/errors.ts';
import { printable } from '../../base/printable.ts';

const runtimePackage = 'onnxruntime-node';

/** Without install scripts: that of onnxruntime-node would fetch hundreds of megabytes for graphics cards. */
export const installLine = `npm install --ignore-scripts ${runtimePackage}`;

export type Runtime = typeof import('onnxruntime-node');

/** @throws EarwitnessError `missing-program`: the package is not installed, or has no binary for this machine */
export async function loadRuntime(): Promise<{ readonly runtime: Runtime; readonly version: string }> {
  const version = await versionOf(runtimePackage);
  try {
    const runtime = await import('onnxruntime-node');
    // What goes wrong comes back as an error; its own lines would stand between ours.
    runtime.env.logLevel = 'fatal';
    return { runtime, version };
  } catch (cause) {
    throw new EarwitnessError(
      'missing-program',
      `the package ${runtimePackage} does not load on ${process.platform} ${process.arch} (${printable(messageOf(cause))}); it has binaries for Linux and Windows on x64 and arm64 and for macOS on arm64`,
      { cause },
    );
  }
}

async function versionOf(packageName: string): Promise<string> {
  try {
    const description = new URL('../package.json', import.meta.resolve(packageName));
    return String((JSON.parse(await readFile(description, 'utf8')) as { version?: unknown }).version);
  } catch (cause) {
    throw new EarwitnessError(
      'missing-program',
      `expected the package ${packageName}, which DNSMOS needs, but it is not installed; get it with: ${installLine}`,
      { cause },
    );
  }
}
