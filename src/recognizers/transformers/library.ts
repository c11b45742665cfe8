import { EarwitnessError, messageOf } from '../../base/errors.ts';
import { printable } from '../../base/printable.ts';
import { installLine, packageVersion } from '../../packages/installed-package.ts';

const name = '@huggingface/transformers';
const purpose = 'which the recognizer transformers needs';

export type Library = typeof import('@huggingface/transformers');

/**
 * Versions of the packages that compute; nothing is loaded.
 *
 * @throws EarwitnessError `missing-program` where one is not installed
 */
export function libraryVersions(): { readonly [packageName: string]: string } {
  const install = installLine(name);
  return {
    [name]: packageVersion(name, purpose, install),
    'onnxruntime-node': packageVersion('onnxruntime-node', purpose, install, name),
  };
}

/**
 * Loads the library. It writes nothing to the terminal: what goes wrong comes back as an error.
 *
 * @throws EarwitnessError `missing-program`: it is not installed, or has no binary for this machine
 */
export async function loadLibrary(): Promise<Library> {
  libraryVersions();
  try {
    const library = await import('@huggingface/transformers');
    library.env.logLevel = library.LogLevel.NONE;
    return library;
  } catch (cause) {
    throw new EarwitnessError(
      'missing-program',
      `the package ${name} does not load on ${process.platform} ${process.arch} (${printable(messageOf(cause).split('\n')[0]!)}); it needs onnxruntime-node and sharp with their binaries, which npm leaves out with --omit=optional; type: ${installLine(name)}`,
      { cause },
    );
  }
}
