import { installLine, packageVersion } from '../../packages/installed-package.ts';
import { loadOnnxRuntime, type OnnxRuntime } from '../../packages/onnx-runtime.ts';

const tokenizerPackage = '@huggingface/tokenizers';
const purpose = 'which sentence embeddings need';

/** What is used of a tokenizer; the package's own types do not resolve from an ES module. */
export interface Tokenizer {
  encode(text: string, options?: { add_special_tokens?: boolean }): { readonly ids: readonly number[] };
  token_to_id(token: string): number | undefined;
}

/** The packages that compute, with their versions. */
export interface Libraries {
  readonly runtime: OnnxRuntime;
  readonly Tokenizer: new (tokenizer: object, config: object) => Tokenizer;
  readonly versions: { readonly [packageName: string]: string };
}

/** @throws EarwitnessError `missing-program`: a package is not installed, or has no binary for this machine */
export async function loadLibraries(): Promise<Libraries> {
  const install = installLine('onnxruntime-node', tokenizerPackage);
  const tokenizerVersion = packageVersion(tokenizerPackage, purpose, install);
  const { runtime, version } = await loadOnnxRuntime(purpose, install);
  const { Tokenizer } = await import('@huggingface/tokenizers');
  return { runtime, Tokenizer, versions: { 'onnxruntime-node': version, [tokenizerPackage]: tokenizerVersion } };
}
