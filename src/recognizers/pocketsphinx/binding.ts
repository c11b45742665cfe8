import { realpath } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { missingProgram } from '../../base/errors.ts';
import { installLine } from '../../packages/installed-package.ts';
import { isFile } from '../../packages/model-files.ts';
import type { RecognizerServices } from '../contract.ts';

const decoderName = 'libpocketsphinx.so.3';
const baseName = 'libsphinxbase.so.3';
const triplets: Readonly<Partial<Record<NodeJS.Architecture, string>>> = {
  x64: 'x86_64-linux-gnu',
  arm64: 'aarch64-linux-gnu',
  riscv64: 'riscv64-linux-gnu',
  ppc64: 'powerpc64le-linux-gnu',
};

/** An address in the library's memory; 0 or null for none. */
export type Pointer = bigint | number | null;

type Async<Arguments extends unknown[], Result> = (
  ...args: [...Arguments, (error: unknown, result: Result) => void]
) => void;
type Native<Arguments extends unknown[], Result> = ((...args: Arguments) => Result) & {
  async: Async<Arguments, Result>;
};

/** The functions of both libraries that are used, with their C names. */
export interface Functions {
  readonly ps_args: () => Pointer;
  readonly cmd_ln_parse_r: (config: null, definitions: Pointer, count: number, words: string[], strict: 1) => Pointer;
  readonly cmd_ln_free_r: (config: Pointer) => number;
  readonly cmd_ln_float_r: (config: Pointer, name: string) => number;
  readonly cmd_ln_int_r: (config: Pointer, name: string) => number;
  readonly cmd_ln_str_r: (config: Pointer, name: string) => string | null;
  readonly ps_init: Native<[Pointer], Pointer>;
  readonly ps_free: (decoder: Pointer) => number;
  readonly ps_get_fe: (decoder: Pointer) => Pointer;
  readonly ps_get_feat: (decoder: Pointer) => Pointer;
  readonly ps_get_logmath: (decoder: Pointer) => Pointer;
  readonly ps_start_stream: (decoder: Pointer) => number;
  readonly ps_start_utt: (decoder: Pointer) => number;
  readonly ps_process_raw: Native<[Pointer, Int16Array, number, 0 | 1, 0 | 1], number>;
  readonly ps_get_in_speech: (decoder: Pointer) => number;
  readonly ps_end_utt: Native<[Pointer], number>;
  readonly ps_get_hyp: Native<[Pointer, null], string | null>;
  readonly ps_seg_iter: Native<[Pointer, null], Pointer>;
  readonly ps_seg_next: (segment: Pointer) => Pointer;
  readonly ps_seg_word: (segment: Pointer) => string;
  readonly ps_seg_frames: (segment: Pointer, first: [number], last: [number]) => void;
  readonly ps_seg_prob: (segment: Pointer, acoustic: null, language: null, backoff: null) => number;
  readonly logmath_exp: (logmath: Pointer, value: number) => number;
  readonly genrand_seed: (seed: number) => void;
  readonly err_set_logfile: (path: string) => number;
}

type Koffi = typeof import('koffi').default;

/** The library, loaded. */
export interface Binding {
  readonly koffi: Koffi;
  readonly functions: Functions;
  /** Names of the parameters that the library has. */
  readonly parameterNames: readonly string[];
}

const baseFunctions = [
  'void *cmd_ln_parse_r(void *config, void *definitions, int count, char **words, int strict)',
  'int cmd_ln_free_r(void *config)',
  'double cmd_ln_float_r(void *config, const char *name)',
  'long cmd_ln_int_r(void *config, const char *name)',
  'const char *cmd_ln_str_r(void *config, const char *name)',
  'double logmath_exp(void *logmath, int value)',
  'void genrand_seed(unsigned long seed)',
  'int err_set_logfile(const char *path)',
];

const decoderFunctions = [
  'void *ps_args()',
  'void *ps_init(void *config)',
  'int ps_free(void *decoder)',
  'void *ps_get_fe(void *decoder)',
  'void *ps_get_feat(void *decoder)',
  'void *ps_get_logmath(void *decoder)',
  'int ps_start_stream(void *decoder)',
  'int ps_start_utt(void *decoder)',
  'int ps_process_raw(void *decoder, const int16_t *samples, size_t count, int no_search, int full_utterance)',
  'uint8_t ps_get_in_speech(void *decoder)',
  'int ps_end_utt(void *decoder)',
  'const char *ps_get_hyp(void *decoder, int *score)',
  'void *ps_seg_iter(void *decoder, int *score)',
  'void *ps_seg_next(void *segment)',
  'const char *ps_seg_word(void *segment)',
  'void ps_seg_frames(void *segment, _Out_ int *first, _Out_ int *last)',
  'int ps_seg_prob(void *segment, int *acoustic, int *language, int *backoff)',
];

