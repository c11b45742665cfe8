import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { badInput, messageOf } from '../base/errors.ts';
import { printable } from '../base/printable.ts';
import { installLine, packageVersion } from '../packages/installed-package.ts';

/** A model as transformers.js has it. */
export interface ModelFolder {
  readonly folder: string;
  /** For errors. */
  readonly about: string;
  readonly config: JsonRecord;
  readonly generation: JsonRecord;
  readonly preprocessor: JsonRecord;
  readonly tokenizer: Tokenizer;
  /** Paths of graphs, by name: `encoder_model`. */
  readonly graphs: ReadonlyMap<string, string>;
}

type JsonRecord = Readonly<Record<string, unknown>>;

/** What is used of a tokenizer; the package's own types do not resolve from an ES module. */
interface Tokenizer {
  encode(text: string, options?: { add_special_tokens?: boolean }): { readonly ids: readonly number[] };
  decode(ids: readonly number[], options?: { skip_special_tokens?: boolean }): string;
  token_to_id(token: string): number | undefined;
  /** Tokens by number. */
  readonly tokens: ReadonlyMap<number, string>;
}

/**
 * Reads the settings of a model and finds its graphs.
 *
 * @param files graphs by name, relative to the folder; others are those in `onnx/`: in fp32 where there are such, else the only kind
 * @throws EarwitnessError `bad-input`: a file is missing or damaged; `missing-program`: a package is not installed
 */
export async function readModelFolder(
  folder: string,
  names: readonly string[],
  files: Readonly<Record<string, string>> = {},
): Promise<ModelFolder> {
  const about = printable(
    folder
      .split(/[\\/]/)
      .filter((part) => part !== '')
      .at(-1) ?? folder,
    80,
  );
  const read = async (name: string, needed: boolean): Promise<JsonRecord> => {
    try {
      return JSON.parse(await readFile(join(folder, name), 'utf8')) as JsonRecord;
    } catch (cause) {
      if (!needed) return {};
      throw badInput(
        `expected ${name} in ${about}, but it cannot be read (${printable(messageOf(cause), 120)}); name a folder that transformers.js loads`,
        { cause },
      );
    }
  };
  const there = await readdir(join(folder, 'onnx')).catch(() => []);
  const graphs = new Map<string, string>();
  for (const name of names) {
    const kinds = there.filter(
      (file) => file === `${name}.onnx` || (file.startsWith(`${name}_`) && file.endsWith('.onnx')),
    );
    const whole = kinds.filter((file) =>
      /^(quantized|int8|uint8|fp16)?\.onnx$/.test(file.slice(name.length).replace(/^_/, '')),
    );
    const chosen =
      files[name] ??
      (kinds.includes(`${name}.onnx`) ? `onnx/${name}.onnx` : whole.length === 1 ? `onnx/${whole[0]}` : null);
    if (chosen === null) {
      const found =
        kinds.length === 0 ? 'there is none' : `there is ${kinds.map((kind) => printable(kind, 60)).join(', ')}`;
      throw badInput(
        `expected one graph ${name} of 32-bit or 16-bit floats or 8-bit numbers in ${about}, but ${found}; name the file`,
      );
    }
    graphs.set(name, join(folder, chosen));
  }
  const [config, generation, preprocessor] = await Promise.all([
    read('config.json', true),
    read('generation_config.json', false),
    read('preprocessor_config.json', true),
  ]);
  const described = await read('tokenizer.json', true);
  const tokenizer = await openTokenizer(described, await read('tokenizer_config.json', false), about);
  return { folder, about, config, generation, preprocessor, tokenizer, graphs };
}

async function openTokenizer(described: JsonRecord, config: JsonRecord, about: string): Promise<Tokenizer> {
  const name = '@huggingface/tokenizers';
  const purpose = 'which texts for gradients need';
  packageVersion(name, purpose, installLine('onnxruntime-node', name));
  const { Tokenizer } = (await import('@huggingface/tokenizers')) as {
    Tokenizer: new (tokenizer: object, config: object) => Omit<Tokenizer, 'tokens'>;
  };
  const model = described.model as { readonly vocab?: unknown } | undefined;
  const vocabulary = model?.vocab;
  const tokens = new Map<number, string>();
  if (Array.isArray(vocabulary)) {
    for (const [id, [token]] of (vocabulary as readonly (readonly [string, number])[]).entries()) tokens.set(id, token);
  } else if (typeof vocabulary === 'object' && vocabulary !== null) {
    for (const [token, id] of Object.entries(vocabulary as Record<string, number>)) tokens.set(id, token);
  }
  const added = described.added_tokens;
  if (Array.isArray(added))
    for (const { id, content } of added as { id: number; content: string }[]) tokens.set(id, content);
  if (tokens.size === 0) {
    throw badInput(`expected a vocabulary in tokenizer.json of ${about}, but there is none; take another export`);
  }
  const inner = new Tokenizer(described, config);
  return {
    encode: (text, options) => inner.encode(text, options),
    decode: (ids, options) => inner.decode(ids, options),
    token_to_id: (token) => inner.token_to_id(token),
    tokens,
  };
}

/** A setting that is a number. */
export function numberOf(settings: JsonRecord, key: string, standard: number): number {
  const value = settings[key];
  return typeof value === 'number' && Number.isFinite(value) ? value : standard;
}
