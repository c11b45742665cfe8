import { createHash } from 'node:crypto';
import { readdir, stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { EarwitnessError } from '../../base/errors.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import { printable } from '../../base/printable.ts';
import { programEnvironment } from '../../system/program-environment.ts';
import { runProgram } from '../../system/run-program.ts';
import type { RecognizerKind, RecognizerServices } from '../contract.ts';
import { existingFile } from '../shared/local-files.ts';
import { callsOf, programOptions } from '../shared/program/program-options.ts';
import { openProgramRecognizer } from '../shared/program/program-recognizer.ts';
import { streamingIdentity } from '../shared/streaming-options.ts';

const options = z.strictObject({
  script: z.string().min(1).max(4000).describe('Python file that loads a model and calls earwitness.serve(…).'),
  arguments: z.array(z.string().max(4000)).default([]).describe('What the script finds in sys.argv.'),
  python: z
    .string()
    .min(1)
    .max(4000)
    .default('python3')
    .describe('Python that has the packages of the model: .venv/bin/python. Python 3.8 or later.'),
  packages: z
    .array(z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/, 'expected the name of a package, as pip has it'))
    .default([])
    .describe('Packages whose versions can change an answer: [faster-whisper]. Each must be installed.'),
  models: z
    .array(z.string().min(1).max(4000))
    .default([])
    .describe('Files and folders of the model, which count by their contents.'),
  revision: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe('Names the model where it has no files here: a commit of the hub. Changed, everything is asked anew.'),
  ...programOptions,
});

type Options = z.output<typeof options>;

/** The file that scripts import, and that starts them. */
const bridge = fileURLToPath(new URL('../../../python/earwitness.py', import.meta.url));
/** For Python to start and find the versions of packages. */
const maxVersionSeconds = 60;

/** A Python model that stays loaded and answers clip after clip, by a script of five lines. */
export const python: RecognizerKind<Options> = {
  name: 'python',
  about: 'A Python model by a script of five lines: loaded once, in batches, on several workers and devices',
  options,
  // Its processes are its own already.
  isolation: 'none',

  async describe(given, services) {
    const script = await existingFile(services, 'script', given.script);
    const { python: version, packages } = await versionsOf(given, services);
    const batch = given.batch ?? 1;
    const kinds = [...new Set(given.devices.map((device) => device.replace(/:\d+$/, '')))].toSorted();
    return {
      identity: {
        engine: 'python',
        method: 1,
        script: await services.fileHash(script),
        ...(given.arguments.length > 0 && {
          arguments: await Promise.all(given.arguments.map(argumentIdentity(services))),
        }),
        // Of Python itself the last number changes no answer.
        python: version.split('.').slice(0, 2).join('.'),
        packages,
        ...(given.models.length > 0 && {
          models: await Promise.all(given.models.map((path) => modelIdentity(path, services))),
        }),
        ...(given.revision !== undefined && { revision: given.revision }),
        ...(kinds.length > 0 && { devices: kinds }),
        ...(batch > 1 && { batch }),
        ...streamingIdentity(given),
      },
      ...callsOf(given, batch),
      // What the identity names must be all there is: a script without any may ask a service.
      pinned: given.packages.length > 0 || given.models.length > 0 || given.revision !== undefined,
      facts: { python: version, ...(given.packages.length > 0 && { packages }) },
    };
  },

  async open(given, services) {
    const script = await existingFile(services, 'script', given.script);
    await versionsOf(given, services);
    const { recognizer, hello } = await openProgramRecognizer(
      { ...given, batch: given.batch ?? 1 },
      (worker, device) => ({
        program: pathOf(given.python, services),
        arguments: ['-u', bridge, script, ...given.arguments],
        folder: services.baseFolder,
        environment: {
          ...environmentOf(given, services),
          EARWITNESS_WORKER: String(worker),
          ...(device !== undefined && { EARWITNESS_DEVICE: device }),
        },
      }),
    );
    if (hello.batch > 1 && given.batch === undefined)
      services.progress?.(
        `${printable(basename(script), 80)} takes ${hello.batch} clips at once; \`batch: ${hello.batch}\` in the config has it asked so`,
      );
    return recognizer;
  },

  async readiness() {
    return { ready: true, found: 'built in; Python and its packages are looked for when they are used' };
  },
};

/** A name without a slash is looked for in PATH; a path is meant from the config. */
function pathOf(program: string, { baseFolder }: RecognizerServices): string {
  return program.includes('/') ? resolve(baseFolder, program) : program;
}

function environmentOf({ environment }: Options, services: RecognizerServices): Record<string, string> {
  // A text that a model wrote is UTF-8 whatever the locale.
  return { ...programEnvironment(environment, services.environment), PYTHONUTF8: '1', PYTHONDONTWRITEBYTECODE: '1' };
}

/** @throws EarwitnessError `missing-program`: no Python there, too old, or a package is missing */
async function versionsOf(
  given: Options,
  services: RecognizerServices,
): Promise<{ python: string; packages: JsonObject }> {
  const shown = printable(given.python, 200);
  const { end, output, errors } = await runProgram({
    program: pathOf(given.python, services),
    arguments: [bridge, '--versions', ...given.packages],
    folder: services.baseFolder,
    environment: environmentOf(given, services),
    maxSeconds: maxVersionSeconds,
    maxOutputBytes: 1_000_000,
  });
  const missing = (problem: string) => new EarwitnessError('missing-program', `python: expected ${problem}`);
  if (end.how === 'not started') {
    const reason = end.error.code === 'ENOENT' ? 'there is none' : (end.error.code ?? 'it cannot be started');
    throw missing(
      `Python 3.8 or later at ${shown}, but ${reason}; correct the path, or make it: python3 -m venv .venv`,
    );
  }
  const read = end.how === 'exit' && end.code === 0 ? readVersions(output.toString('utf8')) : null;
  if (read === null) {
    const words = printable(errors.trim(), 300, 'end');
    throw missing(`Python 3.8 or later at ${shown}, but it did not say its version${words === '' ? '' : `: ${words}`}`);
  }
  const absent = given.packages.filter((name) => typeof read.packages[name] !== 'string');
  if (absent.length === 0) return read;
  throw missing(
    `the packages ${absent.join(', ')} in ${shown}, but they are not installed there; type: ${shown} -m pip install ${absent.join(' ')}`,
  );
}

function readVersions(text: string): { python: string; packages: JsonObject } | null {
  const shape = z.object({ python: z.string(), packages: z.record(z.string(), z.string().nullable()) });
  try {
    return shape.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

function argumentIdentity(services: RecognizerServices): (part: string) => Promise<Json> {
  return async (part) => {
    const path = resolve(services.baseFolder, part);
    const found = await stat(path).catch(() => null);
    if (found?.isFile()) return { file: await services.fileHash(path) };
    return found?.isDirectory() ? { folder: basename(path) } : { text: part };
  };
}

/** One hash of the contents of a file, or of all files of a folder with their names. */
async function modelIdentity(named: string, services: RecognizerServices): Promise<string> {
  const path = resolve(services.baseFolder, named);
  const found = await stat(path).catch(() => null);
  if (found?.isFile()) return services.fileHash(path);
  if (!found?.isDirectory())
    throw new EarwitnessError(
      'bad-config',
      `models: expected a file or folder at ${printable(named, 200)}, but there is none; correct the path`,
    );
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const hash = createHash('sha256');
  for (const file of files.toSorted()) hash.update(`${file.slice(path.length)}\0${await services.fileHash(file)}\0`);
  return hash.digest('hex');
}
