import { readFile } from 'node:fs/promises';
import { EarwitnessError, messageOf } from '../../base/errors.ts';
import { printable } from '../../base/printable.ts';

const runtimePackage = 'onnxruntime-node';
const tokenizerPackage = '@huggingface/tokenizers';

/**
 * Without install scripts: that of onnxruntime-node would fetch hundreds of megabytes for graphics cards, and what is needed
 * here lies in the package.
 */
const installLine = `npm install --ignore-scripts ${runtimePackage} ${tokenizerPackage}`;

export type Runtime = typeof import('onnxruntime-node');

/** What is used of a tokenizer; the package's own types do not resolve from an ES module. */
export interface Tokenizer {
  encode(text: string, options?: { add_special_tokens?: boolean }): { readonly ids: readonly number[] };
  token_to_id(token: string): number | undefined;
}

/** The packages that compute, with their versions. */
export interface Libraries {
  readonly runtime: Runtime;
  readonly Tokenizer: new (tokenizer: object, config: object) => Tokenizer;
  readonly versions: { readonly [packageName: string]: string };
}

/** @throws EarwitnessError `missing-program`: a package is not installed, or has no binary for this machine */
export async function loadLibraries(): Promise<Libraries> {
  const versions = {
    [runtimePackage]: await versionOf(runtimePackage),
    [tokenizerPackage]: await versionOf(tokenizerPackage),
  };
  try {
    const [runtime, { Tokenizer }] = await Promise.all([import('onnxruntime-node'), import('@huggingface/tokenizers')]);
    // What goes wrong comes back as an error; its own lines would stand between ours.
    runtime.env.logLevel = 'fatal';
    return { runtime, Tokenizer, versions };
  } catch (cause) {
    throw new EarwitnessError(
      'missing-program',
      `the package ${runtimePackage} does not load on ${process.platform} ${process.arch} (${printable(messageOf(cause).split('\n')[0]!)}); it has binaries for Linux and Windows on x64 and arm64 and for macOS on arm64`,
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
      `expected the package ${packageName}, which sentence embeddings need, but it is not installed; get it with: ${installLine}`,
      { cause },
    );
  }
}