/** A row of the table that `ps_args` gives: name, type, default, description; a row without a name ends it. */
const parameterRow = { name: 'const char *', type: 'int', standard: 'const char *', about: 'const char *' };
const maxParameters = 1000;

const asyncStackBytes = 1 << 20;

const loaded = new Map<string, Binding>();

/**
 * Loads koffi, and the libraries once for the whole process.
 *
 * @throws EarwitnessError `missing-program` where koffi or the library cannot be loaded
 */
export async function loadBinding(files: LibraryFiles): Promise<Binding> {
  const known = loaded.get(files.decoder);
  if (known) return known;
  const koffi = await loadKoffi();
  enlargeStacks(koffi);
  try {
    const base = koffi.load(files.base, { global: true });
    const decoder = koffi.load(files.decoder);
    const entries = [
      ...baseFunctions.map((prototype) => [nameIn(prototype), base.func(prototype)] as const),
      ...decoderFunctions.map((prototype) => [nameIn(prototype), decoder.func(prototype)] as const),
    ];
    const functions = Object.fromEntries(entries) as unknown as Functions;
    const binding = { koffi, functions, parameterNames: readParameterNames(koffi, functions) };
    loaded.set(files.decoder, binding);
    return binding;
  } catch (error) {
    throw missingProgram(
      `${files.name} is there, but cannot be used (version 0.8 or 5prealpha is expected); reinstall it with: sudo apt-get install --reinstall libpocketsphinx3 libsphinxbase3`,
      { cause: error },
    );
  }
}

/**
 * The package that calls functions of C libraries: optional, and left out by npm in silence where it cannot be installed.
 *
 * @throws EarwitnessError `missing-program`
 */
export async function loadKoffi(): Promise<Koffi> {
  try {
    return (await import('koffi')).default;
  } catch (error) {
    throw missingProgram(
      `the package koffi, which calls PocketSphinx, is not installed; type: ${installLine('koffi')}`,
      {
        cause: error,
      },
    );
  }
}

/** The library recurses through lattices, for which the 128 KiB that calls in threads of their own have are short. */
function enlargeStacks(koffi: Koffi): void {
  if (koffi.config().async_stack_size === asyncStackBytes) return;
  try {
    koffi.config({ async_stack_size: asyncStackBytes });
  } catch {
    // Somebody in this process has loaded another library already, and set what suits that.
  }
}

function nameIn(prototype: string): string {
  return /(\w+)\(/.exec(prototype)![1]!;
}

function readParameterNames(koffi: Koffi, functions: Functions): string[] {
  const row = koffi.struct(parameterRow);
  const size = koffi.sizeof(row);
  const table = functions.ps_args();
  const names: string[] = [];
  for (let index = 0; index < maxParameters; index++) {
    const { name } = koffi.decode(table, index * size, row) as { name: string | null };
    if (name === null) break;
    names.push(name);
  }
  return names;
}

/** The two shared libraries of PocketSphinx 0.8 and 5prealpha, whose functions and structures this member knows. */
export interface LibraryFiles {
  readonly decoder: string;
  readonly base: string;
  /** Real name of the decoder's file, with its version: `libpocketsphinx.so.3.0.0`. */
  readonly name: string;
}

/**
 * Where the libraries lie: the named folder, else LD_LIBRARY_PATH and the system's usual folders.
 *
 * @returns null where they are not
 */
export async function findLibraryFiles(services: RecognizerServices): Promise<LibraryFiles | null> {
  const triplet = triplets[process.arch];
  const folders = [
    ...(services.environment('LD_LIBRARY_PATH') ?? '').split(':').filter(Boolean),
    '/usr/local/lib',
    ...(triplet ? [`/usr/lib/${triplet}`, `/lib/${triplet}`] : []),
    '/usr/lib64',
    '/usr/lib',
  ];
  for (const place of folders) {
    const decoder = join(place, decoderName);
    const base = join(place, baseName);
    if ((await isFile(decoder)) && (await isFile(base))) {
      return { decoder, base, name: basename(await realpath(decoder)) };
    }
  }
  return null;
}
